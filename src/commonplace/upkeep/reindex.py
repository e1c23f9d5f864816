"""Keeps words and vectors consistent with the texts: adds missing ones, and rebuilds all of them online."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from commonplace.batches.opened_book import OpenedBook
from commonplace.batches.report import Report
from commonplace.clock import micros
from commonplace.memories import codec as states
from commonplace.memories import indexing, jobs
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Encoder, Scope
from commonplace.store.ports import Progress
from commonplace.store.rows import TraceRow
from commonplace.store.transaction import Transaction
from commonplace.upkeep.passages import encode_all
from commonplace.upkeep.reindex_words import Chunk

EMBEDDED = 256
"""Texts per transaction for embedding."""
REWORDED = 50_000
"""Versions compared with the index in one pass; some ten megabytes of postings."""
READ = 1_000
"""Versions read at once."""
AWAITED = 10_000
"""Texts without a vector per look-up; each look-up skips all that have one."""
PACKED = 200_000
LOOSE = 20_000
"""Fresh postings from which on a job packs them."""
TRACE = "reindex"


def embed(book: OpenedBook, scope: Scope, namespace: str, *, progress: Progress | None = None) -> int:
    """Compute vectors of the present model for texts of a namespace (by id) without one; returns how many.

    Nothing is locked meanwhile. Raises ``ProviderError``; finished vectors stay.
    """
    encoder = book.encoder(scope.current_vault())
    count, last = 0, None
    while encoder is not None:
        with scope.store.read(scope.owner) as tx:
            docs = tx.vectors.missing(namespace, encoder.model, limit=AWAITED)
        if not docs or docs == last:
            break
        for start in range(0, len(docs), EMBEDDED):
            with scope.store.read(scope.owner) as tx:
                memories = [states.opened(scope, row) for row in tx.memories.by_docs(docs[start : start + EMBEDDED])]
            count += _embedded(scope, encoder, namespace, memories) if memories else 0
            if progress is not None:
                progress(count, None)
        last = docs
    return count


def await_vectors(book: OpenedBook, scope: Scope, namespace: str) -> None:
    """Queue a job if texts have no vector of the present model: embedding failed, or the model has changed."""
    encoder = book.encoder(scope.current_vault())
    with scope.store.read(scope.owner) as tx:
        waiting = encoder is not None and tx.vectors.missing(namespace, encoder.model, limit=1)
    if waiting:
        with scope.store.write(scope.owner) as tx:
            jobs.enqueue(scope, tx, "embed", {"namespace": namespace}, unique=f"embed/{namespace}")


def _embedded(scope: Scope, encoder: Encoder, namespace: str, memories: Sequence[StoredMemory]) -> int:
    vector_rows = indexing.vectors(encoder, memories)
    with scope.store.write(scope.owner) as tx:
        ids_by_doc = {row.doc: row.id for row in tx.memories.by_docs([memory.row.doc for memory in memories])}
        ids_by_doc |= {
            row.doc: row.id
            for memory in memories
            for row in tx.versions.of(states.NOUN, memory.id)
            if row.doc is not None and row.doc == memory.row.doc
        }
        rows = [row for row in vector_rows if row.doc in ids_by_doc]
        if rows:
            tx.vectors.put(namespace, encoder.model, rows)
            fed = [("vector", ids_by_doc[doc], "put", doc, namespace) for doc in dict.fromkeys(row.doc for row in rows)]
            tx.changes.record(fed, at=micros(scope.clock.now()))
    return len({row.doc for row in rows})


def pack(scope: Scope, namespace: str, *, least: int = 0) -> int:
    """Pack fresh postings, and add pending rows to the engine's vector index; returns how many moved."""
    with scope.store.read(scope.owner) as tx:
        models = [model for place, model, _ in tx.vectors.counts() if place == namespace]

    def words(tx: Transaction) -> int:
        return tx.words.pack(namespace, limit=PACKED) if tx.words.fresh(namespace) > least else 0

    moved = _until_done(scope, words)
    for model in models:
        moved += _until_done(scope, lambda tx, model=model: tx.vectors.index(namespace, model, limit=EMBEDDED * 8))  # type: ignore[misc]
    return moved


def _until_done(scope: Scope, step: Callable[[Transaction], int]) -> int:
    """Repeat ``step``, each time in its own transaction, until it returns 0; returns the total."""
    moved, last = 0, -1
    while last:
        with scope.store.write(scope.owner) as tx:
            last = step(tx)
        moved += last
    return moved


@dataclass(frozen=True, slots=True)
class ReindexProgress:
    """The progress of a reindex, stored in the book, so that an interrupted one continues."""

    id: str = ""
    version: int = 0
    end: int = 0
    """Documents from this number on were written after it was started or continued."""
    done: int = 0
    settings: str = ""
    """The language and time zone it was started with."""


def reindex(book: OpenedBook, scope: Scope, *, keep: str | None = None, progress: Progress | None = None) -> Report:
    """Rebuild every word and vector of the owner with the present tokenizer, language and embedder.

    Recall uses the existing ones meanwhile. After an interruption the next call continues. Vectors of other models are
    deleted once every text has one of the present model, except those of the model ``keep``.
    """
    with scope.store.read(scope.owner) as tx:
        scope = scope.with_owner_settings(tx.owners.get())
    place = _start(scope)
    with scope.store.read(scope.owner) as tx:
        total = tx.tables.count("version")
    while True:
        further = _reword(scope, place, lambda count: None if progress is None else progress(count, total))
        if further == place:
            break
        place = further
        with scope.store.write(scope.owner) as tx:
            _keep(scope, tx, place)
    with scope.store.read(scope.owner) as tx:
        places = [row.id for row in tx.namespaces.all()]
    for namespace in places:
        pack(scope, namespace)
    vectors = _vectors(book, scope, places, keep, progress)
    passages = encode_all(book, scope, places, progress)
    _count_again(scope)
    with scope.store.write(scope.owner) as tx:
        tx.traces.delete(ids=[_name(scope)])
    counts = {"versions": place.done, "vectors": vectors, "passages": passages}
    return Report(action="REINDEX", at=scope.clock.now(), count=place.done, counts=counts)


def _reword(scope: Scope, place: ReindexProgress, report_count: Callable[[int], None]) -> ReindexProgress:
    """Compare the words of the next ``REWORDED`` versions with the index; returns the progress.

    If interrupted, the same versions are compared again; nothing is written twice.
    """
    scope.current_vault()
    while True:
        with scope.store.read(scope.owner) as tx:
            chunk = Chunk(scope, tx.changes.last())
        further, last = place, place.done + REWORDED
        while further.done < last:
            with scope.store.read(scope.owner) as tx:
                after, limit = (further.id, further.version), min(READ, last - further.done)
                page = tx.versions.page(states.NOUN, after=after, limit=limit)
                fitting = [row for row in page if row.doc is not None and row.doc < place.end]
                chunk.add(states.opened_version(scope, row)[0] for row in fitting)
            if not page:
                break
            further = replace(further, id=page[-1].id, version=page[-1].version, done=further.done + len(page))
            report_count(further.done)
        if chunk.write():
            return further


def _count_again(scope: Scope) -> None:
    """Correct the statistics of each namespace by the difference to the texts, counted in one snapshot."""
    counts: dict[str, list[int]] = {}
    with scope.store.read(scope.owner) as tx:
        for memory in texts(scope, tx):
            totals = counts.setdefault(memory.row.namespace, [0, 0])
            totals[0] += 1
            totals[1] += indexing.entries_of(memory, language=scope.language, zone=scope.zone).length
        lacking = {
            row.id: (counts.get(row.id, [0, 0])[0] - row.documents, counts.get(row.id, [0, 0])[1] - row.length)
            for row in tx.namespaces.all()
        }
    with scope.store.write(scope.owner) as tx:
        for id, (documents, length) in lacking.items():
            if documents or length:
                tx.namespaces.count(id, documents=documents, length=length)


def texts(scope: Scope, tx: Transaction, *, every: int = 1) -> Iterator[StoredMemory]:
    """Every text (or a sample) in the index, once per document number, in bounded memory."""
    last_row, number = ("", -1), 0
    for row in tx.versions.walk(states.NOUN):
        if row.doc is not None and (row.id, row.doc) != last_row:
            last_row, number = (row.id, row.doc), number + 1
            if number % every == 0:
                yield states.opened_version(scope, row)[0]


def _vectors(book: OpenedBook, scope: Scope, places: Sequence[str], keep: str | None, progress: Progress | None) -> int:
    encoder = book.encoder(scope.current_vault())
    if encoder is None:
        return 0
    count = 0
    for namespace in places:
        count += embed(book, scope, namespace, progress=progress)
    count += _old_vectors(scope, encoder)
    with scope.store.write(scope.owner) as tx:
        for namespace, model, _ in tx.vectors.counts():
            if model not in (encoder.model, keep) and not tx.vectors.missing(namespace, encoder.model, limit=1):
                tx.vectors.drop_model(namespace, model)
    return count


def _old_vectors(scope: Scope, encoder: Encoder) -> int:
    """Vectors of earlier texts, for searches in the past."""
    count, after = 0, ("", 0)
    while True:
        with scope.store.read(scope.owner) as tx:
            page = tx.versions.page(states.NOUN, after=after, limit=EMBEDDED)
            # Each text once: versions with the same text share its number.
            versions = {row.doc: row for row in reversed(page) if row.doc is not None}
            memories = [states.opened_version(scope, row)[0] for row in reversed(versions.values())]
            waiting = [memory for memory in memories if not _has(tx, encoder, memory)]
        for namespace in dict.fromkeys(memory.row.namespace for memory in waiting):
            count += _embedded(
                scope, encoder, namespace, [memory for memory in waiting if memory.row.namespace == namespace]
            )
        if len(page) < EMBEDDED:
            return count
        after = (page[-1].id, page[-1].version)


def _has(tx: Transaction, encoder: Encoder, memory: StoredMemory) -> bool:
    return any(True for _ in tx.vectors.load(memory.row.namespace, encoder.model, docs=[memory.row.doc]))


def _name(scope: Scope) -> str:
    return f"{TRACE}/{scope.owner}"


def _start(scope: Scope) -> ReindexProgress:
    with scope.store.write(scope.owner) as tx:
        row = tx.traces.get(_name(scope))
        stored = ReindexProgress() if row is None else ReindexProgress(**scope.opened(row))
        settings = f"{scope.language} {scope.timezone}"
        if stored.settings != settings:
            stored = ReindexProgress(settings=settings)
        place = replace(stored, end=tx.owners.get().next_doc)
        _keep(scope, tx, place)
        return place


def _keep(scope: Scope, tx: Transaction, place: ReindexProgress) -> None:
    id = _name(scope)
    sealed = scope.current_vault().seal_json("trace", id, asdict(place))
    tx.traces.put(TraceRow(id=id, kind=TRACE, at=micros(scope.clock.now()), sealed=sealed))
