"""How common a question's words are in its language: what a small book cannot tell by counting its own."""

from dataclasses import replace
from functools import lru_cache

from commonplace.errors import ProviderError
from commonplace.providers.embed.static import FOLDER, lexicon
from commonplace.providers.embed.wordpiece import bare_words
from commonplace.retrieval.question import Question
from commonplace.text.languages import guess
from commonplace.text.words import words

RARE, COMMON = 4.0, 6.0
"""Word frequencies (Zipf scale) up to which a word counts in full, and from which it counts least: "day" has 6."""
LEAST = 0.25
SMALL_BOOK = 200
"""Texts with which a book's own counts tell as much as the language does."""


def foreign_language(text: str) -> str | None:
    """The language of a text, one of those that the lexicon reads; None for English and all others."""
    try:
        return lexicon(FOLDER).language(bare_words(text))
    except ProviderError:
        return None  # as an embedder that fails: `doctor` says what is wrong


def weighed(question: Question, *, setting: str, documents: int) -> Question:
    """The question with its language, and with its common words counting less, the more so the smaller the book.

    ``setting`` is the language of the book, which decides how words are cut.
    """
    spoken = foreign_language(question.text)
    code = guess(question.text.lower()) if setting == "auto" else setting
    share = SMALL_BOOK / (SMALL_BOOK + documents)
    counts: dict[str, float] = {}
    for word in bare_words(question.text):
        for term, count in _counts(spoken or "en", code, word):
            counts[term] = min(count, counts.get(term, 1.0))
    if not counts and spoken is None:
        return question
    terms = [
        replace(term, weight=term.weight * counts[term.word] ** share) if term.word in counts else term
        for term in question.terms
    ]
    return replace(question, terms=tuple(terms), spoken=spoken)


@lru_cache(maxsize=4096)
def _counts(spoken: str, code: str, word: str) -> list[tuple[str, float]]:
    """The terms that a word is looked up by, and how much each counts in a book of nothing else."""
    try:
        frequency = lexicon(FOLDER).frequency(spoken, word)
    except ProviderError:
        return []
    commonness = min(max((frequency - RARE) / (COMMON - RARE), 0.0), 1.0)
    return [(term, 1 - (1 - LEAST) * commonness) for term in words(word, code)] if commonness else []
