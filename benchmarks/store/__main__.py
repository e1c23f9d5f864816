"""python -m benchmarks.store URL [--owners 100] [--memories 300]

Fills a book through the ports with memories as the gateway writes them (row, version, fifteen words, vector, audit,
change, receipt), then prints bytes per memory and the time of single writes and reads, as JSON.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from random import Random

from commonplace.store.open import open_store
from commonplace.store.ports import Store, Transaction
from commonplace.store.rows import FreshRow, ReceiptRow, VectorRow
from commonplace.testing.store.build import HOME, audit, home, memory, version

WORDS, AXES, TEXT = 15, 256, 180
VOCABULARY = 20_000
MODEL = "static-256"


def main() -> int:
    asked = _arguments()
    store = open_store(asked.url)
    chance = Random(7)
    started = time.perf_counter()
    for number in range(asked.owners):
        with store.write(f"owner-{number:06}") as tx:
            home(tx)
            _add(tx, 0, asked.memories, chance)
            tx.words.pack(HOME, limit=10**9)
    seconds = time.perf_counter() - started
    total = asked.owners * asked.memories
    report = {
        "engine": store.engine,
        "memories": total,
        "filled_per_second": round(total / seconds),
        "bytes_per_memory": {part: round(size / total) for part, size in store.sizes().items()},
        "milliseconds": _times(store, asked.memories, chance),
    }
    store.close()
    print(json.dumps(report, indent=1))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="benchmarks.store")
    parser.add_argument("url")
    parser.add_argument("--owners", type=int, default=100)
    parser.add_argument("--memories", type=int, default=300, help="per owner")
    return parser.parse_args()


def _add(tx: Transaction, start: int, count: int, chance: Random) -> None:
    """``count`` memories with all that belongs to them."""
    first = tx.owners.take_docs(count)
    numbers = range(start, start + count)
    ids = {first + place: f"019a0000-0000-7000-8000-{number:012}" for place, number in enumerate(numbers)}
    sealed = {doc: os.urandom(TEXT) for doc in ids}
    tx.memories.put_many([memory(ids[doc], doc, sealed=sealed[doc], fingerprint=os.urandom(16)) for doc in ids])
    tx.versions.put_many([version(ids[doc], 1, doc=doc, sealed=sealed[doc]) for doc in ids])
    tx.words.add(HOME, [FreshRow(term=term, doc=doc, tf=1, length=WORDS) for doc in ids for term in _terms(chance)])
    tx.vectors.put(HOME, MODEL, [VectorRow(doc=doc, part=0, data=os.urandom(AXES)) for doc in ids])
    tx.namespaces.count(HOME, documents=count, length=count * WORDS)
    tx.audit.append(
        [audit(number + 1, target=ids[doc], hash=os.urandom(32)) for number, doc in zip(numbers, ids, strict=True)]
    )
    tx.changes.record([("memory", ids[doc], "put", doc, HOME) for doc in ids], at=1)
    for doc in ids:
        tx.receipts.put(
            ReceiptRow(ref=ids[doc], action="remember", at=1, actor="user", state="done", sealed=os.urandom(120))
        )


def _terms(chance: Random) -> set[int]:
    """Fifteen words, a few of them frequent."""
    ranks = {min(int(chance.paretovariate(0.6)), VOCABULARY) for _ in range(WORDS)}
    return {rank * 0x9E3779B97F4A7C15 % 2**64 - 2**63 for rank in ranks}


def _times(store: Store, memories: int, chance: Random) -> dict[str, dict[str, float]]:
    owner = "owner-000000"
    count = memories
    question = os.urandom(AXES)

    def write() -> None:
        nonlocal count
        with store.write(owner) as tx:
            _add(tx, count, 1, chance)
        count += 1

    def words() -> None:
        with store.read(owner) as tx:
            tx.words.fetch(HOME, list(_terms(chance))[:8])

    def get() -> None:
        ids = [f"019a0000-0000-7000-8000-{chance.randrange(memories):012}" for _ in range(20)]
        with store.read(owner) as tx:
            tx.memories.get(ids)

    def nearest() -> None:
        with store.read(owner) as tx:
            if tx.vectors.nearest(HOME, MODEL, question, limit=50) is None:
                for _ in tx.vectors.load(HOME, MODEL):
                    pass

    acts = {"write": write, "fetch 8 terms": words, "get 20": get, "nearest or load": nearest}
    acts["revision"] = lambda: store.revision(owner) and None
    return {name: _timed(act) for name, act in acts.items()}


def _timed(act: Callable[[], None], times: int = 200) -> dict[str, float]:
    took = []
    for _ in range(times):
        started = time.perf_counter()
        act()
        took.append((time.perf_counter() - started) * 1000)
    took.sort()
    return {"p50": round(took[times // 2], 2), "p95": round(took[times * 95 // 100], 2), "max": round(took[-1], 2)}


if __name__ == "__main__":
    sys.exit(main())
