"""What a memory says, one statement at a time, and the words that count in it."""

from dataclasses import dataclass, replace

from commonplace.retrieval.wording import as_owner, first_person, whole_terms
from commonplace.text.identifiers import mentions


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """One thing that a memory says, and around what."""

    said: str
    subject: str = ""
    speaker: str | None = None
    mine: bool = False
    """The first person in it is the owner."""
    around: str = ""
    """The whole memory: where a qualifier may stand that the sentence does not repeat."""
    key: str | None = None
    owners: tuple[str, ...] = ()
    """The names by which the owner is known."""


def as_told(one: Statement) -> Statement:
    """What a note says of "the user", as the user would say it."""
    said = as_owner(one.said)
    return one if said == one.said else replace(one, said=said, subject=as_owner(one.subject), mine=True)


def terms_of(one: Statement, language: str) -> frozenset[str]:
    """The terms of a statement, each identifier whole: "login" is not said by "login-v2"."""
    text = f"{one.key} {one.said}" if one.key else one.said
    return whole_terms(text, language)


def names_owner(name: str, one: Statement) -> bool:
    return any(mentions(name, owner) for owner in (*one.owners, "user", "owner"))


def speaks_as(one: Statement, name: str) -> bool:
    """ "My birthday is …", said by Bob, is about Bob."""
    return one.speaker is not None and mentions(one.speaker, name) and bool(first_person().search(one.said))
