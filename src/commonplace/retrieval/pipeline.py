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
from commonplace.memories import states
from commonplace.memories.reading import Reader, checked, fits
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.model import CURRENT, PERSONAL, Hit, Query, Why
from commonplace.retrieval.cut import cut
from commonplace.retrieval.encoder import RotatedEncoder
from commonplace.retrieval.explain import places_of, why
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.lists import Lister, Lists
from commonplace.retrieval.matrices import Matrices
from commonplace.retrieval.question import Question, ask
from commonplace.retrieval.rank import Candidate, Ranked, rank, score, spread
from commonplace.retrieval.readings import Reading, Readings, reading
from commonplace.retrieval.recipes import Recipe, recipe
from commonplace.retrieval.scores import Docs, Places, Scores, fuse, most, shortlist
from commonplace.retrieval.snapshots import Place, Snapshot, Snapshots
from commonplace.store.frozen import maker
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter

LISTED = 64
"""Documents taken from each list before anybody has read them; more where a filter leaves too few."""
POOL = 64
"""Documents read and ranked; on conversations, 96 found hardly more."""
MOST_LISTED, MOST_READ, MOST_RANKED = 20_000, 3_000, 700
"""Where doubles or a filter leave a page short: documents listed, read and ranked at most."""
_LOOKS, _CLOSE = 3, 0.035
"""How often a few more candidates are opened before all of them are; how far below its bound a note mostly scores."""
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
    snapshots: Snapshots = field(default_factory=Snapshots)
    ahead: bool = False
    """Embed a question before the book is read: nobody waits for an endpoint with a transaction open."""

    def hits(self, query: Query) -> list[Hit]:
        """At most ``query.limit`` memories, best first. Deterministic: same book, same question, same answer."""
        query = checked(query)
        mix = self._recipe(query.recipe)
        asked = self._asked(self.encoder(self.scope), cut(query.text)) if self.ahead else None
        with self.scope.store.read(self.scope.owner) as tx:
            scope = self.scope.as_set(tx.owners.get())
            return (self if scope is self.scope else replace(self, scope=scope))._answer(tx, query, mix, asked)

    def _answer(self, tx: Transaction, query: Query, mix: Recipe, asked: Vector | None) -> list[Hit]:
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
        fused, found = self._ranked(tx, reader, query, filter, listers, question, mix, now, asked)
        return self._hits(tx, reader, query, names, question, fused, found)

    def _recipe(self, name: str) -> Recipe:
        mix = recipe(name)
        if not self.weights:
            return mix
        known = {one.name for one in fields(Recipe) if one.type in (float, "float")}
        if unknown := set(self.weights) - known:
            raise Invalid(f"`weights` names {', '.join(sorted(unknown))}; recall has {', '.join(sorted(known))}")
        if wrong := [name for name, one in self.weights.items() if not _is_weight(name, one)]:
            raise Invalid(f"`weights` has no usable number for {', '.join(wrong)}; `half_life` is above 0")
        return replace(mix, **dict[str, Any](self.weights))

    def _places(self, tx: Transaction, snapshot: Snapshot, wanted: Sequence[str]) -> dict[str, Place]:
        """The namespaces asked for, as far as the scope reaches; by default its own and `personal`."""
        found = (snapshot.place(tx, self.scope, name) for name in wanted or (self.scope.namespace, PERSONAL))
        return {place.id: place for place in found if place is not None and self.scope.reaches(place.id)}

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
        asked: Vector | None,
    ) -> tuple[Scores, list[tuple[Ranked, Held]]]:
        """Widen the lists until the page is full of different things or there is nothing more to look at.

        What the lists say comes best first where it is to be explained.
        """
        encoder = self.encoder(self.scope)
        if not self.ahead:
            asked = self._asked(encoder, question.text)
        allowed = self._allowed(tx, query, filter)
        listed = max(LISTED, 4 * query.limit)
        pool = wide = max(POOL, 4 * query.limit)
        while True:
            lists = Lists.none()
            for lister in listers:
                lists = lists.joined(lister.lists(question, encoder, asked, mix, listed, allowed))
            fused = fuse(lists.scores, lists.possible)
            order = shortlist(fused, mix)
            if not (lists.turns or question.wants or self.weights or query.known_at):
                few = self._of_few(tx, reader, query, filter, question, fused, order, mix, now)
                if few is not None:
                    return (fused.taken(order) if query.explain else fused), few
            read = self._read(tx, reader, query, filter, fused, order, pool)
            some = read if len(read) <= wide else _fewer(read, query.limit)
            found = self._page(tx, query, question, some, mix, now)
            doubled = any(ranked.again for ranked, _ in found)
            if not doubled and len(read) >= min(query.limit * 2, pool):
                break
            seen = lists.exhausted and not (doubled and pool < len(order))
            if seen or listed >= MOST_LISTED or pool >= MOST_READ:
                break
            listed, pool = 4 * listed, 4 * pool if doubled else pool
        return (fused.taken(order) if query.explain else fused), found

    def _page(
        self,
        tx: Transaction,
        query: Query,
        question: Question,
        read: Sequence[tuple[Fused, Reading]],
        mix: Recipe,
        now: datetime,
    ) -> list[tuple[Ranked, Held]]:
        current = query.as_of is None and query.known_at is None
        overturned = self._overturned(tx, [reading.held for _, reading in read]) if current else frozenset()
        ranked = rank(question, _candidates(read, overturned), mix, now=now, limit=query.limit)
        by_doc = {one.doc: reading.held for one, reading in read}
        return [(one, by_doc[one.candidate.fused.doc]) for one in ranked]

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
    ) -> list[tuple[Ranked, Held]] | None:
        """The page, where reading a few of the candidates shows that no other can be on it; None where it does not.

        Only among notes: a turn is judged by those around it, and a conclusion by its evidence.
        """
        if len(order) < 2 * query.limit:
            return None
        scored: list[Ranked] = []
        helds: dict[int, Held] = {}
        reached = most(fused, question, mix)[order]
        unread = np.ones(len(order), bool)
        reach = np.flatnonzero(reached >= np.partition(reached, -query.limit)[-query.limit] - _CLOSE)
        for _ in range(_LOOKS):
            if reach[-1] >= max(POOL, 4 * query.limit):
                return None
            some = fused.at(order[reach])
            readings = self._fitting(tx, reader, query, filter, [one.doc for one in some])
            if len(readings) < len(some) or not all(map(_is_note, readings.values())):
                return None
            helds |= {doc: reading.held for doc, reading in readings.items()}
            read = [(one, readings[one.doc]) for one in some]
            scored += score(question, _candidates(read, frozenset()), mix, now=now)
            last = sorted([one.score for one in scored], reverse=True)[query.limit - 1]
            unread[reach] = False
            reach = np.flatnonzero(unread & (reached >= last))
            if not len(reach):
                break
        page = spread(scored, mix, query.limit)
        settled = not len(reach) and not any(one.again for one in page) and page[-1].score >= last
        return [(one, helds[one.candidate.fused.doc]) for one in page] if settled else None

    def _overturned(self, tx: Transaction, helds: Sequence[Held]) -> frozenset[str]:
        """The turns all of whose conclusions have ended or were rejected since: what they say is not believed now."""
        turns = [held.id for held in helds if held.row.kind == "episodic"]
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
            asked = encoder.question(text)
        except ProviderError:
            # An embedder that fails never blocks recall: the words carry on, and the gap shows in `stats`.
            return None
        return asked if asked.any() else None  # of a text that the embedder cannot read, everything is as far

    def _allowed(self, tx: Transaction, query: Query, filter: Filter) -> Docs | None:
        """The documents that fit a narrow filter; None where it is cheaper to look at each hit."""
        narrow = any(
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
        if not narrow or query.known_at is not None:
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
        found: list[tuple[Fused, Reading]] = []
        for start in range(0, len(order), pool):
            some = fused.at(order[start : start + pool])
            readings = self._fitting(tx, reader, query, filter, [one.doc for one in some])
            found += [(one, readings[one.doc]) for one in some if one.doc in readings]
            if len(found) >= pool:
                break
        return found[:pool]

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
            readings = {held.row.doc: reading(held, self.scope.language) for held in opened}
        return {doc: one for doc, one in readings.items() if fits(one.held, query, filter, at)}

    def _hits(
        self,
        tx: Transaction,
        reader: Reader,
        query: Query,
        names: dict[str, str],
        question: Question,
        fused: Scores,
        found: Sequence[tuple[Ranked, Held]],
    ) -> list[Hit]:
        memories = reader.memories(tx, [held for _, held in found], names)
        if not query.explain:
            return [
                Hit(memory=one, score=ranked.score, overturned=ranked.candidate.overturned)
                for one, (ranked, _) in zip(memories, found, strict=True)
            ]
        quotes = reader.quotes(tx, [one.id for one in memories])
        places = places_of(fused.at(slice(None)))
        language, zone = self.scope.language, self.scope.zone
        return [
            Hit(
                memory=one,
                score=ranked.score,
                overturned=ranked.candidate.overturned,
                why=why(ranked, question, places, language=language, zone=zone, evidence=quotes.get(one.id, ())),
            )
            for one, (ranked, _) in zip(memories, found, strict=True)
        ]

    def _newest(
        self, tx: Transaction, reader: Reader, query: Query, filter: Filter, names: dict[str, str]
    ) -> list[Hit]:
        """A question without a word in it asks for what is new, or was at ``known_at``."""
        if query.known_at is not None:
            helds = reader.known(tx, query, filter)
        else:
            now = micros(self.scope.clock.now())
            alive = replace(filter, alive_at=now)
            present = reader.held(tx, tx.memories.find(alive, limit=query.limit, newest=True))
            helds = [held for held in present if fits(held, query, filter, now)]
        unasked = Why(parts={}, lists={}) if query.explain else None
        return [Hit(memory=one, score=0.0, why=unasked) for one in reader.memories(tx, helds, names)]


def _fewer(read: Sequence[tuple[Fused, Reading]], limit: int) -> list[tuple[Fused, Reading]]:
    """Of what the same person said in the same words as many as a page holds; of all, as many as are soon ranked."""
    seen: Counter[tuple[str | None, bytes]] = Counter()
    kept = []
    for both in read:
        held = both[1].held
        same = held.content.speaker, held.row.fingerprint
        seen[same] += 1
        if seen[same] <= limit:
            kept.append(both)
    return kept[: max(MOST_RANKED, limit)]


def _is_weight(name: str, one: object) -> bool:
    if isinstance(one, bool) or not isinstance(one, int | float) or not math.isfinite(one):
        return False
    return name != "half_life" or one > 0


def _is_note(reading: Reading) -> bool:
    row = reading.held.row
    return row.session is None and row.kind != "episodic" and not reading.evidence


def _candidates(read: Sequence[tuple[Fused, Reading]], overturned: frozenset[str]) -> list[Candidate]:
    """What is ranked; a conclusion knows which of the turns beside it it was drawn from."""
    docs = {reading.held.id: one.doc for one, reading in read}
    return [
        _candidate(
            one,
            reading,
            evidence=frozenset(docs[id] for id in reading.evidence if id in docs) if reading.evidence else _NOTHING,
            overturned=reading.held.id in overturned,
        )
        for one, reading in read
    ]


def _candidate(one: Fused, reading: Reading, *, evidence: frozenset[int], overturned: bool) -> Candidate:
    row, content = reading.held.row, reading.held.content
    said = content.text, reading.signals, reading.said_at, content.speaker, row.role or "user", row.session
    return _made((one, *said, row.importance, row.confidence, row.status, evidence, overturned))


_made = maker(Candidate)
"""For a dozen a question."""
