"""Feed two weeks of Ravi's conversations to a book; what it believes beside labels that were written before it ran.

python benchmarks/day/fortnight.py
"""

import json
import sys
import tempfile
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

sys.path[:0] = ["."]

from benchmarks.day import life  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.testing.clock import StoppedClock  # noqa: E402

HERE = Path(__file__).parent
SPEAKERS = {"R": ("user", "Ravi"), "A": ("assistant", None)}
OWNER = "ravi"


def label() -> Mapping[str, Any]:
    """What must be known at the end and what must not, each as words that one belief holds."""
    found: dict[str, Mapping[str, Any]] = json.loads((HERE / "fortnight.json").read_text(encoding="utf-8"))
    return found["2026-05-17"]


def live(folder: Path) -> list[str]:
    """What is believed when the two weeks are over."""
    clock = StoppedClock(datetime(2026, 5, 4, tzinfo=UTC))
    settings = Settings(home=folder / "home", timezone="UTC")
    script = (HERE / "fortnight.txt").read_text(encoding="utf-8")
    with Commonplace.open(f"sqlite:///{folder}/book.db", owner=OWNER, settings=settings, clock=clock) as book:
        life.pass_by(book, clock, life.turns(script, SPEAKERS))
        clock.at += timedelta(hours=8)
        book.maintain()
        return [life.line(memory) for memory in life.believed(book)]


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = live(Path(folder))
    made = life.judged(found, label())
    print(f"{len(found)} beliefs", *found, sep="\n  ")
    print(f"{made.known - len(made.missed)} of {made.known} known", *made.missed, sep="\n  missed ")
    print(f"{len(made.wrong)} of {made.forbidden} must-nots believed", *made.wrong, sep="\n  wrong ")


if __name__ == "__main__":
    main()
