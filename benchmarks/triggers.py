"""How many of the messages that a careful note-taker would write down are caught, and how many others; by language.

python benchmarks/triggers.py [--judge off] [--cases FILE] [--show]

A message with a ``value`` is caught if the value stands in what is written down.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path

sys.path[:0] = ["."]

from commonplace.learning.triggers import scan  # noqa: E402
from commonplace.notebook.triggers import find_triggers  # noqa: E402
from commonplace.providers.judge import Judge  # noqa: E402

CASES = Path(__file__).parent / "heldout" / "triggers.jsonl"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--judge", choices=("on", "off"), default="on")
    options.add_argument("--cases", type=Path, default=CASES)
    options.add_argument("--show", action="store_true", help="name every message that was missed or falsely caught")
    arguments = options.parse_args()
    labeller = Judge() if arguments.judge == "on" else None
    counts: dict[str, Counter[str]] = {}
    for line in arguments.cases.read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        known = [(trigger.kind, trigger.quote) for trigger in scan(case["text"])]
        notes = " ".join(note.quote for note in find_triggers(case["text"], known, labeller=labeller))
        is_caught = bool(notes) and (not case["labels"] or (case.get("value") or "") in notes)
        if arguments.show and is_caught != bool(case["labels"]):
            print(f"{'missed' if case['labels'] else 'false'} {case['lang']}: {case['text']} => {notes}")
        counts.setdefault(case["lang"], Counter())[f"{'trigger' if case['labels'] else 'other'} {is_caught}"] += 1
    for language, count in sorted(counts.items()):
        caught, missed, false = count["trigger True"], count["trigger False"], count["other True"]
        print(
            f"{language}  recall {caught / (caught + missed):.2f} of {caught + missed}  "
            f"precision {caught / max(1, caught + false):.2f}  false {false} of {false + count['other False']}"
        )


if __name__ == "__main__":
    main()
