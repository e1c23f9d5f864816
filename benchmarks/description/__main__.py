"""``python -m benchmarks.description [ROUND …]``: the pass rate by kind, and what failed."""

import sys

from benchmarks.description.cases import CASES
from benchmarks.description.run import run, table


def main() -> int:
    rounds = {int(one) for one in sys.argv[1:]}
    outcomes = run([case for case in CASES if not rounds or case.round in rounds])
    print(table(outcomes))
    missed = [one for one in outcomes if not one.passed]
    for one in missed:
        print(f"\n[{one.case.kind}, round {one.case.round}] {one.case.query!r}\n  {one.why}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
