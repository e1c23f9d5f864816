"""What recall finds on conversations in LoCoMo's form, beside one list alone: ``python benchmarks/quality.py FILE …``.

LoCoMo is read from where the user has it; its licence keeps it out of this repository. The long chats of a person with
an assistant (chats/) are made up and our own: answers of some three hundred words, and questions weeks later in other
words than what was let fall in passing.
"""

import argparse
import shlex
import sys
import tempfile
import time
from pathlib import Path

from commonplace import Commonplace, Settings
from commonplace.testing.quality import Figures, ask_books, feed_file, on_page, samples

LOCOMO = Path("../shared/data/locomo-dev.json")
CHATS = [Path("benchmarks/chats/nadia.json"), Path("benchmarks/chats/emeka.json")]
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


def measured(file: Path, given: argparse.Namespace) -> str:
    """The tables of one file, in a book of its own."""
    with tempfile.TemporaryDirectory() as folder:
        home = given.keep / file.stem if given.keep else Path(folder)
        home.mkdir(parents=True, exist_ok=True)
        weights = {name: float(weight) for name, _, weight in (text.partition("=") for text in given.weight)}
        settings = Settings(home=home, late_interaction=given.late, judge=given.judge, weights=weights)
        with Commonplace.open(given.url or f"sqlite:///{home}/book.db", settings=settings) as book:
            if given.keep and book.stats().memories:
                books = [(book.within(str(sample.get("sample_id"))), sample) for sample in samples(file)]
            else:
                books = feed_file(file, book.within, progress=lambda line: print(line, file=sys.stderr))
            parts = [table(ask_books(books, given.recipes))]
            for tokens in given.pages:
                shares = [share for space, sample in books for share in on_page(space, sample["qa"], tokens)]
                parts.append(f"Evidence on a page of {tokens:,} tokens: {sum(shares) / len(shares):.3f}")
            return "\n\n".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="*", type=Path, default=[LOCOMO, *CHATS])
    parser.add_argument("--url", help="measure on this (empty) book instead of a temporary SQLite file")
    parser.add_argument("--recipes", nargs="+", default=list(RECIPES))
    parser.add_argument("--pages", nargs="*", type=int, default=[], help="budgets of `context`, in tokens")
    parser.add_argument("--late", choices=("on", "off"), default="on", help="late interaction")
    parser.add_argument("--judge", choices=("on", "off"), default="on", help="off: faster, learns by rules alone")
    parser.add_argument("--weight", nargs="*", default=[], help="weights of recall, such as late_before=0")
    parser.add_argument("--keep", type=Path, help="keep the books in this folder, and ask those that are there")
    parser.add_argument("--write", type=Path, default=Path("benchmarks/results/quality.md"))
    given = parser.parse_args()
    for file in given.files:
        if not file.exists():
            sys.exit(f"{file} is not there; name a file of conversations in LoCoMo's form (docs/retrieval.md)")
    parts = ["# What recall finds", f"`python benchmarks/quality.py {shlex.join(sys.argv[1:])}`".replace(" `", "`")]
    for file in given.files:
        started = time.perf_counter()
        parts += [f"## {file.name}", measured(file, given)]
        print("\n\n".join(parts[-2:]), flush=True)
        print(f"\n{time.perf_counter() - started:.0f} s, no language model\n")
    given.write.parent.mkdir(parents=True, exist_ok=True)
    given.write.write_text("\n\n".join(parts) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
