"""Recall: hard scope and filters, then three lists as a union, one fusion, small explained terms, a spread page."""

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.clock import micros
from commonplace.errors import Invalid, ProviderError
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.reading import Reader, checked, fits
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, PERSONAL, Hit, Query, Why
from commonplace.providers.embed.tokens import TokenEncoder
from commonplace.providers.judge import Judge
from commonplace.retrieval.candidates import Lister, Lists
from commonplace.retrieval.encoder import RotatedEncoder
from commonplace.retrieval.explain import places_of, why
from commonplace.retrieval.extract_question import cut
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.late_interaction import FLOOR, FLOOR_FOR, LateInteraction, max_sim, nearer, only_by_meaning
from commonplace.retrieval.matrices import Matrices
from commonplace.retrieval.memory_cache import Reading, Readings, reading
from commonplace.retrieval.question import Question, ask
from commonplace.retrieval.rank import RankCandidate, Ranked, capped, judged, rank, score, spread
from commonplace.retrieval.recipes import Recipe, beside_late, recipe
from commonplace.retrieval.scores import Docs, Places, Scores, fuse, most, shortlist
from commonplace.retrieval.snapshots import Place, Snapshot, Snapshots
from commonplace.store.frozen import maker
from commonplace.store.rows import Filter
from commonplace.store.transaction import Transaction

LISTED = 64
"""Documents taken from each list before anybody has read them; more where a filter leaves too few."""
POOL, LATE_POOL = 64, 128
"""Documents read and ranked, without and with late interaction; without it, more found nothing more."""
FIRST = 16
"""Hits for which the lists and the pool are made: the first hits are the same whatever the limit."""
MOST_LISTED, MOST_READ, MOST_RANKED = 20_000, 3_000, 700
"""Where doubles or a filter leave a page short: documents listed, read and ranked at most."""
_LOOKS, _CLOSE = 3, 0.035
"""How often a few more candidates are opened before all of them are; how far below its bound a note mostly scores."""
FEW = 8
"""Memories below which there is no floor: of so few any may help, and they fit on one page."""
ENCODED_NOW = 8
"""Memories without token vectors that are encoded inside a question, some ten milliseconds each: only where no word of
the question is met, to tell whether anything is relevant."""
JUDGED = 20
"""The first hits that the judge is asked about, some ten milliseconds each."""
FILTERED = 20_000
"""A filter that fits no more memories than this is applied before scoring instead of after."""

_NOTHING: frozenset[int] = frozenset()

Encoders = Callable[[Scope], RotatedEncoder | None]
Vector = NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Recall:
    """Answers questions for one scope."""

    scope: Scope
    matrices: Matrices
    readings: Readings
    encoder: Encoders
    weights: Mapping[str, float]
    token_encoder: Callable[[str], TokenEncoder | None] = lambda owner: None
    """For late interaction; None leaves it out."""
    judge: Callable[[], Judge | None] = lambda: None
    """For recipes that ask it; None leaves it out."""
    snapshots: Snapshots = field(default_factory=Snapshots)
    ahead: bool = False
    """Embed a question before the book is read, so that no transaction is open while an endpoint answers."""

    def hits(self, query: Query) -> list[Hit]:
        """At most ``query.limit`` memories, best first. Deterministic: same book, same question, same answer."""
        query = checked(query)
        mix = self._recipe(query.recipe)
        vector = self._asked(self.encoder(self.scope), cut(query.text)) if self.ahead else None
        with self.scope.store.read(self.scope.owner) as tx:
            scope = self.scope.as_set(tx.owners.get())
            return (self if scope is self.scope else replace(self, scope=scope))._answer(tx, query, mix, vector)

    def _answer(self, tx: Transaction, query: Query, mix: Recipe, vector: Vector | None) -> list[Hit]:
        now = self.scope.here()
        reader = Reader(self.scope)
        snapshot = self.snapshots.of(tx)
        places = self._places(tx, snapshot, query.namespaces)
        names = {id: place.name for id, place in places.items()}
        filter = reader.filter(tx, query, names)
        if filter is None:
            return []
        speakers = [speaker for place in places.values() for speaker in place.speakers]
        question = ask(query.text, now=now, language=self.scope.language, speakers=speakers)
        if not question.terms:
            return self._newest(tx, reader, query, filter, names)
        listers = [Lister(self.scope, tx, self.matrices, snapshot, place) for place in places.values()]
        fused, page = self._ranked(tx, reader, query, filter, listers, question, mix, now, vector)
        return self._hits(tx, reader, query, names, question, fused, page)

    def _recipe(self, name: str) -> Recipe:
        mix = recipe(name)
        if not self.weights:
            return mix
        weight_names = {weight.name for weight in fields(Recipe) if weight.type in (float, "float")}
        if unknown := set(self.weights) - weight_names:
            raise Invalid(f"`weights` names {', '.join(sorted(unknown))}; recall has {', '.join(sorted(weight_names))}")
        if wrong := [name for name, weight in self.weights.items() if not _is_weight(name, weight)]:
            raise Invalid(f"`weights` has no usable number for {', '.join(wrong)}; `half_life` is above 0")
        return replace(mix, **dict[str, Any](self.weights))

    def _places(self, tx: Transaction, snapshot: Snapshot, names: Sequence[str]) -> dict[str, Place]:
        """The namespaces asked for, as far as the scope reaches; by default its own and `personal`."""
        places = (snapshot.place(tx, self.scope, name) for name in names or (self.scope.namespace, PERSONAL))
        return {place.id: place for place in places if place is not None and self.scope.reaches(place.id)}

    def _ranked(
        self,
        tx: Transaction,
        reader: Reader,
        query: Query,
        filter: Filter,
        listers: Sequence[Lister],
        question: Question,
        mix: Recipe,
        now: datetime,
        vector: Vector | None,
    ) -> tuple[Scores, list[tuple[Ranked, StoredMemory]]]:
        """The first hits from a pool of one size; where more are asked for, others from a wider pool after them.

        What the lists say comes best first where it is to be explained.
        """
        encoder = self.encoder(self.scope)
        if encoder is not None and "meaning" not in self.weights:
            mix = replace(mix, meaning=mix.meaning * encoder.weight)
        if not self.ahead:
            vector = self._asked(encoder, question.text)
        allowed = self._allowed(tx, query, filter)
        late = self._late(question.text, has_floor=self._has_floor(query, listers)) if mix.late else None

        def look(count: int) -> tuple[Scores, list[tuple[Ranked, StoredMemory]]]:
            return self._widened(
                tx, reader, query, filter, listers, question, mix, now, vector, allowed, encoder, count, late
            )

        fused, first = look(FIRST)
        if len(first) >= query.limit or query.limit <= FIRST:
            return fused, first
        fused, later = look(query.limit)
        return fused, after(first, later)[: query.limit]

    def _widened(
        self,
        tx: Transaction,
        reader: Reader,
        query: Query,
        filter: Filter,
        listers: Sequence[Lister],
        question: Question,
        mix: Recipe,
        now: datetime,
        vector: Vector | None,
        allowed: Docs | None,
        encoder: RotatedEncoder | None,
        count: int,
        late: LateInteraction | None,
    ) -> tuple[Scores, list[tuple[Ranked, StoredMemory]]]:
        """Widen the lists until ``count`` different things are found or there is nothing more to look at."""
        least = LATE_POOL if late else POOL
        listed = max(LISTED, least, 4 * count)
        pool = wide = max(least, 4 * count)
        while True:
            lists = Lists.none()
            for lister in listers:
                lists = lists.joined(lister.lists(question, encoder, vector, mix, listed, allowed))
            fused = fuse(lists.scores, lists.possible)
            order = shortlist(fused, mix)
            if not (lists.turns or question.wants or self.weights or query.known_at or late or mix.judged):
                notes_page = self._of_few(tx, reader, query, filter, question, fused, order, mix, now)
                if notes_page is not None:
                    return (fused.taken(order) if query.explain else fused), notes_page
            read = self._read(tx, reader, query, filter, fused, order, pool)
            rankable = read if len(read) <= wide else _fewer(read, query.limit)
            page = self._page(tx, query, question, rankable, mix, now, late)
            doubled = any(ranked.repeated for ranked, _ in page[:count])
            if not doubled and len(read) >= min(count * 2, pool):
                break
            exhausted = lists.exhausted and not (doubled and pool < len(order))
            if exhausted or listed >= MOST_LISTED or pool >= MOST_READ:
                break
            listed, pool = 4 * listed, 4 * pool if doubled else pool
        return (fused.taken(order) if query.explain else fused), page

    def _page(
        self,
        tx: Transaction,
        query: Query,
        question: Question,
        read: Sequence[tuple[Fused, Reading]],
        mix: Recipe,
        now: datetime,
        late: LateInteraction | None,
    ) -> list[tuple[Ranked, StoredMemory]]:
        current = query.as_of is None and query.known_at is None
        overturned = self._overturned(tx, [reading.memory for _, reading in read]) if current else frozenset()
        near = late.scores(tx, self.scope, [fused.doc for fused, _ in read]) if late else {}
        if late and late.has_floor and only_by_meaning([fused for fused, _ in read]):
            unwritten = self._encoded_now(late, [pair for pair in read if pair[0].doc not in near])
            if max([*near.values(), *unwritten], default=0.0) < FLOOR:
                return []
        judge = self.judge() if mix.judged else None
        limit = max(query.limit, JUDGED) if judge else query.limit
        weights = beside_late(mix) if near else mix
        ranked = rank(question, _candidates(read, overturned, nearer(near)), weights, now=now, limit=limit)
        if judge is not None:
            ranked = self._judged(judge, question, ranked, mix)[: query.limit]
        by_doc = {fused.doc: reading.memory for fused, reading in read}
        return [(hit, by_doc[hit.candidate.fused.doc]) for hit in ranked]

    def _has_floor(self, query: Query, listers: Sequence[Lister]) -> bool:
        """Not where a filter says what is meant, nor in a book of a few memories, nor with an embedder that knows
        languages which the tokens do not.
        """
        if _is_narrow(query) or sum(lister.documents for lister in listers) < FEW:
            return False
        encoder = self.encoder(self.scope)
        return encoder is None or encoder.model.startswith(FLOOR_FOR)

    def _encoded_now(self, late: LateInteraction, read: Sequence[tuple[Fused, Reading]]) -> list[float]:
        """How near the likeliest of the memories are that have no token vectors yet, as in a book just written."""
        encoder = self.token_encoder(self.scope.owner)
        likeliest = sorted(read, key=lambda pair: -pair[0].meaning)[:ENCODED_NOW]
        if encoder is None or not likeliest:
            return []
        try:
            return max_sim(late.question, [encoder.encode(reading.memory.spoken) for _, reading in likeliest])
        except ProviderError:
            return [FLOOR]  # nothing is known against them

    def _judged(self, judge: Judge, question: Question, page: Sequence[Ranked], mix: Recipe) -> list[Ranked]:
        """The first hits in the order that the judge gives them too; unchanged where it cannot be asked."""
        candidates = [hit.candidate for hit in page[:JUDGED] if not hit.repeated]
        spoken = [f"[{hit.said_at:%Y-%m-%d}] {hit.speaker or hit.role}: {hit.text}" for hit in candidates]
        try:
            return judged(page, judge.relevance(question.text, spoken), mix)
        except ProviderError:
            return list(page)  # as an embedder that fails: `doctor` says what is wrong

    def _of_few(
        self,
        tx: Transaction,
        reader: Reader,
        query: Query,
        filter: Filter,
        question: Question,
        fused: Scores,
        order: Places,
        mix: Recipe,
        now: datetime,
    ) -> list[tuple[Ranked, StoredMemory]] | None:
        """The page, where reading a few of the candidates shows that no other can be on it; None where it does not.

        Only among notes: a turn is judged by those around it, and a conclusion by its evidence.
        """
        if len(order) < 2 * query.limit:
            return None
        scored: list[Ranked] = []
        by_doc: dict[int, StoredMemory] = {}
        reached = most(fused, question, mix)[order]
        unread = np.ones(len(order), bool)
        reach = np.flatnonzero(reached >= np.partition(reached, -query.limit)[-query.limit] - _CLOSE)
        for _ in range(_LOOKS):
            if reach[-1] >= max(POOL, 4 * query.limit):
                return None
            batch = fused.at(order[reach])
            readings = self._fitting(tx, reader, query, filter, [document.doc for document in batch])
            if len(readings) < len(batch) or not all(map(_is_note, readings.values())):
                return None
            by_doc |= {doc: reading.memory for doc, reading in readings.items()}
            read = [(document, readings[document.doc]) for document in batch]
            scored += score(question, _candidates(read, frozenset(), {}), mix, now=now)
            last = sorted([hit.score for hit in scored], reverse=True)[query.limit - 1]
            unread[reach] = False
            reach = np.flatnonzero(unread & (reached >= last))
            if not len(reach):
                break
        page = spread(scored, mix, query.limit)
        settled = not len(reach) and not any(hit.repeated for hit in page) and page[-1].score >= last
        return [(hit, by_doc[hit.candidate.fused.doc]) for hit in page] if settled else None

    def _overturned(self, tx: Transaction, memories: Sequence[StoredMemory]) -> frozenset[str]:
        """The turns all of whose conclusions have ended or were rejected since: what they say is not believed now."""
        turns = [memory.id for memory in memories if memory.row.kind == "episodic"]
        resting = tx.evidence.resting_on(turns) if turns else []
        if not resting:
            return frozenset()
        status = {row.id: row.status for row in tx.memories.get(list({row.id for row in resting}))}
        believed = {row.episode for row in resting if status.get(row.id) in CURRENT}
        over = {row.episode for row in resting if status.get(row.id) in ("stale", "rejected")}
        return frozenset(over - believed)

    def _asked(self, encoder: RotatedEncoder | None, text: str) -> Vector | None:
        if encoder is None:
            return None
        try:
            vector = encoder.question(text)
        except ProviderError:
            # An embedder that fails never blocks recall: the words carry on, and the gap shows in `stats`.
            return None
        return vector if vector.any() else None  # of a text that the embedder cannot read, everything is as far

    def _late(self, text: str, *, has_floor: bool) -> LateInteraction | None:
        encoder = self.token_encoder(self.scope.owner)
        if encoder is None:
            return None
        try:
            if not encoder.reads(text):
                return None
            rows = encoder.question(text)
        except ProviderError:
            return None  # as an embedder that fails: `doctor` says what is wrong
        return LateInteraction(encoder.model, rows, has_floor) if len(rows) else None

    def _allowed(self, tx: Transaction, query: Query, filter: Filter) -> Docs | None:
        """The documents that fit a narrow filter; None where it is cheaper to look at each hit."""
        if not _is_narrow(query) or query.known_at is not None:
            return None
        docs = tx.memories.docs(filter, limit=FILTERED)
        return None if docs is None else np.array(sorted(docs), np.uint32)

    def _read(
        self,
        tx: Transaction,
        reader: Reader,
        query: Query,
        filter: Filter,
        fused: Scores,
        order: Places,
        pool: int,
    ) -> list[tuple[Fused, Reading]]:
        """The memories behind the documents that fit the question's filters, at most ``pool`` of them."""
        pairs: list[tuple[Fused, Reading]] = []
        for start in range(0, len(order), pool):
            batch = fused.at(order[start : start + pool])
            readings = self._fitting(tx, reader, query, filter, [document.doc for document in batch])
            pairs += [(document, readings[document.doc]) for document in batch if document.doc in readings]
            if len(pairs) >= pool:
                break
        return pairs[:pool]

    def _fitting(
        self, tx: Transaction, reader: Reader, query: Query, filter: Filter, docs: Sequence[int]
    ) -> dict[int, Reading]:
        """The memories that stand (or stood) under these numbers and are of those asked for."""
        if query.known_at is None:
            at = micros(self.scope.clock.now())
            readings = self.readings.of(tx, reader, docs)
        else:
            at = micros(query.known_at)
            opened = [states.opened_version(self.scope, row)[0] for row in tx.versions.by_docs(docs, known_at=at)]
            readings = {memory.row.doc: reading(memory, self.scope.language) for memory in opened}
        return {doc: candidate for doc, candidate in readings.items() if fits(candidate.memory, query, filter, at)}

    def _hits(
        self,
        tx: Transaction,
        reader: Reader,
        query: Query,
        names: dict[str, str],
        question: Question,
        fused: Scores,
        page: Sequence[tuple[Ranked, StoredMemory]],
    ) -> list[Hit]:
        memories = reader.memories(tx, [memory for _, memory in page], names)
        if not query.explain:
            return [
                Hit(memory=memory, score=ranked.score, overturned=ranked.candidate.overturned)
                for memory, (ranked, _) in zip(memories, page, strict=True)
            ]
        quotes = reader.quotes(tx, [memory.id for memory in memories])
        places = places_of(fused.at(slice(None)))
        language, zone = self.scope.language, self.scope.zone
        return [
            Hit(
                memory=memory,
                score=ranked.score,
                overturned=ranked.candidate.overturned,
                why=why(ranked, question, places, language=language, zone=zone, evidence=quotes.get(memory.id, ())),
            )
            for memory, (ranked, _) in zip(memories, page, strict=True)
        ]

    def _newest(
        self, tx: Transaction, reader: Reader, query: Query, filter: Filter, names: dict[str, str]
    ) -> list[Hit]:
        """A question without a word in it asks for what is new, or was at ``known_at``."""
        if query.known_at is not None:
            newest = reader.known(tx, query, filter)
        else:
            now = micros(self.scope.clock.now())
            alive = replace(filter, alive_at=now)
            present = reader.stored(tx, tx.memories.find(alive, limit=query.limit, newest=True))
            newest = [memory for memory in present if fits(memory, query, filter, now)]
        unasked = Why(parts={}, lists={}) if query.explain else None
        return [Hit(memory=memory, score=0.0, why=unasked) for memory in reader.memories(tx, newest, names)]


def after(
    first: Sequence[tuple[Ranked, StoredMemory]], later: Sequence[tuple[Ranked, StoredMemory]]
) -> list[tuple[Ranked, StoredMemory]]:
    """The first hits and then the others, none with a score above what stands before it."""
    first_ids = {stored.id for _, stored in first}
    hits = list(first)
    for ranked, stored in later:
        if stored.id not in first_ids:
            hits.append((capped(ranked, hits[-1][0].score) if hits else ranked, stored))
    return hits


def _fewer(read: Sequence[tuple[Fused, Reading]], limit: int) -> list[tuple[Fused, Reading]]:
    """Of what the same person said in the same words as many as a page holds; of all, as many as are soon ranked."""
    repeats: Counter[tuple[str | None, bytes]] = Counter()
    fewer = []
    for pair in read:
        memory = pair[1].memory
        same = memory.content.speaker, memory.row.fingerprint
        repeats[same] += 1
        if repeats[same] <= limit:
            fewer.append(pair)
    return fewer[: max(MOST_RANKED, limit)]


def _is_weight(name: str, weight: object) -> bool:
    if isinstance(weight, bool) or not isinstance(weight, int | float) or not math.isfinite(weight):
        return False
    return name != "half_life" or weight > 0


def _is_narrow(query: Query) -> bool:
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


def _is_note(reading: Reading) -> bool:
    row = reading.memory.row
    return row.session is None and row.kind != "episodic" and not reading.evidence


def _candidates(
    read: Sequence[tuple[Fused, Reading]], overturned: frozenset[str], late: Mapping[int, float]
) -> list[RankCandidate]:
    """What is ranked; a conclusion knows which of the turns beside it it was drawn from."""
    docs = {reading.memory.id: fused.doc for fused, reading in read}
    return [
        _candidate(
            fused,
            reading,
            evidence=frozenset(docs[id] for id in reading.evidence if id in docs) if reading.evidence else _NOTHING,
            late=late.get(fused.doc, 0.0),
            overturned=reading.memory.id in overturned,
        )
        for fused, reading in read
    ]


def _candidate(
    fused: Fused, reading: Reading, *, evidence: frozenset[int], late: float, overturned: bool
) -> RankCandidate:
    row, content = reading.memory.row, reading.memory.content
    message = content.text, reading.signals, reading.said_at, content.speaker, row.role or "user", row.session
    return _made((fused, *message, row.importance, row.confidence, row.status, evidence, late, overturned))


_made = maker(RankCandidate)
"""For a dozen a question."""
