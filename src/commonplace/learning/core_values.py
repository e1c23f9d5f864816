"""Core values that state a relation (``boss``, ``city``) and that relation (``reports_to``) never disagree."""

from collections.abc import Collection, Iterable

from commonplace.learning.slots import KEYS, ROLES, Role, plain, same_value
from commonplace.memories.codec import StoredMemory
from commonplace.memories.conflicts import ConflictSearch, Contradiction
from commonplace.memories.unit_of_work import Work
from commonplace.model import CURRENT, Candidate, NewMemory
from commonplace.store.rows import Filter


def role_conflicts(label: str, new: NewMemory, stated: Collection[str] = ()) -> ConflictSearch | None:
    """The search for the relation that a core value contradicts, or the core value that a relation contradicts.

    ``label`` is what the owner is called in relations. ``stated`` are the core keys that the same message sets: they
    are updated by themselves, so a relation beside them ends none of their values.
    """
    if new.kind == "relational":
        return ConflictSearch(lambda work, stored: _with_core_values(work, stored, label, stated))
    keys = _keys_of(str(new.metadata.get("predicate"))) if _is_of_owner(new) else {}
    if keys := {key for key in keys if key not in stated}:
        value = str(new.metadata.get("object"))
        return ConflictSearch(
            lambda work, stored: [one for key in keys for one in _otherwise(work, stored, key, value)]
        )
    role = ROLES.get(plain(new.key or "")) if new.kind == "core" else None
    if role is None or not role.one:
        return None
    return ConflictSearch(lambda work, stored: _with_relations(work, stored, role, label))


def core_contradictions(work: Work, stored: StoredMemory, candidate: Candidate) -> list[Contradiction]:
    """Core values that say otherwise than a statement about the owner ("My boss is Olu", "My email is …")."""
    if candidate.kind == "core":
        keys = {candidate.key or "": candidate.object or ""}
    else:
        roles = [role for role in ROLES.values() if role.one and role.predicate == candidate.predicate]
        ends = {role.name: (candidate.subject or "", candidate.object or "") for role in roles}
        sides = {role.name: ends[role.name] if role.reversed else ends[role.name][::-1] for role in roles}
        keys = {name: other for name, (mine, other) in sides.items() if mine == "owner"}
        if candidate.subject == "owner" and not candidate.many and candidate.valid_to is None:
            keys |= dict.fromkeys(_keys_of(candidate.predicate), candidate.object or "")
    return [contradiction for key, value in keys.items() for contradiction in _otherwise(work, stored, key, value)]


def _otherwise(work: Work, stored: StoredMemory, key: str, value: str) -> list[Contradiction]:
    hash = work.vault.label("core", f"{stored.row.namespace}/{key}")
    rows = work.tx.memories.find(Filter(namespaces=(stored.row.namespace,), key=hash, statuses=CURRENT))
    values = [work.load_anywhere(row.id) for row in rows if row.id != stored.id]
    return [
        Contradiction(core, f"contradicts the core value {key}", value)
        for core in values
        if not same_value(plain(core.content.text), plain(value))
    ]


def _keys_of(predicate: str | None) -> set[str]:
    return {key for key, name in KEYS.items() if name == predicate}


def _is_of_owner(new: NewMemory) -> bool:
    """Whether a learned belief says of the owner what holds without a qualifier and without an end."""
    return new.metadata.get("subject") == "owner" and not new.metadata.get("many") and new.valid_to is None


def _with_core_values(work: Work, stored: StoredMemory, label: str, stated: Collection[str]) -> list[Contradiction]:
    """Core values that name another person for the relation that ``stored`` states of the owner."""
    triple = stored.content.triple
    roles = [] if triple is None else [role for role in ROLES.values() if role.predicate == triple["predicate"]]
    roles = [role for role in roles if role.one and role.name not in stated]
    keys = set() if triple is None or stored.row.valid_to else _keys_of(triple["predicate"]).difference(stated)
    if triple is None or not (roles or keys):
        return []
    labels = _labels(work, [triple["subject"], triple["object"]])
    near, far = labels[triple["subject"]], labels[triple["object"]]
    sides = [(role, *((near, far) if role.reversed else (far, near))) for role in roles]
    values = {role.name: other for role, mine, other in sides if plain(mine) == plain(label)}
    values |= dict.fromkeys(keys, far) if plain(near) == plain(label) else {}
    return [contradiction for key, value in values.items() for contradiction in _otherwise(work, stored, key, value)]


def _with_relations(work: Work, stored: StoredMemory, role: Role, label: str) -> list[Contradiction]:
    """Relations of the owner that name somebody else than the core value does."""
    namespace = stored.row.namespace
    ends = work.tx.entities.by_label([namespace], work.vault.label("entity", f"{namespace}/{label}"))
    if not ends:
        return []
    mine, other = ("subject", "object") if role.reversed else ("object", "subject")
    rows = work.tx.relations.find(
        [namespace], either=[row.id for row in ends], predicates=[role.predicate], statuses=CURRENT
    )
    labels = _labels(work, [getattr(row, end) for row in rows for end in (mine, other)])
    return [
        Contradiction(work.load_anywhere(row.id), f"contradicts the relation {role.predicate}")
        for row in rows
        if plain(labels[getattr(row, mine)]) == plain(label)
        and plain(labels[getattr(row, other)]) != plain(stored.content.text)
    ]


def _labels(work: Work, ids: Iterable[str]) -> dict[str, str]:
    rows = work.tx.entities.get(list(dict.fromkeys(ids)))
    return {row.id: str(work.scope.open_json("entity", row.id, row.sealed)["label"]) for row in rows}
