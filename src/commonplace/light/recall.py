"""Recall by words in plain Python, for processes that live for tens of milliseconds.

The question is parsed and scored as in full recall, with the same weights; vectors, graph and the finer ranking are
left out.
"""

from collections.abc import Sequence
from operator import itemgetter

from commonplace.clock import micros
from commonplace.memories.reading import Reader, valid
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, PERSONAL, Memory
from commonplace.retrieval.bm25 import Statistics, Term, idf, score
from commonplace.retrieval.question import ask
from commonplace.store.rows import Filter, MemoryRow, NamespaceRow
from commonplace.store.transaction import Transaction
from commonplace.text.index import RECORD

POOL = 40
LEAST = 0.25
"""Minimum share of the weight of a prompt's words that a hit must have; below it, hits are noise."""


def search(scope: Scope, prompt: str, limit: int) -> list[Memory]:
    """The best current memories by words; in a shared namespace those of `personal` are included."""
    found = _search_namespace(scope, prompt, limit)
    if scope.home is not None:
        found += _search_namespace(scope.home.within(PERSONAL), prompt, limit)
        found.sort(key=itemgetter(0), reverse=True)
    return [memory for _, memory in found[:limit]]


def _search_namespace(scope: Scope, prompt: str, limit: int) -> list[tuple[float, Memory]]:
    with scope.store.read(scope.owner) as tx:
        scope = scope.with_owner_settings(tx.owners.get())
        reader = Reader(scope)
        names = reader.namespaces(tx)
        spaces = [row for row in map(tx.namespaces.get, names) if row is not None]
        speakers = [
            name for row in spaces for name in scope.open_json("namespace", row.id, row.sealed).get("speakers", [])
        ]
        terms = ask(prompt, now=scope.here(), language=scope.language, speakers=speakers).terms
        ranked: list[tuple[float, MemoryRow]] = []
        for space in spaces if terms else ():
            ranked += _ranked(scope, tx, space, terms, prompt)
        ranked.sort(key=lambda item: (-item[0], item[1].doc))
        over = _overturned(tx, [row for _, row in ranked])
        best = [(score, row) for score, row in ranked if row.id not in over][:limit]
        memories = reader.memories(tx, reader.stored(tx, [row for _, row in best]), names)
        return [(score, memory) for (score, _), memory in zip(best, memories, strict=True)]


def _overturned(tx: Transaction, rows: Sequence[MemoryRow]) -> set[str]:
    """Turns all of whose conclusions have ended or were rejected since: what they say is no longer believed."""
    turns = [row.id for row in rows if row.kind == "episodic"]
    resting = tx.evidence.resting_on(turns) if turns else []
    status = {row.id: row.status for row in tx.memories.get(list({row.id for row in resting}))} if resting else {}
    over = {row.episode for row in resting if status.get(row.id) in ("stale", "rejected")}
    return over - {row.episode for row in resting if status.get(row.id) in CURRENT}


def _ranked(
    scope: Scope, tx: Transaction, space: NamespaceRow, terms: Sequence[Term], prompt: str
) -> list[tuple[float, MemoryRow]]:
    blind = scope.vault.terms(space.id, [term.word for term in terms])
    fetched = tx.words.fetch(space.id, blind)
    postings = [fetched.get(item, b"") for item in blind]
    statistics = Statistics(space.documents, space.length)
    scored = score(postings, statistics, terms)
    same_text = Filter(
        namespaces=(space.id,), kinds=("episodic",), fingerprint=scope.vault.fingerprint(space.id, prompt)
    )
    itself = {row.doc for row in tx.memories.find(same_text)}
    best = [doc for doc in scored.best(POOL) if doc not in itself]
    holders = [{doc for doc, _, _ in RECORD.iter_unpack(packed)} - itself for packed in postings]
    best = _with_enough_weight(best, holders, terms, statistics)
    now = micros(scope.clock.now())
    rows = [
        row
        for row in tx.memories.by_docs(best)
        if row.status in CURRENT
        and valid(row, now)
        and (row.expires_at is None or row.expires_at > now)
        and row.source not in ("tool", "import")  # tools, files and the web are only shown when asked for
    ]
    return [(scored.scores[row.doc], row) for row in rows]


def _with_enough_weight(
    docs: Sequence[int], holders: Sequence[set[int]], terms: Sequence[Term], statistics: Statistics
) -> list[int]:
    """The documents that contain, themselves or in a neighbour, enough of the prompt's words.

    Words that occur nowhere do not count.
    """
    weights = dict.fromkeys(docs, 0.0)
    total = 0.0
    for having, term in zip(holders, terms, strict=True):
        weight = term.weight * idf(statistics.documents, len(having)) if having else 0.0
        total += weight
        for doc in docs:
            if doc in having or doc - 1 in having or doc + 1 in having:
                weights[doc] += weight
    return [doc for doc in docs if weights[doc] >= LEAST * total]
