"""Words for the same matter: what people call a fact, and the words in which the fact itself stands.

"Ada's job" is said as "works at"; "where she lives" as "moved to". The tables are plain text in ``vocabulary/``:

- ``matters.txt``: one line a matter: names on the left, words on the right of the bar. A name meets the other names and
  the words; a word meets a name. Two words of one line do not meet.
- ``synonyms.txt``: words that mean the same meet each other. A line that opens with an ending (``-er``) lists
  words that meet the one derived from them: drum, drummer.
- ``rivals.txt``: members of one kind never meet.
- ``surroundings.txt``: what is spoken of beside things of a kind, by which they are told from others of their name.

Names have a capital. Groups of a line are set apart by bars; a line that opens with ``#`` says what follows.
"""

import re
from collections.abc import Iterator
from functools import cache
from importlib.resources import files

from commonplace.text.words import words


@cache
def said_as(term: str, language: str = "en") -> frozenset[str]:
    """The terms in which what ``term`` names may be said."""
    return _table(language).get(term, frozenset())


@cache
def rivals(term: str, language: str = "en") -> frozenset[str]:
    """Terms that are of the same kind and say something else, however near they are: tea is not coffee."""
    return _met("rivals", language).get(term, frozenset())


@cache
def told_by(term: str, language: str = "en") -> frozenset[str]:
    """Of `said_as`, the terms that say at least as much: a pet is told by a cat, and a cat not by a pet."""
    return _tellings(language).get(term, frozenset())


@cache
def synonyms(term: str, language: str = "en") -> frozenset[str]:
    """Of `told_by`, the terms that say the same: a description may use two of them for one thing."""
    return _met("synonyms", language).get(term, frozenset())


@cache
def surroundings(kind: str, language: str = "en") -> frozenset[str]:
    """The terms that are met beside things of a kind; none if the kind is not known."""
    found: set[str] = set()
    for line in lines("surroundings"):
        kinds, _, beside = line.partition("|")
        if not _terms(kinds, language).isdisjoint(words(kind.lower(), language)):
            found |= _terms(beside, language)
    return frozenset(found)


@cache
def is_word(term: str) -> bool:
    """Whether the tables know a term as a word and not only as somebody's or something's name."""
    return term in _plain()


@cache
def _plain() -> frozenset[str]:
    listed = " ".join(line for table in ("matters", "synonyms", "rivals") for line in lines(table))
    return frozenset(_terms(" ".join(word for word in re.findall(r"[^\s|]+", listed) if word.islower()), "en"))


@cache
def _table(language: str) -> dict[str, frozenset[str]]:
    found = {term: set(others) for term, others in _tellings(language).items()}
    for term, others in _tellings(language).items():
        for other in others:
            found.setdefault(other, set()).add(term)
    return {term: frozenset(others) for term, others in found.items()}


@cache
def _tellings(language: str) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in lines("matters"):
        names, _, said = line.partition("|")
        asked, telling = _terms(names, language), _terms(said, language)
        telling = telling.union(*(_derived(language).get(term, ()) for term in telling))
        for term in asked:
            found.setdefault(term, set()).update(asked | telling)
    for term, others in _met("synonyms", language).items():
        found.setdefault(term, set()).update(others)
    return {term: frozenset(others - {term}) for term, others in found.items()}


@cache
def _met(table: str, language: str) -> dict[str, frozenset[str]]:
    """Each term of a table of groups with the others of its groups."""
    found: dict[str, set[str]] = {}
    for group in groups(table):
        terms = _terms(group, language)
        for term in terms:
            found.setdefault(term, set()).update(terms - {term})
    return {term: frozenset(others) for term, others in found.items()}


def groups(table: str) -> Iterator[str]:
    """The groups of words of a table, one after the other."""
    for line in lines(table):
        if line.startswith("-"):
            yield from (f"{word} {derived(word, line.split()[0])}" for word in line.split()[1:])
        else:
            yield from line.split("|")


@cache
def _derived(language: str) -> dict[str, frozenset[str]]:
    """Each term from which the tables derive another, with that."""
    found = [(line.split()[0], word) for line in lines("synonyms") if line.startswith("-") for word in line.split()[1:]]
    return {words(word, language)[0]: frozenset(words(derived(word, end), language)[:1]) for end, word in found}


def derived(word: str, ending: str) -> str:
    """The word derived by an ending: swim, swimmer; piano, pianist; noise, noisy; pay, payment."""
    if ending == "-ment":
        return f"{word}ment"
    if ending == "-ist":
        return re.sub(r"(?:ics|[oaye])$", "", word) + "ist"
    if re.fullmatch(r"[^aeiou]*[aeiou][^aeiouwxy]", word):
        return f"{word}{word[-1]}{ending[1:]}"
    return word.removesuffix("e") + ending[1:]


@cache
def lines(table: str) -> tuple[str, ...]:
    """The lines of a table that say something."""
    text = files("commonplace.retrieval").joinpath("vocabulary", f"{table}.txt").read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line and not line.startswith("#"))


def _terms(listed: str, language: str) -> set[str]:
    """One term a word: of "next-door" neither "next" nor "door"."""
    return {_term(word, language) for word in listed.split()}


@cache
def _term(word: str, language: str) -> str:
    return words(word.lower(), language)[0]
