"""Count why statements of the months are unknown at the end, and why beliefs are stale; prints no words of the cases.

python benchmarks/month_causes.py [--cases FOLDER]

unknown: not kept           a message or one of its sentences says it, and taught nothing
         other words        the sentence that says it was kept or read by a rule, but the belief does not say it
         another sentence   another sentence of that message was kept
         only as a whole    no sentence says it, the message does
         never said         no message says it by itself, as far as benchmarks/meaning.py sees
         ended              it was believed and ended
stale:   the likeliest change that the judge sees in a later message: from 0.9, from 0.6, or below
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path[:0] = ["."]

from benchmarks.meaning import Meaning, told  # noqa: E402
from benchmarks.months import HERE, Count, played  # noqa: E402

from commonplace.model import Memory, Receipt  # noqa: E402
from commonplace.providers.judge import Judge  # noqa: E402
from commonplace.text.sentences import typed_sentences  # noqa: E402

Said = tuple[str, Receipt]


def unknown_because(statement: str, said: Sequence[Said], count: Count, meaning: Meaning) -> str:
    if any(statement == ended for ended, _ in count.overturned):
        return "ended"
    sentences = [(text, [span.text for span in typed_sentences(text)], receipt) for text, receipt in said]
    saying = [
        ([part for part in parts if meaning.says(told(part), statement)], receipt)
        for text, parts, receipt in sentences
        if any(meaning.says(told(part), statement) for part in (text, *parts))
    ]
    if not saying:
        return "never said"
    taught = [
        (parts, change.statement) for parts, receipt in saying for change in receipt.changes if change.action != "NOOP"
    ]
    if not taught:
        return "not kept"
    if not any(parts for parts, _ in taught):
        return "only as a whole"
    alike = any(_mostly_of(belief or "", part) for parts, belief in taught for part in parts)
    return "other words" if alike else "another sentence"


def _mostly_of(belief: str, sentence: str) -> bool:
    words = set(belief.casefold().split())
    return len(words & set(sentence.casefold().split())) >= len(words) / 2


def stale_because(memory: Memory, said: Sequence[Said], owner: str, judge: Judge) -> str:
    old = memory.text.replace(owner, "Owner")
    later = [text for text, receipt in said if receipt.at > memory.recorded_at]
    parts = {part for text in later for part in (text, *(span.text for span in typed_sentences(text)))}
    change = max((verdict.change for verdict in judge.decide((old, part.rstrip(" .!")) for part in parts)), default=0.0)
    return "from 0.9" if change >= 0.9 else "from 0.6" if change >= 0.6 else "below"


def causes(name: str, cases: Path) -> Iterator[tuple[str, Counter[str]]]:
    with tempfile.TemporaryDirectory() as folder:
        month = played(name, Path(folder), Meaning, weeks=False, cases=cases)
    count = month.counts[-1]
    yield "unknown", Counter(unknown_because(text, month.said, count, month.meaning) for text in count.unknown)
    stale = [month.beliefs[text] for text, _ in count.stale]
    yield "stale", Counter(stale_because(memory, month.said, month.owner, Judge()) for memory in stale)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=Path, default=HERE, help="the folder of the months")
    cases = options.parse_args().cases
    for path in sorted(cases.glob("month_*.json")):
        for what, counted in causes(path.stem, cases):
            print(path.stem, what, dict(counted.most_common()), flush=True)


if __name__ == "__main__":
    main()
