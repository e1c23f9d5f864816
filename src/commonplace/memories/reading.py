"""Reads by id, key, filter or time; nothing here ranks or writes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from commonplace.clock import micros
from commonplace.errors import Invalid, NotFound
from commonplace.memories import codec
from commonplace.memories.admission import aware, page_size
from commonplace.memories.codec import StoredMemory, stamp
from commonplace.memories.glossary import tag_names
from commonplace.memories.scope import Scope
from commonplace.model import (
    CATEGORIES,
    CURRENT,
    KINDS,
    PERSONAL,
    SOURCES,
    STATUSES,
    Evidence,
    Kind,
    Memory,
    Query,
    Source,
    Version,
)
from commonplace.store.rows import Filter, MemoryRow, RelationRow
from commonplace.store.transaction import Transaction

BATCH = 500
WHOLE = 2**62
"""A span that no two moments are apart."""
MOST_HITS = 1_000
"""Maximum page size."""
VOCABULARY: dict[str, tuple[str, ...]] = {
    "kinds": KINDS,
    "categories": CATEGORIES,
    "sources": SOURCES,
    "statuses": STATUSES,
}


class Reader:
    """Reads of one scope: its namespace, and the owner's `personal` if it is in reach."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def get(self, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        """The memory as it is, or as it was known at a moment. Raises ``NotFound`` also if it was not true at
        ``as_of``.
        """
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            stored = self._known(tx, id, known_at)
            if (
                stored is None
                or stored.row.namespace not in names
                or not held(stored.row, stamp(aware("as_of", as_of)))
            ):
                raise NotFound("memory", id)
            return self.memories(tx, [stored], names)[0]

    def get_many(self, ids: Sequence[str]) -> list[Memory]:
        """The memories that exist and are readable here, in the order of ``ids``."""
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            rows = [row for row in tx.memories.get(ids) if row.namespace in names]
            return self.memories(tx, self.stored(tx, rows), names)

    def page(self, query: Query, *, after: str | None = None, newest: bool = True) -> list[Memory]:
        """A page of memories by filter, by creation time; ``query.text`` is ignored."""
        page_size(query.limit)
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx, query.namespaces)
            filter = self.filter(tx, query, names)
            if filter is None:
                return []
            if query.known_at is not None:
                return self.memories(tx, self.known(tx, query, filter, after=after, newest=newest), names)
            rows = tx.memories.find(filter, after=after, limit=query.limit, newest=newest)
            return self.memories(tx, self.stored(tx, rows), names)

    def counts(self, query: Query) -> dict[str, int]:
        """How many memories match, by kind; ``query.text`` and ``query.known_at`` are ignored."""
        with self.scope.store.read(self.scope.owner) as tx:
            filter = self.filter(tx, query, self.namespaces(tx, query.namespaces))
            counted: Counter[str] = Counter()
            for kind, _, many in () if filter is None else tx.memories.spread(filter, step=WHOLE):
                counted[kind] += many
            return dict(counted)

    def count(self, query: Query) -> int:
        """The total of ``counts``; for a query with few matches."""
        with self.scope.store.read(self.scope.owner) as tx:
            filter = self.filter(tx, query, self.namespaces(tx, query.namespaces))
            return 0 if filter is None else tx.memories.count(filter)

    def most_important(self, query: Query, *, after: str | None = None) -> list[Memory]:
        """Like ``page``, most important first, older ones first among equals.

        ``after`` uses that memory's current importance. Raises ``Invalid`` if it is gone, or for ``known_at``, because
        the order is the present one.
        """
        page_size(query.limit)
        if query.known_at is not None:
            raise Invalid("sorting by importance uses the present values; omit known_at, or sort by time")
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx, query.namespaces)
            filter = self.filter(tx, query, names)
            if filter is None:
                return []
            last = tx.memories.get([after]) if after is not None else []
            if after is not None and not last:
                raise Invalid("the last memory of the previous page is gone; start again at the first page")
            place = (last[0].importance, last[0].id) if last else None
            rows = tx.memories.important(filter, after=place, limit=query.limit)
            return self.memories(tx, self.stored(tx, rows), names)

    def known(
        self, tx: Transaction, query: Query, filter: Filter, *, after: str | None = None, newest: bool = True
    ) -> list[StoredMemory]:
        """A page of what was known at ``query.known_at``, each memory as it was then, by creation time."""
        at = stamp(aware("known_at", query.known_at))
        assert at is not None
        memories: list[StoredMemory] = []
        while len(memories) < query.limit:
            # Whether it matches now does not tell whether it matched then: check every memory as it was.
            rows = tx.memories.find(Filter(namespaces=filter.namespaces), after=after, limit=BATCH, newest=newest)
            if not rows:
                break
            after = rows[-1].id
            then = {row.id: row for row in tx.versions.at(codec.NOUN, [row.id for row in rows], at)}
            stored_memories = [codec.opened_version(self.scope, then[row.id])[0] for row in rows if row.id in then]
            memories += [stored for stored in stored_memories if fits(stored, query, filter, at)]
        return memories[: query.limit]

    def important(self, kinds: Sequence[Kind], *, limit: int, sources: Sequence[Source] = ()) -> list[Memory]:
        """The most important current memories of these kinds; older ones first among equals.

        Decisions come last and are at most as many as the others. ``sources`` limits who wrote them; empty: anybody.
        """
        now = micros(self.scope.clock.now())
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            if not names:
                return []
            filter = Filter(
                namespaces=tuple(names),
                kinds=tuple(kinds),
                sources=tuple(sources),
                statuses=CURRENT,
                valid_at=now,
                alive_at=now,
            )
            others = tuple(category for category in CATEGORIES if category != "decision")
            rows = tx.memories.important(replace(filter, categories=others), limit=limit)
            rows += tx.memories.important(replace(filter, categories=("decision",)), limit=limit)
            return self.memories(tx, self.stored(tx, rows), names)

    def core(self, *, as_of: datetime | None = None, known_at: datetime | None = None) -> list[Memory]:
        """The core values that hold now, or held at a moment, by key."""
        at = stamp(aware("as_of", as_of))
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            if not names:
                return []
            statuses = (*CURRENT, "stale") if at is not None else CURRENT
            filter = Filter(namespaces=tuple(names), kinds=("core",), valid_at=at, statuses=statuses)
            if known_at is not None:
                filter = Filter(namespaces=tuple(names), kinds=("core",))
            rows = tx.memories.find(filter, limit=10_000)
            stored_memories = self.stored(tx, rows) if known_at is None else self._all_known(tx, rows, known_at, at)
            values = self.memories(tx, stored_memories, names)
        return sorted(values, key=lambda memory: (memory.key or "", memory.namespace == PERSONAL))

    def history(self, id: str) -> list[Version]:
        """Every version, oldest first, with its author and reason, except versions in namespaces out of reach."""
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            rows = tx.versions.of(codec.NOUN, id)
            stored_memories = [codec.opened_version(self.scope, row)[0] for row in rows]
            if not stored_memories or stored_memories[-1].row.namespace not in names:
                raise NotFound("memory", id)
            tags = tag_names(self.scope, tx, [tag for stored in stored_memories for tag in stored.tags])
            reached = [row for row in tx.namespaces.all() if self.scope.reaches(row.id)]
            names = {row.id: self.scope.opened(row)["name"] for row in reached}
            return [
                codec.version(self.scope, row, namespace=names[stored.row.namespace], tags=tags)
                for row, stored in zip(rows, stored_memories, strict=True)
                if stored.row.namespace in names
            ]

    def evidence(self, id: str, *, noun: str = codec.NOUN) -> list[tuple[Memory, str | None]]:
        """The episodes that support a memory, each with the supporting quote if known."""
        with self.scope.store.read(self.scope.owner) as tx:
            rows = tx.evidence.of(noun, [id])
            names = self.namespaces(tx)
            episode_rows = [
                row for row in tx.memories.get([row.episode for row in rows]) if self.scope.reaches(row.namespace)
            ]
            stored_memories = self.stored(tx, episode_rows)
            episodes = {memory.id: memory for memory in self.memories(tx, stored_memories, names)}
            return [(episodes[row.episode], self.scope.opened(row)) for row in rows if row.episode in episodes]

    def quotes(self, tx: Transaction, ids: Sequence[str]) -> dict[str, tuple[Evidence, ...]]:
        """Evidence of several memories at once, for explanations."""
        quotes_by_id: dict[str, tuple[Evidence, ...]] = {}
        for row in tx.evidence.of(codec.NOUN, ids):
            evidence = Evidence(episode=row.episode, quote=self.scope.opened(row))
            quotes_by_id[row.id] = (*quotes_by_id.get(row.id, ()), evidence)
        return quotes_by_id

    def namespaces(self, tx: Transaction, wanted: Iterable[str] = ()) -> dict[str, str]:
        """Names of these namespaces by id, as far as in reach; default: its own and `personal`."""
        names = tuple(wanted) or (self.scope.namespace, PERSONAL)
        spaces = {}
        for name in dict.fromkeys(names):
            row = tx.namespaces.by_label(self.scope.vault.label("namespace", name))
            if row is not None and self.scope.reaches(row.id):
                spaces[row.id] = name
        return spaces

    def filter(self, tx: Transaction, query: Query, names: dict[str, str]) -> Filter | None:
        """The query as a filter on plain columns; None if nothing can match."""
        _check_filters(query)
        if not names:
            return None
        # The ids of each tag in the namespaces; None if one tag is in none of them.
        vault = self.scope.vault
        ids = []
        for tag in query.tags:
            rows = (tx.tags.by_label(place, vault.label("tag", f"{place}/{tag}")) for place in names)
            ids.append(tuple(row.id for row in rows if row is not None))
        tags = tuple(ids) if all(ids) else None
        if tags is None:
            return None
        vault = self.scope.vault
        sessions = () if query.session is None else self._sessions(tx, query.session, names)
        if query.session is not None and not sessions:
            return None
        statuses = query.statuses
        if query.as_of is not None and statuses == CURRENT:
            statuses = (*CURRENT, "stale")
        now = micros(self.scope.clock.now())
        return Filter(
            namespaces=tuple(names),
            kinds=query.kinds,
            categories=query.categories,
            statuses=statuses,
            sources=query.sources,
            tags=tags,
            attributes=tuple(codec.attribute(vault, name, value) for name, value in (query.metadata or {}).items()),
            since=stamp(aware("since", query.since)),
            until=stamp(aware("until", query.until)),
            valid_at=self._valid_at(query, now),
            begun_by=stamp(aware("as_of", query.as_of)),
            directive=query.directive,
            sessions=sessions,
        )

    def stored(self, tx: Transaction, rows: Sequence[MemoryRow]) -> list[StoredMemory]:
        return codec.all_opened(self.scope, tx, rows)

    def memories(
        self, tx: Transaction | None, stored_memories: Sequence[StoredMemory], names: dict[str, str]
    ) -> list[Memory]:
        """The memories for callers; ``tx`` may be None if none of them has a tag."""
        tags = (
            tag_names(self.scope, tx, [tag for stored_memory in stored_memories for tag in stored_memory.tags])
            if tx
            else {}
        )
        return [
            codec.memory(
                self.scope,
                stored,
                namespace=names.get(stored.row.namespace, ""),
                tags=[tags[tag] for tag in stored.tags if tag in tags],
            )
            for stored in stored_memories
        ]

    def _known(self, tx: Transaction, id: str, known_at: datetime | None) -> StoredMemory | None:
        if known_at is None:
            rows = tx.memories.get([id])
            return self.stored(tx, rows)[0] if rows else None
        at = stamp(aware("known_at", known_at))
        assert at is not None
        versions = tx.versions.at(codec.NOUN, [id], at)
        return codec.opened_version(self.scope, versions[0])[0] if versions else None

    def _all_known(
        self, tx: Transaction, rows: Sequence[MemoryRow], known_at: datetime, as_of: int | None
    ) -> list[StoredMemory]:
        at = stamp(aware("known_at", known_at))
        assert at is not None
        stored_memories = [
            codec.opened_version(self.scope, row)[0] for row in tx.versions.at(codec.NOUN, [row.id for row in rows], at)
        ]
        wanted = (*CURRENT, "stale") if as_of is not None else CURRENT
        return [stored for stored in stored_memories if stored.row.status in wanted and held(stored.row, as_of)]

    def _valid_at(self, query: Query, now: int) -> int | None:
        """The moment for the filter; None if the query only asks for current memories."""
        at = stamp(aware("as_of", query.as_of))
        if at is not None or query.known_at is not None:
            return at
        return now if query.statuses == CURRENT else None

    def _sessions(self, tx: Transaction, session: str, names: dict[str, str]) -> tuple[str, ...]:
        vault = self.scope.vault
        rows = (tx.sessions.by_label(place, vault.label("session", f"{place}/{session}")) for place in names)
        return tuple(row.id for row in rows if row is not None)


def valid(row: MemoryRow | RelationRow, at: int | None) -> bool:
    """Whether a memory was true at a moment; open ends are unlimited."""
    if at is None:
        return True
    return (row.valid_from is None or row.valid_from <= at) and (row.valid_to is None or at < row.valid_to)


def held(row: MemoryRow | RelationRow, at: int | None) -> bool:
    """Like ``valid`` for a past moment: a memory without a start counts from when it was recorded, unless it had ended
    by then; a core value always.
    """
    return valid(row, at) and (at is None or begun(row, at))


def begun(row: MemoryRow | RelationRow, at: int) -> bool:
    said_at = row.said_at if isinstance(row, MemoryRow) and row.said_at is not None else row.recorded_at
    is_open = row.valid_from is not None or (isinstance(row, MemoryRow) and row.kind == "core")
    return is_open or (row.valid_to is not None and row.valid_to <= row.recorded_at) or said_at <= at


def fits(stored: StoredMemory, query: Query, filter: Filter, now: int) -> bool:
    """Whether a memory, as it is or was, matches the query; ``filter`` is the query's own."""
    row = stored.row
    said_at = row.said_at if row.said_at is not None else row.recorded_at
    return (
        row.namespace in filter.namespaces
        and (not filter.statuses or row.status in filter.statuses)
        and (not filter.kinds or row.kind in filter.kinds)
        and (not filter.categories or row.category in filter.categories)
        and (not filter.sources or row.source in filter.sources)
        and (filter.since is None or said_at >= filter.since)
        and (filter.until is None or said_at < filter.until)
        and (filter.directive is None or row.directive == filter.directive)
        and (not filter.sessions or row.session in filter.sessions)
        and (row.expires_at is None or row.expires_at > now)
        and valid(row, filter.valid_at)
        and (filter.begun_by is None or begun(row, filter.begun_by))
        and all(not set(ids).isdisjoint(stored.tags) for ids in filter.tags)
        and (not query.metadata or _has_metadata(stored.content.metadata, query.metadata))
    )


def _has_metadata(metadata: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    return all(
        name in metadata and codec.as_json(metadata[name]) == codec.as_json(value) for name, value in filters.items()
    )


def _check_filters(query: Query) -> None:
    """Raise ``Invalid`` for a filter that can never match."""
    metadata: object = query.metadata
    if metadata is not None and not isinstance(metadata, Mapping):
        raise Invalid("metadata is a mapping of names to values")
    try:
        if metadata:
            codec.as_json(dict(metadata)).encode()
    except (TypeError, ValueError, RecursionError) as fault:
        raise Invalid("metadata is plain JSON: strings, numbers, booleans, null, lists, objects") from fault
    for name, allowed in VOCABULARY.items():
        if unknown := set(getattr(query, name)).difference(allowed):
            raise Invalid(f"{len(unknown)} of the {name} given are unknown; there are {', '.join(allowed)}")


def checked(query: Query) -> Query:
    """The query if it is valid, else raises ``Invalid``."""
    limit: object = query.limit
    text: object = query.text
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_HITS:
        raise Invalid(f"limit is a whole number from 1 to {MOST_HITS:,}")
    if not isinstance(text, str):
        raise Invalid(f"a question is text, not {type(text).__name__}")
    return query if query.known_at is None else replace(query, known_at=aware("known_at", query.known_at))
