"""Named sets of weights. ``balanced`` needs no setting; the others say what matters more."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType

from commonplace.errors import Invalid
from commonplace.retrieval.bm25 import BM25, Bm25


@dataclass(frozen=True, slots=True)
class Recipe:
    """What each part of a score weighs. Of the words of a question the best match is 1, of its meaning the nearest."""

    words: float = 0.7
    meaning: float = 0.5
    late: float = 2.0
    """Of late interaction: a mean of cosines, above or below that of the other candidates."""
    late_least: float = 0.5
    """Of the token of the question that a text meets least: one that speaks of all of it comes first."""
    late_before: float = 0.5
    late_session: float = 1.0
    """Given for the late interaction of the turn before, and of the two nearest turns of the conversation."""
    judged: float = 0.0
    """Of what the judge says of the first hits: whether a text answers the question; 0 leaves it unasked."""
    graph: float = 0.15
    speaker: float = 0.15
    asking: float = 0.3
    """Taken from a turn that only asks."""
    first: float = 0.1
    second: float = 0.1
    """Given to who speaks of themself, taken from who speaks of the listener."""
    when: float = 0.4
    name: float = 0.3
    number: float = 0.1
    date: float = 0.4
    session: float = 0.5
    role: float = 0.5
    """Taken from a long answer of an assistant or a tool; half of it given where its own words are asked for."""
    stated: float = 0.08
    """Bonus for what was stated to be remembered, over what was only said."""
    overturned: float = 0.6
    """Taken from a turn whose conclusions have ended or were rejected since."""
    recency: float = 0.02
    importance: float = 0.05
    confidence: float = 0.05
    candidate: float = 0.02
    half_life: float = 30.0
    """Days after which recency counts half."""
    same_session: float = 0.01
    """Taken for each hit of the same conversation above."""
    bm25: Bm25 = BM25


BALANCED = Recipe()
_BESIDE_LATE = {"words": 0.7, "meaning": 0.2, "session": 0.6, "when": 1.5, "name": 1.5, "number": 1.5}
_WEIGHTS = [weight.name for weight in fields(Recipe) if weight.name not in ("bm25", "half_life")]
_ALONE = Bm25(asked_before=(0.0, 0.0), told_before=(0.0, 0.0), asked_after=(0.0, 0.0), told_after=(0.0, 0.0))


def _only(**parts: float) -> Recipe:
    """One list alone, with nothing added: what the others are measured against."""
    return replace(Recipe(**dict.fromkeys(_WEIGHTS, 0.0), bm25=_ALONE), **parts)  # type: ignore[arg-type]


RECIPES: Mapping[str, Recipe] = MappingProxyType(
    {
        "balanced": BALANCED,
        "exact": replace(BALANCED, words=1.0, meaning=0.1, late=0.0, graph=0.1, session=0.0, bm25=_ALONE),
        "recent": replace(BALANCED, recency=0.6, half_life=7.0),
        "graph": replace(BALANCED, graph=1.0),
        "thorough": replace(BALANCED, judged=0.05),
        "words": _only(words=1.0),
        "meaning": _only(meaning=1.0),
    }
)


def beside_late(mix: Recipe) -> Recipe:
    """The weights where late interaction speaks too: it says much of what words and sentence vectors say."""
    return replace(mix, **{part: share * getattr(mix, part) for part, share in _BESIDE_LATE.items()})


def recipe(name: str) -> Recipe:
    """The recipe of that name; an unknown one raises ``Invalid``."""
    try:
        return RECIPES[name]
    except KeyError:
        raise Invalid(f"no recipe is called so; there are {', '.join(RECIPES)}") from None
