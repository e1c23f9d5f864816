"""``python -m benchmarks.description``: the pass rate by kind, and what failed."""

import sys

from benchmarks.description.cases import CASES
from benchmarks.description.run import run, table


def main() -> int:
    outcomes = run(CASES)
    print(table(outcomes))
    missed = [one for one in outcomes if not one.passed]
    for one in missed:
        half = "held out" if one.case.held_out else "first"
        print(f"\n[{one.case.kind}, {half}] {one.case.query!r}\n  {one.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
