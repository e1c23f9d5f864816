"""What can be said of somebody, and when two sayings contradict: the table of predicates.

A slot is what can hold one value at a time. ``("owner", "lives_in")`` holds one place; ``("owner", "speaks")`` holds as
many languages as there are, so that every language is a slot of its own; the slot of ``cfo_of`` belongs to its object
(a company has one CFO, a CFO may serve two).
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from commonplace.text.normal import fold

Ending = Literal["ended", "wrong"]


@dataclass(frozen=True, slots=True)
class Slot:
    predicate: str
    says: str
    """The canonical statement: ``{s}`` and ``{o}`` are subject and object, ``{p}`` the subject's possessive."""
    many: bool = False
    object_type: str | None = None
    relational: bool = False
    """An edge between two entities, not only a fact about one."""
    owned_by_object: bool = False
    """One subject at a time for an object: a new CFO replaces the old one."""
    opposite: str | None = None
    """The predicate that says the contrary of the same object."""
    denied: Ending = "ended"
    """What a plain denial ("I don't …") says of an earlier belief."""


ON_A_DAY = "held_on"
"""The predicate of what is over after its day; what is due stays due."""


def _table(*slots: Slot) -> Mapping[str, Slot]:
    return {slot.predicate: slot for slot in slots}


SLOTS: Mapping[str, Slot] = _table(
    Slot("lives_in", "{s} lives in {o}", object_type="place"),
    Slot("staying_in", "{s} is staying in {o}", object_type="place"),
    Slot("from", "{s} comes from {o}", many=True, object_type="place", denied="wrong"),
    Slot("born_on", "{p} birthday is {o}", denied="wrong"),
    Slot("born_in", "{s} was born in {o}", denied="wrong"),
    Slot("age", "{s} is {o} years old", denied="wrong"),
    Slot("name", "{p} name is {o}", denied="wrong"),
    Slot("called", "{s} goes by {o}"),
    Slot("pronouns", "{p} pronouns are {o}"),
    Slot("email", "{p} email is {o}"),
    Slot("work_email", "{p} work email is {o}"),
    Slot("phone", "{p} phone number is {o}"),
    Slot("work_phone", "{p} work phone number is {o}"),
    Slot("address", "{p} address is {o}"),
    Slot("time_zone", "{p} time zone is {o}"),
    Slot("works_at", "{s} works at {o}", object_type="company", relational=True),
    Slot("occupation", "{s} is {o} by occupation", many=True),
    Slot("works_on", "{s} works on {o}", many=True, object_type="project", relational=True),
    Slot("studies", "{s} studies {o}", many=True),
    Slot("speaks", "{s} speaks {o}", many=True),
    Slot("learning", "{s} is learning {o}", many=True),
    Slot("plays", "{s} plays {o}", many=True),
    Slot("diet", "{s} is {o}"),
    Slot("allergic_to", "{s} is allergic to {o}", many=True, denied="wrong"),
    Slot("drives", "{s} drives {o}"),
    Slot("condition", "{s} is {o}", many=True),
    Slot("has_condition", "{s} has {o}", many=True),
    Slot("does_not_eat", "{s} does not eat {o}", many=True, opposite="eats"),
    Slot("eats", "{s} eats {o}", many=True, opposite="does_not_eat"),
    Slot("does_not_drink", "{s} does not drink {o}", many=True, opposite="drinks"),
    Slot("drinks", "{s} drinks {o}", many=True, opposite="does_not_drink"),
    Slot("gave_up", "{s} gave up {o}", many=True),
    Slot("afraid_of", "{s} is afraid of {o}", many=True),
    Slot("practises", "{s} practises {o}", many=True),
    Slot("training_for", "{s} is training for {o}", many=True),
    Slot("supports", "{s} supports {o}", many=True),
    Slot("teaches", "{s} teaches {o}", many=True),
    Slot("runs", "{s} runs {o}", many=True),
    Slot("part_of", "{s} is part of {o}", many=True),
    Slot("moving_to", "{s} is moving to {o}", object_type="place"),
    Slot("lacks", "{s} has no {o}", many=True),
    Slot("sold", "{s} sold {o}", many=True),
    Slot("has_been", "{s} has been {o}", many=True),
    Slot("works_in", "{s} works in {o}", many=True),
    Slot("lived_in", "{s} lived in {o}", many=True, object_type="place"),
    Slot("event", "{s} {o}", many=True),
    Slot("studied", "{s} studied: {o}", many=True),
    Slot("owns", "{s} owns {o}", many=True),
    Slot("has_pet", "{s} has {o}", many=True),
    Slot("hobby", "{p} hobby is {o}", many=True),
    Slot("likes", "{s} likes {o}", many=True, opposite="dislikes"),
    Slot("dislikes", "{s} dislikes {o}", many=True, opposite="likes"),
    Slot("prefers", "{s} prefers {o}", many=True),
    Slot("wants", "{s} wants {o}", many=True, opposite="does_not_want"),
    Slot("does_not_want", "{s} does not want {o}", many=True, opposite="wants"),
    Slot("always", "Always {o}", many=True, opposite="never"),
    Slot("never", "Never {o}", many=True, opposite="always"),
    Slot("routine", "{p} routine: {o}", many=True),
    Slot("held_on", "{s} takes place {o}"),
    Slot("due_on", "{s} is due {o}"),
    Slot("value", "{s} is {o}"),
    Slot("use_instead", "Use {o}, not {s}"),
    Slot("uses", "{s} uses {o}", many=True),
    Slot("relationship", "{s} is {o}"),
    Slot("stakeholder_of", "{s} is a stakeholder of {o}", many=True, object_type="project", relational=True),
    Slot("member_of", "{s} is a member of {o}", many=True, relational=True),
    Slot("reports_to", "{s} reports to {o}", object_type="person", relational=True),
    Slot("responsible_for", "{s} is responsible for {o}", many=True, object_type="project", relational=True),
    Slot("manages", "{s} manages {o}", many=True, object_type="person", relational=True),
    Slot("partner_of", "{s} is the partner of {o}", relational=True, owned_by_object=True),
    Slot("sibling_of", "{s} is a sibling of {o}", many=True, relational=True, denied="wrong"),
    Slot("parent_of", "{s} is a parent of {o}", many=True, relational=True, denied="wrong"),
    Slot("child_of", "{s} is a child of {o}", many=True, relational=True, denied="wrong"),
    Slot("grandparent_of", "{s} is a grandparent of {o}", many=True, relational=True, denied="wrong"),
    Slot("relative_of", "{s} is a relative of {o}", many=True, relational=True, denied="wrong"),
    Slot("friend_of", "{s} is a friend of {o}", many=True, relational=True),
    Slot("colleague_of", "{s} is a colleague of {o}", many=True, relational=True),
    Slot("customer_of", "{s} is a customer of {o}", many=True, relational=True),
    Slot("last_contacted_on", "{s} was last contacted on {o}", relational=True),
    Slot("owes_followup", "{s} owes {o} a follow-up", many=True, relational=True),
)


SYMMETRIC = frozenset(
    ("partner_of", "sibling_of", "friend_of", "colleague_of", "flatmate_of", "neighbour_of", "relative_of")
)
"""Edges that say the same in both directions."""


@dataclass(frozen=True, slots=True)
class Role:
    """What somebody is to somebody: the edge it makes, and whether there is only one."""

    name: str
    predicate: str
    one: bool = False
    """There is one at a time, so that it is a core value too."""
    reversed: bool = False
    """The edge runs from the speaker to the person (``reports_to``)."""
    family: bool = False


def _roles(*roles: Role) -> Mapping[str, Role]:
    return {role.name: role for role in roles}


_OFFICES = ("cfo", "ceo", "cto", "coo", "cmo", "ciso", "chair")
_SERVICES = (
    "accountant", "lawyer", "doctor", "dentist", "landlord", "therapist", "assistant", "tutor", "coach", "vet",
    "architect", "hairdresser", "mentor", "notary", "physiotherapist", "psychologist", "agent", "cleaner", "nanny",
)  # fmt: skip

KEYS: Mapping[str, str] = {
    "city": "lives_in", "home": "lives_in", "employer": "works_at", "company": "works_at", "diet": "diet",
}  # fmt: skip
"""Core keys that hold the owner's one value of a predicate."""

ROLES: Mapping[str, Role] = _roles(
    *(Role(office, f"{office}_of", one=True) for office in _OFFICES),
    *(Role(service, f"{service}_of", one=True) for service in _SERVICES),
    Role("boss", "reports_to", one=True, reversed=True),
    Role("wife", "partner_of", one=True, family=True),
    Role("husband", "partner_of", one=True, family=True),
    Role("partner", "partner_of", one=True, family=True),
    Role("girlfriend", "partner_of", one=True, family=True),
    Role("boyfriend", "partner_of", one=True, family=True),
    Role("mother", "parent_of", one=True, family=True),
    Role("father", "parent_of", one=True, family=True),
    Role("sister", "sibling_of", family=True),
    Role("brother", "sibling_of", family=True),
    Role("son", "child_of", family=True),
    Role("daughter", "child_of", family=True),
    Role("child", "child_of", family=True),
    Role("grandmother", "grandparent_of", family=True),
    Role("grandfather", "grandparent_of", family=True),
    Role("aunt", "relative_of", family=True),
    Role("uncle", "relative_of", family=True),
    Role("cousin", "relative_of", family=True),
    Role("nephew", "relative_of", family=True),
    Role("niece", "relative_of", family=True),
    Role("grandson", "relative_of", family=True),
    Role("granddaughter", "relative_of", family=True),
    Role("in-law", "relative_of", family=True),
    Role("parents", "parent_of", family=True),
    Role("godchild", "godchild_of"),
    Role("ex", "ex_of"),
    Role("friend", "friend_of"),
    Role("flatmate", "flatmate_of"),
    Role("neighbour", "neighbour_of"),
    Role("colleague", "colleague_of"),
    Role("teacher", "teacher_of"),
    Role("customer", "customer_of"),
)


def slot_of(predicate: str) -> Slot:
    """The row of a predicate. One we do not know holds many values: nothing is replaced on a guess."""
    slot = SLOTS.get(predicate)
    if slot is not None:
        return slot
    if predicate.startswith("has_one_"):
        return Slot(predicate, "{p} " + predicate[8:].replace("_", " ") + " is {o}")
    if predicate.startswith("has_"):
        return Slot(predicate, "{s} has {o}", many=True, denied="wrong")
    if predicate.startswith("favourite_"):
        return Slot(predicate, "{p} favourite " + predicate[10:].replace("_", " ") + " is {o}")
    if predicate.endswith("_of"):
        role = ROLES.get(predicate[:-3])
        single = role is not None and role.one
        spoken = predicate[:-3].upper() if predicate[:-3] in _OFFICES else predicate[:-3].replace("_", " ")
        return Slot(predicate, "{s} is {q} " + spoken, many=not single, relational=True, owned_by_object=single)
    return Slot(predicate, "{s} " + predicate.replace("_", " ") + " {o}", many=True)


def plain(text: str) -> str:
    """The form in which two values are compared: folded, without quotes, articles, punctuation at the edges."""
    folded = fold(text).strip(" \t\n.,;:!\"'`“”‘’()«»")
    return _ARTICLE.sub("", re.sub(r"\s+", " ", folded)).strip()


_ARTICLE = re.compile(
    r"^(?:(?:the|an?|il|lo|la|gli|le|el|los|las|les|der|die|das|den|dem|eine?n?|une?|uno|una) |l'|un')(?=\w)"
)
_OVER = re.compile(r"^(?P<a>.+?) (?:over|to|rather than|instead of) (?P<b>.+)$")


def slot_key(subject: str, predicate: str, object: str | None, *, many: bool = False) -> tuple[str, str, str]:
    """What can hold only one value: two sayings with the same key and different values contradict each other.

    ``many`` is what the candidate or the belief itself says of a predicate that the table does not know.
    """
    subject, object = _ordered(subject, predicate, object)
    slot = slot_of(predicate)
    if slot.owned_by_object and not many:
        return (plain(object or ""), predicate, "")
    group = min(predicate, slot.opposite) if slot.opposite else predicate
    several = many or (slot.many if is_known(predicate) else False)
    return (plain(subject), group, _topic(predicate, object) if several else "")


def slot_value(subject: str, predicate: str, object: str | None, *, many: bool = False) -> str:
    """The value that fills the slot of the same saying."""
    subject, object = _ordered(subject, predicate, object)
    slot = slot_of(predicate)
    if slot.owned_by_object and not many:
        return plain(subject)
    value = _topic(predicate, object) if predicate == "routine" else plain(object or "")
    return f"{predicate}: {value}" if slot.opposite else value


def is_known(predicate: str) -> bool:
    """Whether the table says how many values the predicate holds."""
    return predicate in SLOTS or predicate.startswith(("has_", "favourite_")) or predicate[:-3] in ROLES


def _ordered(subject: str, predicate: str, object: str | None) -> tuple[str, str | None]:
    """Of an edge that runs both ways, the owner stands at the end; else the ends stand in order."""
    if predicate not in SYMMETRIC or object is None:
        return subject, object
    if "owner" in (subject, object):
        return (object, subject) if subject == "owner" else (subject, object)
    return (subject, object) if plain(subject) <= plain(object) else (object, subject)


_COUNTED = re.compile(r"(?:two|three|four|five) ")
_ON_DAYS = re.compile(r"\b(?:on )?((?:mon|tues|wednes|thurs|fri|satur|sun)day)s\b")


def _topic(predicate: str, object: str | None) -> str:
    if predicate.startswith("has_") and _COUNTED.match(plain(object or "")):
        return "how many"
    if predicate == "routine":  # "on Mondays" is "every Monday", so that either takes the other back
        return _ON_DAYS.sub(r"every \1", plain(object or ""))
    against = _OVER.match(plain(object or "")) if predicate == "prefers" else None
    if against:
        return " / ".join(sorted((plain(against["a"]), plain(against["b"]))))
    return plain(object or "")


def same_value(first: str, second: str) -> bool:
    """Equal, or the same place or date with more or less detail ("Oslo" and "Oslo, Norway")."""
    if first == second:
        return True
    short, long = sorted((first, second), key=len)
    return bool(short) and long.startswith(short + ", ")


UNNAMED, UNNAMED_WORDS = "Owner", ("me", "user", "owner", "default")


def owner_label(owner: str) -> str:
    """What the owner is called in statements and in the graph: by their name, where the id looks like one."""
    is_name = owner.isalpha() and len(owner) > 1 and owner.casefold() not in UNNAMED_WORDS
    return (owner.title() if owner.islower() else owner) if is_name else UNNAMED


def member_label(author: str | None) -> str | None:
    """What a member of a shared namespace is called in statements; None where a memory is its owner's alone.

    There nobody is "the owner": where Ada lives and where Ben lives are two facts.
    """
    if author is None:
        return None
    label = owner_label(author)
    return author if label == UNNAMED else label


def statement(predicate: str, subject: str, object: str, *, owner: str) -> str:
    """The canonical sentence; ``owner`` is what the owner is called in it."""
    shown_subject = _shown(subject, owner)
    shown_object = _shown(object, owner)
    text = slot_of(predicate).says.format(
        s=shown_subject, o=shown_object, p=possessive(shown_subject), q=possessive(shown_object)
    )
    return text[:1].upper() + text[1:]


def _shown(who: str, owner: str) -> str:
    if who == "owner":
        return owner
    return possessive(owner) + who[len("owner's") :] if who.startswith("owner's ") else who


def possessive(name: str) -> str:
    return f"{name}'s"
