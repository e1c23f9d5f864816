"""Play three invented people's months and count what is believed wrongly at the end of each.

python benchmarks/months.py [--month month_1] [--weeks] [--show] [--matcher words] [--cases FOLDER]

known      statements that are true then and that a current belief says; unknown: the others
stale      beliefs that say what is no longer true; wrong: what never was, wrongly attributed statements among it
twice      pairs of current beliefs of which each denies the other (same slot, two values)
unlisted   beliefs that say nothing on the lists: ``--show`` prints them, so that somebody can count the junk
overturned true statements that were believed and ended although they are still true

Statements are matched by meaning with ``benchmarks/meaning.py``, which errs in both directions; read ``--show`` before
quoting a figure.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

sys.path[:0] = ["."]

from benchmarks.meaning import MATCHERS, WordMatcher  # noqa: E402

from commonplace import Commonplace, Message, Settings  # noqa: E402
from commonplace.testing.clock import StoppedClock  # noqa: E402

HERE = Path(__file__).parent / "heldout"
KINDS = ("core", "associative", "relational")


@dataclass(slots=True)
class Count:
    """One check: what is believed beside what is so."""

    at: str
    beliefs: list[str] = field(default_factory=list)
    known: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    stale: list[tuple[str, str]] = field(default_factory=list)
    wrong: list[tuple[str, str]] = field(default_factory=list)
    twice: list[tuple[str, str]] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)
    overturned: list[tuple[str, str]] = field(default_factory=list)
    waiting: int = 0

    def line(self) -> str:
        true = len(self.known) + len(self.unknown)
        stale = len(self.stale) / max(1, len(self.beliefs))
        return (
            f"{self.at[:10]}  beliefs {len(self.beliefs):>3}  known {len(self.known) / max(1, true):.0%} of {true}  "
            f"stale {len(self.stale)} ({stale:.1%})  wrong {len(self.wrong)}  twice {len(self.twice)}  "
            f"overturned {len(self.overturned)}  unlisted {len(self.unlisted)}  in review {self.waiting}"
        )


def text_of(memory: Any, owner: str) -> str:
    return f"{owner}'s {memory.key} is {memory.text}" if memory.kind == "core" else str(memory.text)


def as_message(message: Mapping[str, str]) -> Message:
    """A message of a case; somebody else's words come under their name, as from a user."""
    role = "user" if message["role"] == "other" else message["role"]
    return Message(message["text"], speaker=message.get("speaker"), role=role)  # type: ignore[arg-type]


def check(book: Commonplace, expected: Mapping[str, Any], meaning: WordMatcher) -> Count:
    current = book.browse(kinds=KINDS, limit=1000)
    count = Count(at=expected["at"], waiting=sum(memory.status == "candidate" for memory in current))
    count.beliefs = [text_of(memory, "Owner") for memory in current if memory.status == "verified"]
    over = book.browse(kinds=KINDS, statuses=("stale", "rejected"), limit=1000)
    ended = [text_of(memory, "Owner") for memory in over]
    listed: set[str] = set()
    for statement in expected["true"]:
        said = [belief for belief in count.beliefs if meaning.says(belief, statement)]
        listed.update(said)
        (count.known if said else count.unknown).append(statement)
        if not said:
            count.overturned += [(statement, belief) for belief in ended if meaning.says(belief, statement)][:1]
    for name, found in (("no_longer_true", count.stale), ("never_true", count.wrong)):
        for belief in count.beliefs:
            if belief not in listed and (against := [one for one in expected[name] if meaning.says(belief, one)]):
                found.append((belief, against[0]))
    listed |= {belief for belief, _ in (*count.stale, *count.wrong)}
    count.unlisted = [belief for belief in count.beliefs if belief not in listed]
    slots: dict[str, str] = {}
    for memory in current:
        slot = memory.metadata.get("slot")
        if slot and not memory.metadata.get("many") and memory.status == "verified":
            if slot in slots:
                count.twice.append((slots[slot], memory.text))
            slots[slot] = memory.text
    return count


def play(
    name: str,
    folder: Path,
    matcher: type[WordMatcher],
    *,
    sessions: int | None = None,
    weeks: bool = True,
    cases: Path = HERE,
) -> list[Count]:
    """The count at every check, or without ``weeks`` at the ends of months; only so many ``sessions`` are played."""
    month = json.loads((cases / f"{name}.json").read_text(encoding="utf-8"))
    owner, first = month["owner"], month["owner"].split()[0]
    meaning = matcher(owner, first)
    clock = StoppedClock(datetime.fromisoformat(month["sessions"][0]["at"]).replace(tzinfo=UTC))
    settings = Settings(home=folder / "home", timezone="UTC")
    counts, checks = [], list(month["checks"])
    if not weeks:
        checks = [checks[at] for at in sorted({3, 7, len(checks) - 1}) if at < len(checks)]
    with Commonplace.open(f"sqlite:///{folder}/book.db", owner=first.lower(), settings=settings, clock=clock) as book:
        for number, session in enumerate(month["sessions"][:sessions]):
            at = datetime.fromisoformat(session["at"]).replace(tzinfo=UTC)
            while checks and datetime.fromisoformat(checks[0]["at"]).replace(tzinfo=UTC) < at:
                counts.append(_checked(book, clock, checks.pop(0), meaning))
            clock.at = at
            for message in session["messages"]:
                book.observe(as_message(message), session=str(number))
                clock.advance(minutes=1)
        counts += [_checked(book, clock, expected, meaning) for expected in checks]
    return counts


def _checked(book: Commonplace, clock: StoppedClock, expected: Mapping[str, Any], meaning: WordMatcher) -> Count:
    clock.at = max(clock.at, datetime.fromisoformat(expected["at"]).replace(tzinfo=UTC))
    return check(book, expected, meaning)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--month", action="append")
    options.add_argument("--weeks", action="store_true", help="every week, not only the last of each month")
    options.add_argument("--show", action="store_true", help="print what was missed and what is believed too much")
    options.add_argument("--matcher", choices=tuple(MATCHERS), default="meaning", help="see benchmarks/meaning.py")
    options.add_argument("--cases", type=Path, default=HERE, help="the folder of the months")
    arguments = options.parse_args()
    for name in arguments.month or sorted(path.stem for path in arguments.cases.glob("month_*.json")):
        with tempfile.TemporaryDirectory() as folder:
            counts = play(name, Path(folder), MATCHERS[arguments.matcher], weeks=arguments.weeks, cases=arguments.cases)
        print(name)
        for count in counts:
            print(" ", count.line(), flush=True)
        if arguments.show:
            last = counts[-1]
            for title in ("unknown", "stale", "wrong", "twice", "overturned", "unlisted"):
                print(f"  {title}", *(f"    {entry}" for entry in getattr(last, title)), sep="\n")


if __name__ == "__main__":
    main()
