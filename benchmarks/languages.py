"""What recall finds in five languages: ``python benchmarks/languages.py``.

Forty short facts a language, the same in each, and a question for each fact in other words than the fact's own.
"""

import argparse
import json
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from commonplace import Commonplace, Settings

FOLDER = Path(__file__).with_name("languages")
LANGUAGES = {"en": "English", "it": "Italian", "es": "Spanish", "fr": "French", "de": "German"}
RECIPES = {"balanced": "balanced", "words": "words alone", "meaning": "meaning alone"}


@dataclass(frozen=True, slots=True)
class Fact:
    fact: str
    question: str


@dataclass(frozen=True, slots=True)
class Found:
    """Which share of the questions has its fact first, and among the first five."""

    first: float
    five: float


def facts(code: str) -> list[Fact]:
    lines = (FOLDER / f"{code}.jsonl").read_text(encoding="utf-8").splitlines()
    return [Fact(**json.loads(line)) for line in lines]


def measure(
    told: Sequence[Fact], *, language: str, recipes: Sequence[str], embedder: str = "static-256"
) -> dict[str, Found]:
    """Keep the facts in a book of that language and ask each question by each recipe."""
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(home=Path(folder), language=language, embedder=embedder, maintenance=False)
        with Commonplace.open(f"sqlite:///{folder}/book.db", settings=settings) as book:
            book.remember_many([one.fact for one in told])
            book.reindex()  # the token vectors, which are otherwise made a little later
            return {recipe: _asked(book, told, recipe) for recipe in recipes}


def _asked(book: Commonplace, told: Sequence[Fact], recipe: str) -> Found:
    pages = [[hit.memory.text for hit in book.recall(one.question, limit=5, recipe=recipe)] for one in told]
    first = sum(one.fact in page[:1] for one, page in zip(told, pages, strict=True))
    five = sum(one.fact in page for one, page in zip(told, pages, strict=True))
    return Found(first / len(told), five / len(told))


def row(name: str, setting: str, found: dict[str, Found]) -> str:
    cells = " | ".join(f"{one.first:.2f} / {one.five:.2f}" for one in found.values())
    return f"| {name} | `{setting}` | {cells} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--embedder", default="static-256")
    embedder = parser.parse_args().embedder
    print(f"| R@1 / R@5 | `language` | {' | '.join(RECIPES.values())} |")
    print("|---" * (len(RECIPES) + 2) + "|")
    for code, name in LANGUAGES.items():
        told = facts(code)
        for setting in dict.fromkeys((code, "en", "auto")):
            figures = measure(told, language=setting, recipes=list(RECIPES), embedder=embedder)
            print(row(name, setting, figures), flush=True)


if __name__ == "__main__":
    main()
