"""Looking things up by id, key, filter or time; nothing here ranks and nothing writes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from commonplace.clock import micros
from commonplace.errors import Invalid, NotFound
from commonplace.memories import states
from commonplace.memories.admission import aware
from commonplace.memories.glossary import tag_names
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held, stamp
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
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter, MemoryRow

BATCH = 500
MOST_HITS = 1_000
"""On one page, however much is asked for."""
VOCABULARY: dict[str, tuple[str, ...]] = {
    "kinds": KINDS,
    "categories": CATEGORIES,
    "sources": SOURCES,
    "statuses": STATUSES,
}


class Reader:
    """Reads for one scope: its namespace, and the owner's personal one where it may."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def get(self, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        """The memory as it is, or as it was known at a moment. ``NotFound`` also if it was not true at ``as_of``."""
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            held = self._known(tx, id, known_at)
            if held is None or held.row.namespace not in names or not valid(held.row, stamp(aware("as_of", as_of))):
                raise NotFound("memory", id)
            return self.memories(tx, [held], names)[0]

    def get_many(self, ids: Sequence[str]) -> list[Memory]:
        """Those that exist and can be read here, in the order asked."""
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            rows = [row for row in tx.memories.get(ids) if row.namespace in names]
            return self.memories(tx, self.held(tx, rows), names)

    def page(self, query: Query, *, after: str | None = None, newest: bool = True) -> list[Memory]:
        """A page of memories by filter, in order of making; ``query.text`` is not looked at."""
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx, query.namespaces)
            filter = self.filter(tx, query, names)
            if filter is None:
                return []
            if query.known_at is not None:
                return self.memories(tx, self.known(tx, query, filter, after=after, newest=newest), names)
            rows = tx.memories.find(filter, after=after, limit=query.limit, newest=newest)
            return self.memories(tx, self.held(tx, rows), names)

    def weightiest(self, query: Query, *, after: str | None = None) -> list[Memory]:
        """As ``page``, most important first, older ones first among equals.

        ``after`` goes by the importance that memory has now. Raises ``Invalid`` if it is gone, and for ``known_at``:
        the order is of the present.
        """
        if query.known_at is not None:
            raise Invalid("by importance is an order of the present; leave out known_at, or sort by time")
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx, query.namespaces)
            filter = self.filter(tx, query, names)
            if filter is None:
                return []
            last = tx.memories.get([after]) if after is not None else []
            if after is not None and not last:
                raise Invalid("the memory that the last page ended with is gone; begin again at the first page")
            place = (last[0].importance, last[0].id) if last else None
            rows = tx.memories.important(filter, after=place, limit=query.limit)
            return self.memories(tx, self.held(tx, rows), names)

    def known(
        self, tx: Transaction, query: Query, filter: Filter, *, after: str | None = None, newest: bool = True
    ) -> list[Held]:
        """A page of what was known at ``query.known_at``, each memory as it was then, in order of making."""
        at = stamp(aware("known_at", query.known_at))
        assert at is not None
        found: list[Held] = []
        while len(found) < query.limit:
            # What fits now says nothing of what fitted then: every memory is looked at as it was.
            rows = tx.memories.find(Filter(namespaces=filter.namespaces), after=after, limit=BATCH, newest=newest)
            if not rows:
                break
            after = rows[-1].id
            then = {row.id: row for row in tx.versions.at(states.NOUN, [row.id for row in rows], at)}
            helds = [states.opened_version(self.scope, then[row.id])[0] for row in rows if row.id in then]
            found += [held for held in helds if fits(held, query, filter, at)]
        return found[: query.limit]

    def important(self, kinds: Sequence[Kind], *, limit: int, sources: Sequence[Source] = ()) -> list[Memory]:
        """The current memories of these kinds that matter most, most important first; older ones first among equals.

        ``sources``: who may have written them; anybody, if none is named.
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
            rows = tx.memories.important(filter, limit=limit)
            return self.memories(tx, self.held(tx, rows), names)

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
            helds = self.held(tx, rows) if known_at is None else self._all_known(tx, rows, known_at, at)
            found = self.memories(tx, helds, names)
        return sorted(found, key=lambda one: (one.key or "", one.namespace == PERSONAL))

    def history(self, id: str) -> list[Version]:
        """Every version, oldest first, with who made it and why."""
        with self.scope.store.read(self.scope.owner) as tx:
            names = self.namespaces(tx)
            rows = tx.versions.of(states.NOUN, id)
            helds = [states.opened_version(self.scope, row)[0] for row in rows]
            if not helds or helds[-1].row.namespace not in names:
                raise NotFound("memory", id)
            tags = tag_names(self.scope, tx, [tag for held in helds for tag in held.tags])
            return [
                states.version(self.scope, row, namespace=names[held.row.namespace], tags=tags)
                for row, held in zip(rows, helds, strict=True)
            ]

    def evidence(self, id: str, *, noun: str = states.NOUN) -> list[tuple[Memory, str | None]]:
        """The episodes a memory rests on, each with the words that matter where they are known."""
        with self.scope.store.read(self.scope.owner) as tx:
            rows = tx.evidence.of(noun, [id])
            names = self.namespaces(tx)
            found = [row for row in tx.memories.get([row.episode for row in rows]) if self.scope.reaches(row.namespace)]
            helds = self.held(tx, found)
            episodes = {one.id: one for one in self.memories(tx, helds, names)}
            return [
                (episodes[row.episode], self._quote(noun, row.id, row.episode, row.sealed))
                for row in rows
                if row.episode in episodes
            ]

    def quotes(self, tx: Transaction, ids: Sequence[str]) -> dict[str, tuple[Evidence, ...]]:
        """Evidence of several memories at once, for explanations."""
        found: dict[str, tuple[Evidence, ...]] = {}
        for row in tx.evidence.of(states.NOUN, ids):
            one = Evidence(episode=row.episode, quote=self._quote(states.NOUN, row.id, row.episode, row.sealed))
            found[row.id] = (*found.get(row.id, ()), one)
        return found

    def namespaces(self, tx: Transaction, wanted: Iterable[str] = ()) -> dict[str, str]:
        """Ids and names of the namespaces asked for, as far as the scope reaches; by default its own and `personal`."""
        names = tuple(wanted) or (self.scope.namespace, PERSONAL)
        found = {}
        for name in dict.fromkeys(names):
            row = tx.namespaces.by_label(self.scope.vault.label("namespace", name))
            if row is not None and self.scope.reaches(row.id):
                found[row.id] = name
        return found

    def filter(self, tx: Transaction, query: Query, names: dict[str, str]) -> Filter | None:
        """What a query asks for in plain columns; None if nothing can fit."""
        _spelled(query)
        if not names:
            return None
        tags = self._tags(tx, query.tags, names)
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
            attributes=tuple(states.attribute(vault, name, one) for name, one in (query.metadata or {}).items()),
            since=stamp(aware("since", query.since)),
            until=stamp(aware("until", query.until)),
            valid_at=self._valid_at(query, now),
            directive=query.directive,
            sessions=sessions,
        )

    def held(self, tx: Transaction, rows: Sequence[MemoryRow]) -> list[Held]:
        tags = tx.tags.links("memory", [row.id for row in rows]) if rows else {}
        return [states.opened(self.scope, row, tags.get(row.id, ())) for row in rows]

    def memories(self, tx: Transaction, helds: Sequence[Held], names: dict[str, str]) -> list[Memory]:
        tags = tag_names(self.scope, tx, [tag for held in helds for tag in held.tags])
        return [
            states.memory(
                self.scope,
                held,
                namespace=names.get(held.row.namespace, ""),
                tags=[tags[tag] for tag in held.tags if tag in tags],
            )
            for held in helds
        ]

    def _known(self, tx: Transaction, id: str, known_at: datetime | None) -> Held | None:
        if known_at is None:
            rows = tx.memories.get([id])
            return self.held(tx, rows)[0] if rows else None
        at = stamp(aware("known_at", known_at))
        assert at is not None
        versions = tx.versions.at(states.NOUN, [id], at)
        return states.opened_version(self.scope, versions[0])[0] if versions else None

    def _all_known(
        self, tx: Transaction, rows: Sequence[MemoryRow], known_at: datetime, as_of: int | None
    ) -> list[Held]:
        at = stamp(aware("known_at", known_at))
        assert at is not None
        helds = [
            states.opened_version(self.scope, row)[0]
            for row in tx.versions.at(states.NOUN, [row.id for row in rows], at)
        ]
        wanted = (*CURRENT, "stale") if as_of is not None else CURRENT
        return [held for held in helds if held.row.status in wanted and valid(held.row, as_of)]

    def _valid_at(self, query: Query, now: int) -> int | None:
        """Ask for what is true at a moment; what is merely current needs no such question."""
        at = stamp(aware("as_of", query.as_of))
        if at is not None or query.known_at is not None:
            return at
        return now if query.statuses == CURRENT else None

    def _tags(self, tx: Transaction, tags: Sequence[str], names: dict[str, str]) -> tuple[tuple[str, ...], ...] | None:
        """The ids of each tag in the namespaces; None if one is in none of them."""
        vault = self.scope.vault
        found = []
        for tag in tags:
            rows = (tx.tags.by_label(place, vault.label("tag", f"{place}/{tag}")) for place in names)
            found.append(tuple(row.id for row in rows if row is not None))
        return tuple(found) if all(found) else None

    def _sessions(self, tx: Transaction, session: str, names: dict[str, str]) -> tuple[str, ...]:
        vault = self.scope.vault
        rows = (tx.sessions.by_label(place, vault.label("session", f"{place}/{session}")) for place in names)
        return tuple(row.id for row in rows if row is not None)

    def _quote(self, noun: str, id: str, episode: str, sealed: bytes | None) -> str | None:
        return None if sealed is None else str(self.scope.open_json("evidence", f"{noun}/{id}/{episode}", sealed))


def valid(row: MemoryRow, at: int | None) -> bool:
    """Whether a memory was true at a moment; an open end reaches for ever."""
    if at is None:
        return True
    return (row.valid_from is None or row.valid_from <= at) and (row.valid_to is None or at < row.valid_to)


def fits(held: Held, query: Query, filter: Filter, now: int) -> bool:
    """Whether a memory, as it is or was, is one that was asked for; ``filter`` is the query's own."""
    row = held.row
    said = row.said_at if row.said_at is not None else row.recorded_at
    return (
        row.namespace in filter.namespaces
        and (not filter.statuses or row.status in filter.statuses)
        and (not filter.kinds or row.kind in filter.kinds)
        and (not filter.categories or row.category in filter.categories)
        and (not filter.sources or row.source in filter.sources)
        and (filter.since is None or said >= filter.since)
        and (filter.until is None or said < filter.until)
        and (filter.directive is None or row.directive == filter.directive)
        and (not filter.sessions or row.session in filter.sessions)
        and (row.expires_at is None or row.expires_at > now)
        and valid(row, filter.valid_at)
        and all(not set(ids).isdisjoint(held.tags) for ids in filter.tags)
        and (not query.metadata or _told(held.content.metadata, query.metadata))
    )


def _told(metadata: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(
        name in metadata and states.as_json(metadata[name]) == states.as_json(one) for name, one in wanted.items()
    )


def _spelled(query: Query) -> None:
    """Raise ``Invalid`` for a filter that nothing can ever fit."""
    metadata: object = query.metadata
    if metadata is not None and not isinstance(metadata, Mapping):
        raise Invalid("metadata is a mapping of names to the values looked for")
    try:
        states.as_json(dict(metadata or {})).encode()
    except (TypeError, ValueError, RecursionError) as fault:
        raise Invalid("metadata is plain JSON: strings, numbers, booleans, null, lists, objects") from fault
    for name, allowed in VOCABULARY.items():
        if unknown := set(getattr(query, name)) - set(allowed):
            raise Invalid(f"{len(unknown)} of the {name} given are unknown; there are {', '.join(allowed)}")


def checked(query: Query) -> Query:
    """A query that can be asked, or ``Invalid`` with the way out."""
    limit: object = query.limit
    text: object = query.text
    if isinstance(limit, bool) or not isinstance(limit, int) or not 1 <= limit <= MOST_HITS:
        raise Invalid(f"limit is a whole number from 1 to {MOST_HITS:,}")
    if not isinstance(text, str):
        raise Invalid(f"a question is text, not {type(text).__name__}")
    return query if query.known_at is None else replace(query, known_at=aware("known_at", query.known_at))
