"""A book that recall searches: the person's own, or that of a namespace shared with them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from commonplace.clock import micros
from commonplace.errors import ProviderError
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.reading import Reader, fits
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, PERSONAL, Evidence, Hit, Memory, Query, Why
from commonplace.retrieval.candidates import Lister, Listing
from commonplace.retrieval.common_words import weighed
from commonplace.retrieval.encoder import RotatedEncoder
from commonplace.retrieval.in_step import Steps, together
from commonplace.retrieval.late_interaction import LateInteraction, Nearness
from commonplace.retrieval.matrices import Matrices
from commonplace.retrieval.memory_cache import Reading, Readings, reading
from commonplace.retrieval.question import Question, ask
from commonplace.retrieval.recipes import Recipe
from commonplace.retrieval.scores import Docs
from commonplace.retrieval.snapshots import Place, Snapshots
from commonplace.retrieval.union import BITS
from commonplace.store.rows import Filter
from commonplace.store.transaction import Transaction

FILTERED = 20_000
"""A filter that fits no more memories than this is applied before scoring instead of after."""

Encoders = Callable[[Scope, str | None], RotatedEncoder | None]
"""From a scope, and its owner's own plan where that was read just now."""


@dataclass(slots=True)
class QuestionRow:
    """A question's vector as the embedder gives it: made once, whoever's books are searched."""

    row: NDArray[np.float32] | None = None
    asked: bool = False

    def make(self, encoder: RotatedEncoder, text: str) -> None:
        """Ask the embedder, if that was not done yet; without a vector, the words carry on."""
        if not self.asked:
            self.asked = True
            with suppress(ProviderError):  # an embedder that fails never blocks recall, and the gap shows in `stats`
                self.row = encoder.row(text)

    def vector(self, encoder: RotatedEncoder, text: str) -> NDArray[np.int8] | None:
        self.make(encoder, text)
        vector = None if self.row is None else encoder.rotated(self.row)
        return vector if vector is not None and vector.any() else None  # of a text that it cannot read, all is as far


@dataclass(slots=True)
class Source:
    """One book, asked one question, as a transaction on it sees it."""

    scope: Scope
    tx: Transaction
    query: Query
    place: int
    matrices: Matrices
    readings: Readings
    snapshots: Snapshots
    encoders: Encoders
    embedded: QuestionRow = field(default_factory=QuestionRow)
    """Shared by all that are asked the same question."""
    overturned: set[str] = field(default_factory=set)
    """Of what was read, the turns that are not believed now."""
    near: dict[int, Nearness] = field(default_factory=dict)
    """How near the question is to what was read."""
    encoder: RotatedEncoder | None = None
    _filter: Filter | None = None
    _names: dict[str, str] = field(default_factory=dict)
    _places: tuple[Place, ...] = ()
    _questions: Mapping[str, Question] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Read which namespaces are asked for, as far as the scope reaches; by default its own and `personal`."""
        tx, row = self.tx, self.tx.owners.get()
        self.scope = self.scope.with_owner_settings(row)
        self.encoder = self.encoders(self.scope, row.plan)
        snapshot = self.snapshots.of(tx)
        wanted = self.query.namespaces or (self.scope.namespace, PERSONAL)
        snapshots = (snapshot.place(tx, self.scope, name) for name in wanted)
        places = {place.id: place for place in snapshots if place is not None and self.scope.reaches(place.id)}
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
        """The question in the language of this book, which decides how words are cut."""
        return self._questions[self.scope.language]

    @staticmethod
    def read_question(sources: "Sequence[Source]") -> None:
        """Read the question, once for all books in a language; anybody may be named in it who speaks in one of them."""
        own, documents = sources[0], sum(source.documents for source in sources)
        speakers = [speaker for source in sources for speaker in source.speakers]
        questions = {}
        for language in {source.scope.language for source in sources}:
            question = ask(own.query.text, now=own.scope.here(), language=language, speakers=speakers)
            questions[language] = weighed(question, setting=language, documents=documents)
        for source in sources:
            source._questions = questions

    def listings(self, mix: Recipe, count: int) -> Steps[list[Listing]]:
        """What each namespace says."""
        if self._filter is None:
            return []
        encoder, allowed = self.encoder, self._allowed(self._filter)
        vector = None if encoder is None else self.embedded.vector(encoder, self.question.text)
        snapshot = self.snapshots.of(self.tx)
        listers = [Lister(self.scope, self.tx, self.matrices, snapshot, place) for place in self._places]
        asked = self.question, encoder, vector, mix, count, allowed
        return (yield from together([lister.listing(*asked, source=self.place) for lister in listers]))

    def _allowed(self, filter: Filter) -> Docs | None:
        """The documents that fit a narrow filter; None where it is cheaper to look at each hit."""
        if not is_narrow(self.query) or self.query.known_at is not None:
            return None
        docs = self.tx.memories.docs(filter, limit=FILTERED)
        return None if docs is None else np.array(sorted(docs), np.uint32)

    def fitting(self, docs: Iterable[int], late: LateInteraction | None) -> Steps[dict[int, Reading]]:
        """The memories that stand (or stood) under those numbers that are of this source, and that are asked for.

        ``overturned`` and ``near`` know of them from then on.
        """
        own = self._own(docs)
        if not own or self._filter is None:
            return {}
        query, filter, tx = self.query, self._filter, self.tx
        if query.known_at is None:
            at = micros(self.scope.clock.now())
            readings = yield from self.readings.of(tx, Reader(self.scope), own)
        else:
            at = micros(query.known_at)
            opened = [states.opened_version(self.scope, row)[0] for row in tx.versions.by_docs(own, known_at=at)]
            readings = {memory.row.doc: reading(memory, self.scope.language) for memory in opened}
        fit = {doc: read for doc, read in readings.items() if fits(read.memory, query, filter, at)}
        present = query.as_of is None and query.known_at is None
        yield from together(
            [
                self._note_overturned([read.memory for read in fit.values()] if present else ()),
                self._note_nearness(fit, late),
            ]
        )
        return {self._numbered(doc): read for doc, read in fit.items()}

    def memories(self, stored: Sequence[StoredMemory]) -> tuple[list[Memory], dict[str, tuple[Evidence, ...]]]:
        """Memories as they are shown; with the evidence of each, where the question is to be explained."""
        if not stored:
            return [], {}
        reader = Reader(self.scope)
        if not self.query.explain and not any(stored_memory.tags for stored_memory in stored):
            return reader.memories(None, stored, self._names), {}
        memories = reader.memories(self.tx, stored, self._names)
        return memories, reader.quotes(self.tx, [memory.id for memory in memories]) if self.query.explain else {}

    def newest(self) -> list[Hit]:
        """A question without a word in it asks for what is new, or was at ``known_at``."""
        if self._filter is None:
            return []
        reader, query, tx = Reader(self.scope), self.query, self.tx
        if query.known_at is not None:
            newest = reader.known(tx, query, self._filter)
        else:
            now = micros(self.scope.clock.now())
            alive = replace(self._filter, alive_at=now)
            present = reader.stored(tx, tx.memories.find(alive, limit=query.limit, newest=True))
            newest = [memory for memory in present if fits(memory, query, self._filter, now)]
        unasked = Why(parts={}, lists={}) if query.explain else None
        return [Hit(memory=memory, score=0.0, why=unasked) for memory in reader.memories(tx, newest, self._names)]

    def _note_overturned(self, memories: Sequence[StoredMemory]) -> Steps[None]:
        """Turns all of whose conclusions have ended or were rejected since: what they say is not believed now."""
        turns = [memory.id for memory in memories if memory.row.kind == "episodic"]
        if not turns:
            return
        fetched = self.tx.soon(partial(self.tx.evidence.resting_on, turns))
        yield
        resting = fetched()
        if not resting:
            return
        rows = self.tx.soon(partial(self.tx.memories.get, list({row.id for row in resting})))
        yield
        status = {row.id: row.status for row in rows()}
        believed = {row.episode for row in resting if status.get(row.id) in CURRENT}
        over = {row.episode for row in resting if status.get(row.id) in ("stale", "rejected")}
        self.overturned |= over - believed

    def _note_nearness(self, readings: Mapping[int, Reading], late: LateInteraction | None) -> Steps[None]:
        if late:
            near = yield from late.scores(self.tx, self.scope, readings)
            self.near |= {self._numbered(doc): score for doc, score in near.items()}

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
