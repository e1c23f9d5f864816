"""Entities and the relations between them."""

from collections.abc import Sequence
from typing import Any

from commonplace.store.rows import EntityRow, RelationRow
from commonplace.store.statements import Cells, sql
from commonplace.store.tables.shape import KeyedRows, Shape, VersionedRows


class EntityTable(VersionedRows[EntityRow], KeyedRows[EntityRow]):
    shape = Shape(EntityRow)

    def put(self, row: EntityRow, *, expected: int | None = None) -> None:
        super().put(row, expected=expected)
        self._db.run(sql("entity", "labels_clear"), ids=[row.id])
        labels = enumerate(dict.fromkeys([row.label, *row.aliases]))
        values = [
            {"namespace": row.namespace, "label": label, "entity": row.id, "rank": rank} for rank, label in labels
        ]
        self._db.run_many(sql("entity", "labels_add"), values)

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
        return self._select(where, namespaces=list(namespaces), after=after or "", limit=limit)

    def delete(self, ids: Sequence[str]) -> None:
        deleted = self._drop(ids)
        self._db.run(sql("entity", "labels_clear"), ids=deleted)
        self._db.run(sql("entity", "delete"), ids=deleted)

    def _rows(self, answer: list[Cells]) -> list[EntityRow]:
        aliases: dict[str, list[bytes]] = {}
        for entity, label in self._db.run(sql("entity", "aliases"), ids=[cells[0] for cells in answer]):
            aliases.setdefault(entity, []).append(label)
        return [self.shape.one(cells, aliases=tuple(aliases.get(cells[0], ()))) for cells in answer]


class RelationTable(VersionedRows[RelationRow], KeyedRows[RelationRow]):
    shape = Shape(RelationRow)

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
            where += " and (valid_from <= :valid_at or valid_from is null"
            where += " and (valid_to <= recorded_at or recorded_at <= :valid_at))"
            where += " and (valid_to is null or valid_to > :valid_at)"
            values["valid_at"] = valid_at
        return self._select(
            f"{where} and id > :after order by id limit :limit", **values, after=after or "", limit=limit
        )

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
        return self._select(sql("relation", "surest"), **values, valid_at=valid_at, limit=limit)

    def delete(self, ids: Sequence[str]) -> None:
        self._db.run(sql("relation", "delete"), ids=self._drop(ids))
