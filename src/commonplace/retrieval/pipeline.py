"""Recall: hard scope and filters, then three lists as a union, one fusion, small explained terms, a spread page."""

import math
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache, partial
from typing import Any

import numpy as np

from commonplace.errors import Invalid, KeyringError, ProviderError
from commonplace.memories.codec import StoredMemory
from commonplace.memories.reading import checked
from commonplace.memories.scope import Scope
from commonplace.model import Evidence, Hit, Memory, Query
from commonplace.providers.embed.tokens import TokenEncoder
from commonplace.providers.judge import Judge
from commonplace.retrieval.explain import places_of, why
from commonplace.retrieval.extract_question import cut
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.in_step import in_step
from commonplace.retrieval.late_interaction import (
    FLOOR,
    FLOOR_FOR,
    LateInteraction,
    Nearness,
    max_sim,
    nearer,
    only_by_meaning,
)
from commonplace.retrieval.matrices import Matrices
from commonplace.retrieval.memory_cache import Reading, Readings
from commonplace.retrieval.question import Question
from commonplace.retrieval.rank import RankCandidate, Ranked, capped, judged, rank, score, spread
from commonplace.retrieval.recipes import Recipe, beside_late, recipe
from commonplace.retrieval.scores import Places, Scores, fuse, most, shortlist
from commonplace.retrieval.snapshots import Snapshots
from commonplace.retrieval.source import Encoders, QuestionRow, Source, is_narrow
from commonplace.retrieval.union import BITS, Lists, union
from commonplace.store.frozen import maker
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
FOREIGN = 2.0
"""How much more cosines count in a question that late interaction, which knows English, does not read."""

_NOTHING: frozenset[int] = frozenset()
_NOT_NEAR = Nearness()


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
    expected: Callable[[], Mapping[str, str]] = dict
    """What ``shared`` will likely say."""
    shared: Callable[[Transaction], Mapping[str, str]] = lambda tx: {}
    """Names and owners of the namespaces shared with the person, which are searched together with their own."""
    members: Callable[[Mapping[str, str], Sequence[Transaction]], Sequence[Scope]] = lambda names, transactions: ()
    """The scopes in those of which the person is still a member."""

    def hits(self, query: Query) -> list[Hit]:
        """At most ``query.limit`` memories, best first. Deterministic: same book, same question, same answer."""
        query = checked(query)
        mix, embedded = self._recipe(query.recipe), QuestionRow()
        encoder = self.encoder(self.scope, None) if self.ahead else None
        if encoder is not None:
            embedded.make(encoder, cut(query.text))
        try:
            return self._searched(query, mix, embedded)
        except KeyringError:  # a key was destroyed meanwhile: a member left, or the keys were rotated
            return self._searched(query, mix, embedded)

    def _searched(self, query: Query, mix: Recipe, embedded: QuestionRow) -> list[Hit]:
        """All books at one moment, on one connection."""
        store, own = self.scope.store, self.scope.owner
        expected = {} if query.namespaces else self.expected()
        with store.read_together([own, *expected.values()]) as (tx, *_):
            names = {} if query.namespaces else self.shared(tx)
            with store.read_together([own, *names.values()]) as transactions:
                return self._answer(self._sources(query, names, transactions, embedded), query, mix)

    def _sources(
        self, query: Query, names: Mapping[str, str], transactions: Sequence[Transaction], embedded: QuestionRow
    ) -> list[Source]:
        """The person's own book, and those of the shared namespaces."""
        by_owner = {transaction.owner: transaction for transaction in transactions}
        scopes = [self.scope, *(self.members(names, transactions) if names else ())]
        caches = self.matrices, self.readings, self.snapshots
        sources = [
            Source(scope, by_owner[scope.owner], query, place, *caches, self.encoder, embedded)
            for place, scope in enumerate(scopes)
        ]
        Source.read_question(sources)
        return sources

    def _answer(self, sources: Sequence[Source], query: Query, mix: Recipe) -> list[Hit]:
        """Every source says what its lists hold; what is read of it, and in which order, is decided for all at once."""
        mix, late = self._suited(mix, sources[0])
        if not sources[0].question.terms:
            newest = [hit for source in sources for hit in source.newest()]
            return newest if len(sources) == 1 else sorted(newest, key=_id, reverse=True)[: query.limit]
        fused, page = self._ranked(sources, query, mix, late)
        return self._hits(sources, query, fused, page)

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

    def _suited(self, mix: Recipe, own: Source) -> tuple[Recipe, LateInteraction | None]:
        """The recipe for the embedder and the question's language, and late interaction where that reads it."""
        encoder, question = own.encoder, own.question
        if encoder is not None and "meaning" not in self.weights:
            share = max(encoder.weight, FOREIGN if question.spoken else 0.0)
            mix = mix if share == 1 else replace(mix, meaning=mix.meaning * share)
        reads = mix.late and bool(question.terms) and not question.spoken
        return mix, self._late(question.text) if reads else None

    def _ranked(
        self, sources: Sequence[Source], query: Query, mix: Recipe, late: LateInteraction | None
    ) -> tuple[Scores, list[tuple[Ranked, StoredMemory]]]:
        """The first hits from a pool of one size; where more are asked for, others from a wider pool after them.

        What the lists say comes best first where it is to be explained.
        """
        lists = cache(partial(_lists, sources, mix))
        look = partial(self._widened, sources, query, mix, late, lists)
        fused, first = look(FIRST)
        if len(first) >= query.limit or query.limit <= FIRST:
            return fused, first
        fused, later = look(query.limit)
        return fused, after(first, later)[: query.limit]

    def _widened(
        self,
        sources: Sequence[Source],
        query: Query,
        mix: Recipe,
        late: LateInteraction | None,
        lists_of: Callable[[int], Lists],
        count: int,
    ) -> tuple[Scores, list[tuple[Ranked, StoredMemory]]]:
        """Widen the lists until ``count`` different things are found or there is nothing more to look at."""
        listed = _listed(count, late)
        pool = wide = max(LATE_POOL if late else POOL, 4 * count)
        while True:
            lists = lists_of(listed)
            question = sources[0].question
            fused = fuse(lists.scores, lists.possible)
            order = shortlist(fused, mix)
            if not (lists.turns or question.wants or self.weights or query.known_at or late or mix.judged):
                notes_page = self._of_few(sources, query, question, fused, order, mix)
                if notes_page is not None:
                    return (fused.taken(order) if query.explain else fused), notes_page
            read = _read(sources, fused, order, pool, late)
            rankable = read if len(read) <= wide else _fewer(read, query.limit)
            page = self._page(sources, query, question, rankable, mix, late)
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
        sources: Sequence[Source],
        query: Query,
        question: Question,
        read: Sequence[tuple[Fused, Reading]],
        mix: Recipe,
        late: LateInteraction | None,
    ) -> list[tuple[Ranked, StoredMemory]]:
        overturned = {id for source in sources for id in source.overturned}
        nearness = {doc: score for source in sources for doc, score in source.near.items()}
        near = {fused.doc: nearness[fused.doc] for fused, _ in read if fused.doc in nearness}
        if late and self._has_floor(query, sources) and only_by_meaning([fused for fused, _ in read]):
            unwritten = self._encoded_now(late, [pair for pair in read if pair[0].doc not in near])
            if max([*near.values(), *unwritten], default=Nearness()).mean < FLOOR:
                return []
        judge = self.judge() if mix.judged else None
        limit = max(query.limit, JUDGED) if judge else query.limit
        weights = beside_late(mix) if near else mix
        candidates = _candidates(read, overturned, nearer(near))
        ranked = rank(question, candidates, weights, now=sources[0].scope.here(), limit=limit)
        if judge is not None:
            ranked = self._judged(judge, question, ranked, mix)[: query.limit]
        by_doc = {fused.doc: reading.memory for fused, reading in read}
        return [(hit, by_doc[hit.candidate.fused.doc]) for hit in ranked]

    def _has_floor(self, query: Query, sources: Sequence[Source]) -> bool:
        """Not where a filter says what is meant, nor in a book of a few memories, nor with an embedder that knows
        languages which the tokens do not.
        """
        if is_narrow(query) or sum(source.documents for source in sources) < FEW:
            return False
        encoder = sources[0].encoder
        return encoder is None or encoder.model.startswith(FLOOR_FOR)

    def _encoded_now(self, late: LateInteraction, read: Sequence[tuple[Fused, Reading]]) -> list[Nearness]:
        """How near the likeliest of the memories are that have no token vectors yet, as in a book just written."""
        encoder = self.token_encoder(self.scope.owner)
        likeliest = sorted(read, key=lambda pair: -pair[0].meaning)[:ENCODED_NOW]
        if encoder is None or not likeliest:
            return []
        try:
            return max_sim(late.question, [encoder.encode(reading.memory.spoken) for _, reading in likeliest])
        except ProviderError:
            return [Nearness(FLOOR)]  # nothing is known against them

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
        sources: Sequence[Source],
        query: Query,
        question: Question,
        fused: Scores,
        order: Places,
        mix: Recipe,
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
            readings = _fitting(sources, batch, None)
            if len(readings) < len(batch) or not all(map(_is_note, readings.values())):
                return None
            by_doc |= {doc: reading.memory for doc, reading in readings.items()}
            read = [(document, readings[document.doc]) for document in batch]
            scored += score(question, _candidates(read, frozenset(), {}), mix, now=sources[0].scope.here())
            last = sorted([hit.score for hit in scored], reverse=True)[query.limit - 1]
            unread[reach] = False
            reach = np.flatnonzero(unread & (reached >= last))
            if not len(reach):
                break
        page = spread(scored, mix, query.limit)
        settled = not len(reach) and not any(hit.repeated for hit in page) and page[-1].score >= last
        return [(hit, by_doc[hit.candidate.fused.doc]) for hit in page] if settled else None

    def _late(self, text: str) -> LateInteraction | None:
        encoder = self.token_encoder(self.scope.owner)
        if encoder is None:
            return None
        try:
            rows = encoder.question(text)
        except ProviderError:
            return None  # as an embedder that fails: `doctor` says what is wrong
        return LateInteraction(encoder.model, rows) if len(rows) else None

    def _hits(
        self,
        sources: Sequence[Source],
        query: Query,
        fused: Scores,
        page: Sequence[tuple[Ranked, StoredMemory]],
    ) -> list[Hit]:
        memories: dict[str, Memory] = {}
        quotes: dict[str, tuple[Evidence, ...]] = {}
        for source in sources:
            of_source = [stored for ranked, stored in page if ranked.candidate.fused.doc >> BITS == source.place]
            shown, evidence = source.memories(of_source)
            memories |= {memory.id: memory for memory in shown}
            quotes |= evidence
        hits = [
            Hit(memory=memories[stored.id], score=ranked.score, overturned=ranked.candidate.overturned)
            for ranked, stored in page
        ]
        if not query.explain:
            return hits
        question, places, scope = sources[0].question, places_of(fused.at(slice(None))), sources[0].scope
        return [
            replace(
                hit,
                why=why(
                    ranked,
                    question,
                    places,
                    language=scope.language,
                    zone=scope.zone,
                    evidence=quotes.get(hit.memory.id, ()),
                ),
            )
            for hit, (ranked, _) in zip(hits, page, strict=True)
        ]


def _listed(count: int, late: LateInteraction | None) -> int:
    """How many documents are taken from each list at first."""
    return max(LISTED, LATE_POOL if late else POOL, 4 * count)


def _lists(sources: Sequence[Source], mix: Recipe, count: int) -> Lists:
    """The ``count`` best of each list of each namespace."""
    return union(
        [listing for listings in in_step([source.listings(mix, count) for source in sources]) for listing in listings]
    )


def _read(
    sources: Sequence[Source], fused: Scores, order: Places, pool: int, late: LateInteraction | None
) -> list[tuple[Fused, Reading]]:
    """The memories behind the documents that fit the question's filters, at most ``pool`` of them."""
    pairs: list[tuple[Fused, Reading]] = []
    for start in range(0, len(order), pool):
        batch = fused.at(order[start : start + pool])
        readings = _fitting(sources, batch, late)
        pairs += [(document, readings[document.doc]) for document in batch if document.doc in readings]
        if len(pairs) >= pool:
            break
    return pairs[:pool]


def _fitting(sources: Sequence[Source], batch: Sequence[Fused], late: LateInteraction | None) -> dict[int, Reading]:
    docs = [document.doc for document in batch]
    fitting = in_step([source.fitting(docs, late) for source in sources])
    return {doc: reading for readings in fitting for doc, reading in readings.items()}


def _id(hit: Hit) -> str:
    return hit.memory.id


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


def _is_note(reading: Reading) -> bool:
    row = reading.memory.row
    return row.session is None and row.kind != "episodic" and not reading.evidence


def _candidates(
    read: Sequence[tuple[Fused, Reading]], overturned: Collection[str], late: Mapping[int, Nearness]
) -> list[RankCandidate]:
    """What is ranked; a conclusion knows which of the turns beside it it was drawn from."""
    docs = {reading.memory.id: fused.doc for fused, reading in read}
    return [
        _candidate(
            fused,
            reading,
            evidence=frozenset(docs[id] for id in reading.evidence if id in docs) if reading.evidence else _NOTHING,
            late=late.get(fused.doc, _NOT_NEAR),
            overturned=reading.memory.id in overturned,
        )
        for fused, reading in read
    ]


def _candidate(
    fused: Fused, reading: Reading, *, evidence: frozenset[int], late: Nearness, overturned: bool
) -> RankCandidate:
    row, content = reading.memory.row, reading.memory.content
    message = content.text, reading.signals, reading.said_at, content.speaker, row.role or "user", row.session
    return _made((fused, *message, row.importance, row.confidence, row.status, evidence, *late, overturned))


_made = maker(RankCandidate)
"""For a dozen a question."""
