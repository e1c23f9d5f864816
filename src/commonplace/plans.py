"""Which plan has which feature: one table. Seeing, correcting, exporting and erasing one's own data is in none: it is
never gated."""

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TypeVar

from commonplace.errors import Invalid, NotInPlan

T = TypeVar("T")


class Feature(StrEnum):
    KEYWORD_SEARCH = "keyword search"
    EMBEDDINGS = "search by meaning"
    EXTRACTION_DAILY = "extraction in the daily batch"
    EXTRACTION_AT_ONCE = "extraction at once"
    RELATIONS = "relations that involve a person or a project"
    ALL_RELATIONS = "relations of every kind"
    PROACTIVE = "automatically detected patterns"
    SHARING = "namespaces shared with other people"


_FREE = frozenset({Feature.KEYWORD_SEARCH, Feature.EXTRACTION_DAILY})
_PRO = _FREE | {Feature.EMBEDDINGS, Feature.EXTRACTION_AT_ONCE, Feature.RELATIONS}
_POWER = _PRO | {Feature.ALL_RELATIONS, Feature.PROACTIVE}
_TEAM = _POWER | {Feature.SHARING}

PLANS: dict[str, frozenset[Feature]] = {"free": _FREE, "pro": _PRO, "power": _POWER, "team": _TEAM}
"""From the smallest to the largest; each has everything the one before it has."""

SELF_HOSTED = "team"
"""The plan of an owner without a chosen one."""

RELATION_TYPES = frozenset({"person", "project"})
"""With RELATIONS alone, one end of a relation must be of such a type."""


HIDDEN_WITHOUT = {"relational": Feature.RELATIONS, "proactive": Feature.PROACTIVE}
"""Kinds of memories that recall leaves out in a plan without the feature."""


def has(plan: str, feature: Feature) -> bool:
    """Whether ``plan`` includes ``feature``: for the places that leave a missing feature out in silence."""
    return feature in _features(plan)


def require(plan: str, feature: Feature) -> None:
    """Raise ``NotInPlan`` unless ``plan`` includes ``feature``: for verbs that were asked for by name."""
    if not has(plan, feature):
        raise NotInPlan(feature.value, plan, [name for name, features in PLANS.items() if feature in features])


def allows_relation(plan: str, subject_type: str, object_type: str) -> bool:
    """Whether ``plan`` shows a relation between two such entities."""
    if has(plan, Feature.ALL_RELATIONS):
        return True
    return has(plan, Feature.RELATIONS) and not RELATION_TYPES.isdisjoint((subject_type, object_type))


def require_relation(plan: str, subject_type: str, object_type: str) -> None:
    """Raise ``NotInPlan`` unless ``plan`` lets such a relation be made."""
    require(plan, Feature.RELATIONS)
    if not allows_relation(plan, subject_type, object_type):
        require(plan, Feature.ALL_RELATIONS)


def shown(plan: str, items: Sequence[T], kind: Callable[[T], str]) -> list[T]:
    """Those of the kinds that ``plan`` shows; what a smaller plan hides is still there, and the owner can export it."""
    hidden = {kind for kind, feature in HIDDEN_WITHOUT.items() if not has(plan, feature)}
    return [item for item in items if kind(item) not in hidden]


def missing(before: str, after: str) -> frozenset[Feature]:
    """What a move from one plan to another adds: the features whose work has to be caught up on."""
    return _features(after) - _features(before)


def _features(plan: str) -> frozenset[Feature]:
    if plan not in PLANS:
        raise Invalid(f"there is no plan {plan!r}; the plans are {', '.join(PLANS)}")
    return PLANS[plan]
