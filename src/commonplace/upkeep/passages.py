"""Computes token vectors for late interaction, soon after a text was written but never inside the write."""

import atexit
import threading
import time
from collections.abc import Callable, Sequence

from commonplace.batches.opened_book import OpenedBook
from commonplace.errors import CommonplaceError
from commonplace.memories import codec, jobs
from commonplace.memories.scope import Scope
from commonplace.retrieval.process import Forkable
from commonplace.store.ports import Progress
from commonplace.store.rows import PassageRow
from commonplace.store.transaction import Transaction

JOB = "passages"
BATCH = 32
"""Texts per transaction; each takes about ten milliseconds."""
DELAY = 2.0
"""Seconds to wait after a write, so that a command that writes and exits never loads the encoder."""
LOOK_BACK = 20_000
"""Number of documents before the last encoded one to check again; maintenance checks all."""


def encode_passages(
    book: OpenedBook,
    scope: Scope,
    namespace: str,
    *,
    after: int = 0,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> tuple[int, int]:
    """Encode texts of a namespace (by id) above document ``after`` that have no token vectors.

    Returns how many were encoded and the last document checked. Nothing is locked meanwhile. After an interruption the
    next call continues. Raises ``ProviderError``.
    """
    encoder = book.token_encoder(scope.owner)
    count = 0
    while encoder is not None and not (stop is not None and stop.is_set()):
        with scope.store.read(scope.owner) as tx:
            docs = tx.passages.missing(namespace, encoder.model, after=after, limit=BATCH)
            texts = _texts(scope, tx, docs)
        if not docs:
            break
        packed: dict[int, bytes] = {}
        for doc, (text, before) in texts.items():
            if stop is not None and stop.is_set():
                break
            packed[doc] = encoder.encode(text, before)
        count += _write(scope, encoder.model, namespace, packed)
        if progress is not None:
            progress(count, None)
        after = docs[-1]
    return count, after


def await_passages(book: OpenedBook, scope: Scope, namespace: str) -> None:
    """Queue a job if texts lack token vectors, and delete those of other models."""
    encoder = book.token_encoder(scope.owner)
    with scope.store.read(scope.owner) as tx:
        waiting = encoder is not None and tx.passages.missing(namespace, encoder.model, limit=1)
    if waiting:
        with scope.store.write(scope.owner) as tx:
            jobs.enqueue(scope, tx, JOB, {"namespace": namespace}, unique=f"{JOB}/{namespace}")


def encode_all(book: OpenedBook, scope: Scope, namespaces: Sequence[str], progress: Progress | None = None) -> int:
    """Encode what is missing in these namespaces; then delete the rows of other models."""
    encoder = book.token_encoder(scope.owner)
    if encoder is None:
        return 0
    count = sum(encode_passages(book, scope, namespace, progress=progress)[0] for namespace in namespaces)
    with scope.store.write(scope.owner) as tx:
        tx.passages.drop_others(encoder.model)
    return count


def _texts(scope: Scope, tx: Transaction, docs: Sequence[int]) -> dict[int, tuple[str, str]]:
    """For each document its text, and the text said just before it in the same conversation."""
    rows = tx.memories.by_docs(sorted({*docs, *(doc - 1 for doc in docs)})) if docs else []
    by_doc = {row.doc: codec.opened(scope, row) for row in rows}
    texts = {}
    for doc in docs:
        if (stored := by_doc.get(doc)) is not None:
            earlier = by_doc.get(doc - 1)
            follows = earlier is not None and stored.row.session is not None
            context = earlier.spoken if earlier and follows and earlier.row.session == stored.row.session else ""
            texts[doc] = (stored.spoken, context)
    return texts


def _write(scope: Scope, model: str, namespace: str, packed: dict[int, bytes]) -> int:
    """Write the vectors, except of texts that were forgotten meanwhile or lost their preceding text."""
    if not packed:
        return 0
    with scope.store.write(scope.owner) as tx:
        vault = scope.current_vault()
        present = {row.doc for row in tx.memories.by_docs(sorted(packed))}
        rows = [
            PassageRow(doc=doc, model=model, namespace=namespace, sealed=vault.seal("passage", f"{model}/{doc}", data))
            for doc, data in packed.items()
            if doc in present
        ]
        tx.passages.put(rows)
    return len(rows)


class PassageWorker(Forkable):
    """A thread that encodes what this process wrote, a little later. Its lock is only held briefly."""

    def __init__(self, encode: Callable[[str, str, int, threading.Event], int]) -> None:
        """``encode`` takes owner, namespace and the document to start after; returns the last one checked."""
        self._encode = encode
        super().__init__()

    def _reset(self) -> None:
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._waiting: set[tuple[str, str]] = set()
        self._last: dict[tuple[str, str], int] = {}
        self._thread: threading.Thread | None = None
        self._busy = False

    def note(self, owner: str, namespace: str) -> None:
        """Have the texts of a namespace encoded soon."""
        with self._lock:
            self._waiting.add((owner, namespace))
            if self._thread is None and not self._stop.is_set():
                self._thread = threading.Thread(target=self._run, name="commonplace-passages", daemon=True)
                self._thread.start()
                atexit.register(self.close)  # a daemon thread that is stopped inside the model would crash the process

    def settle(self, timeout: float) -> bool:
        """Wait until the queue is empty; False if it is not after ``timeout`` seconds."""
        end = time.monotonic() + timeout
        while (self._waiting or self._busy) and time.monotonic() < end:
            time.sleep(0.05)
        return not (self._waiting or self._busy)

    def close(self) -> None:
        """Stop after the current text; the next process or maintenance does the rest."""
        self._stop.set()
        atexit.unregister(self.close)
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join()

    def _run(self) -> None:
        while not self._stop.wait(DELAY):
            with self._lock:
                waiting, self._waiting = self._waiting, set()
                if not waiting:
                    self._thread = None
                    atexit.unregister(self.close)
                    return
                self._busy = True
            try:
                for key in waiting:
                    after = max(0, self._last.get(key, 0) - LOOK_BACK)
                    self._last[key] = self._encode(*key, after, self._stop)
            except CommonplaceError:
                continue  # closed, erased or not installed: maintenance queues a job, which records the problem
            finally:
                self._busy = False
