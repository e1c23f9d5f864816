"""Recall by words in plain Python, for a process that lives for some tens of milliseconds.

The question is read as recall proper reads it (what was pasted before it cut off, courtesies left out, what it asks
weighed above what it says aside) and scored by the same weights; vectors, graph and the finer ranking are left out.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from commonplace.clock import micros
from commonplace.context.render import Page, Section, hit_line, page
from commonplace.context.uses import record
from commonplace.interfaces.hooks.call import Search
from commonplace.memories.reading import Reader, valid
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, Memory
from commonplace.notebook.current import Current
from commonplace.notebook.pages import zone_of
from commonplace.retrieval.plain import Statistics, Term, idf, score
from commonplace.retrieval.question import ask
from commonplace.settings import Settings
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter, MemoryRow, NamespaceRow
from commonplace.text.index import RECORD
from commonplace.text.normal import normal
from commonplace.text.sentences import sentences

POOL = 40
LEAST = 0.25
"""Share of the weight of a prompt's words that a hit must hold; below, it is noise that nobody asked for."""


def recalled(
    scope: Scope,
    settings: Settings,
    prompt: str,
    *,
    tokens: int,
    limit: int,
    skip: Collection[str],
    session: str | None,
    find: Search,
) -> Page:
    """A page of what the words of a prompt find and this session has not seen; empty if that is nothing."""
    found = find(scope, prompt, POOL)
    found = [one for one in _telling(found, prompt) if one.id not in skip and not _said_here(one, session)][: 2 * limit]
    allowed = Current(scope).shown([one.text for one in found])
    found = [replace(one, text=text) for one in found if (text := allowed[one.text]) is not None]
    zone = zone_of(settings) or scope.clock.now().astimezone().tzinfo
    assert zone is not None
    section = Section("Recalled for this turn", tuple((hit_line(one, zone), one.id) for one in found[:limit]))
    made = page([section], tokens=tokens) if found else Page("", ())
    if made.ids:
        record(scope, made.ids)
    return made


def _telling(found: Iterable[Memory], prompt: str) -> list[Memory]:
    """Each thing once, and none that only asks: somebody else's question answers nothing."""
    kept: dict[str, Memory] = {}
    for one in found:
        asks = one.turn is not None and all(span.text.endswith("?") for span in sentences(one.text))
        if not asks and normal(one.text) != normal(prompt):
            kept.setdefault(normal(one.text), one)
    return list(kept.values())


def search(scope: Scope, prompt: str, limit: int) -> list[Memory]:
    """The current memories that the words find, best first."""
    with scope.store.read(scope.owner) as tx:
        scope = scope.as_set(tx.owners.get())
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
        ranked.sort(key=lambda one: (-one[0], one[1].doc))
        over = _overturned(tx, [row for _, row in ranked])
        helds = reader.held(tx, [row for _, row in ranked if row.id not in over])
        return reader.memories(tx, helds[:limit], names)


def _overturned(tx: Transaction, rows: Sequence[MemoryRow]) -> set[str]:
    """The turns all of whose conclusions have ended or were rejected since: what they say is not believed now."""
    turns = [row.id for row in rows if row.kind == "episodic"]
    resting = tx.evidence.resting_on(turns) if turns else []
    status = {row.id: row.status for row in tx.memories.get(list({row.id for row in resting}))} if resting else {}
    over = {row.episode for row in resting if status.get(row.id) in ("stale", "rejected")}
    return over - {row.episode for row in resting if status.get(row.id) in CURRENT}


def _said_here(memory: Memory, session: str | None) -> bool:
    """Whether this very session said or noted it."""
    turn = memory.turn.session if memory.turn else memory.metadata.get("session")
    return session is not None and turn == session


def _ranked(
    scope: Scope, tx: Transaction, space: NamespaceRow, terms: Sequence[Term], prompt: str
) -> list[tuple[float, MemoryRow]]:
    blind = scope.vault.terms(space.id, [term.word for term in terms])
    fetched = tx.words.fetch(space.id, blind)
    postings = [fetched.get(one, b"") for one in blind]
    statistics = Statistics(space.documents, space.length)
    scored = score(postings, statistics, terms)
    asked = Filter(namespaces=(space.id,), kinds=("episodic",), fingerprint=scope.vault.fingerprint(space.id, prompt))
    itself = {row.doc for row in tx.memories.find(asked)}
    best = [doc for doc in scored.best(POOL) if doc not in itself]
    best = _near(best, [_holders(packed) - itself for packed in postings], terms, statistics)
    now = micros(scope.clock.now())
    return [(scored.scores[row.doc], row) for row in tx.memories.by_docs(best) if _wanted(row, now)]


def _holders(packed: bytes) -> set[int]:
    return {doc for doc, _, _ in RECORD.iter_unpack(packed)}


def _near(docs: Sequence[int], holders: Sequence[set[int]], terms: Sequence[Term], statistics: Statistics) -> list[int]:
    """Those that hold, by themselves or by their neighbours, enough of what the prompt is about.

    What nobody but the prompt itself speaks of cannot be held and does not count.
    """
    held = dict.fromkeys(docs, 0.0)
    total = 0.0
    for having, term in zip(holders, terms, strict=True):
        weight = term.weight * idf(statistics.documents, len(having)) if having else 0.0
        total += weight
        for doc in docs:
            if doc in having or doc - 1 in having or doc + 1 in having:
                held[doc] += weight
    return [doc for doc in docs if held[doc] >= LEAST * total]


def _wanted(row: MemoryRow, now: int) -> bool:
    """Tools, files and the web speak only when they are asked."""
    alive = row.expires_at is None or row.expires_at > now
    return alive and row.status in CURRENT and valid(row, now) and row.source not in ("tool", "import")
