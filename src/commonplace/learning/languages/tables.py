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

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

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
    also: tuple[str, ...]
    """One of these as well, where the rule is meant for less than its pattern says."""
    pattern: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class LanguageRules:
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
    qualifies: str
    """What says that a statement holds only at times, for a time, or besides another: on Saturdays, too."""
    person: str
    """He or she at the beginning of a sentence, behind what may stand before (``lead``); ``whose`` is his or her."""
    points_back: str
    """A pronoun at the beginning of a sentence that means something said before it."""
    clause_joint: str
    """Where one clause may end and the next begin."""
    clause_subject: str
    """How a clause begins that means the same without the one before it: with a subject, or with a verb of the first
    person; "he" and "she" once the person is named."""
    dependent: str
    """How a clause begins that hangs on the one before it."""
    governs: str
    """How a clause ends on which the next one hangs."""
    relative: str
    """What begins a relative clause; a verb behind it is not the sentence's own."""
    acts: str = ""
    """Verbs that begin a sentence of the speaker's without its subject: ``doing`` (I'm), ``been`` (I've), ``does``,
    and states (I'm). Empty where the verb tells who."""
    finite: str = ""
    """What shows that a sentence has a verb of its own. Empty where that cannot be told."""
    clause_verb: str = ""
    """What shows that a clause has a verb of its own; empty where ``finite`` does."""
    first_person: str = ""
    """A verb at the beginning that says by its form that the speaker is meant. Empty where a pronoun says so."""
    speaker: str = ""
    """Who speaks, as the subject of a clause."""
    verbs: str = ""
    """What the speaker does now; behind "and" the same speaker goes on. Empty where every clause names its subject."""


FOLDER = Path(__file__).parent


@cache
def language_rules(name: str) -> LanguageRules:
    """The rules of a language, from ``name.txt``.

    A section holds ``word = value`` lines, or rules, their cells parted by tabs. A ``{part}`` stands for that line of
    the section ``parts``.
    """
    sections: dict[str, list[str]] = {}
    for line in (FOLDER / f"{name}.txt").read_text("utf-8").splitlines():
        if line.startswith("["):
            section = sections.setdefault(line[1:-1], [])
        elif line and not line.startswith("#"):
            section.append(line)
    parts = _pairs(sections["parts"])
    part = re.compile(r"\{(" + "|".join(parts) + r")\}")

    def whole(text: str) -> str:
        while part.search(text):
            text = part.sub(lambda match: parts[match[1]], text)
        return text

    words = {key: frozenset(value.split()) for key, value in _pairs(sections["words"]).items()}
    return LanguageRules(
        code=sections["code"][0],
        roles=_pairs(sections["roles"]),
        rules=_rules(whole("\n".join(sections["rules"]))),
        mentions=_rules(whole("\n".join(sections["mentions"]))),
        **words,  # type: ignore[arg-type]  # the sections hold the fields of these types
        **{key: whole(value) for key, value in _pairs(sections["patterns"]).items()},  # type: ignore[arg-type]
    )


def _pairs(lines: Iterable[str]) -> dict[str, str]:
    return {key: value for key, _, value in (line.partition(" = ") for line in lines)}


def _rules(text: str) -> tuple[Rule, ...]:
    """A rule is kind, shape, detail, cues parted by ``|`` (and ``&`` before others that are needed too), pattern."""
    return tuple(map(_rule, text.split("\n")))


def _rule(line: str) -> Rule:
    kind, shape, detail, cells, pattern = line.split("\t")
    cues, _, also = cells.partition(" & ")
    kinds: Any = kind
    return Rule(kinds, shape, detail, tuple(cues.split("|")), tuple(also.split("|")) if also else (), pattern)
