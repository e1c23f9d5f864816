"""The stable half of a page: core values, the most important facts, people and projects, hints."""

from collections.abc import Sequence
from datetime import tzinfo

from commonplace.context.render import Section, core_line, dated_line, fact_line, relation_lines
from commonplace.model import PERSONAL, Memory, Relation, Source
from commonplace.text.normal import normal

FACTS, RELATIONS = 8, 10
KNOWN = ("person", "project", "company")
"""What one of the ends of a relation is that stands in the profile."""
STANDING = ("preference", "correction", "routine")
"""Categories of what a person wants done from now on."""
SURE = 0.8
"""The confidence from which a fact that nobody vouched for may be among the most important."""
HINT = 0.6
"""A pattern noticed with at least this confidence is worth mentioning."""
UNASKED: tuple[Source, ...] = ("user", "planner", "executor", "assistant", "system")
"""Sources whose memories may enter a prompt without being asked for; tools and imports are found when asked."""
MOST_LOOKED_AT = 500
"""Patterns, and where a plan hides some relations those, of which the surest are taken."""


def sections(
    core: Sequence[Memory],
    facts: Sequence[Memory],
    relations: Sequence[Relation],
    hints: Sequence[Memory],
    timezone: tzinfo | None = None,
) -> list[Section]:
    """The profile's sections. Pure and in a fixed order, so that the bytes stay the same until a value changes."""
    chosen = _most_important([fact for fact in facts if fact.source in UNASKED and _stands(fact)])
    surest = sorted(filter(_vouched, relations), key=lambda relation: (-relation.confidence, relation.id))[:RELATIONS]
    sure = [hint for hint in hints if hint.confidence >= HINT and _vouched(hint)]
    noticed = sorted(sure, key=lambda hint: (-hint.confidence, hint.id))
    candidates = [
        Section("Profile", tuple((core_line(memory), memory.id) for memory in _own(core))),
        Section("Most important", tuple((dated_line(fact, timezone), fact.id) for fact in chosen)),
        Section("Known people & projects", tuple(relation_lines(surest))),
        Section("Noticed", tuple((fact_line(hint), hint.id) for hint in noticed)),
    ]
    return [section for section in candidates if section.lines]


def _stands(fact: Memory) -> bool:
    """Whether a person stated or confirmed it, it was corroborated, or it is sure."""
    return fact.status == "verified" or fact.source == "user" or fact.confidence >= SURE


def _most_important(facts: Sequence[Memory]) -> list[Memory]:
    """The most important facts: of the person and how they want things done first, then all others.

    Decisions take at most half of the places while there is anything else.
    """
    once: dict[str, Memory] = {}
    for fact in sorted(facts, key=lambda fact: (not _comes_first(fact), -fact.importance, fact.id)):
        once.setdefault(normal(fact.text), fact)
    ranked = list(once.values())
    decisions = [fact for fact in ranked if fact.category == "decision"]
    other_facts = [fact for fact in ranked if fact.category != "decision"]
    places = min(len(decisions), max(FACTS // 2, FACTS - len(other_facts)))
    chosen = {fact.id for fact in (*other_facts[: FACTS - places], *decisions[:places])}
    return [fact for fact in ranked if fact.id in chosen]


def _comes_first(fact: Memory) -> bool:
    """Whether it is about the person (their health, diet, people) or a standing wish."""
    about_owner = fact.metadata.get("subject") == "owner"
    return fact.namespace == PERSONAL or about_owner or fact.category in STANDING


def _own(core: Sequence[Memory]) -> list[Memory]:
    """Of each key one value: the namespace's own before the personal one, as `core.get` has it."""
    memories = [memory for memory in core if _vouched(memory)]
    first: dict[str, Memory] = {}
    for core_memory in sorted(memories, key=lambda memory: memory.namespace == PERSONAL):
        first.setdefault((core_memory.key or "").casefold(), core_memory)
    return [memory for memory in memories if first[(memory.key or "").casefold()] is memory]


def _vouched(memory: Memory | Relation) -> bool:
    """Whether its source may be shown unasked, or a person has confirmed it since."""
    return memory.source in UNASKED or memory.status == "verified"
