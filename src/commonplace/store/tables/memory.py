"""Memories, and which of them a filter means."""

from collections.abc import Sequence
from typing import Any

from commonplace.errors import Conflict
from commonplace.store.rows import Filter, MemoryRow, TiedRow
from commonplace.store.statements import Asked, Connection, sql
from commonplace.store.tables.shape import Shape, drop_with, in_order, put_versioned

MEMORY = Shape(MemoryRow, read={"pinned": bool}, write={"pinned": bool})

LISTS = {
    "namespaces": "namespace",
    "kinds": "kind",
    "categories": "category",
    "statuses": "status",
    "sources": "source",
    "sessions": "session",
}
RARE = frozenset(("core", "proactive"))
"""Kinds of which nobody has many."""
BOUNDS = {
    "since": "coalesce(said_at, recorded_at) >= :since",
    "until": "coalesce(said_at, recorded_at) < :until",
    "valid_at": "(valid_from is null or valid_from <= :valid_at) and (valid_to is null or valid_to > :valid_at)",
    "directive": "directive = :directive",
    "step": "step = :step",
    "key": "key = :key",
    "fingerprint": "fingerprint = :fingerprint",
    "importance_below": "importance < :importance_below",
    "recorded_before": "recorded_at < :recorded_before",
    "retired_before": "retired_at < :retired_before",
    "expired_at": "expires_at <= :expired_at",
    "alive_at": "(expires_at is null or expires_at > :alive_at)",
}

FIRST_YEAR = -62_135_596_800_000_000
"""Where calendars begin: no moment lies before it, and a division by spans rounds the same way on both engines."""


def conditions(filter: Filter) -> tuple[str, dict[str, Any]]:
    """The filter as `` and …`` and the values it binds."""
    parts: list[str] = []
    values: dict[str, Any] = {}
    for field, column in LISTS.items():
        if wanted := getattr(filter, field):
            # Spelled out one by one: behind a subquery the engine does not see that an index fits.
            named = {f"{field}_{place}": value for place, value in enumerate(wanted)}
            parts.append(f"{column} in ({', '.join(f':{name}' for name in named)})")
            values |= named
    for field, condition in BOUNDS.items():
        if (bound := getattr(filter, field)) is not None:
            parts.append(condition)
            values[field] = bound
    for place, tags in enumerate(filter.tags):
        named = {f"tag_{place}_{n}": tag for n, tag in enumerate(tags)}
        some = ", ".join(f":{name}" for name in named)
        parts.append(f"id in (select id from tag_link where owner = :owner and noun = 'memory' and tag in ({some}))")
        values |= named
    for place, hash in enumerate(filter.attributes):
        name = f"attribute_{place}"
        parts.append(f"id in (select memory from attribute where owner = :owner and hash = :{name})")
        values[name] = hash
    if filter.unpinned:
        parts.append("not pinned")
    return "".join(f" and {part}" for part in parts), values


def by_value(namespace: str, fingerprints: Sequence[bytes], statuses: Sequence[str]) -> Asked:
    """What ``MemoryTable.by_value`` asks."""
    named = {"namespace": namespace, "fingerprints": list(fingerprints), "statuses": list(statuses)}
    return Asked(sql("memory", "by_value"), named)


COUNTED = 50_000
"""Rows that are counted together."""


class MemoryTable:
    def __init__(self, db: Connection) -> None:
        self._db = db

    def put(self, row: MemoryRow, *, expected: int | None = None) -> None:
        put_versioned(self._db, "memory", MEMORY.values(row), expected=expected)

    def put_many(self, rows: Sequence[MemoryRow]) -> None:
        if rows:
            taken = Conflict("memory", rows[0].id, expected=0, found=rows[0].version)
            self._db.run_many(sql("memory", "add"), [MEMORY.values(row) for row in rows], taken=taken)

    def get(self, ids: Sequence[str]) -> list[MemoryRow]:
        found = self._db.run(f"{sql('memory', 'select')} and id in (:ids*)", ids=list(ids))
        return in_order(MEMORY.all(found), ids)

    def by_docs(self, docs: Sequence[int]) -> list[MemoryRow]:
        return MEMORY.all(self._db.run(f"{sql('memory', 'select')} and doc in (:docs*)", docs=list(docs)))

    def tied(self, docs: Sequence[int]) -> list[TiedRow]:
        found = self._db.run(sql("memory", "tied"), docs=list(docs))
        return [TiedRow(row=MEMORY.one(cells[:-2]), tags=_ids(cells[-2]), episodes=_ids(cells[-1])) for cells in found]

    def by_value(
        self, namespace: str, fingerprints: Sequence[bytes], *, statuses: Sequence[str]
    ) -> tuple[dict[bytes, str], dict[bytes, list[str]]]:
        tombstones: dict[bytes, str] = {}
        ids: dict[bytes, list[str]] = {}
        text, values = by_value(namespace, fingerprints, statuses)
        for fingerprint, reason, id in self._db.run(text, **values):
            if id is None:
                tombstones[fingerprint] = reason
            else:
                ids.setdefault(fingerprint, []).append(id)
        return tombstones, ids

    def find(
        self, filter: Filter, *, after: str | None = None, limit: int = 100, newest: bool = False
    ) -> list[MemoryRow]:
        where, values = conditions(filter)
        if after is not None:
            where += " and id < :after" if newest else " and id > :after"
            values["after"] = after
        order = "desc" if newest else "asc"
        # A narrow condition has an index of its own: the sort must not tempt the engine to walk all ids instead.
        rare = bool(filter.kinds) and RARE.issuperset(filter.kinds)
        narrow = rare or filter.fingerprint or filter.key or filter.sessions or filter.directive
        by = "coalesce(id, '')" if narrow else "id"
        text = f"{sql('memory', 'select')}{where} order by {by} {order} limit :limit"
        return MEMORY.all(self._db.run(text, **values, limit=limit))

    def important(self, filter: Filter, *, after: tuple[float, str] | None = None, limit: int) -> list[MemoryRow]:
        where, values = conditions(filter)
        if after is not None:
            where += " and (importance < :weight or importance = :weight and id > :after)"
            values |= {"weight": after[0], "after": after[1]}
        text = f"{sql('memory', 'select')}{where} order by importance desc, id limit :limit"
        return MEMORY.all(self._db.run(text, **values, limit=limit))

    def docs(self, filter: Filter, *, limit: int) -> list[int] | None:
        where, values = conditions(filter)
        text = f"select doc from memory where owner = :owner{where} limit :limit"
        found = [int(doc) for (doc,) in self._db.run(text, **values, limit=limit + 1)]
        return None if len(found) > limit else sorted(found)

    def touch(self, ids: Sequence[str], *, at: int) -> None:
        self._db.run(sql("memory", "touch"), ids=sorted(ids), at=at)

    def set_attributes(self, id: str, attributes: Sequence[bytes]) -> None:
        self._db.run(sql("memory", "attributes_clear"), memory=id)
        self._db.run_many(sql("memory", "attributes_add"), [{"hash": hash, "memory": id} for hash in attributes])

    def delete(self, ids: Sequence[str]) -> None:
        gone = list(ids)
        drop_with(self._db, "memory", gone)
        self._db.run(sql("memory", "delete_evidence"), ids=gone)
        self._db.run(sql("memory", "delete_attributes"), ids=gone)
        self._db.run(sql("memory", "delete"), ids=gone)

    def counts(self) -> list[tuple[str, str, str, str, int, int, int]]:
        """A stretch of rows at a time: grouped all at once, SQLite would hold every row in memory to sort them."""
        found: dict[tuple[str, str, str, str], tuple[int, int, int]] = {}
        after: str | None = ""
        while after is not None:
            rows = self._db.run(sql("memory", "counts"), after=after, limit=COUNTED)
            for *group, many, oldest, newest, _ in rows:
                before = found.get(tuple(group), (0, oldest, newest))
                found[tuple(group)] = before[0] + many, min(before[1], oldest), max(before[2], newest)
            after = max(row[7] for row in rows) if sum(row[4] for row in rows) == COUNTED else None
        return [(*group, *figures) for group, figures in sorted(found.items())]

    def spread(self, filter: Filter, *, step: int) -> list[tuple[str, int, int]]:
        where, values = conditions(filter)
        # Every row is looked at, so in the order they lie in: by way of an index it takes three times as long.
        where = where.replace(" and namespace in ", " and coalesce(namespace, '') in ")
        text = (
            "select kind, (coalesce(said_at, recorded_at) - :origin) / :step as span, count(*) from memory "
            f"where owner = :owner{where} group by kind, span order by span, kind"
        )
        found = self._db.run(text, **values, origin=FIRST_YEAR, step=step)
        return [(kind, FIRST_YEAR + int(span) * step, int(many)) for kind, span, many in found]

    def doubles(self, namespace: str, statuses: Sequence[str], *, after: bytes, limit: int) -> list[bytes]:
        named = {"namespace": namespace, "statuses": list(statuses), "after": after}
        return [bytes(one) for (one,) in self._db.run(sql("memory", "doubles"), **named, limit=limit)]


def _ids(joined: str | None) -> tuple[str, ...]:
    return tuple(joined.split()) if joined else ()
