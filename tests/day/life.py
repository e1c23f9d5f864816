"""Feed thirty days of Nora's conversations to a book, with all maintenance, and print what it believes.

python tests/day/life.py                  what is believed at the end, and the junk rate
python tests/day/life.py --on 2026-03-10  what was believed on that day
"""

import argparse
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

from commonplace import Commonplace, Message, Settings
from commonplace.model import KINDS, Kind, Memory
from commonplace.testing.clock import StoppedClock

HERE = Path(__file__).parent
BELIEFS: tuple[Kind, ...] = tuple(kind for kind in KINDS if kind != "episodic")
SPEAKERS = {"N": ("user", "Nora"), "A": ("assistant", None), "M": ("user", "Marco"), "T": ("tool", None)}
OWNER = "nora"
LAST = "2026-03-31"
SECRETS = {
    "{aws key}": "AKIA" + "Q7XN2PV5KD6WJ3RM",
    "{aws secret}": "kT9vLq2/Xw7RbZ4m" + "Hs8JcNf3+PdYg6UaEo1Vi5Qx",
    "{github token}": "ghp" + "_R7kQ2mXw9ZpL4vTn8BcJ3sHd6FgY1uEa0K5i",
}
"""Put into the script when it is read, so that no file holds what looks like a key."""


@dataclass(frozen=True)
class Turn:
    session: str
    message: Message


def turns(text: str, speakers: Mapping[str, tuple[str, str | None]] = SPEAKERS) -> Iterator[Turn]:
    """The script: ``## day``, ``# time title``, ``N: words``, and ``  |`` before each further line of a turn."""
    joined = re.sub(r"\n  \|", "\v", text)
    for name, secret in SECRETS.items():
        joined = joined.replace(name, secret)
    day, session, at = date.min, "", datetime.min.replace(tzinfo=UTC)
    for line in joined.split("\n"):
        if line.startswith("## "):
            day = date.fromisoformat(line[3:].strip())
        elif line.startswith("# "):
            hour, title = line[2:].split(" ", 1)
            at = datetime.combine(day, time.fromisoformat(hour), UTC)
            session = f"{day} {title}"
        elif line.strip():
            who, said = line.split(": ", 1)
            role, speaker = speakers[who]
            message = Message(said.replace("\v", "\n"), role=role, speaker=speaker, at=at)  # type: ignore[arg-type]
            yield Turn(session, message)
            at += timedelta(minutes=1)


def live(book: Commonplace, clock: StoppedClock) -> int:
    """Let the month pass. How many turns there were."""
    many = pass_by(book, clock, turns((HERE / "conversations.txt").read_text(encoding="utf-8")))
    clock.at = datetime(2026, 4, 1, 2, 0, tzinfo=UTC)
    book.maintain()
    return many


def pass_by(book: Commonplace, clock: StoppedClock, told: Iterable[Turn]) -> int:
    """Every turn as it is said, maintenance every night. How many turns there were."""
    many = 0
    for turn in told:
        at = turn.message.at
        assert at is not None
        if at.date() > clock.now().date():
            clock.at = datetime.combine(at.date(), time(2, 0), UTC)
            book.maintain()
        clock.at = at
        book.observe(turn.message, session=turn.session)
        many += 1
    return many


def believed(book: Commonplace, *, at: datetime | None = None) -> list[Memory]:
    """What was believed at a moment to be true then, or is now."""
    if at is None:
        return book.browse(kinds=BELIEFS, limit=1_000, newest=False)
    found = []
    for memory in book.browse(
        kinds=BELIEFS, statuses=("candidate", "verified", "stale", "rejected", "archived"), limit=1_000, newest=False
    ):
        states = [one for one in book.history(memory.id) if one.recorded_at <= at]
        if states and states[-1].memory.status in ("candidate", "verified"):
            found.append(states[-1].memory)
    return found


def line(memory: Memory) -> str:
    return f"{memory.key}: {memory.text}" if memory.key else memory.text


@dataclass(frozen=True)
class Judged:
    """What is believed beside what a reader of the script wrote down before seeing what the program makes of it."""

    known: int
    missed: list[str]
    forbidden: int
    wrong: list[str]
    junk: list[str]
    """Beliefs that nobody who read the month would have noted."""


def labels() -> dict[str, Mapping[str, Any]]:
    """By day: what must be known when it ends and what must not, each as words that one belief holds; what else is fine
    to know; and, known to fail, what is ``missed``, what is ``wrong`` and, at the end, what is ``junk``."""
    found: dict[str, Mapping[str, Any]] = json.loads((HERE / "labels.json").read_text(encoding="utf-8"))
    return found


def judged(lines: Iterable[str], label: Mapping[str, Any]) -> Judged:
    folded = [one.casefold() for one in lines]
    meets = {
        name: [one for one in folded if all(word in one for word in words)] for name, words in label["known"].items()
    }
    bad = {name: [one for one in folded if all(word in one for word in words)] for name, words in label["not"].items()}
    wanted = [*label["known"].values(), *label.get("fine", {}).values()]
    return Judged(
        known=len(meets),
        missed=[name for name, found in meets.items() if not found],
        forbidden=len(bad),
        wrong=[name for name, found in bad.items() if found],
        junk=[one for one in folded if not any(all(word in one for word in words) for words in wanted)],
    )


def open_book(folder: Path, clock: StoppedClock) -> Commonplace:
    settings = Settings(home=folder / "home", timezone="UTC")
    return Commonplace.open(f"sqlite:///{folder}/book.db", owner=OWNER, settings=settings, clock=clock)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--on", type=date.fromisoformat, help="a day in March 2026: what was believed when it ended")
    given = parser.parse_args()
    clock = StoppedClock(datetime(2026, 3, 2, 0, 0, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder, open_book(Path(folder), clock) as book:
        many = live(book, clock)
        at = datetime.combine(given.on, time.max, UTC) if given.on else None
        found = believed(book, at=at)
        print(f"{many} turns in 30 days; {len(found)} beliefs {f'on {given.on}' if given.on else 'at the end'}")
        for memory in found:
            mark = "" if memory.status == "verified" else f" ({memory.status})"
            print(f"  {memory.kind:<12}{line(memory)}{mark}")
        for day, label in labels().items():
            ended = datetime.combine(date.fromisoformat(day), time.max, UTC) if day != LAST else None
            made = judged(map(line, believed(book, at=ended)), label)
            print(f"{day}: {made.known - len(made.missed)} of {made.known} known", *made.missed, sep="\n  missed ")
            print(f"{day}: {len(made.wrong)} of {made.forbidden} must-nots believed", *made.wrong, sep="\n  wrong ")
            if ended is None:
                share = len(made.junk) / len(believed(book))
                print(f"junk: {len(made.junk)} of {len(believed(book))} ({share:.1%})", *made.junk, sep="\n  ")
        if at is None:
            waiting = book.review.list()
            print(
                f"waiting for a person: {len(waiting)}", *(f"{w.memory.text}: {w.reason}" for w in waiting), sep="\n  "
            )


if __name__ == "__main__":
    main()
