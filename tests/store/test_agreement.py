"""The same random steps on both engines, and the same answers from both."""

import itertools
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from tests.conformance.store.build import (
    audit,
    directive,
    entity,
    job,
    memory,
    namespace,
    relation,
    session,
    step,
    tag,
    version,
)

from commonplace.errors import CommonplaceError
from commonplace.store.open import open_store
from commonplace.store.ports import Store
from commonplace.store.rows import EvidenceRow, Filter, FreshRow, TombstoneRow, TraceRow, VectorRow
from commonplace.store.transaction import Transaction

pytestmark = [pytest.mark.postgres, pytest.mark.slow]

OWNERS = st.sampled_from(["ada", "bob"])
PLACES = st.sampled_from(["n1", "n2"])
IDS = st.sampled_from(["a", "B", "c'", "d:owner", "é%s"])
LABELS = st.sampled_from([b"", b"x", b"\x00\xff", b"y"])
NUMBERS = st.integers(1, 6)
TIMES = st.integers(0, 50)
STATUSES = st.sampled_from(["candidate", "verified", "stale"])
MAYBE = st.none() | TIMES
FILTERS = st.builds(
    Filter,
    namespaces=st.lists(PLACES, max_size=2, unique=True).map(tuple),
    statuses=st.lists(STATUSES, max_size=2, unique=True).map(tuple),
    tags=st.lists(IDS, max_size=1).map(tuple),
    attributes=st.lists(LABELS, max_size=1).map(tuple),
    since=MAYBE,
    until=MAYBE,
    valid_at=MAYBE,
    begun_by=MAYBE,
    key=st.none() | LABELS,
    importance_below=st.none() | st.floats(0, 1),
    recorded_before=MAYBE,
    retired_before=MAYBE,
    expired_at=MAYBE,
    unpinned=st.booleans(),
)
MEMORIES = st.builds(
    memory,
    IDS,
    st.integers(1, 12),
    namespace=PLACES,
    status=STATUSES,
    importance=st.floats(0, 1),
    recorded_at=TIMES,
    said_at=MAYBE,
    valid_from=MAYBE,
    valid_to=MAYBE,
    retired_at=MAYBE,
    expires_at=MAYBE,
    pinned=st.booleans(),
    key=st.none() | LABELS,
    sealed=st.binary(max_size=8),
)
TERMS = st.sampled_from([-(2**63), -1, 0, 5, 2**63 - 1])
POSTINGS = st.lists(
    st.builds(FreshRow, term=TERMS, doc=st.integers(1, 40), tf=st.integers(1, 300), length=st.integers(1, 300)),
    max_size=30,
)


class Engines(RuleBasedStateMachine):
    """Every rule runs on each store and compares what they say; a refusal must be the same refusal."""

    stores: list[Store]
    made = itertools.count()

    @initialize()
    def start(self) -> None:
        number = next(self.made)
        self.names = {who: f"{who} {number}" for who in ("ada", "bob")}
        for who in self.names:
            self.both(who, lambda tx: [tx.namespaces.put(namespace(id)) for id in ("n1", "n2")])

    def both(self, owner: str, act: Callable[[Transaction], Any]) -> Any:
        said = [self._said(store, owner, act) for store in self.stores]
        assert said[0] == said[1]
        return said[0]

    def _said(self, store: Store, owner: str, act: Callable[[Transaction], Any]) -> Any:
        try:
            with store.write(self.names[owner]) as tx:
                return act(tx)
        except CommonplaceError as error:
            return type(error).__name__, getattr(error, "found", None)

    @rule(owner=OWNERS, row=MEMORIES, expected=st.none() | st.integers(1, 3), attributes=st.lists(LABELS, max_size=2))
    def put_memory(self, owner: str, row: Any, expected: int | None, attributes: list[bytes]) -> None:
        row = replace(row, version=(expected or 0) + 1)

        def act(tx: Transaction) -> None:
            tx.memories.put(row, expected=expected)
            tx.memories.set_attributes(row.id, attributes)
            tx.versions.put(version(row.id, row.version, doc=row.doc, recorded_at=row.recorded_at))
            tx.changes.record([("memory", row.id, "put", row.doc, row.namespace)], at=row.recorded_at)

        self.both(owner, act)

    @rule(owner=OWNERS, ids=st.lists(IDS, max_size=3))
    def delete_memories(self, owner: str, ids: list[str]) -> None:
        self.both(owner, lambda tx: tx.memories.delete(ids))

    @rule(owner=OWNERS, ids=st.lists(IDS, max_size=3), at=TIMES)
    def touch(self, owner: str, ids: list[str], at: int) -> None:
        self.both(owner, lambda tx: tx.memories.touch(ids, at=at))

    @rule(owner=OWNERS, filter=FILTERS, after=st.none() | IDS, limit=NUMBERS, newest=st.booleans())
    def find(self, owner: str, filter: Filter, after: str | None, limit: int, newest: bool) -> None:
        self.both(
            owner,
            lambda tx: (
                tx.memories.find(filter, after=after, limit=limit, newest=newest),
                tx.memories.important(filter, limit=limit),
                tx.memories.docs(filter, limit=limit),
            ),
        )

    @rule(owner=OWNERS, id=IDS, at=TIMES, docs=st.lists(st.integers(1, 12), max_size=4))
    def look_back(self, owner: str, id: str, at: int, docs: list[int]) -> None:
        self.both(
            owner,
            lambda tx: (tx.versions.at("memory", [id], at), tx.versions.by_docs(docs, known_at=at)),
        )

    @rule(owner=OWNERS, id=IDS, episode=IDS, quote=st.none() | LABELS, other=IDS)
    def evidence(self, owner: str, id: str, episode: str, quote: bytes | None, other: str) -> None:
        def act(tx: Transaction) -> Any:
            tx.evidence.put([EvidenceRow(noun="memory", id=id, episode=episode, sealed=quote)])
            if other > id:
                tx.evidence.move("memory", id, other)
            return tx.evidence.resting_on([episode, other])

        self.both(owner, act)

    @rule(owner=OWNERS, id=IDS, place=PLACES, label=LABELS, synonyms=st.lists(LABELS, max_size=2), to=IDS)
    def tags(self, owner: str, id: str, place: str, label: bytes, synonyms: list[bytes], to: str) -> None:
        def act(tx: Transaction) -> Any:
            tx.tags.put(tag(id, namespace=place, label=label, synonyms=tuple(synonyms)))
            tx.tags.set_links("memory", to, [id])
            return tx.tags.all(place), [tx.tags.by_label(place, one) for one in (label, *synonyms)]

        self.both(owner, act)

    @rule(owner=OWNERS, id=IDS, place=PLACES, label=LABELS, aliases=st.lists(LABELS, max_size=2))
    def entities(self, owner: str, id: str, place: str, label: bytes, aliases: list[bytes]) -> None:
        row = entity(id, namespace=place, label=label, aliases=tuple(aliases))
        self.both(owner, lambda tx: (tx.entities.put(row), tx.entities.by_label(["n1", "n2"], label)))

    @rule(owner=OWNERS, id=IDS, ends=st.tuples(IDS, IDS), valid=st.tuples(MAYBE, MAYBE), status=STATUSES)
    def relate(self, owner: str, id: str, ends: tuple[str, str], valid: tuple[Any, Any], status: str) -> None:
        row = relation(id, *ends, namespace="n1", valid_from=valid[0], valid_to=valid[1], status=status)
        self.both(owner, lambda tx: tx.relations.put(row))

    @rule(owner=OWNERS, either=st.lists(IDS, max_size=2), at=MAYBE, after=st.none() | IDS)
    def relations(self, owner: str, either: list[str], at: int | None, after: str | None) -> None:
        self.both(owner, lambda tx: tx.relations.find(["n1"], either=either, valid_at=at, after=after))

    @rule(owner=OWNERS, id=IDS, gone=st.booleans())
    def drop_entity(self, owner: str, id: str, gone: bool) -> None:
        def act(tx: Transaction) -> None:
            if gone:
                tx.relations.delete([row.id for row in tx.relations.find(["n1"], either=[id])])
            tx.entities.delete([id])

        self.both(owner, act)

    @rule(owner=OWNERS, place=PLACES, rows=POSTINGS, limit=st.integers(1, 40))
    def words(self, owner: str, place: str, rows: list[FreshRow], limit: int) -> None:
        unique = list({(row.term, row.doc): row for row in rows}.values())
        self.both(owner, lambda tx: (tx.words.add(place, unique), tx.words.pack(place, limit=limit)))

    @rule(owner=OWNERS, place=PLACES, docs=st.lists(st.integers(1, 40), max_size=5), terms=st.none() | st.lists(TERMS))
    def remove_words(self, owner: str, place: str, docs: list[int], terms: list[int] | None) -> None:
        self.both(owner, lambda tx: tx.words.remove(place, docs, terms))

    @rule(
        owner=OWNERS,
        place=PLACES,
        doc=st.integers(1, 12),
        part=st.integers(0, 1),
        data=st.binary(min_size=4, max_size=4),
    )
    def vectors(self, owner: str, place: str, doc: int, part: int, data: bytes) -> None:
        row = VectorRow(doc=doc, part=part, data=data)
        self.both(owner, lambda tx: (tx.vectors.put(place, "m", [row]), tx.vectors.missing(place, "m", limit=5)))

    @rule(owner=OWNERS, docs=st.lists(st.integers(1, 12), max_size=3))
    def drop_vectors(self, owner: str, docs: list[int]) -> None:
        self.both(owner, lambda tx: tx.vectors.delete(docs))

    @rule(owner=OWNERS, id=IDS, wish=st.none() | LABELS, due=TIMES, state=st.sampled_from(["waiting", "dead", "done"]))
    def put_job(self, owner: str, id: str, wish: bytes | None, due: int, state: str) -> None:
        self.both(owner, lambda tx: tx.jobs.put(job(id, unique=wish, due_at=due, state=state, finished_at=due)))

    @rule(owner=OWNERS, now=TIMES, holder=st.sampled_from(["h1", "h2"]), limit=NUMBERS, finish=IDS)
    def work(self, owner: str, now: int, holder: str, limit: int, finish: str) -> None:
        def act(tx: Transaction) -> Any:
            rows = tx.jobs.lease(kinds=["pack"], now=now, until=now + 5, holder=holder, limit=limit)
            return rows, tx.jobs.finish(finish, holder=holder, at=now), tx.jobs.counts()

        self.both(owner, act)
        due = [set(store.accounts.due_owners(now)) & set(self.names.values()) for store in self.stores]
        assert due[0] == due[1]

    @rule(owner=OWNERS, id=IDS, place=PLACES, holder=st.sampled_from(["h1", "h2"]), now=TIMES)
    def directives(self, owner: str, id: str, place: str, holder: str, now: int) -> None:
        def act(tx: Transaction) -> Any:
            if tx.directives.get(id) is None:
                tx.directives.put(directive(id, namespace=place))
                tx.steps.put(step(f"{id}-1", id, 1, depends_on=(id,)))
            return tx.directives.lease(id, holder=holder, now=now, until=now + 5), tx.steps.of(id)

        self.both(owner, act)

    @rule(owner=OWNERS, place=PLACES, fingerprint=LABELS, lift=st.booleans())
    def tombstones(self, owner: str, place: str, fingerprint: bytes, lift: bool) -> None:
        row = TombstoneRow(namespace=place, fingerprint=fingerprint, reason="rejected", at=1, target=None)
        self.both(owner, lambda tx: tx.tombstones.lift(place, [fingerprint]) if lift else tx.tombstones.put([row]))

    @rule(owner=OWNERS, id=IDS, place=PLACES, label=LABELS)
    def sessions(self, owner: str, id: str, place: str, label: bytes) -> None:
        self.both(owner, lambda tx: tx.sessions.put(session(id, namespace=place, label=label)))

    @rule(owner=OWNERS, id=IDS, at=TIMES)
    def records(self, owner: str, id: str, at: int) -> None:
        def act(tx: Transaction) -> Any:
            last = tx.audit.last()
            tx.audit.append([audit((last.sequence if last else 0) + 1, at=at)])
            tx.traces.put(TraceRow(id=id, kind="retrieval", at=at, sealed=b"t"))
            tx.usage.add("2026-01-01", id, calls=1, tokens=at)
            return tx.traces.delete(kind="retrieval", before=at), tx.traces.page("retrieval", limit=2)

        self.both(owner, act)

    @rule(owner=OWNERS, place=PLACES)
    def drop_namespace(self, owner: str, place: str) -> None:
        self.both(owner, lambda tx: (tx.namespaces.drop(place), tx.namespaces.put(namespace(place))))

    @invariant()
    def both_hold_the_same(self) -> None:
        for owner in getattr(self, "names", {}):
            self.both(owner, _everything)


def _everything(tx: Transaction) -> list[Any]:
    ids = ["a", "B", "c'", "d:owner", "é%s"]
    return [
        tx.memories.find(Filter(), limit=100),
        tx.memories.counts(),
        tx.versions.page("memory", after=("", 0), limit=100),
        tx.evidence.of("memory", ids),
        tx.sessions.all(),
        tx.tags.links("memory", ids),
        tx.entities.all(["n1", "n2"]),
        tx.relations.find(["n1", "n2"]),
        tx.tombstones.all(),
        tx.directives.all(["n1", "n2"]),
        tx.jobs.all(),
        tx.audit.page(),
        tx.usage.page(since=""),
        tx.changes.since(0),
        tx.vectors.counts(),
        [tx.words.fetch(place, [-(2**63), -1, 0, 5, 2**63 - 1]) for place in ("n1", "n2")],
        [tx.words.blocks(place, after=None, limit=100) for place in ("n1", "n2")],
        [list(tx.vectors.load(place, "m")) for place in ("n1", "n2")],
    ]


def test_the_engines_agree(postgres_url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stores = [open_store(Path(folder) / "book.db"), open_store(postgres_url)]
        machine = type("Both", (Engines,), {"stores": stores})
        try:
            run_state_machine_as_test(  # type: ignore[no-untyped-call]
                machine,
                settings=settings(
                    max_examples=20,
                    stateful_step_count=25,
                    deadline=None,
                    suppress_health_check=list(HealthCheck),
                ),
            )
        finally:
            for store in stores:
                store.close()
