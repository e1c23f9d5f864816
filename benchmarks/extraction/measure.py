"""How right the rules are: precision, recall and F1 on the labelled turns, per type and language, and every miss.

python benchmarks/extraction/measure.py [--half first|held|fresh|unseen] [--misses]
"""

import argparse
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from commonplace.learning.rules import Utterance, candidates
from commonplace.model import Candidate

HERE = Path(__file__).parent
AT = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)

Turn = Mapping[str, Any]


@dataclass(slots=True)
class Count:
    right: int = 0
    extra: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        made = self.right + self.extra
        return self.right / made if made else 1.0

    @property
    def recall(self) -> float:
        wanted = self.right + self.missed
        return self.right / wanted if wanted else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0


@dataclass(slots=True)
class Result:
    total: Count = field(default_factory=Count)
    types: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    languages: dict[str, Count] = field(default_factory=lambda: defaultdict(Count))
    misses: list[str] = field(default_factory=list)
    turns: int = 0
    empty: int = 0


def turns(half: str | None = None) -> list[Turn]:
    rows = [json.loads(line) for line in (HERE / "turns.jsonl").read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if half is None or row["half"] == half]


def made_of(turn: Turn) -> tuple[Candidate, ...]:
    before = [Utterance(episode=f"{turn['id']}.{n}", text=text, at=AT) for n, text in enumerate(turn.get("recent", ()))]
    said = Utterance(
        episode=str(turn["id"]), text=turn["text"], at=AT, speaker=turn.get("speaker"), role=turn.get("role", "user")
    )
    return candidates(said, owner_name=None, recent=before)


def fits(wanted: Mapping[str, str], made: Candidate) -> bool:
    """Every field the label names agrees; an object and a saying only have to contain what it names."""
    if made.retracts != wanted.get("retracts"):
        return False
    exact = (wanted.get(name) in (None, getattr(made, name)) for name in ("type", "key"))
    same = (
        name not in wanted or _folded(getattr(made, name)) == _folded(wanted[name]) for name in ("subject", "predicate")
    )
    held = "object" not in wanted or _folded(wanted["object"]) in _folded(made.object)
    return all(exact) and all(same) and held and _folded(wanted.get("says")) in _folded(made.statement)


def _folded(text: str | None) -> str:
    return (text or "").casefold()


def measure(given: Iterable[Turn]) -> Result:
    result = Result()
    for turn in given:
        result.turns += 1
        result.empty += not turn["expect"]
        _score(turn, made_of(turn), result)
    return result


def _score(turn: Turn, made: Sequence[Candidate], result: Result) -> None:
    left = list(made)
    for wanted in turn["expect"]:
        hit = next((one for one in left if fits(wanted, one)), None)
        kind = "retraction" if "retracts" in wanted else wanted["type"]
        counts = (result.total, result.types[kind], result.languages[turn["language"]])
        for count in counts:
            count.right += hit is not None
            count.missed += hit is None
        if hit is None:
            result.misses.append(f"missed  {turn['id']:>4} {turn['language']} {turn['text']!r}: {wanted}")
        else:
            left.remove(hit)
    for one in left:
        kind = "retraction" if one.retracts else one.type
        for count in (result.total, result.types[kind], result.languages[turn["language"]]):
            count.extra += 1
        result.misses.append(
            f"extra   {turn['id']:>4} {turn['language']} {turn['text']!r}: {one.type} {one.statement!r}"
        )


def show(result: Result, *, misses: bool) -> None:
    print(f"{result.turns} turns, {result.empty} with nothing worth keeping")
    print(f"{'':<18}{'precision':>10}{'recall':>8}{'F1':>7}{'right':>7}{'extra':>7}{'missed':>8}")
    for name, count in [("all", result.total), *sorted(result.types.items()), *sorted(result.languages.items())]:
        print(
            f"{name:<18}{count.precision:>10.3f}{count.recall:>8.3f}{count.f1:>7.3f}"
            f"{count.right:>7}{count.extra:>7}{count.missed:>8}"
        )
    if misses:
        print(*result.misses, sep="\n")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--half", choices=("first", "held", "fresh", "unseen"))
    options.add_argument("--misses", action="store_true")
    asked = options.parse_args()
    result = measure(turns(asked.half))
    show(result, misses=asked.misses)


if __name__ == "__main__":
    main()
