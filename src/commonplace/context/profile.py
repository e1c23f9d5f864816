"""The stable half of a page: core values, the most important facts, people and projects, hints."""

from collections.abc import Sequence

from commonplace.context.render import Section, core_line, fact_line, relation_lines
from commonplace.model import PERSONAL, Memory, Relation, Source

FACTS, RELATIONS = 8, 10
KNOWN = ("person", "project", "company")
"""What one of the ends of a relation is that stands in the profile."""
HINT = 0.6
"""A pattern noticed with at least this confidence is worth mentioning."""
UNASKED: tuple[Source, ...] = ("user", "planner", "executor", "assistant", "system")
"""Sources whose memories may enter a prompt without being asked for; tools and imports are found when asked."""
MOST_LOOKED_AT = 500
"""Patterns, and where a plan hides some relations those, of which the surest are taken."""


def sections(
    core: Sequence[Memory], facts: Sequence[Memory], relations: Sequence[Relation], hints: Sequence[Memory]
) -> list[Section]:
    """The profile's sections. Pure and in a fixed order, so that the bytes stay the same until a value changes."""
    chosen = sorted((one for one in facts if one.source in UNASKED), key=lambda one: (-one.importance, one.id))[:FACTS]
    known = sorted(filter(_vouched, relations), key=lambda one: (-one.confidence, one.id))[:RELATIONS]
    sure = [one for one in hints if one.confidence >= HINT and _vouched(one)]
    noticed = sorted(sure, key=lambda one: (-one.confidence, one.id))
    found = [
        Section("Profile", tuple((core_line(one), one.id) for one in _own(core))),
        Section("Most important", tuple((fact_line(one), one.id) for one in chosen)),
        Section("Known people & projects", tuple(relation_lines(known))),
        Section("Noticed", tuple((fact_line(one), one.id) for one in noticed)),
    ]
    return [section for section in found if section.lines]


def _own(core: Sequence[Memory]) -> list[Memory]:
    """Of each key one value: the namespace's own before the personal one, as `core.get` has it."""
    told = [one for one in core if _vouched(one)]
    first: dict[str, Memory] = {}
    for one in sorted(told, key=lambda one: one.namespace == PERSONAL):
        first.setdefault((one.key or "").casefold(), one)
    return [one for one in told if first[(one.key or "").casefold()] is one]


def _vouched(one: Memory | Relation) -> bool:
    """Whether it comes from where it may be shown unasked, or a person has stood for it since."""
    return one.source in UNASKED or one.status == "verified"
