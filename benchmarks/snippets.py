"""How much of what snippets of conversations say is learned, and how much of what is learned they say; by language.

python benchmarks/snippets.py [--show] [--judge off] [--matcher words] [--cases FILE]

A fact is found if a belief says it; a belief is wrong if it says one of the statements under ``not``, or if the snippet
holds no fact at all. A belief that says neither is counted as other: ``--show`` prints those for a reader to judge.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path

sys.path[:0] = ["."]

from benchmarks.meaning import MATCHERS  # noqa: E402
from benchmarks.months import KINDS, as_message, text_of  # noqa: E402

from commonplace import Commonplace, Settings  # noqa: E402
from commonplace.testing.clock import StoppedClock  # noqa: E402

CASES = Path(__file__).parent / "heldout" / "snippets.jsonl"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--show", action="store_true")
    options.add_argument("--judge", choices=("on", "off"), default="on")
    options.add_argument("--matcher", choices=tuple(MATCHERS), default="meaning", help="see benchmarks/meaning.py")
    options.add_argument("--cases", type=Path, default=CASES)
    arguments = options.parse_args()
    counts: dict[str, Counter[str]] = {}
    meaning = MATCHERS[arguments.matcher]("Owner")
    clock = StoppedClock(datetime(2026, 5, 4, 9, tzinfo=UTC))
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder) / "home", timezone="UTC", judge=arguments.judge)
        url = f"sqlite:///{folder}/book.db"
        for line in arguments.cases.read_text(encoding="utf-8").splitlines():
            case = json.loads(line)
            count = counts.setdefault(case["lang"], Counter())
            with Commonplace.open(url, namespace=case["id"], settings=settings, clock=clock) as book:
                for message in case["messages"]:
                    book.observe(as_message(message), session="talk")
                beliefs = [text_of(memory, "Owner") for memory in book.browse(kinds=KINDS, limit=100)]
            facts = [fact["statement"] for fact in case["facts"]]
            for fact in facts:
                said = any(meaning.says(belief, fact) for belief in beliefs)
                count["found" if said else "missed"] += 1
                if arguments.show and not said:
                    print(f"{case['id']} missed: {fact} | {beliefs}")
            for belief in beliefs:
                right = any(meaning.says(belief, fact) for fact in facts)
                wrong = not facts or any(meaning.says(belief, against) for against in case["not"])
                kind = "right" if right else "wrong" if wrong else "other"
                count[kind] += 1
                if arguments.show and kind != "right":
                    print(f"{case['id']} {kind}: {belief} | {[message['text'] for message in case['messages']]}")
    for language, count in sorted(counts.items()):
        held = count["right"] + count["wrong"] + count["other"]
        print(
            f"{language}  recall {count['found'] / max(1, count['found'] + count['missed']):.2f} of "
            f"{count['found'] + count['missed']}  precision {(held - count['wrong']) / max(1, held):.2f} "
            f"(strict {count['right'] / max(1, held):.2f}) of {held}: {dict(count)}"
        )


if __name__ == "__main__":
    main()
