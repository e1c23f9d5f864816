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
"""From smallest to largest; each plan includes the one before."""

SELF_HOSTED = "team"
"""The default plan."""

RELATION_TYPES = frozenset({"person", "project"})
"""Without ALL_RELATIONS, one end of a relation must be of one of these types."""


HIDDEN_WITHOUT = {"relational": Feature.RELATIONS, "proactive": Feature.PROACTIVE}
"""Kinds of memories that recall hides in a plan without the feature."""


def has(plan: str, feature: Feature) -> bool:
    """Whether ``plan`` includes ``feature``."""
    return feature in _features(plan)


def require(plan: str, feature: Feature) -> None:
    """Raise ``NotInPlan`` unless ``plan`` includes ``feature``."""
    if not has(plan, feature):
        raise NotInPlan(feature.value, plan, [name for name, features in PLANS.items() if feature in features])


def allows_relation(plan: str, subject_type: str, object_type: str) -> bool:
    """Whether ``plan`` shows a relation between two such entities."""
    if has(plan, Feature.ALL_RELATIONS):
        return True
    return has(plan, Feature.RELATIONS) and not RELATION_TYPES.isdisjoint((subject_type, object_type))


def require_relation(plan: str, subject_type: str, object_type: str) -> None:
    """Raise ``NotInPlan`` unless ``plan`` allows a relation between two such entities."""
    require(plan, Feature.RELATIONS)
    if not allows_relation(plan, subject_type, object_type):
        require(plan, Feature.ALL_RELATIONS)


def shown(plan: str, items: Sequence[T], kind: Callable[[T], str]) -> list[T]:
    """The items whose kind ``plan`` shows; hidden ones stay stored and can be exported."""
    hidden = {kind for kind, feature in HIDDEN_WITHOUT.items() if not has(plan, feature)}
    return [item for item in items if kind(item) not in hidden]


def missing(before: str, after: str) -> frozenset[Feature]:
    """The features that a change of plan adds."""
    return _features(after) - _features(before)


def _features(plan: str) -> frozenset[Feature]:
    if plan not in PLANS:
        raise Invalid(f"unknown plan {plan!r}; pass one of {', '.join(PLANS)}")
    return PLANS[plan]
