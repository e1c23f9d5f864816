"""Recall by words in plain Python, for a process that lives for some tens of milliseconds.

The question is its words and nothing else: reading dates and kinds of question out of it, as recall proper does, would
compile more patterns than everything else in a hook together.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from commonplace.clock import micros
from commonplace.context.render import Page, Section, hit_line, page
from commonplace.context.uses import record
from commonplace.interfaces.hooks.events import Search
from commonplace.memories.reading import Reader, valid
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, Memory
from commonplace.notebook.current import Current
from commonplace.notebook.pages import zone_of
from commonplace.retrieval.plain import Statistics, Term, idf, score
from commonplace.settings import Settings
from commonplace.store.ports import Transaction
from commonplace.store.rows import MemoryRow
from commonplace.text.index import RECORD
from commonplace.text.normal import normal
from commonplace.text.sentences import sentences
from commonplace.text.words import terms_of_question

POOL = 40
TAIL, TERMS = 1_500, 32
"""Characters at the end of a prompt that are asked for, and words of them; before that stands what was pasted."""
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
    reader = Reader(scope)
    with scope.store.read(scope.owner) as tx:
        names = reader.namespaces(tx)
        terms = [Term(word) for word in dict.fromkeys(terms_of_question(prompt[-TAIL:], scope.language))][:TERMS]
        ranked: list[tuple[float, MemoryRow]] = []
        for namespace in names if terms else ():
            ranked += _ranked(scope, tx, namespace, terms)
        ranked.sort(key=lambda one: (-one[0], one[1].doc))
        helds = reader.held(tx, [row for _, row in ranked])
        return reader.memories(tx, helds[:limit], names)


def _said_here(memory: Memory, session: str | None) -> bool:
    """Whether this very session said or noted it."""
    turn = memory.turn.session if memory.turn else memory.metadata.get("session")
    return session is not None and turn == session


def _ranked(scope: Scope, tx: Transaction, namespace: str, terms: Sequence[Term]) -> list[tuple[float, MemoryRow]]:
    space = tx.namespaces.get(namespace)
    assert space is not None
    blind = scope.vault.terms(namespace, [term.word for term in terms])
    fetched = tx.words.fetch(namespace, blind)
    postings = [fetched.get(one, b"") for one in blind]
    statistics = Statistics(space.documents, space.length)
    scored = score(postings, statistics, terms)
    best = _near(scored.best(POOL), postings, statistics)
    now = micros(scope.clock.now())
    return [(scored.scores[row.doc], row) for row in tx.memories.by_docs(best) if _wanted(row, now)]


def _near(docs: Sequence[int], postings: Sequence[bytes], statistics: Statistics) -> list[int]:
    """Those that hold, by themselves or by their neighbours, enough of what the prompt is about."""
    held = dict.fromkeys(docs, 0.0)
    total = 0.0
    for packed in postings:
        holders = {doc for doc, _, _ in RECORD.iter_unpack(packed)}
        weight = idf(statistics.documents, len(holders)) if holders else 0.0
        total += weight
        for doc in docs:
            if doc in holders or doc - 1 in holders or doc + 1 in holders:
                held[doc] += weight
    return [doc for doc in docs if held[doc] >= LEAST * total]


def _wanted(row: MemoryRow, now: int) -> bool:
    """Tools, files and the web speak only when they are asked."""
    return row.status in CURRENT and valid(row, now) and row.source not in ("tool", "import")
