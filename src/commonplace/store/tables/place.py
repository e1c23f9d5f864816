"""Where memories stand: namespaces, sessions, tags, and the tombstones of a namespace."""

from collections.abc import Sequence
from dataclasses import replace

from commonplace.errors import Conflict
from commonplace.store.rows import NamespaceRow, SessionRow, TagRow, TombstoneRow
from commonplace.store.statements import Cells, TableConnection, sql
from commonplace.store.tables.shape import KeyedRows, OwnedRows, Shape

NAMESPACE = Shape(NamespaceRow)

FEW = 16
"""Namespaces that a snapshot reads together; most owners have no more. The statement asks for one more, to know."""

VERSIONED = ("memory", "entity", "relation", "directive")
IN_NAMESPACE = (
    *("relation", "entity", "tag", "directive", "session", "memory", "tombstone"),
    *("word", "fresh", "vector", "vector_set", "passage"),
)
"""Tables with a namespace column, children first; what hangs on them by foreign key goes along."""


class NamespaceTable:
    """Rows are read once: in a snapshot they stay as they are, in a write they are locked."""

    def __init__(self, db: TableConnection) -> None:
        self._db = db
        self._seen: dict[str, NamespaceRow] = {}
        self._few: bool | None = None
        """Whether all there are have been seen; None before the first look."""

    def put(self, row: NamespaceRow) -> None:
        """Insert, or replace label and sealed name of the same id. A label taken by another id raises ``Conflict``."""
        existing = self.by_label(row.label)
        if existing and existing.id != row.id:
            raise Conflict("namespace", existing.id, expected=0, found=1)
        self._db.run(sql("namespace", "put"), **NAMESPACE.values(row))
        self.forget()

    def get(self, id: str) -> NamespaceRow | None:
        return self._seen.get(id) or self._kept(NAMESPACE.first(self._db.run(sql("namespace", "get"), id=id)))

    def by_label(self, label: bytes) -> NamespaceRow | None:
        self._look()
        cached = next((row for row in self._seen.values() if row.label == label), None)
        if cached is not None or self._few:
            return cached
        return self._kept(NAMESPACE.first(self._db.run(sql("namespace", "by_label"), label=label)))

    def forget(self) -> None:
        """Read the rows again: another process may have written them."""
        self._seen, self._few = {}, None

    def all(self) -> list[NamespaceRow]:
        self._look()
        if self._few:
            return [row for _, row in sorted(self._seen.items())]
        return NAMESPACE.all(self._db.run(sql("namespace", "all")))

    def _look(self) -> None:
        """Read the first few, once."""
        if self._few is None:
            rows = NAMESPACE.all(self._db.run(sql("namespace", "few")))
            self._few = len(rows) <= FEW
            self._seen |= {row.id: row for row in rows}

    def count(self, id: str, *, documents: int, length: int) -> None:
        """Add (or, negative, take away) to the statistics of the word index."""
        self._db.run(sql("namespace", "count"), id=id, documents=documents, length=length)
        if row := self._seen.get(id):
            self._seen[id] = replace(row, documents=row.documents + documents, length=row.length + length)

    def drop(self, id: str) -> None:
        """Remove the namespace and every row in it, from every table."""
        for noun in VERSIONED:
            self._drop_with(noun, f"select id from {noun} where owner = :owner and namespace = :namespace", id)
        steps = "select s.id from step s join directive d on d.owner = s.owner and d.id = s.directive"
        self._drop_with("step", f"{steps} where d.owner = :owner and d.namespace = :namespace", id)
        episodes = "select id from memory where owner = :owner and namespace = :namespace"
        self._db.run(f"delete from evidence where owner = :owner and episode in ({episodes})", namespace=id)
        for table in IN_NAMESPACE:
            self._db.run(f"delete from {table} where owner = :owner and namespace = :namespace", namespace=id)
        # the states of a tag outlive it: they are kept under the namespace
        delete_versions = "delete from version where owner = :owner and noun = :noun"
        self._db.run(f"{delete_versions} and id like :namespace || '/%'", noun="tag", namespace=id)
        self._db.run(f"{delete_versions} and id = :namespace", noun="namespace", namespace=id)
        self._db.run("delete from namespace where owner = :owner and id = :namespace", namespace=id)
        self.forget()

    def _kept(self, row: NamespaceRow | None) -> NamespaceRow | None:
        if row is not None:
            self._seen[row.id] = row
        return row

    def _drop_with(self, noun: str, ids: str, namespace: str) -> None:
        for table in ("version", "evidence", "tag_link"):
            text = f"delete from {table} where owner = :owner and noun = :noun and id in ({ids})"
            self._db.run(text, noun=noun, namespace=namespace)


class SessionTable(KeyedRows[SessionRow]):
    shape = Shape(SessionRow)

    def __init__(self, db: TableConnection) -> None:
        super().__init__(db)
        self._asked: dict[tuple[str, bytes], SessionRow | None] = {}
        """What was last found by label: who writes a session has just looked for it."""

    def put(self, row: SessionRow) -> None:
        place = row.namespace, row.label
        existing = self._asked.pop(place) if place in self._asked else self.by_label(*place)
        if existing and existing.id != row.id:
            raise Conflict("session", existing.id, expected=0, found=1)
        self._db.run(sql("session", "put"), **self.shape.values(row))
        self._asked.clear()

    def by_label(self, namespace: str, label: bytes) -> SessionRow | None:
        session = self._first("and namespace = :namespace and label = :label", namespace=namespace, label=label)
        self._asked[namespace, label] = session
        return session

    def all(self, *, namespace: str | None = None) -> list[SessionRow]:
        if namespace is None:
            return self._select("order by id")
        return self._select("and namespace = :namespace order by id", namespace=namespace)

    def delete(self, ids: Sequence[str]) -> None:
        self._db.run(sql("session", "delete"), ids=list(ids))
        self._asked.clear()


class TagTable(KeyedRows[TagRow]):
    shape = Shape(TagRow)

    def put(self, row: TagRow) -> None:
        """Insert or replace, with its synonyms. A label or synonym taken by another tag raises ``Conflict``."""
        labels = list(dict.fromkeys([row.label, *row.synonyms]))
        existing = self._db.run(sql("tag", "taken"), id=row.id, namespace=row.namespace, labels=labels)
        if existing:
            raise Conflict("tag", existing[0][0], expected=0, found=1)
        self._db.run(sql("tag", "put"), **self.shape.values(row))
        self._db.run(sql("tag", "labels_clear"), id=row.id)
        ranked = enumerate(labels)
        values = [{"namespace": row.namespace, "label": label, "id": row.id, "rank": rank} for rank, label in ranked]
        self._db.run_many(sql("tag", "labels_add"), values)

    def by_label(self, namespace: str, label: bytes) -> TagRow | None:
        """By its own label or a synonym's."""
        rows = self._db.run(sql("tag", "by_label"), namespace=namespace, label=label)
        return self.get([rows[0][0]])[0] if rows else None

    def all(self, namespace: str) -> list[tuple[TagRow, int]]:
        """Each tag with the number of its links."""
        rows = self._select("and namespace = :namespace order by id", namespace=namespace)
        counts: dict[str, int] = dict(self._db.run(sql("tag", "link_counts"), ids=[row.id for row in rows]))
        return [(row, counts.get(row.id, 0)) for row in rows]

    def links(self, noun: str, ids: Sequence[str]) -> dict[str, tuple[str, ...]]:
        """Tag ids per memory or entity."""
        synonyms: dict[str, list[str]] = {}
        for id, tag in self._db.run(sql("tag", "links"), noun=noun, ids=list(ids)):
            synonyms.setdefault(id, []).append(tag)
        return {id: tuple(tags) for id, tags in synonyms.items()}

    def set_links(self, noun: str, id: str, tags: Sequence[str]) -> None:
        self._db.run(sql("tag", "links_clear"), noun=noun, ids=[id])
        links = [{"noun": noun, "id": id, "tag": tag, "rank": rank} for rank, tag in enumerate(dict.fromkeys(tags))]
        self._db.run_many(sql("tag", "links_add"), links)

    def linked(self, tag: str) -> list[tuple[str, str]]:
        """(noun, id) of everything tied to it."""
        return [(noun, id) for noun, id in self._db.run(sql("tag", "linked"), tag=tag)]

    def delete(self, id: str) -> None:
        self._db.run(sql("tag", "delete"), ids=self._drop([id]))

    def _rows(self, answer: list[Cells]) -> list[TagRow]:
        synonyms: dict[str, list[bytes]] = {}
        for tag, label in self._db.run(sql("tag", "synonyms"), ids=[cells[0] for cells in answer]):
            synonyms.setdefault(tag, []).append(label)
        return [self.shape.one(cells, synonyms=tuple(synonyms.get(cells[0], ()))) for cells in answer]


class TombstoneTable(OwnedRows[TombstoneRow]):
    shape = Shape(TombstoneRow)

    def put(self, rows: Sequence[TombstoneRow]) -> None:
        self._put_many("put", rows)

    def among(self, namespace: str, fingerprints: Sequence[bytes]) -> list[TombstoneRow]:
        where = "and namespace = :namespace and fingerprint in (:fingerprints*) order by fingerprint"
        return self._select(where, namespace=namespace, fingerprints=list(fingerprints))

    def all(self, *, namespace: str | None = None) -> list[TombstoneRow]:
        if namespace is None:
            return self._select("order by namespace, fingerprint")
        return self._select("and namespace = :namespace order by fingerprint", namespace=namespace)

    def lift(self, namespace: str, fingerprints: Sequence[bytes]) -> int:
        return self._db.changed(sql("tombstone", "lift"), namespace=namespace, fingerprints=list(fingerprints))
