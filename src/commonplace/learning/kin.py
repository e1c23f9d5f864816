"""Who is meant when somebody says that they have no sister: those who were called one."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from commonplace.learning.matching import LANGUAGES
from commonplace.learning.neighbours import Neighbourhood
from commonplace.learning.slots import ROLES
from commonplace.memories import codec as states
from commonplace.memories.graph import sentence
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT, Candidate

MOST = 50
HAS = "has_"


def with_the_named(work: Work, neighbourhood: Neighbourhood, candidate: Candidate) -> Iterator[Candidate]:
    """A retraction, and with it those of the edges and the core value that the same role made."""
    yield candidate
    if candidate.retracts and candidate.predicate == "partner_of" and candidate.kind == "relational":
        yield from _no_partner(candidate)
    role = ROLES.get((candidate.predicate or "").removeprefix(HAS))
    if candidate.retracts is None or candidate.object is not None or candidate.subject != "owner" or role is None:
        return
    if role.one:
        yield replace(candidate, kind="core", key=role.name, predicate=f"has_one_{role.name}")
    owner = neighbourhood.label("owner")
    for subject, object in _edges(work, role.predicate, role.name, owner):
        ends = ["owner" if end == owner else end for end in (subject, object)]
        statement = f"Not so: {sentence(subject, role.predicate, object)}"
        yield replace(
            candidate, kind="relational", predicate=role.predicate, subject=ends[0], object=ends[1], statement=statement
        )


def _no_partner(candidate: Candidate) -> Iterator[Candidate]:
    """Whoever one parted from is none of the words for a partner any more."""
    name = candidate.object if candidate.subject == "owner" else candidate.subject
    for role in ROLES.values():
        if role.predicate == "partner_of":
            yield replace(
                candidate, kind="core", key=role.name, predicate=f"has_one_{role.name}", subject="owner", object=name
            )


def _edges(work: Work, predicate: str, role: str, owner: str) -> Iterator[tuple[str, str]]:
    """Ends of the owner's edges of a predicate that rest on words in which the role is named."""
    namespace = work.namespace().id
    label = work.vault.label("entity", f"{namespace}/{owner}")
    owners = [row.id for row in work.tx.entities.by_label([namespace], label)]
    if not owners:
        return
    rows = work.tx.relations.find([namespace], either=owners, predicates=[predicate], statuses=CURRENT, limit=MOST)
    for row in rows:
        if any(_words(role).search(quote) for quote in _quotes(work, row.id)):
            ends = {entity.id: entity for entity in work.tx.entities.get([row.subject, row.object])}
            names = [work.scope.open_json("entity", id, ends[id].sealed)["label"] for id in (row.subject, row.object)]
            yield names[0], names[1]


def _quotes(work: Work, relation: str) -> Iterator[str]:
    for row in work.tx.evidence.of(states.NOUN, [relation]):
        if row.sealed is not None:
            yield str(work.scope.open_json("evidence", f"{row.noun}/{row.id}/{row.episode}", row.sealed))


@cache
def _words(role: str) -> re.Pattern[str]:
    """The role by its name in any of the languages."""
    words = {word for language in LANGUAGES for word, name in language.roles.items() if name == role}
    return re.compile(rf"\b(?:{'|'.join(sorted(map(re.escape, words)))})\b", re.IGNORECASE)
