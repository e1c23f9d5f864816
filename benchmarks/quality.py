"""What recall finds on conversations in LoCoMo's form, beside one list alone: ``python benchmarks/quality.py FILE``.

The conversations are read from where the user has them; their licence keeps them out of this repository.
"""

import argparse
import sys
import tempfile
import time
from pathlib import Path

from commonplace import Commonplace, Settings
from commonplace.testing.quality import Figures, measure

RECIPES = {"balanced": "words, meaning, ranking", "words": "BM25 alone", "meaning": "vectors alone"}


def table(found: dict[str, dict[str, Figures]]) -> str:
    lines = ["| | type | questions | R@5 | R@10 | nDCG@10 |", "|---|---|---|---|---|---|"]
    for recipe, types in found.items():
        lines += [
            f"| {RECIPES.get(recipe, recipe)} | {name} | {one.questions} | {one.recall_5:.3f} | {one.recall_10:.3f} "
            f"| {one.ndcg_10:.3f} |"
            for name, one in types.items()
        ]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, default=Path("../shared/data/locomo-dev.json"))
    parser.add_argument("--url", help="measure on this (empty) book instead of a temporary SQLite file")
    parser.add_argument("--write", type=Path, default=Path("benchmarks/results/quality.md"))
    given = parser.parse_args()
    if not given.file.exists():
        sys.exit(f"{given.file} is not there; name a file of conversations in LoCoMo's form (docs/retrieval.md)")
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder:
        url = given.url or f"sqlite:///{folder}/book.db"
        with Commonplace.open(url, settings=Settings(home=Path(folder))) as book:
            found = measure(given.file, book.within, list(RECIPES), progress=lambda line: print(line, file=sys.stderr))
    text = table(found)
    print(text)
    print(f"\n{time.perf_counter() - started:.0f} s, no language model, no setting changed")
    given.write.parent.mkdir(parents=True, exist_ok=True)
    given.write.write_text(f"# What recall finds\n\n`make bench-quality`, on {given.file.name}\n\n{text}\n")


if __name__ == "__main__":
    main()
