"""``commonplace bench``: runs the quality benchmark on the user's own file, in a temporary book."""

import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.interfaces.cli.call import Call, listed
from commonplace.lazy import LazyModule
from commonplace.settings import Settings, sqlite_url

if TYPE_CHECKING:
    from commonplace import book as books
    from commonplace.testing import quality
else:  # loaded when first used
    books = LazyModule("commonplace.book")
    quality = LazyModule("commonplace.testing.quality")

RECIPES = ("balanced", "words", "meaning")


def bench(call: Call) -> None:
    file, recipes = Path(call.given.file).expanduser(), listed(call.given.recipe) or list(RECIPES)
    with tempfile.TemporaryDirectory(prefix="commonplace-bench-", ignore_cleanup_errors=True) as folder:
        settings = Settings(home=Path(folder), embedder=call.settings.embedder, weights=call.settings.weights)
        with books.Commonplace.open(sqlite_url(Path(folder) / "book.db"), settings=settings) as book:
            measured = quality.measure(file, book.within, recipes, progress=_told)
    rows = [
        (
            recipe,
            name,
            figures.questions,
            f"{figures.recall_5:.3f}",
            f"{figures.recall_10:.3f}",
            f"{figures.ndcg_10:.3f}",
        )
        for recipe, types in measured.items()
        for name, figures in types.items()
    ]
    call.answer(measured, lambda paper: paper.table(("recipe", "type", "questions", "R@5", "R@10", "nDCG@10"), rows))


def _told(line: str) -> None:
    sys.stderr.write(line + "\n")
