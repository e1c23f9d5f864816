"""``commonplace bench``: the quality benchmark on a file of one's own, in a temporary book."""

import sys
import tempfile
from pathlib import Path

from commonplace.interfaces.cli.call import Call, listed
from commonplace.interfaces.cli.parsing import Parser, several
from commonplace.settings import Settings, sqlite_url

RECIPES = ("balanced", "words", "meaning")


def bench(parser: Parser) -> None:
    parser.add_argument("file", help="conversations with questions whose evidence is known, in LoCoMo's form")
    several(parser, "--recipe", "the mixes to compare", RECIPES)
    parser.runs(_bench)


def _bench(call: Call) -> None:
    # the book and numpy, which the command's help does not need
    from commonplace.book import Commonplace  # noqa: PLC0415
    from commonplace.testing.quality import measure  # noqa: PLC0415

    file, recipes = Path(call.given.file).expanduser(), listed(call.given.recipe) or list(RECIPES)
    with tempfile.TemporaryDirectory(prefix="commonplace-bench-", ignore_cleanup_errors=True) as folder:
        settings = Settings(home=Path(folder), embedder=call.settings.embedder, weights=call.settings.weights)
        with Commonplace.open(sqlite_url(Path(folder) / "book.db"), settings=settings) as book:
            found = measure(file, book.within, recipes, progress=_told)
    rows = [
        (recipe, name, one.questions, f"{one.recall_5:.3f}", f"{one.recall_10:.3f}", f"{one.ndcg_10:.3f}")
        for recipe, types in found.items()
        for name, one in types.items()
    ]
    call.answer(found, lambda paper: paper.table(("recipe", "type", "questions", "R@5", "R@10", "nDCG@10"), rows))


def _told(line: str) -> None:
    sys.stderr.write(line + "\n")
