"""A book that recall searches: the person's own, or that of a namespace shared with them."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from commonplace.clock import micros
from commonplace.errors import ProviderError
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.reading import Reader, fits
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, PERSONAL, Evidence, Hit, Memory, Query, Why
from commonplace.retrieval.candidates import Lister, Lists
from commonplace.retrieval.common_words import weighed
from commonplace.retrieval.encoder import RotatedEncoder
from commonplace.retrieval.late_interaction import LateInteraction, Nearness
from commonplace.retrieval.matrices import Matrices
from commonplace.retrieval.memory_cache import Reading, Readings, reading
from commonplace.retrieval.question import Question, ask
from commonplace.retrieval.recipes import Recipe
from commonplace.retrieval.scores import Docs
from commonplace.retrieval.snapshots import Place, Snapshots
from commonplace.store.rows import Filter
from commonplace.store.transaction import Transaction

BITS = 32
"""A document's own number; the place of its source stands above it, so that no two sources share one."""
FILTERED = 20_000
"""A filter that fits no more memories than this is applied before scoring instead of after."""

Encoders = Callable[[Scope], RotatedEncoder | None]


@dataclass(slots=True)
class Source:
    """One book, asked one question. Each method reads in a transaction of its own, or all in that of ``open``."""

    scope: Scope
    query: Query
    place: int
    matrices: Matrices
    readings: Readings
    snapshots: Snapshots
    encoder: Encoders
    addressees: Sequence[str] = ()
    """Who speaks elsewhere, and may be named in the question too."""
    vector: NDArray[np.int8] | None = None
    overturned: set[str] = field(default_factory=set)
    """Of what was read, the turns that are not believed now."""
    near: dict[int, Nearness] = field(default_factory=dict)
    """How near the question is to what was read."""
    _listed: tuple[int, Lists] | None = None
    _asked: bool = False
    _filter: Filter | None = None
    _names: dict[str, str] = field(default_factory=dict)
    _places: tuple[Place, ...] = ()
    _revision: int | None = None
    _question: Question | None = None
    _tx: Transaction | None = None

    @contextmanager
    def open(self) -> Iterator[Transaction]:
        if self._tx is not None:
            yield self._tx
            return
        with self.scope.store.read(self.scope.owner) as tx:
            self._tx = tx
            try:
                self._begin(tx)
                yield tx
            finally:
                self._tx = None

    def _begin(self, tx: Transaction) -> None:
        """Read which namespaces are asked for, as far as the scope reaches; by default its own and `personal`."""
        if tx.revision is not None and tx.revision == self._revision:
            return  # nothing was written since it was read
        self._revision = tx.revision
        self.scope = self.scope.as_set(tx.owners.get())
        snapshot = self.snapshots.of(tx)
        wanted = self.query.namespaces or (self.scope.namespace, PERSONAL)
        found = (snapshot.place(tx, self.scope, name) for name in wanted)
        places = {place.id: place for place in found if place is not None and self.scope.reaches(place.id)}
        self._places = tuple(places.values())
        self._names = {id: place.name for id, place in places.items()}
        self._filter = Reader(self.scope).filter(tx, self.query, self._names)

    @property
    def speakers(self) -> tuple[str, ...]:
        """Who speaks here; known once the source was open."""
        return tuple(speaker for place in self._places for speaker in place.speakers)

    @property
    def documents(self) -> int:
        """How many texts are in the index, as far as they are asked for."""
        return sum(place.statistics.documents for place in self._places) if self._filter is not None else 0

    @property
    def question(self) -> Question:
        """The question as this book reads it."""
        if self._question is None:
            speakers = [*self.speakers, *self.addressees]
            now, language = self.scope.here(), self.scope.language
            question = ask(self.query.text, now=now, language=language, speakers=speakers)
            self._question = weighed(question, setting=language, documents=self.documents)
        return self._question

    def embed(self, text: str) -> None:
        """Make the question's vector, if that was not done yet; without one, the words carry on."""
        if self._asked:
            return
        self._asked, encoder = True, self.encoder(self.scope)
        if encoder is None:
            return
        try:
            vector = encoder.question(text)
        except ProviderError:
            return  # an embedder that fails never blocks recall, and the gap shows in `stats`
        self.vector = vector if vector.any() else None  # of a text that it cannot read, everything is as far

    def lists(self, mix: Recipe, count: int) -> Lists:
        """What every list says, by the numbers that the documents have among all sources."""
        if self._listed is None or self._listed[0] != count:
            self._listed = count, self._lists(mix, count)
        return self._listed[1]

    def _lists(self, mix: Recipe, count: int) -> Lists:
        with self.open() as tx:
            lists = Lists.none()
            if self._filter is None:
                return lists
            self.embed(self.question.text)
            encoder, allowed = self.encoder(self.scope), self._allowed(tx, self._filter)
            snapshot = self.snapshots.of(tx)
            for lister in [Lister(self.scope, tx, self.matrices, snapshot, place) for place in self._places]:
                lists = lists.joined(lister.lists(self.question, encoder, self.vector, mix, count, allowed))
        if not self.place:
            return lists
        docs = lists.scores.docs.astype(np.uint64) + np.uint64(self.place << BITS)
        return replace(lists, scores=lists.scores._replace(docs=docs))

    def _allowed(self, tx: Transaction, filter: Filter) -> Docs | None:
        """The documents that fit a narrow filter; None where it is cheaper to look at each hit."""
        if not is_narrow(self.query) or self.query.known_at is not None:
            return None
        docs = tx.memories.docs(filter, limit=FILTERED)
        return None if docs is None else np.array(sorted(docs), np.uint32)

    def fitting(self, docs: Iterable[int], late: LateInteraction | None) -> dict[int, Reading]:
        """The memories that stand (or stood) under those numbers that are of this source, and that are asked for.

        ``overturned`` and ``near`` know of them from then on.
        """
        own = self._own(docs)
        if not own or self._filter is None:
            return {}
        query, filter = self.query, self._filter
        with self.open() as tx:
            if query.known_at is None:
                at = micros(self.scope.clock.now())
                readings = self.readings.of(tx, Reader(self.scope), own)
            else:
                at = micros(query.known_at)
                opened = [states.opened_version(self.scope, row)[0] for row in tx.versions.by_docs(own, known_at=at)]
                readings = {memory.row.doc: reading(memory, self.scope.language) for memory in opened}
            fit = {doc: one for doc, one in readings.items() if fits(one.memory, query, filter, at)}
            if query.as_of is None and query.known_at is None:
                self.overturned |= _overturned(tx, [one.memory for one in fit.values()])
            if late:
                near = late.scores(tx, self.scope, list(fit))
                self.near |= {self._numbered(doc): score for doc, score in near.items()}
        return {self._numbered(doc): one for doc, one in fit.items()}

    def memories(self, stored: Sequence[StoredMemory]) -> tuple[list[Memory], dict[str, tuple[Evidence, ...]]]:
        """Memories as they are shown; with the evidence of each, where the question is to be explained."""
        if not stored:
            return [], {}
        reader = Reader(self.scope)
        if not self.query.explain and not any(one.tags for one in stored):
            return reader.memories(None, stored, self._names), {}
        with self.open() as tx:
            memories = reader.memories(tx, stored, self._names)
            return memories, reader.quotes(tx, [memory.id for memory in memories]) if self.query.explain else {}

    def newest(self) -> list[Hit]:
        """A question without a word in it asks for what is new, or was at ``known_at``."""
        with self.open() as tx:
            if self._filter is None:
                return []
            reader, query = Reader(self.scope), self.query
            if query.known_at is not None:
                newest = reader.known(tx, query, self._filter)
            else:
                now = micros(self.scope.clock.now())
                alive = replace(self._filter, alive_at=now)
                present = reader.stored(tx, tx.memories.find(alive, limit=query.limit, newest=True))
                newest = [memory for memory in present if fits(memory, query, self._filter, now)]
            unasked = Why(parts={}, lists={}) if query.explain else None
            return [Hit(memory=memory, score=0.0, why=unasked) for memory in reader.memories(tx, newest, self._names)]

    def _own(self, docs: Iterable[int]) -> list[int]:
        return [self._numbered(doc) for doc in docs if doc >> BITS == self.place]

    def _numbered(self, doc: int) -> int:
        """A document's number among all sources from its own, and the other way round."""
        return doc ^ self.place << BITS


def is_narrow(query: Query) -> bool:
    """Whether the query says by a filter which memories it means."""
    return any(
        (
            query.kinds,
            query.categories,
            query.tags,
            query.sources,
            query.metadata,
            query.directive,
            query.session,
            query.since,
            query.until,
        )
    )


def _overturned(tx: Transaction, memories: Sequence[StoredMemory]) -> frozenset[str]:
    """The turns all of whose conclusions have ended or were rejected since: what they say is not believed now."""
    turns = [memory.id for memory in memories if memory.row.kind == "episodic"]
    resting = tx.evidence.resting_on(turns) if turns else []
    if not resting:
        return frozenset()
    status = {row.id: row.status for row in tx.memories.get(list({row.id for row in resting}))}
    believed = {row.episode for row in resting if status.get(row.id) in CURRENT}
    over = {row.episode for row in resting if status.get(row.id) in ("stale", "rejected")}
    return frozenset(over - believed)
