"""What a language gives to the rules: a table of patterns and the words around them. Data only; nothing compiles here.

A pattern is a regular expression, matched without regard to case at the start of a clause, with these placeholders:

``{NAME}``   one to four capitalised words        ``{PLACE}``  the same, with a comma part
``{S}``      who it is about: the speaker (group ``me``), "my sister (Anna)" (``kin``, ``kname``), a name (``who``)
``{ROLE}``   a word of the language's ``roles``     ``{KIN}``    a role that is family
``{VAL}``    a URL, branch, version, id, number         ``{WHEN}``   every Monday
``{E}``      here the clause ends, or goes on with something that does not change the meaning
``{X}``      here the clause ends, for good
``{L}``      the same behind a list, which "and" and commas do not end
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

TriggerKind = Literal[
    "correction", "decision", "architecture", "priority", "name", "value", "preference", "routine", "retraction"
]


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something, and what is made of it."""

    kind: TriggerKind
    shape: str
    """What is made of the groups: a function of that name in ``rules.py``."""
    detail: str
    """What the shape needs to know: mostly a predicate, or the head of a free statement."""
    cues: tuple[str, ...]
    """One of these stands in the clause, in lower case, or the pattern is not even compiled."""
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Language:
    """What the rules know of one language."""

    code: str
    rules: tuple[Rule, ...]
    mentions: tuple[Rule, ...]
    """What may stand anywhere in a sentence and is so even where the sentence asks: "my sister Paula"."""
    before_name: str
    """Behind these words stands a name, also when the speaker types no capitals."""
    common: frozenset[str]
    """Words by which the language is known; none that means something in one of the others."""
    roles: Mapping[str, str]
    """What people call somebody of theirs → the canonical role (see ``slots.ROLES``)."""
    subject: str
    """The pattern behind ``{S}``."""
    possessive: str
    """The pattern behind ``{POSS}``: "my" or "Anna's"."""
    often: str
    """The pattern behind ``{WHEN}``: every Monday."""
    opening: str
    """What may stand before the clause proper and says nothing."""
    ends: str
    """Words before which a name or place is complete."""
    conjunction: str
    """And."""
    joints: str
    """Where a compound sentence falls into clauses."""
    unsure: str
    """Hypothetical or wished for: the sentence teaches nothing."""
    doubt: str
    """A guess: what stands before its clause is still meant."""
    reported: str
    """Somebody else said it."""
    joking: str
    """The turn is not meant."""
    fiction: str
    """The turn asks for a text, a translation, a role: its first person is nobody."""
    insists: str
    """"Remember that …": said to be kept."""
    misspoke: str
    """The turn takes something back as never true."""
    pronouns: frozenset[str]
    """Objects that say nothing without the sentence before."""
    not_names: frozenset[str]
    """Capitalised at the start of a sentence, and still no name."""
    speaker: str = ""
    """Who speaks, as the subject of a clause."""
    verbs: str = ""
    """What the speaker does now; behind "and" the same speaker goes on. Empty where every clause names its subject."""


def rows(*given: tuple[TriggerKind, str, str, str, str]) -> tuple[Rule, ...]:
    """Rules from rows of kind, shape, detail, cues parted by ``|``, pattern."""
    return tuple(Rule(*row[:3], tuple(row[3].split("|")), row[4]) for row in given)
