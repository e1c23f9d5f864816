"""``python -m benchmarks.description.run [FILE …]``: what forgetting by description does, case by case.

Each case is a book of its own: put its texts in, ask, compare. A case is *right* if exactly what is meant went (or
nothing, where nothing is meant), *asked* if a proposal came back (also without the target among its first five, or the
nearest five that ``NotFound`` carries), *partly* if less went than was meant, and *wrong* if anything else is gone.
``--yes`` commits the certain ones of a proposal, ``--without-judge`` leaves the judge out, ``--show RESULT``
prints the cases.
"""

import argparse
import json
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

from commonplace import Commonplace, Settings
from commonplace.describing import resolve
from commonplace.describing.proposal import Proposal
from commonplace.errors import CommonplaceError, NotFound
from commonplace.model import STATUSES, Message
from commonplace.testing.clock import StoppedClock

CASES = Path(__file__).with_name("cases.jsonl")
RIGHT, ASKED, MISSED, NOTHING = "right", "asked", "asked, not among five", "found nothing"
PARTLY, WRONG = "partly", "WRONG"
Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    result: str
    detail: str = ""


def load(path: Path = CASES) -> list[Case]:
    return [_case(json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def _case(case: Case) -> Case:
    """A case in our fields; those of benchmarks/heldout name a book and the places of what is meant in it."""
    if "memories" not in case:
        return case
    texts, meant = case["memories"], set(case["targets"])
    ours = {"kind": case["kind"], "query": case["description"], "gone": [texts[at] for at in sorted(meant)]}
    ours["keep"] = [text for at, text in enumerate(texts) if at not in meant]
    return ours | ({} if meant else {"error": "NotFound"})


def entries(case: Case) -> list[Any]:
    """The book's texts, mixed, so that neither order nor age gives the answer away."""
    meant, others = [*case.get("gone", ()), *case.get("cut", {})], list(case.get("keep", ()))
    mixed: list[Any] = []
    while meant or others:
        mixed += others[:1] + meant[:1]
        others, meant = others[1:], meant[1:]
    return mixed


def text_of(entry: Any) -> str:
    return str(entry if isinstance(entry, str) else entry[1])


def run(cases: Sequence[Case], *, yes: bool = False) -> Iterator[Outcome]:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings, clock = Settings(home=Path(folder) / "home"), StoppedClock()
        url = f"sqlite:///{(Path(folder) / 'cases.db').as_posix()}"
        books: dict[str, Commonplace] = {}
        try:
            for number, case in enumerate(cases):
                owner = case.get("owner", "me")
                if owner not in books:
                    books[owner] = Commonplace.open(url, owner=owner, settings=settings, clock=clock)
                yield outcome(books[owner].within(f"case-{number}"), case, clock, yes=yes)
        finally:
            for book in books.values():
                book.close()


def outcome(book: Commonplace, case: Case, clock: StoppedClock, *, yes: bool) -> Outcome:
    for entry in entries(case):
        _put(book, entry, clock)
    before = texts(book)
    expected = sorted([*_expected(case), *_learned(book, case)])
    meant = {*map(text_of, case.get("gone", ())), *case.get("cut", {})}
    try:
        answer = _act(book, case, yes=yes)
    except NotFound as fault:
        near = [book.get(id).text for id in fault.nearest]
        result = RIGHT if case.get("error") else ASKED if meant <= set(near) else NOTHING
        return Outcome(case, result, "found nothing, and named the nearest")
    except CommonplaceError as fault:
        return Outcome(case, RIGHT if case.get("error") else NOTHING, type(fault).__name__)
    after = texts(book)
    if isinstance(answer, Proposal):
        if after != before:
            return Outcome(case, WRONG, "a proposal changed something")
        shown = [book.get(target.id).text for target in (*answer.targets, *answer.alternatives)]
        if case.get("error"):
            return Outcome(case, RIGHT, "asked")
        among = meant <= set(shown[: max(5, len(meant))])
        return Outcome(case, ASKED if among else MISSED, f"{answer.reasons[0]}: {shown}")
    if not case.get("error") and after == expected:
        return Outcome(case, RIGHT)
    others = {text_of(entry) for entry in case.get("keep", ())}
    return Outcome(case, PARTLY if others <= set(after) and not case.get("cut") else WRONG, f"left {after}")


def _act(book: Commonplace, case: Case, *, yes: bool) -> Any:
    if case.get("text") is not None:
        return book.revise(query=case["query"], text=case["text"])
    return book.forget(query=case["query"], all=case.get("all", False), yes=yes)


def _expected(case: Case) -> list[str]:
    if case.get("error"):
        return [text_of(entry) for entry in entries(case)]
    new = [case["text"]] if case.get("text") is not None and not case.get("cut") else []
    return [*map(text_of, case.get("keep", ())), *case.get("cut", {}).values(), *new]


def _learned(book: Commonplace, case: Case) -> list[str]:
    """What the book concluded from messages by itself: it stays where what it rests on does."""
    stays = {text_of(entry) for entry in (entries(case) if case.get("error") else case.get("keep", ()))}
    own = {text_of(entry) for entry in entries(case)}
    beliefs = [memory for memory in book.browse(limit=1000, namespaces=[book.namespace]) if memory.text not in own]
    return [memory.text for memory in beliefs if all(turn.text in stays for turn, _ in book.evidence(memory.id))]


def texts(book: Commonplace) -> list[str]:
    return sorted(memory.text for memory in book.browse(limit=1000, statuses=STATUSES, namespaces=[book.namespace]))


def _put(book: Commonplace, entry: Any, clock: StoppedClock) -> None:
    if isinstance(entry, str):
        book.remember(entry)
        return
    who, text, *ago = entry
    at = clock.now() - timedelta(days=ago[0] if ago else 0)
    speaker = {} if who in ("assistant", "user") else {"speaker": who}
    book.observe([Message(text, role="assistant" if who == "assistant" else "user", at=at, **speaker)])


def table(outcomes: Sequence[Outcome]) -> str:
    results = (RIGHT, ASKED, MISSED, NOTHING, PARTLY, WRONG)
    lines = [f"| kind | cases | {' | '.join(results)} |", "|---" * (len(results) + 2) + "|"]
    for kind in [*sorted({outcome.case["kind"] for outcome in outcomes}), "all"]:
        counts = Counter(outcome.result for outcome in outcomes if kind in (outcome.case["kind"], "all"))
        cells = " | ".join(str(counts[result]) for result in results)
        lines.append(f"| {kind} | {counts.total()} | {cells} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", type=Path, nargs="*", default=[CASES])
    parser.add_argument("--every", type=int, default=1, help="only every n-th case")
    parser.add_argument("--yes", action="store_true")
    parser.add_argument("--without-judge", action="store_true")
    parser.add_argument("--show", action="append", default=[], help="print the cases with this result")
    arguments = parser.parse_args()
    if arguments.without_judge:
        resolve.Judge.ready = lambda self: False  # type: ignore[method-assign]
    cases = [case for path in arguments.files for case in load(path)][:: arguments.every]
    started = time.perf_counter()
    outcomes = list(run(cases, yes=arguments.yes))
    print(table(outcomes))
    print(f"{(time.perf_counter() - started) / len(cases) * 1000:.0f} ms a case")
    for outcome in outcomes:
        if outcome.result in arguments.show:
            print(f"\n[{outcome.case['kind']}] {outcome.result}: {outcome.case['query']!r}\n  {outcome.detail}")


if __name__ == "__main__":
    main()
