"""How likely each of several statements is what a description means, where no rule says so. Pure.

A few measures of each (how well every word of the description is met, how near the whole is, what contradicts it, what
the others have that it lacks) are weighed and set against each other and against "none of them". The weights were
learned from the published cases: ``python -m benchmarks.description.learn`` makes them again and says what they are
worth on a round that they were not learned from.
"""

import math
from collections.abc import Collection, Sequence

from commonplace.retrieval.concepts import rivals, said_as
from commonplace.retrieval.describe import Near, Statement, as_told, is_owners, misleading, prefers, terms_of
from commonplace.retrieval.description import Description
from commonplace.retrieval.wording import plainly, surfaces
from commonplace.text.words import words

WEIGHTS = {
    "bias": -2.27,
    "mean": -1.19,
    "weakest": 5.18,
    "exact": -0.32,
    "matter": 0.81,
    "unmet": -0.04,
    "against": -4.15,
    "spoken": -1.05,
    "beside": -1.73,
    "whole": 3.77,
    "nameless": 2.79,
    "owners": 0.95,
    "asked": -0.63,
    "answers": 0.28,
    "elsewhere": -1.42,
    "nowhere": 0.41,
}
SHORTLIST = 8
"""So many of the nearest are weighed; what is further away says nothing about them."""
SAME_MATTER = 0.8
"""How well a word is met by another for the same matter, where itself is 1 and a cosine what it is."""
UNMET = 0.3


def chances(wanted: Description, ones: Sequence[Statement], near: Near) -> list[float]:
    """The chance of each of being what is meant; what is missing to 1 is the chance that none is."""
    told = [as_told(one) for one in ones]
    whole = [near(nameless(wanted, wanted.text), nameless(wanted, one.said)) for one in told]
    short = sorted(range(len(told)), key=lambda at: -whole[at])[:SHORTLIST]
    weighed = [
        math.exp(sum(WEIGHTS[name] * value for name, value in measures.items()))
        for measures in measured(wanted, [told[at] for at in short], near)
    ]
    total = 1.0 + sum(weighed)
    found = dict(zip(short, weighed, strict=True))
    return [found.get(at, 0.0) / total for at in range(len(told))]


def measured(wanted: Description, ones: Sequence[Statement], near: Near) -> list[dict[str, float]]:
    """The measures of each, as the weights name them."""
    asked = [term for term in wanted.terms if term not in wanted.optional] or list(wanted.terms)
    owns = [terms_of(one, wanted.language) for one in ones]
    found = []
    for one, own in zip(ones, owns, strict=True):
        missing = [term for term in asked if term not in own]
        elsewhere = sum(1 for term in missing if any(term in other for other in owns))
        found.append(
            {
                "bias": 1.0,
                **_met(wanted, asked, one, own, near),
                "whole": near(wanted.text, one.said),
                "nameless": near(nameless(wanted, wanted.text), nameless(wanted, one.said)),
                "owners": float(wanted.mine and is_owners(one)),
                "asked": float(len(asked)),
                "answers": float(bool(wanted.asks) and prefers(wanted, one) >= 2),
                "elsewhere": float(elsewhere),
                "nowhere": float(len(missing) - elsewhere),
            }
        )
    return found


def _met(
    wanted: Description, asked: Sequence[str], one: Statement, own: Collection[str], near: Near
) -> dict[str, float]:
    """How well each word of the description is met, and how much of the statement it does not speak of."""
    language = wanted.language
    named = {part for name in (*wanted.names, *wanted.anchors) for part in words(name, language)}
    mine = {term: word for term, word in surfaces(plainly(one.said), language).items() if term not in named}
    met, back, against = [], dict.fromkeys(mine, 0.0), 0
    for term in asked:
        best = 1.0 if term in own else 0.0
        contrary = False
        for other, word in mine.items():
            if other in rivals(term, language):
                contrary = True
                continue
            how = _alike(term, wanted.surfaces.get(term, term), other, word, near, language)
            best, back[other] = max(best, how), max(back[other], how)
        met.append(best)
        against += contrary and term not in own
    return {
        "mean": sum(met) / len(met) if met else 1.0,
        "weakest": min(met, default=1.0),
        "exact": sum(how == 1.0 for how in met) / len(met) if met else 1.0,
        "matter": sum(how == SAME_MATTER for how in met) / len(met) if met else 0.0,
        "unmet": float(sum(how < UNMET for how in met)),
        "against": float(against),
        "spoken": sum(back.values()) / len(back) if back else 0.0,
        "beside": sum(how < UNMET for how in back.values()) / len(back) if back else 0.0,
    }


def _alike(term: str, word: str, other: str, others: str, near: Near, language: str) -> float:
    if term == other:
        return 1.0
    if other in said_as(term, language):
        return SAME_MATTER
    return 0.0 if misleading(word, others) else max(0.0, near(word, others))


def nameless(wanted: Description, text: str) -> str:
    """Without the names that both must have: they would make anything near."""
    for name in wanted.names:
        text = text.replace(name, " ")
    return " ".join(text.replace("'s", " ").split()) or text
