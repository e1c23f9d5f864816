"""``python -m benchmarks.description [ROUND …] [--beside N]``: the pass rate by kind, and what failed.

``--beside`` puts so many sentences of other cases into the book of each. Now and then one of them is what the
description means, too; a miss is to be read before it is counted.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import replace

from benchmarks.description.case import Case, said
from benchmarks.description.cases import CASES
from benchmarks.description.run import run, table


def crowded(cases: Sequence[Case], count: int) -> list[Case]:
    pool = sorted({entry for case in CASES for entry in case.entries if isinstance(entry, str) and len(entry) < 160})
    found = []
    for case in cases:
        own = {case.text, *map(said, case.entries)}
        beside = random.Random(f"1 {case.query}").sample(pool, count)
        found.append(replace(case, keep=[*case.keep, *(text for text in beside if text not in own)]))
    return found


def main() -> int:
    asked = argparse.ArgumentParser(prog="python -m benchmarks.description")
    asked.add_argument("rounds", type=int, nargs="*")
    asked.add_argument("--beside", type=int, default=0)
    given = asked.parse_args()
    cases = [case for case in CASES if not given.rounds or case.round in given.rounds]
    outcomes = run(crowded(cases, given.beside))
    print(table(outcomes))
    missed = [one for one in outcomes if not one.passed]
    for one in missed:
        print(f"\n[{one.case.kind}, round {one.case.round}] {one.case.query!r}\n  {one.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
