"""How right the rules are: precision, recall and F1 on the labelled turns, per type and language, and every miss.

python tests/learning/measured/measure.py [--half first|held|fresh|unseen|round_a…round_e] [--misses]

The rounds were written before the rules were run on them, with loose labels: the types that would do, and the words of
which one must stand in what is learned. What is learned twice over (a relation and a value of the same name) counts
once; whatever meets no label is too much.
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
    """All turns but those of the rounds; or those of one half, or of one round."""
    file = HERE / ("rounds.jsonl" if half and half.startswith("round_") else "turns.jsonl")
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
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


def fits_loosely(wanted: Mapping[str, Any], made: Candidate) -> bool:
    kind = f"retracts:{made.retracts}" if made.retracts else made.type
    held = " ".join(filter(None, (made.statement, made.key, made.subject, made.object))).casefold()
    return kind in wanted["types"] and any(word.casefold() in held for word in wanted["says"])


def _folded(text: str | None) -> str:
    return (text or "").casefold()


def measure(given: Iterable[Turn]) -> Result:
    result = Result()
    for turn in given:
        result.turns += 1
        result.empty += not turn["expect"]
        loose = turn["half"].startswith("round_")
        (_score_loosely if loose else _score)(turn, made_of(turn), result)
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


def _score_loosely(turn: Turn, made: Sequence[Candidate], result: Result) -> None:
    for wanted in turn["expect"]:
        hit = any(fits_loosely(wanted, one) for one in made)
        for count in (result.total, result.types[wanted["types"][0]], result.languages[turn["language"]]):
            count.right += hit
            count.missed += not hit
        if not hit:
            result.misses.append(f"missed  {turn['id']:>4} {turn['language']} {turn['text'][:140]!r}: {wanted}")
    for one in made:
        fine = any(word in one.statement.casefold() for word in turn.get("fine", ()))
        if fine or any(fits_loosely(wanted, one) for wanted in turn["expect"]):
            continue
        kind = f"retracts:{one.retracts}" if one.retracts else one.type
        for count in (result.total, result.types[kind], result.languages[turn["language"]]):
            count.extra += 1
        result.misses.append(
            f"extra   {turn['id']:>4} {turn['language']} {turn['text'][:140]!r}: {kind} {one.statement!r}"
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
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--half")
    options.add_argument("--misses", action="store_true")
    asked = options.parse_args()
    result = measure(turns(asked.half))
    show(result, misses=asked.misses)


if __name__ == "__main__":
    main()
