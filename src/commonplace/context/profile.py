"""The stable half of a page: core values, the most important facts, people and projects, hints."""

from collections.abc import Sequence
from datetime import tzinfo

from commonplace.context.render import Section, core_line, dated_line, fact_line, relation_lines
from commonplace.model import PERSONAL, Memory, Relation, Source
from commonplace.text.normal import normal

FACTS, RELATIONS = 8, 10
KNOWN = ("person", "project", "company")
"""A relation is in the profile if one of its ends has one of these types."""
STANDING = ("preference", "correction", "routine")
"""Categories of lasting wishes."""
SURE = 0.8
"""Minimum confidence of an unconfirmed fact among the most important ones."""
HINT = 0.6
"""Minimum confidence of a pattern to be mentioned."""
UNASKED: tuple[Source, ...] = ("user", "planner", "executor", "assistant", "system")
"""Sources whose memories may be in a prompt unasked; tools and imports only answer questions."""
MOST_LOOKED_AT = 500
"""Number of patterns to choose from, and of relations if the plan hides some."""


def sections(
    core: Sequence[Memory],
    facts: Sequence[Memory],
    relations: Sequence[Relation],
    hints: Sequence[Memory],
    timezone: tzinfo | None = None,
) -> list[Section]:
    """The profile's sections. Pure and in a fixed order, so that the bytes stay the same until a value changes."""
    chosen = _most_important([fact for fact in facts if fact.source in UNASKED and _is_reliable(fact)])
    surest = sorted(filter(_is_trusted, relations), key=lambda relation: (-relation.confidence, relation.id))[
        :RELATIONS
    ]
    sure = [hint for hint in hints if hint.confidence >= HINT and _is_trusted(hint)]
    noticed = sorted(sure, key=lambda hint: (-hint.confidence, hint.id))
    candidates = [
        Section("Profile", tuple((core_line(memory), memory.id) for memory in _one_per_key(core))),
        Section("Most important", tuple((dated_line(fact, timezone), fact.id) for fact in chosen)),
        Section("Known people & projects", tuple(relation_lines(surest))),
        Section("Noticed", tuple((fact_line(hint), hint.id) for hint in noticed)),
    ]
    return [section for section in candidates if section.lines]


def _is_reliable(fact: Memory) -> bool:
    """Whether a person stated or confirmed it, it was corroborated, or its confidence is high."""
    return fact.status == "verified" or fact.source == "user" or fact.confidence >= SURE


def _most_important(facts: Sequence[Memory]) -> list[Memory]:
    """The most important facts: first those about the person and their lasting wishes, then all others.

    Decisions take at most half of the places as long as there are other facts.
    """
    once: dict[str, Memory] = {}
    for fact in sorted(facts, key=lambda fact: (not _is_personal(fact), -fact.importance, fact.id)):
        once.setdefault(normal(fact.text), fact)
    ranked = list(once.values())
    decisions = [fact for fact in ranked if fact.category == "decision"]
    other_facts = [fact for fact in ranked if fact.category != "decision"]
    places = min(len(decisions), max(FACTS // 2, FACTS - len(other_facts)))
    chosen = {fact.id for fact in (*other_facts[: FACTS - places], *decisions[:places])}
    return [fact for fact in ranked if fact.id in chosen]


def _is_personal(fact: Memory) -> bool:
    """Whether it is about the person (health, diet, people) or a lasting wish."""
    about_owner = fact.metadata.get("subject") == "owner"
    return fact.namespace == PERSONAL or about_owner or fact.category in STANDING


def _one_per_key(core: Sequence[Memory]) -> list[Memory]:
    """One value per key: the namespace's own wins over the personal one, as in `core.get`."""
    memories = [memory for memory in core if _is_trusted(memory)]
    first: dict[str, Memory] = {}
    for core_memory in sorted(memories, key=lambda memory: memory.namespace == PERSONAL):
        first.setdefault((core_memory.key or "").casefold(), core_memory)
    return [memory for memory in memories if first[(memory.key or "").casefold()] is memory]


def _is_trusted(memory: Memory | Relation) -> bool:
    """Whether its source may be shown unasked, or a person has confirmed it."""
    return memory.source in UNASKED or memory.status == "verified"
