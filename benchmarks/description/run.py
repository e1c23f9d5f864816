"""Put each case into a real book, ask, and compare what is there with what should be."""

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from benchmarks.description.case import Case, Entry, said

from commonplace import Commonplace, Settings
from commonplace.errors import CommonplaceError
from commonplace.model import STATUSES, Message
from commonplace.testing.clock import StoppedClock


@dataclass(frozen=True, slots=True)
class Outcome:
    case: Case
    passed: bool
    why: str


def run(cases: Sequence[Case]) -> list[Outcome]:
    """Every case in a book of its own."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        settings = Settings(home=Path(folder) / "home")
        clock = StoppedClock()
        url = f"sqlite:///{(Path(folder) / 'cases.db').as_posix()}"
        outcomes = []
        books: dict[str, Commonplace] = {}
        try:
            for number, case in enumerate(cases):
                if case.owner not in books:
                    books[case.owner] = Commonplace.open(url, owner=case.owner, settings=settings, clock=clock)
                outcomes.append(judge(books[case.owner].within(f"case-{number}"), case, clock))
        finally:
            for book in books.values():
                book.close()
    return outcomes


def judge(book: Commonplace, case: Case, clock: StoppedClock) -> Outcome:
    """A preview must change nothing, and the act must do what the preview said."""
    for entry in case.entries:
        _put(book, entry, clock)
    before = texts(book)
    expected = sorted([*case.expected, *_learned(book, case)])
    raised = None
    try:
        shown = _act(book, case, dry_run=True)
        if texts(book) != before:
            return Outcome(case, False, "the preview changed something")
        done = _act(book, case, dry_run=False)
        if not set(done.ids) >= set(shown.ids):
            return Outcome(case, False, "the act did less than the preview said")
    except CommonplaceError as fault:
        raised = type(fault).__name__
    after = texts(book)
    if raised != case.error:
        return Outcome(case, False, f"raised {raised}, not {case.error}; left {after}")
    if after != expected:
        return Outcome(case, False, f"left {after}, not {expected}")
    return Outcome(case, True, "")


def _learned(book: Commonplace, case: Case) -> list[str]:
    """What the book concluded from turns by itself: it stays where what it rests on does."""
    stays = {said(entry) for entry in (case.entries if case.error else case.keep)}
    own = {said(entry) for entry in case.entries}
    found = [one for one in book.browse(limit=1000, namespaces=[book.namespace]) if one.text not in own]
    return [one.text for one in found if all(episode.text in stays for episode, _ in book.evidence(one.id))]


def texts(book: Commonplace) -> list[str]:
    return sorted(one.text for one in book.browse(limit=1000, statuses=STATUSES, namespaces=[book.namespace]))


def table(outcomes: Sequence[Outcome]) -> str:
    """Pass rates by kind and round."""
    rounds = sorted({one.case.round for one in outcomes})
    heads = [f"round {number}" for number in rounds]
    lines = [f"| kind | {' | '.join(heads)} |", "|---" * (len(rounds) + 1) + "|"]
    for kind in [*dict.fromkeys(one.case.kind for one in outcomes), "all"]:
        mine = [one for one in outcomes if kind in (one.case.kind, "all")]
        cells = [_rate([one for one in mine if one.case.round == number]) for number in rounds]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _rate(outcomes: Sequence[Outcome]) -> str:
    return f"{sum(one.passed for one in outcomes)} of {len(outcomes)}" if outcomes else ""


def _put(book: Commonplace, entry: Entry, clock: StoppedClock) -> None:
    if isinstance(entry, str):
        book.remember(entry)
        return
    who, text, *ago = entry
    at = clock.now() - timedelta(days=ago[0] if ago else 0)
    if who in ("assistant", "user"):
        book.observe([Message(text, role=who, at=at)])
    else:
        book.observe([Message(text, speaker=who, at=at)])


def _act(book: Commonplace, case: Case, *, dry_run: bool):
    if case.text is not None:
        return book.revise(query=case.query, text=case.text, dry_run=dry_run, best=case.best)
    return book.forget(query=case.query, dry_run=dry_run, all=case.all, best=case.best)
