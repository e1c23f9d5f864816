"""How likely each of several statements is what a description means, where no rule says so. Pure.

A few measures of each (how well every word of the description is met, how near the whole is, what contradicts it, what
the others have that it lacks) are weighed and set against each other and against "none of them". The weights were
learned from the published cases: ``python -m benchmarks.description.learn`` makes them again and says what they are
worth on a round that they were not learned from.
"""

import math
import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from typing import TypeVar

from commonplace.retrieval.concepts import rivals, said_as, synonyms
from commonplace.retrieval.describe import FAINT, STRONG, Near, has_shape, misleading
from commonplace.retrieval.description import Description
from commonplace.retrieval.statement import Statement, as_told, names_owner, terms_of
from commonplace.retrieval.whose import is_owners
from commonplace.retrieval.wording import plainly, surfaces
from commonplace.text.words import words

T = TypeVar("T")
WEIGHTS = {
    "bias": -4.33,
    "mean": -1.06,
    "weakest": 4.24,
    "unmet": 0.01,
    "against": -3.72,
    "elsewhere": -1.19,
    "beside": -0.04,
    "context": 2.01,
    "instead": -0.99,
    "whole": 5.70,
    "owners": 0.09,
    "stranger": -1.41,
}
SHORTLIST = 8
"""So many of the nearest are weighed; what is further away says nothing about them."""
ALMOST = 0.8
"""So near as a whole is one that says nearly the same, whatever its words."""
SAME_MATTER = 0.8
"""How well a word is met by another for the same matter, where itself is 1 and a cosine what it is."""


def chances(wanted: Description, ones: Sequence[Statement], near: Near) -> list[float]:
    """The chance of each of being what is meant; what is missing to 1 is the chance that none is."""
    told = [as_told(one) for one in ones]
    short = nearest(wanted, range(len(told)), lambda at: told[at], near)
    measures = measured(wanted, [told[at] for at in short], near)
    weighed = [
        math.exp(sum(WEIGHTS[name] * value for name, value in each.items()))
        if each["whole"] >= ALMOST or _speaks_of_it(wanted, told[at], each["mean"], near)
        else 0.0
        for at, each in zip(short, measures, strict=True)
    ]
    total = 1.0 + sum(weighed)
    found = dict(zip(short, weighed, strict=True))
    return [found.get(at, 0.0) / total for at in range(len(told))]


def _speaks_of_it(wanted: Description, one: Statement, mean: float, near: Near) -> bool:
    """Whether anything that is described is met at all, and what is asked for above all: of "the price of the ticket",
    the price."""
    found = _asked_of().match(wanted.text)
    if found is None or wanted.statement or wanted.asks:
        return mean >= FAINT / 2
    asked = set(words(found["what"].lower(), wanted.language)) & set(wanted.terms) - wanted.optional - wanted.labels
    own = terms_of(one, wanted.language)
    said = _plain_words(wanted, plainly(one.said))
    return not asked or any(
        has_shape(wanted, term, one, own)
        or any(_alike(wanted, term, other, word, near) >= FAINT for other, word in said.items())
        for term in asked
    )


def nearest(wanted: Description, ones: Sequence[T], said: Callable[[T], Statement], near: Near) -> list[T]:
    """The few that are worth weighing."""
    whole = nameless(wanted, wanted.text)
    return sorted(ones, key=lambda one: -near(whole, nameless(wanted, said(one).said)))[:SHORTLIST]


def plausible(wanted: Description, one: Statement, near: Near) -> float:
    """The chance of one, were there no other: of what a word for the same matter brings, much is of another matter."""
    weighed = sum(WEIGHTS[name] * value for name, value in measured(wanted, [as_told(one)], near)[0].items())
    return 1.0 / (1.0 + math.exp(-weighed))


def measured(wanted: Description, ones: Sequence[Statement], near: Near) -> list[dict[str, float]]:
    """The measures of each, as the weights name them."""
    asked = [term for term in wanted.terms if term not in wanted.optional] or list(wanted.terms)
    telling = [term for term in asked if term not in wanted.labels]
    asked = telling if len(telling) >= 2 else asked
    somewhere = frozenset[str]().union(*(terms_of(one, wanted.language) for one in ones))
    return [
        {
            "bias": 1.0,
            **_met(wanted, asked, one, somewhere, near),
            "whole": near(wanted.text, one.said),
            "owners": float(wanted.mine and is_owners(one)),
            "stranger": _stranger(wanted, one, near),
        }
        for one in ones
    ]


def _met(
    wanted: Description, asked: Sequence[str], one: Statement, somewhere: Collection[str], near: Near
) -> dict[str, float]:
    """How well each word of the description is met, and how much of the statement it does not speak of."""
    own, mine = terms_of(one, wanted.language), _plain_words(wanted, plainly(one.said))
    met, spoken, against = [], set(), 0
    for term in asked:
        alike = {
            other: _alike(wanted, term, other, word, near)
            for other, word in mine.items()
            if other == term or other not in asked or other in synonyms(term, wanted.language)
        }
        shown = SAME_MATTER if has_shape(wanted, term, one, own) else 0.0
        met.append(1.0 if term in own else max(shown, *alike.values()) if alike else shown)
        spoken |= {other for other, how in alike.items() if how >= FAINT}
        against += term not in own and not rivals(term, wanted.language).isdisjoint(mine)
    said_otherwise = sum(how < SAME_MATTER for how in met)
    missed = [term for term, how in zip(asked, met, strict=True) if how < STRONG]
    rest = nameless(wanted, one.said)
    return {
        "mean": sum(met) / len(met) if met else 1.0,
        "weakest": min(met, default=1.0),
        "unmet": float(sum(how < FAINT for how in met)),
        "against": float(against),
        "elsewhere": float(sum(term in somewhere for term in missed)),
        "beside": 1.0 - len(spoken) / len(mine) if mine else 0.0,
        "context": min((max(0.0, near(wanted.surfaces.get(term, term), rest)) for term in missed), default=1.0),
        "instead": float(wanted.statement * min(said_otherwise, len(mine) - len(spoken), 2)),
    }


def _stranger(wanted: Description, one: Statement, near: Near) -> float:
    """How far what the statement is about is from all that is described: "my dog" beside "my weight"."""
    named = re.fullmatch(r"(?:[A-ZÀ-Þ][\w.-]* ?)+", one.subject)
    meant = named and re.match(r"who (?:my|our|[^\W\d_]+['’]s) [\w -]+ (?:is|are|was)$", wanted.text)  # whoever it is
    about = {} if meant or names_owner(one.subject, one) else _plain_words(wanted, one.subject)
    met = [_alike(wanted, term, other, word, near) for term in wanted.terms for other, word in about.items()]
    return 1.0 - max(met, default=0.0) if about else 0.0


def _plain_words(wanted: Description, text: str) -> dict[str, str]:
    """The terms of a text that are no name in the description, each with its word."""
    named = {part for name in (*wanted.names, *wanted.anchors) for part in words(name, wanted.language)}
    return {term: word for term, word in surfaces(text, wanted.language).items() if term not in named}


def _alike(wanted: Description, term: str, other: str, word: str, near: Near) -> float:
    if term == other:
        return 1.0
    if other in rivals(term, wanted.language):
        return 0.0
    if other in said_as(term, wanted.language):
        return SAME_MATTER
    asked = wanted.surfaces.get(term, term)
    return 0.0 if misleading(asked, word) else max(0.0, near(asked, word))


@cache
def _asked_of() -> re.Pattern[str]:
    """What is asked for, of what: "my result in the exam"."""
    word = r"[^\W\d_]+"
    known = "(?i:the|my|our|an?)"
    return re.compile(rf"{known} (?:{word} )?(?P<what>{word}) (?:of|in|at|for|from) {known} .+")


def nameless(wanted: Description, text: str) -> str:
    """Without the names that both must have: they would make anything near."""
    for name in wanted.names:
        text = text.replace(name, " ")
    return " ".join(text.replace("'s", " ").split()) or text
