"""The whole graph as columns, for drawing: thousands of entities and relations in a small answer."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from commonplace.memories import admission
from commonplace.memories.codec import stamp
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT
from commonplace.store.rows import EntityRow, RelationRow
from commonplace.store.transaction import Transaction

MOST_ENTITIES = 10_000
MOST_RELATIONS = 30_000
"""More cannot be told apart on a screen."""
PAGE = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """Entities and relations as columns. Numbers are indexes into other columns."""

    types: tuple[str, ...]
    """All entity types."""
    predicates: tuple[str, ...]
    """All predicates."""
    ids: tuple[str, ...]
    """The id of each entity, by creation time."""
    labels: tuple[str, ...]
    type: tuple[int, ...]
    """The type of each entity: index into ``types``."""
    aliases: dict[str, tuple[str, ...]]
    """The aliases of entities that have any, by id."""
    relations: tuple[str, ...]
    subject: tuple[int, ...]
    """The subject of each relation: index into ``ids``."""
    predicate: tuple[int, ...]
    """The predicate of each relation: index into ``predicates``."""
    object: tuple[int, ...]
    """The object of each relation: index into ``ids``."""
    confidence: tuple[float, ...]


def drawing(scope: Scope, *, as_of: datetime | None = None, shows: Callable[[str, str], bool]) -> Drawing:
    """The graph as it is now; with ``as_of`` the relations that held then, with their ends.

    ``shows`` decides by the types of both ends whether a relation is shown.
    """
    at = stamp(admission.aware("as_of", as_of))
    with scope.store.read(scope.owner) as tx:
        namespaces = list(Reader(scope).namespaces(tx))
        relations = _relations(tx, namespaces, at) if namespaces else []
        entities = _entities(tx, namespaces) if namespaces and at is None else []
        entities += _missing(tx, entities, relations)
    types = {row.id: row.type for row in entities}
    relations = [
        row
        for row in relations
        if row.subject in types and row.object in types and shows(types[row.subject], types[row.object])
    ]
    if at is not None:
        ends = {end for row in relations for end in (row.subject, row.object)}
        entities = [row for row in entities if row.id in ends]
    return _columns(scope, entities, relations)


def _entities(tx: Transaction, namespaces: Sequence[str]) -> list[EntityRow]:
    entities: list[EntityRow] = []
    after = None
    while len(entities) < MOST_ENTITIES:
        page = tx.entities.all(namespaces, after=after, limit=PAGE)
        entities += [row for row in page if row.status in CURRENT]
        if len(page) < PAGE:
            break
        after = page[-1].id
    return entities[:MOST_ENTITIES]


def _relations(tx: Transaction, namespaces: Sequence[str], at: int | None) -> list[RelationRow]:
    relations: list[RelationRow] = []
    after = None
    statuses = CURRENT if at is None else (*CURRENT, "stale")
    while len(relations) < MOST_RELATIONS:
        page = tx.relations.find(namespaces, statuses=statuses, valid_at=at, after=after, limit=PAGE)
        relations += page
        if len(page) < PAGE:
            break
        after = page[-1].id
    return relations[:MOST_RELATIONS]


def _missing(tx: Transaction, entities: Sequence[EntityRow], relations: Sequence[RelationRow]) -> list[EntityRow]:
    """Entities at the ends of relations that are not among ``entities``."""
    ids = {row.id for row in entities}
    ends = dict.fromkeys(end for row in relations for end in (row.subject, row.object) if end not in ids)
    missing = list(ends)
    return [row for start in range(0, len(missing), PAGE) for row in tx.entities.get(missing[start : start + PAGE])]


def _columns(scope: Scope, entities: Sequence[EntityRow], relations: Sequence[RelationRow]) -> Drawing:
    plain = [scope.opened(row) for row in entities]
    types, predicates = _places(row.type for row in entities), _places(row.predicate for row in relations)
    place = {row.id: at for at, row in enumerate(entities)}
    return Drawing(
        types=tuple(types),
        predicates=tuple(predicates),
        ids=tuple(place),
        labels=tuple(content["label"] for content in plain),
        type=tuple(types[row.type] for row in entities),
        aliases={
            row.id: tuple(content["aliases"])
            for row, content in zip(entities, plain, strict=True)
            if content.get("aliases")
        },
        relations=tuple(row.id for row in relations),
        subject=tuple(place[row.subject] for row in relations),
        predicate=tuple(predicates[row.predicate] for row in relations),
        object=tuple(place[row.object] for row in relations),
        confidence=tuple(row.confidence for row in relations),
    )


def _places(names: Iterable[str]) -> dict[str, int]:
    """The index of each distinct name."""
    return {name: at for at, name in enumerate(dict.fromkeys(names))}
