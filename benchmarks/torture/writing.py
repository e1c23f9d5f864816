"""One memory written through the ports with everything that belongs to it, and the proof that it is whole."""

from struct import iter_unpack

from commonplace.store.ports import Store, Transaction
from commonplace.store.rows import Filter, FreshRow
from commonplace.testing.store.build import HOME, audit, memory, namespace, version

TERMS = range(-3, 3)


def begin(store: Store, owner: str) -> None:
    with store.write(owner) as tx:
        if tx.namespaces.get(HOME) is None:
            tx.namespaces.put(namespace())


def write_one(store: Store, owner: str, id: str) -> None:
    """A memory, its version, its words, a change and a line of the audit, in one transaction."""
    with store.write(owner) as tx:
        doc = tx.owners.take_docs(1)
        tx.memories.put(memory(id, doc, sealed=id.encode() * 20))
        tx.versions.put(version(id, 1, doc=doc))
        tx.words.add(HOME, [FreshRow(term=term, doc=doc, tf=1, length=6) for term in TERMS])
        tx.namespaces.count(HOME, documents=1, length=6)
        last = tx.audit.last()
        tx.audit.append([audit((last.sequence if last else 0) + 1, target=id)])
        tx.changes.record([("memory", id, "put", doc, HOME)], at=doc)
        if doc % 7 == 0:
            tx.words.pack(HOME, limit=30)


def problems(store: Store, owner: str, acknowledged: set[str]) -> list[str]:
    """What is missing, doubled or half there; empty if all is well."""
    with store.read(owner) as tx:
        rows = _all(tx)
        ids = [id for id, _ in rows]
        docs = [doc for _, doc in rows]
        found = [f"lost: {id}" for id in acknowledged - set(ids)]
        found += ["a document number was given twice"] if len(set(docs)) < len(docs) else []
        beside = {
            "versions": {row.id for row in tx.versions.page("memory", after=("", 0), limit=1_000_000)},
            "audit": {row.target for row in tx.audit.page(limit=1_000_000)},
            "changes": {row.id for row in tx.changes.since(0, limit=1_000_000)},
        }
        found += [f"{name} differ from the memories" for name, known in beside.items() if known != set(ids)]
        for term, data in tx.words.fetch(HOME, list(TERMS)).items():
            posted = [record[0] for record in iter_unpack("<IBB", data)]
            if sorted(posted) != sorted(docs):
                found.append(f"the words of term {term} differ from the memories")
        kept = tx.namespaces.get(HOME)
        if kept is not None and kept.documents != len(ids):
            found.append(f"the namespace counts {kept.documents} documents and holds {len(ids)}")
        sequences = [row.sequence for row in tx.changes.since(0, limit=1_000_000)]
        if sequences != list(range(1, len(ids) + 1)):
            found.append("the changes have a gap")
        return found


def _all(tx: Transaction) -> list[tuple[str, int]]:
    return [(row.id, row.doc) for row in tx.memories.find(Filter(), limit=1_000_000)]
