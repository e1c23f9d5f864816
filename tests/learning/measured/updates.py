"""How often a belief is wrongly retired: pairs of turns, the rules and the decision on them, end to end.

    python tests/learning/measured/updates.py [--half first|held|decisions|later] [--misses]

Each pair says what must become of what the first turn taught: ``update``, ``delete``, ``noop`` (said again) or ``keep``
(something else was said). The false-update rate is the share of ``keep`` and ``noop`` pairs in which the second turn
replaces or deletes a belief of the first.
"""

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from commonplace.learning.decide import Belief, Decision, decide
from commonplace.learning.rules import Utterance, candidates
from commonplace.model import Candidate

HERE = Path(__file__).parent
AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
LATER = AT + timedelta(days=30)

Pair = Mapping[str, Any]


@dataclass(slots=True)
class Result:
    pairs: int = 0
    right: Counter[str] = field(default_factory=Counter)
    wanted: Counter[str] = field(default_factory=Counter)
    false_updates: int = 0
    must_not: int = 0
    reached: int = 0
    """Of the must-not pairs, those in which both turns taught something, so that there was something to decide."""
    misses: list[str] = field(default_factory=list)

    @property
    def false_rate(self) -> float:
        return self.false_updates / self.must_not if self.must_not else 0.0

    @property
    def strict_rate(self) -> float:
        """The same over the pairs that reached a decision."""
        return self.false_updates / self.reached if self.reached else 0.0


def pairs(half: str | None = None) -> list[Pair]:
    rows = [json.loads(line) for line in (HERE / "pairs.jsonl").read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if half is None or row["half"] == half]


def belief(number: int, one: Candidate, said_at: datetime) -> Belief:
    return Belief(
        id=f"b{number}", statement=one.statement, subject=one.subject, predicate=one.predicate, object=one.object,
        key=one.key, many=one.many, kind=one.kind, valid_from=one.valid_from, valid_to=one.valid_to,
        confidence=one.confidence, recorded_at=said_at, said_at=said_at, similarity=0.8,
    )  # fmt: skip


def verdicts(pair: Pair) -> tuple[list[Belief], list[tuple[Candidate, Decision]]]:
    said_first, said_second = (LATER, AT) if pair.get("late") else (AT, LATER)
    first = Utterance(episode="1", text=pair["earlier"], at=said_first)
    second = Utterance(episode="2", text=pair["later"], at=said_second)
    held = [belief(n, one, said_first) for n, one in enumerate(candidates(first)) if one.retracts is None]
    made = []
    for one in candidates(second, recent=[first]):
        near = [belief for belief in held if belief.kind == one.kind]
        made.append((one, decide(one, near, now=LATER, said_at=said_second)))
    return held, made


def outcome(made: Sequence[tuple[Candidate, Decision]]) -> str:
    actions = {decision.action for _, decision in made}
    for action in ("DELETE", "UPDATE", "ADD"):
        if action in actions:
            return {"DELETE": "delete", "UPDATE": "update", "ADD": "keep"}[action]
    return "noop" if any(decision.target for _, decision in made) else "keep"


def measure(given: Iterable[Pair]) -> Result:
    result = Result()
    for pair in given:
        held, made = verdicts(pair)
        came, must = outcome(made), pair["must"]
        result.pairs += 1
        result.wanted[must] += 1
        right = came == must or (must == "keep" and came == "noop" and bool(pair.get("late")))
        result.right[must] += right
        if must in ("keep", "noop"):
            result.must_not += 1
            result.reached += bool(held and made)
            result.false_updates += came in ("update", "delete")
        if not right:
            why = "; ".join(f"{decision.action} {decision.reason}" for _, decision in made) or "no candidate"
            result.misses.append(
                f"{pair['id']:>4} must {must}, came {came}: {pair['earlier']!r} → {pair['later']!r} ({why})"
            )
    return result


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--half", choices=("first", "held", "decisions", "later"))
    options.add_argument("--misses", action="store_true")
    asked = options.parse_args()
    result = measure(pairs(asked.half))
    print(f"{result.pairs} pairs")
    for must, wanted in sorted(result.wanted.items()):
        print(f"{must:<8}{result.right[must]:>4} of {wanted:>4} right")
    print(
        f"false updates: {result.false_updates} of {result.must_not} must-not pairs ({result.false_rate:.2%}); "
        f"of the {result.reached} that reached a decision {result.strict_rate:.2%}"
    )
    if asked.misses:
        print(*result.misses, sep="\n")


if __name__ == "__main__":
    main()
