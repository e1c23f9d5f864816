"""How many beliefs end that should, and how many that should stand: the lines of benchmarks/development/changes.txt.

python benchmarks/changes.py [--cases FILE] [--show]

Each line is a book of its own: the old message, three days, the new one. A line whose old message teaches nothing is
counted apart. ``asked`` are beliefs that wait in review as perhaps over.
"""

import argparse
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

sys.path[:0] = ["."]

from commonplace import Commonplace, Message, Settings  # noqa: E402
from commonplace.testing.clock import StoppedClock  # noqa: E402
from commonplace.text.languages import guess  # noqa: E402

KINDS = ("core", "associative", "relational")
CASES = Path(__file__).parent / "development" / "changes.txt"


def believed(book: Commonplace) -> dict[str, str]:
    return {one.id: one.text for one in book.browse(kinds=KINDS, limit=100) if one.status == "verified"}


def outcome(old: str, new: str, folder: Path) -> tuple[str, dict[str, str], dict[str, str]]:
    """``ended``, ``asked``, ``stood`` or ``untaught``, with what was believed before and after."""
    clock = StoppedClock(datetime(2026, 3, 2, 9, tzinfo=UTC))
    with Commonplace.open(
        f"sqlite:///{folder}/book.db", owner="ada", settings=Settings(home=folder), clock=clock
    ) as book:
        book.observe(Message(old, at=clock.now()), session="a")
        before = believed(book)
        if not before:
            return "untaught", before, before
        clock.advance(days=3)
        book.observe(Message(new, at=clock.now()), session="b")
        after = believed(book)
        asked = book.review.count() > 0
    gone = set(before) - set(after)
    return ("ended" if gone else "asked" if asked else "stood"), before, after


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=Path, default=CASES)
    parser.add_argument("--show", action="store_true")
    arguments = parser.parse_args()
    counts: dict[str, Counter[str]] = {}
    for line in arguments.cases.read_text(encoding="utf-8").splitlines():
        if line.startswith("#") or not line.strip():
            continue
        old, new, wanted = (part.strip() for part in line.split("|"))
        with tempfile.TemporaryDirectory() as folder:
            result, before, after = outcome(old, new, Path(folder))
        counts.setdefault(guess(f"{old}. {new}"), Counter())[f"{wanted}: {result}"] += 1
        if arguments.show and result != {"ends": "ended", "stands": "stood"}[wanted]:
            print(f"{wanted}, {result}: {old} | {new}\n    {sorted(before.values())} -> {sorted(after.values())}")
    for language, counted in sorted(counts.items()):
        print(language, dict(sorted(counted.items())))


if __name__ == "__main__":
    main()
