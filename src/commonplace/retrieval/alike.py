"""Words that may stand for a word of a question, where a text does not hold the word itself: a manager for a boss.

They are those of `concepts.told_by`, read from the same tables, of which only the lines that may speak of the word are
taken apart: a first recall cannot wait for thousands of words to be stemmed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache

from commonplace.retrieval.concepts import groups, lines
from commonplace.text.words import words

MOST = 12
"""Words that stand for one; of more, each says little."""
_SHARED = 3
"""Letters that a word and its stem have in common."""

_Line = tuple[Sequence[str], Sequence[str]]


@lru_cache(maxsize=20_000)
def alike(term: str, language: str) -> tuple[str, ...]:
    """The terms that say the same as a term, or tell of it."""
    found: set[str] = set()
    for names, said in _lines().get(term[:_SHARED], ()):
        if any(name.startswith(term[:_SHARED]) and _stem(name, language) == term for name in names):
            found.update(_stem(word, language) for word in (*names, *said))
    return tuple(sorted(found - {term})[:MOST])


@cache
def _lines() -> Mapping[str, Sequence[_Line]]:
    """The lines of the tables by how the words begin of which they speak."""
    found: dict[str, list[_Line]] = defaultdict(list)
    parted = [line.lower().partition("|") for line in lines("matters")]
    told = [(names.split(), said.split()) for names, _, said in parted]
    for names, said in (*told, *((group.lower().split(), ()) for group in groups("synonyms"))):
        for begins in {name[:_SHARED] for name in names}:
            found[begins].append((names, said))
    return found


@cache
def _stem(word: str, language: str) -> str:
    return words(word, language)[0]
