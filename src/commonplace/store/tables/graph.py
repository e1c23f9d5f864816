"""Entities and the relations between them."""

from collections.abc import Sequence
from typing import Any

from commonplace.store.rows import EntityRow, RelationRow
from commonplace.store.statements import Cells, sql
from commonplace.store.tables.shape import OwnerRows, Shape, drop_with, in_order, put_versioned

ENTITY = Shape(EntityRow)
RELATION = Shape(RelationRow)


class EntityTable(OwnerRows):
    def put(self, row: EntityRow, *, expected: int | None = None) -> None:
        put_versioned(self._db, "entity", ENTITY.values(row), expected=expected)
        self._db.run(sql("entity", "labels_clear"), ids=[row.id])
        labels = dict.fromkeys([row.label, *row.aliases])
        self._db.run_many(
            sql("entity", "labels_add"),
            [
                {"namespace": row.namespace, "label": label, "entity": row.id, "rank": rank}
                for rank, label in enumerate(labels)
            ],
        )

    def get(self, ids: Sequence[str]) -> list[EntityRow]:
        rows = self._db.run(f"{sql('entity', 'select')} and id in (:ids*)", ids=list(ids))
        return in_order(self._rows(rows), ids)

    def by_label(self, namespaces: Sequence[str], label: bytes) -> list[EntityRow]:
        """By label or alias, any type."""
        rows = self._db.run(sql("entity", "by_label"), namespaces=list(namespaces), label=label)
        return self.get([id for (id,) in rows])

    def labelled(self, namespaces: Sequence[str], labels: Sequence[bytes], *, statuses: Sequence[str]) -> list[str]:
        """The ids of those with one of the labels, as a label or an alias."""
        values = {"namespaces": list(namespaces), "labels": list(labels), "statuses": list(statuses)}
        return [id for (id,) in self._db.run(sql("entity", "labelled"), **values)]

    def all(self, namespaces: Sequence[str], *, after: str | None = None, limit: int = 100) -> list[EntityRow]:
        where = "and namespace in (:namespaces*) and id > :after order by id limit :limit"
        text = f"{sql('entity', 'select')} {where}"
        return self._rows(self._db.run(text, namespaces=list(namespaces), after=after or "", limit=limit))

    def delete(self, ids: Sequence[str]) -> None:
        deleted = list(ids)
        drop_with(self._db, "entity", deleted)
        self._db.run(sql("entity", "labels_clear"), ids=deleted)
        self._db.run(sql("entity", "delete"), ids=deleted)

    def _rows(self, answer: list[Cells]) -> list[EntityRow]:
        aliases: dict[str, list[bytes]] = {}
        for entity, label in self._db.run(sql("entity", "aliases"), ids=[cells[0] for cells in answer]):
            aliases.setdefault(entity, []).append(label)
        return [ENTITY.one(cells, aliases=tuple(aliases.get(cells[0], ()))) for cells in answer]


class RelationTable(OwnerRows):
    def put(self, row: RelationRow, *, expected: int | None = None) -> None:
        put_versioned(self._db, "relation", RELATION.values(row), expected=expected)

    def get(self, ids: Sequence[str]) -> list[RelationRow]:
        rows = self._db.run(f"{sql('relation', 'select')} and id in (:ids*)", ids=list(ids))
        return in_order(RELATION.all(rows), ids)

    def find(
        self,
        namespaces: Sequence[str],
        *,
        subjects: Sequence[str] = (),
        predicates: Sequence[str] = (),
        objects: Sequence[str] = (),
        either: Sequence[str] = (),
        statuses: Sequence[str] = (),
        valid_at: int | None = None,
        after: str | None = None,
        limit: int = 100,
    ) -> list[RelationRow]:
        """A page by id; ``either`` asks for an entity on any end."""
        filters = {"namespace": namespaces, "subject": subjects, "predicate": predicates, "object": objects}
        filters["status"] = statuses
        where = "".join(f" and {column} in (:{column}*)" for column, allowed in filters.items() if allowed)
        values: dict[str, Any] = {column: list(allowed) for column, allowed in filters.items() if allowed}
        if either:
            where += " and (subject in (:either*) or object in (:either*))"
            values["either"] = list(either)
        if valid_at is not None:
            where += " and (valid_from is null or valid_from <= :valid_at)"
            where += " and (valid_to is null or valid_to > :valid_at)"
            values["valid_at"] = valid_at
        text = f"{sql('relation', 'select')}{where} and id > :after order by id limit :limit"
        return RELATION.all(self._db.run(text, **values, after=after or "", limit=limit))

    def surest(
        self,
        namespaces: Sequence[str],
        *,
        types: Sequence[str],
        sources: Sequence[str],
        statuses: Sequence[str],
        valid_at: int,
        limit: int,
    ) -> list[RelationRow]:
        """Those with an end of one of ``types``, most confident first, the earlier first among equals.

        Verified ones, and others that one of ``sources`` told.
        """
        filters = {"namespaces": namespaces, "types": types, "sources": sources, "statuses": statuses}
        values = {name: list(allowed) for name, allowed in filters.items()}
        text = f"{sql('relation', 'select')} {sql('relation', 'surest')}"
        return RELATION.all(self._db.run(text, **values, valid_at=valid_at, limit=limit))

    def delete(self, ids: Sequence[str]) -> None:
        deleted = list(ids)
        drop_with(self._db, "relation", deleted)
        self._db.run(sql("relation", "delete"), ids=deleted)
