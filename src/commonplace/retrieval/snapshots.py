"""What recall last read of a book's index, kept decoded in this process for as long as nothing is written.

Every write changes the owner's revision, in the same transaction: what was read at one revision is the book at it.
"""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from commonplace.memories.scope import Scope
from commonplace.retrieval.bm25 import Statistics
from commonplace.retrieval.in_step import Steps
from commonplace.retrieval.lexical import Postings, unpack
from commonplace.retrieval.process import Forkable
from commonplace.store.transaction import Transaction

MOST_BYTES = 64 << 20
"""Of postings, in one process: nearly all there are among a million short notes."""
MOST_TERMS = 20_000
A_BOOK, A_TERM = 1_000, 600
"""What a book and a term of it take beside the postings, about."""


@dataclass(frozen=True, slots=True)
class Place:
    """A namespace as recall needs it: who speaks in it, and the statistics of its words."""

    id: str
    name: str
    speakers: tuple[str, ...]
    statistics: Statistics


class Snapshot:
    """One owner's book at one revision, as far as it was read."""

    def __init__(self, revision: int | None, grown: Callable[["Snapshot"], None] | None = None) -> None:
        """``grown`` is told when more is held than before."""
        self.revision, self._grown = revision, grown
        self.nbytes = A_BOOK
        self._places: dict[str, Place | None] = {}
        self._postings: dict[tuple[str, int], Postings] = {}

    def place(self, tx: Transaction, scope: Scope, name: str) -> Place | None:
        """The namespace of that name; None where there is none."""
        if name not in self._places:
            row = tx.namespaces.by_label(scope.vault.label("namespace", name))
            if row is None:
                self._places[name] = None
            else:
                speakers = scope.open_json("namespace", row.id, row.sealed).get("speakers", ())
                self._places[name] = Place(row.id, name, tuple(speakers), Statistics(row.documents, row.length))
        return self._places[name]

    def postings(self, tx: Transaction, namespace: str, terms: Sequence[int]) -> Steps[list[Postings]]:
        """Those of each term; none for a term that the namespace does not have."""
        by_term = {term: self._postings.get((namespace, term)) for term in terms}
        missing = [term for term, postings in by_term.items() if postings is None]
        if missing:
            fetched = tx.soon(partial(tx.words.fetch, namespace, missing))
            yield
            packed = fetched()
            for term in missing:
                by_term[term] = self._kept(namespace, term, unpack(packed.get(term, b"")))
            if self._grown:
                self._grown(self)
        return [postings for term in terms if (postings := by_term[term]) is not None]

    def _kept(self, namespace: str, term: int, postings: Postings) -> Postings:
        nbytes = postings.nbytes + A_TERM
        if self.nbytes + nbytes > MOST_BYTES or len(self._postings) >= MOST_TERMS:
            self._postings, self.nbytes = {}, A_BOOK
        self._postings[namespace, term] = postings
        self.nbytes += nbytes
        return postings


class Snapshots(Forkable):
    """The snapshots of a process, the latest of each owner. A forked child starts with none."""

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._kept: dict[str, Snapshot] = {}
        self._counted: dict[str, int] = {}
        """The bytes of each as last told, and all of them together."""
        self._held = 0

    def of(self, tx: Transaction) -> Snapshot:
        """The book as the transaction sees it."""
        revision = tx.revision
        if revision is None:
            return Snapshot(None)
        cached = self._kept.get(tx.owner)
        if cached is not None and cached.revision == revision:
            return cached
        snapshot = Snapshot(revision, partial(self._count, tx.owner))
        with self._lock:
            self._let_go(tx.owner)
            self._kept[tx.owner] = snapshot
        self._count(tx.owner, snapshot)
        return snapshot

    def revision(self, owner: str) -> int | None:
        """The revision at which an owner's book was last read here."""
        snapshot = self._kept.get(owner)
        return None if snapshot is None else snapshot.revision

    def drop(self, owner: str) -> None:
        """Let go of everything of an owner."""
        with self._lock:
            self._let_go(owner)

    def _count(self, owner: str, snapshot: Snapshot) -> None:
        """Where all together hold too much, those made first go first."""
        with self._lock:
            if self._kept.get(owner) is not snapshot:
                return
            self._held += snapshot.nbytes - self._counted.get(owner, 0)
            self._counted[owner] = snapshot.nbytes
            while self._held > MOST_BYTES and len(self._kept) > 1:
                self._let_go(next(iter(self._kept)))

    def _let_go(self, owner: str) -> None:
        self._kept.pop(owner, None)
        self._held -= self._counted.pop(owner, 0)
