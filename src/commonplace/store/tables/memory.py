"""Memories, and which of them a filter means."""

from collections.abc import Sequence
from typing import Any

from commonplace.errors import Conflict
from commonplace.store.rows import Filter, MemoryRow, TiedRow
from commonplace.store.statements import BoundQuery, sql
from commonplace.store.tables.shape import KeyedRows, Shape, VersionedRows

LISTS = {
    "namespaces": "namespace",
    "kinds": "kind",
    "categories": "category",
    "statuses": "status",
    "sources": "source",
    "sessions": "session",
}
RARE = frozenset(("core", "proactive"))
"""Kinds that are always few."""
BOUNDS = {
    "since": "coalesce(said_at, recorded_at) >= :since",
    "until": "coalesce(said_at, recorded_at) < :until",
    "valid_at": "(valid_from is null or valid_from <= :valid_at) and (valid_to is null or valid_to > :valid_at)",
    "begun_by": "(valid_from is not null or kind = 'core' or valid_to <= recorded_at"
    " or coalesce(said_at, recorded_at) <= :begun_by)",
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
        if allowed := getattr(filter, field):
            # Spelled out one by one: behind a subquery the engine does not see that an index fits.
            parameters = {f"{field}_{place}": value for place, value in enumerate(allowed)}
            parts.append(f"{column} in ({', '.join(f':{name}' for name in parameters)})")
            values |= parameters
    for field, condition in BOUNDS.items():
        if (bound := getattr(filter, field)) is not None:
            parts.append(condition)
            values[field] = bound
    for place, tags in enumerate(filter.tags):
        parameters = {f"tag_{place}_{n}": tag for n, tag in enumerate(tags)}
        placeholders = ", ".join(f":{name}" for name in parameters)
        parts.append(
            f"id in (select id from tag_link where owner = :owner and noun = 'memory' and tag in ({placeholders}))"
        )
        values |= parameters
    for place, hash in enumerate(filter.attributes):
        name = f"attribute_{place}"
        parts.append(f"id in (select memory from attribute where owner = :owner and hash = :{name})")
        values[name] = hash
    if filter.unpinned:
        parts.append("not pinned")
    return "".join(f" and {part}" for part in parts), values


def by_value(namespace: str, fingerprints: Sequence[bytes], statuses: Sequence[str]) -> BoundQuery:
    """What ``MemoryTable.by_value`` asks."""
    parameters = {"namespace": namespace, "fingerprints": list(fingerprints), "statuses": list(statuses)}
    return BoundQuery(sql("memory", "by_value"), parameters)


COUNTED = 50_000
"""Rows that are counted together."""


class MemoryTable(VersionedRows[MemoryRow], KeyedRows[MemoryRow]):
    shape = Shape(MemoryRow)

    def put_many(self, rows: Sequence[MemoryRow]) -> None:
        """Insert new rows, all or none. An id that is taken raises ``Conflict``, at the latest when the write ends."""
        if rows:
            self._put_many("add", rows, taken=Conflict("memory", rows[0].id, expected=0, found=rows[0].version))

    def by_docs(self, docs: Sequence[int]) -> list[MemoryRow]:
        """Rows whose *present* text stands under these numbers, any order."""
        return self._select("and doc in (:docs*)", docs=list(docs))

    def tied(self, docs: Sequence[int]) -> list[TiedRow]:
        """As ``by_docs``, each with its tags and its evidence: one question instead of three."""
        rows = self._db.run(sql("memory", "tied"), docs=list(docs))
        return [
            TiedRow(row=self.shape.one(cells[:-2]), tags=_ids(cells[-2]), episodes=_ids(cells[-1])) for cells in rows
        ]

    def by_value(
        self, namespace: str, fingerprints: Sequence[bytes], *, statuses: Sequence[str]
    ) -> tuple[dict[bytes, str], dict[bytes, list[str]]]:
        """What is known of values, in one round trip: why each is tombstoned, and the ids of memories that say it."""
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
        """A page by id (ids sort by time of making), after the cursor, ascending unless ``newest``."""
        where, values = conditions(filter)
        if after is not None:
            where += " and id < :after" if newest else " and id > :after"
            values["after"] = after
        order = "desc" if newest else "asc"
        # A narrow condition has an index of its own: the sort must not tempt the engine to walk all ids instead.
        rare = bool(filter.kinds) and RARE.issuperset(filter.kinds)
        narrow = rare or filter.fingerprint or filter.key or filter.sessions or filter.directive
        by = "coalesce(id, '')" if narrow else "id"
        return self._select(f"{where} order by {by} {order} limit :limit", **values, limit=limit)

    def important(self, filter: Filter, *, after: tuple[float, str] | None = None, limit: int) -> list[MemoryRow]:
        """The rows that fit, highest importance first, then by id; ``after`` is where the last page ended."""
        where, values = conditions(filter)
        if filter.categories == ("decision",):
            where += " and category = 'decision'"  # in the words of the index of decisions, or it is not used
        if after is not None:
            where += " and (importance < :weight or importance = :weight and id > :after)"
            values |= {"weight": after[0], "after": after[1]}
        return self._select(f"{where} order by importance desc, id limit :limit", **values, limit=limit)

    def docs(self, filter: Filter, *, limit: int) -> list[int] | None:
        """Document numbers of all rows that fit, or None if there are more than ``limit``."""
        where, values = conditions(filter)
        text = f"select doc from memory where owner = :owner{where} limit :limit"
        docs = [int(doc) for (doc,) in self._db.run(text, **values, limit=limit + 1)]
        return None if len(docs) > limit else sorted(docs)

    def touch(self, ids: Sequence[str], *, at: int) -> None:
        """Count one use each. No version: use is not a change."""
        self._db.run(sql("memory", "touch"), ids=sorted(ids), at=at)

    def set_attributes(self, id: str, attributes: Sequence[bytes]) -> None:
        self._db.run(sql("memory", "attributes_clear"), memory=id)
        self._db.run_many(sql("memory", "attributes_add"), [{"hash": hash, "memory": id} for hash in attributes])

    def delete(self, ids: Sequence[str]) -> None:
        """Remove rows with their attributes, tag links, evidence (both ways) and versions."""
        deleted = self._drop(ids)
        for statement in ("delete_evidence", "delete_attributes", "delete"):
            self._db.run(sql("memory", statement), ids=deleted)

    def counts(self) -> list[tuple[str, str, str, str, int, int, int]]:
        """(namespace, kind, category, status, how many, oldest recorded_at, newest recorded_at).

        A stretch of rows at a time: grouped all at once, SQLite would hold every row in memory to sort them.
        """
        groups: dict[tuple[str, str, str, str], tuple[int, int, int]] = {}
        after: str | None = ""
        while after is not None:
            rows = self._db.run(sql("memory", "counts"), after=after, limit=COUNTED)
            for *group, count, oldest, newest, _ in rows:
                before = groups.get(tuple(group), (0, oldest, newest))
                groups[tuple(group)] = before[0] + count, min(before[1], oldest), max(before[2], newest)
            after = max(row[7] for row in rows) if sum(row[4] for row in rows) == COUNTED else None
        return [(*group, *figures) for group, figures in sorted(groups.items())]

    def count(self, filter: Filter) -> int:
        """How many rows fit; by way of an index, so for few of many."""
        where, values = conditions(filter)
        ((count,),) = self._db.run(f"select count(*) from memory where owner = :owner{where}", **values)
        return int(count)

    def spread(self, filter: Filter, *, step: int) -> list[tuple[str, int, int]]:
        """(kind, when, how many): those that fit, counted by spans of ``step`` from the beginning of the first year.

        An episode counts when it was said, anything else when it was recorded; ``when`` is where the span begins.
        """
        where, values = conditions(filter)
        # Every row is looked at, so in the order they lie in: by way of an index it takes three times as long.
        where = where.replace(" and namespace in ", " and coalesce(namespace, '') in ")
        text = (
            "select kind, (coalesce(said_at, recorded_at) - :origin) / :step as span, count(*) from memory "
            f"where owner = :owner{where} group by kind, span order by span, kind"
        )
        rows = self._db.run(text, **values, origin=FIRST_YEAR, step=step)
        return [(kind, FIRST_YEAR + int(span) * step, int(count)) for kind, span, count in rows]

    def doubles(self, namespace: str, statuses: Sequence[str], *, after: bytes, limit: int) -> list[bytes]:
        """Fingerprints that several memories of these statuses share, episodes apart, in their order."""
        parameters = {"namespace": namespace, "statuses": list(statuses), "after": after}
        return [
            bytes(fingerprint) for (fingerprint,) in self._db.run(sql("memory", "doubles"), **parameters, limit=limit)
        ]


def _ids(joined: str | None) -> tuple[str, ...]:
    return tuple(joined.split()) if joined else ()
