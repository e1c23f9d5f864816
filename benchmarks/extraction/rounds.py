"""How the rules do on turns written before anybody ran them: loose labels, one round after another.

python benchmarks/extraction/rounds.py [--round round_a] [--misses]

A label names the types that would do and the words of which one must stand in what is learned. What is learned twice
over (a relation and a value of the same name) counts once; whatever meets no label is too much.
"""

import argparse
import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path[:0] = ["."]

from benchmarks.extraction.measure import Result, Turn, made_of, show  # noqa: E402

from commonplace.model import Candidate  # noqa: E402

HERE = Path(__file__).parent


def turns(name: str | None = None) -> list[Turn]:
    rows = [json.loads(line) for line in (HERE / "rounds.jsonl").read_text(encoding="utf-8").splitlines() if line]
    return [row for row in rows if name is None or row["half"] == name]


def fits(wanted: Mapping[str, Any], made: Candidate) -> bool:
    kind = f"retracts:{made.retracts}" if made.retracts else made.type
    held = " ".join(filter(None, (made.statement, made.key, made.subject, made.object))).casefold()
    return kind in wanted["types"] and any(word.casefold() in held for word in wanted["says"])


def measure(given: Iterable[Turn]) -> Result:
    result = Result()
    for turn in given:
        result.turns += 1
        result.empty += not turn["expect"]
        _score(turn, made_of(turn), result)
    return result


def _fine(turn: Turn, one: Candidate) -> bool:
    """Right, though nobody asked for it."""
    return any(word in one.statement.casefold() for word in turn.get("fine", ()))


def _score(turn: Turn, made: tuple[Candidate, ...], result: Result) -> None:
    for wanted in turn["expect"]:
        hit = any(fits(wanted, one) for one in made)
        for count in (result.total, result.types[wanted["types"][0]], result.languages[turn["language"]]):
            count.right += hit
            count.missed += not hit
        if not hit:
            result.misses.append(f"missed  {turn['id']:>4} {turn['language']} {turn['text'][:140]!r}: {wanted}")
    for one in made:
        if any(fits(wanted, one) for wanted in turn["expect"]) or _fine(turn, one):
            continue
        kind = f"retracts:{one.retracts}" if one.retracts else one.type
        for count in (result.total, result.types[kind], result.languages[turn["language"]]):
            count.extra += 1
        result.misses.append(
            f"extra   {turn['id']:>4} {turn['language']} {turn['text'][:140]!r}: {kind} {one.statement!r}"
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--round")
    options.add_argument("--misses", action="store_true")
    asked = options.parse_args()
    result = measure(turns(asked.round))
    show(result, misses=asked.misses)


if __name__ == "__main__":
    main()
