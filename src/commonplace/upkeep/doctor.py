"""Checks the integrity of a book, and repairs what can be repaired on request."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from commonplace import system
from commonplace.batches.opened_book import OpenedBook, own_scope, walked
from commonplace.clock import micros
from commonplace.copies.backup import finish
from commonplace.copies.replay import ledger_problem, since_erasure, standing
from commonplace.errors import KeyringError, StoreBusy, StoreError
from commonplace.memories import codec as states
from commonplace.memories import indexing
from commonplace.memories.audit import Audit
from commonplace.memories.codec import StoredMemory
from commonplace.memories.jobs import Jobs
from commonplace.memories.scope import Scope
from commonplace.providers.embed.choose import PACKAGES, embedder, sent_to
from commonplace.providers.judge import Judge
from commonplace.security.vault import Vault
from commonplace.settings import unknown_variables
from commonplace.store.ledger import REBUILT
from commonplace.store.ports import Progress, Store
from commonplace.store.rows import LedgerEntry, SealedColumn
from commonplace.store.tables.postings import holds
from commonplace.store.transaction import Transaction
from commonplace.text.languages import LANGUAGES
from commonplace.upkeep import keys
from commonplace.upkeep.learning_jobs import last_failure
from commonplace.upkeep.provider_check import provider_problems
from commonplace.upkeep.reindex import embed, reindex, texts
from commonplace.upkeep.reindex_words import every_posting

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRIVATE_ENDINGS = ("", "-wal", "-shm", ".keyring", ".ledger")
SAMPLED = 2_000
"""Number of texts whose words are looked up unless ``full`` is set."""
CHECKED = 500
STALE_LEASE = 3_600_000_000
RESTORE = "restore a backup: `commonplace restore FILE`"
FIX = "commonplace doctor --fix"
FIX_ALL = "commonplace doctor --full --fix"
EVIDENCE = "evidence"
GRAVE, WARNING = "problem", "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """A problem or warning that a check found."""

    check: str
    what: str
    grade: str = GRAVE
    """``problem``, or ``warning`` if nothing is wrong yet."""
    owner: str | None = None
    remedy: str = ""
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    checks: tuple[str, ...]
    symptoms: tuple[Symptom, ...]

    @property
    def sound(self) -> bool:
        """Whether there are no problems; warnings are allowed."""
        return not [symptom for symptom in self.symptoms if symptom.grade == GRAVE and not symptom.fixed]


class Defect(NamedTuple):
    """A problem that a check found, and its remedy; ``mend`` repairs it if possible."""

    what: str
    remedy: str
    mend: Callable[[], object] | None = None
    grade: str = GRAVE
    check: str | None = None
    """Another check to report it under."""


Defects = Iterator[Defect]


def doctor(
    book: OpenedBook,
    *,
    fix: bool = False,
    full: bool = False,
    owners: Iterable[str] | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Check everything, of all owners or of some; ``fix`` repairs what it can.

    ``full`` opens every encrypted column, and checks the words of every text instead of a sample. ``environ`` is
    searched for unknown variables; None skips that.
    """
    symptoms: list[Symptom] = []
    checks: dict[str, Callable[[], Defects]] = {
        "integrity": lambda: (Defect(line, RESTORE) for line in book.store.check()),
        "permissions": partial(_permissions, book),
        "keys": partial(_keys, book),
        "settings": partial(_settings, book, environ or {}),
        "endpoint": partial(_endpoint, book),
        "embedder": partial(_embedder, book),
        "judge": partial(_judge, book),
        "providers": partial(_providers, book),
    }
    for owner in [row.owner for row in book.store.accounts.owners()] if owners is None else owners:
        try:
            if book.keychain.known(owner):
                book.keychain.fresh(owner)
            scope = own_scope(book, owner, "default")
        except KeyringError as fault:
            checks[f"keys of {owner}"] = partial(_unreadable, book, owner, fault)
            continue
        if not book.keychain.known(owner):
            continue  # an owner who has not written anything yet
        for name, check in OWNED.items():
            checks[f"{name} of {owner}"] = partial(check, book, scope, full)
    for number, (name, look) in enumerate(checks.items(), start=1):
        symptoms += _looked(name, look, fix=fix)
        if progress is not None:
            progress(number, len(checks))
    return Diagnosis(checks=tuple(checks), symptoms=tuple(symptoms))


def _looked(name: str, look: Callable[[], Defects], *, fix: bool) -> Iterable[Symptom]:
    """Run a check. If a damaged page or row stops it, the other checks still run."""
    check, _, owner = name.partition(" of ")
    try:
        for what, remedy, mend, grade, other in look():
            fixed = fix and mend is not None
            if fix and mend is not None:
                mend()
            yield Symptom(check=other or check, what=what, grade=grade, owner=owner or None, remedy=remedy, fixed=fixed)
    except StoreBusy:
        raise
    except (StoreError, KeyringError) as fault:
        message = f"{name}: the check could not finish: {fault}"
        yield Symptom(check=check, what=message, owner=owner or None, remedy=RESTORE)


def _permissions(book: OpenedBook) -> Defects:
    files = [book.settings.master_key_file]
    if book.store.engine == "sqlite":
        place = Path(book.store.place)
        files += [place.with_name(place.name + ending) for ending in PRIVATE_ENDINGS]
    for path in files:
        if path.exists() and system.HERE.readable_by_others(path):
            yield Defect(f"other users can read {path}", system.HERE.private_command(path), partial(path.chmod, 0o600))


def _keys(book: OpenedBook) -> Defects:
    for line in keys.check(book):
        yield Defect(line, "restore the keyring or the master key that belongs to the book")
    try:
        noted = keys.copied(book)
    except KeyringError as fault:
        yield Defect(str(fault), "commonplace keys restore")
        return
    if not noted:
        message = "the master key has no recovery copy; if it is lost, the book cannot be read"
        yield Defect(message, "commonplace keys recovery", grade=WARNING)


def _unreadable(book: OpenedBook, owner: str, fault: KeyringError) -> Defects:
    """Defects of an owner whose keys are missing or damaged. Rows left by an interrupted erasure are deleted by
    ``mend``.
    """
    erased = any(entry.act == "erase-owner" for entry in book.store.ledger.entries(owner))
    if not erased or book.keychain.known(owner):
        yield Defect(str(fault), "restore the keyring")
        return
    message = f"the erasure of owner {owner!r} was interrupted: their keys are gone, their unreadable rows are not"
    yield Defect(message, FIX, _writing(book.store, owner, lambda tx: tx.owners.drop()))


def _writing(store: Store, owner: str, act: Callable[..., object], *what: Any) -> Callable[[], None]:
    """Return a function that calls ``act`` in a transaction."""

    def mend() -> None:
        with store.write(owner) as tx:
            act(tx, *what)

    return mend


def _settings(book: OpenedBook, environ: Mapping[str, str]) -> Defects:
    for name in unknown_variables(environ):
        yield Defect(f"the variable {name} is not a setting; check its spelling", f"unset {name}", grade=WARNING)
    language = book.settings.language
    if language != "auto" and language[:2].lower() not in LANGUAGES:
        message = f"the language {language[:20]!r} is not supported: texts are read as English"
        yield Defect(message, f"set language to {', '.join(LANGUAGES)} or auto", grade=WARNING)


def _endpoint(book: OpenedBook) -> Defects:
    host = sent_to(book.settings.embedder, book.settings.embed_url)
    if host is not None:
        message = f"texts and questions are sent to {host} for embedding"
        yield Defect(message, "set embedder to static-256 to keep them here", grade=WARNING)


def _embedder(book: OpenedBook) -> Defects:
    remedies = {"minilm": "onnxruntime", **PACKAGES}
    name = book.settings.embedder
    if name in remedies and not embedder(name).ready():
        message = f"the embedder {name} is not installed: memories are kept, and found by their words alone"
        yield Defect(message, f"pip install {remedies[name]}")


def _providers(book: OpenedBook) -> Defects:
    for problem in provider_problems(book, own_scope(book, book.settings.owner, "default")):
        yield Defect(problem.what, problem.remedy, grade=GRAVE if problem.broken else WARNING)


def _judge(book: OpenedBook) -> Defects:
    """Warn if the judge is not available, and say what the rules alone miss."""
    lost = "changes and restatements in other words go unnoticed, and descriptions match by words alone"
    if book.settings.judge == "off":
        yield Defect(f"the judge is switched off: {lost}", "set judge to on", grade=WARNING)
    elif not Judge().ready():
        message = f"onnxruntime or the judge's model is not installed: {lost}"
        yield Defect(message, "pip install --force-reinstall commonplace-memory")


def _audit(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    checked = Audit(scope).verify()
    if checked.problem is not None:
        yield Defect(checked.problem, "compare it with a backup; the audit cannot be repaired")


def _rows(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    """Every memory opens, and has its newest version and its relation."""
    for broken in walked(scope.store, scope.owner, "memory", partial(_broken, scope), size=CHECKED):
        for id, problem, mends in broken:
            mend = mends and _writing(scope.store, scope.owner, mends, scope, id)
            yield Defect(f"memory {id}: {problem}", "restore a backup" if mend is None else FIX, mend)


Mend = Callable[[Transaction, Scope, str], None]


def _broken(scope: Scope, tx: Transaction, page: Sequence[Mapping[str, Any]]) -> list[tuple[str, str, Mend | None]]:
    """The problem of each damaged memory, and its repair."""
    ids = [str(row["id"]) for row in page]
    related = {row.id for row in tx.relations.get([str(row["id"]) for row in page if row["kind"] == "relational"])}
    latest = {row.id: row.version for row in tx.versions.at(states.NOUN, ids, 2**62)}
    broken: list[tuple[str, str, Mend | None]] = []
    for row in page:
        id = str(row["id"])
        try:
            scope.open_json(states.NOUN, id, row["sealed"])
        except KeyringError:
            broken.append((id, "it cannot be read with the owner's keys", None))
            continue
        if latest.get(id) != row["version"]:
            newer = latest.get(id, 0) > row["version"]
            broken.append((id, "its newest version is missing or differs", None if newer else _put_version))
        if row["kind"] == "relational" and id not in related:
            broken.append((id, "its relation is missing from the graph", _put_relation))
    return broken


def _put_version(tx: Transaction, scope: Scope, id: str) -> None:
    """Write the memory's present state as its newest version."""
    for memory in states.all_opened(scope, tx, tx.memories.get([id])):
        at = micros(scope.clock.now())
        version_row = states.version_row(
            scope.current_vault(), memory, at=at, actor=scope.actor, action="DOCTOR", reason="it was missing"
        )
        tx.versions.put(version_row)


def _put_relation(tx: Transaction, scope: Scope, id: str) -> None:
    for memory in states.all_opened(scope, tx, tx.memories.get([id])):
        triple = memory.content.triple or {}
        if len(tx.entities.get([triple["subject"], triple["object"]])) == len({triple["subject"], triple["object"]}):
            tx.relations.put(states.relation(scope.current_vault(), memory))


DROPS: dict[str, tuple[str, Callable[[Transaction, str, str], None]]] = {
    "version": ("versions", lambda tx, noun, id: tx.versions.delete(noun, [id])),
    "evidence": ("evidence", lambda tx, noun, id: tx.evidence.delete(noun, [id])),
    "tag_link": ("tag links", lambda tx, noun, id: tx.tags.set_links(noun, id, ())),
}


def _orphans(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    """Versions, evidence and links of memories and entities that do not exist."""
    for table, (owned, drop) in DROPS.items():
        pages = walked(scope.store, scope.owner, table, _not_there, size=CHECKED)
        for noun, id in sorted({lost for page in pages for lost in page}):
            mend = _writing(scope.store, scope.owner, drop, noun, id)
            yield Defect(f"{owned} of {noun} {id}, which does not exist", FIX, mend)


def _not_there(tx: Transaction, page: Sequence[Mapping[str, Any]]) -> set[tuple[str, str]]:
    references = {(str(row["noun"]), str(row["id"])) for row in page}
    memories = {row.id for row in tx.memories.get([id for noun, id in references if noun == states.NOUN])}
    entities = {row.id for row in tx.entities.get([id for noun, id in references if noun == "entity"])}
    there = {states.NOUN: memories, "entity": entities}
    return {(noun, id) for noun, id in references if noun in there and id not in there[noun]}


def _words(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    """The words of texts are in the index: of a sample, or with ``full`` of every text.

    A full check also finds words of texts that do not exist.
    """
    missing = looked = 0
    with scope.store.read(scope.owner) as tx:
        places = {row.id for row in tx.namespaces.all()}
        postings = {place: _counted(tx, place) for place in places} if full else {}
        unclaimed = {place: counted > 0 for place, counted in postings.items()}
        claimed = bytearray(tx.owners.get().next_doc + 1)
        every = 1 if full else max(1, tx.tables.count("version") // SAMPLED)
        scope = scope.with_owner_settings(tx.owners.get())
        for memory in texts(scope, tx, every=every):
            place, doc = memory.row.namespace, memory.row.doc
            if place in places:
                looked += 1
                missing += not _indexed(scope, tx, memory, postings.get(place))
                if place in unclaimed and doc < len(unclaimed[place]):
                    unclaimed[place][doc] = False
                    claimed[doc] = 1
    if missing:
        message = f"{missing:,} of {looked:,} checked texts are not in the word index"
        yield Defect(message, "commonplace reindex", partial(reindex, book, scope))
    if full:
        yield from _unclaimed(scope, {place: docs.nonzero()[0].tolist() for place, docs in unclaimed.items()})
        yield from _idle(scope, claimed)


def _unclaimed(scope: Scope, docs: Mapping[str, Sequence[int]]) -> Defects:
    """Words of document numbers without a text: deleting must leave none."""
    for place, numbers in docs.items():
        if numbers:
            mend = _writing(scope.store, scope.owner, lambda tx, *which: tx.words.remove(*which, None), place, numbers)
            yield Defect(f"the word index holds words of {len(numbers):,} texts that do not exist", FIX_ALL, mend)


def _idle(scope: Scope, claimed: bytearray) -> Defects:
    """Vectors and token vectors of document numbers without a text."""

    def is_idle(doc: int) -> bool:
        return doc >= len(claimed) or not claimed[doc]

    with scope.store.read(scope.owner) as tx:
        sets = [(place, model) for place, model, _ in tx.vectors.counts()]
        rows = (row for place, model in sets for batch in tx.vectors.load(place, model) for row in batch)
        numbers = {row.doc for row in rows if is_idle(row.doc)}
        encoded, after = list[int](), -1
        while docs := tx.passages.docs(after=after, limit=CHECKED):
            encoded += filter(is_idle, docs)
            after = docs[-1]
    drops: dict[str, tuple[Iterable[int], Callable[[Transaction, list[int]], None]]] = {
        "vectors": (numbers, lambda tx, idle: tx.vectors.delete(idle)),
        "token vectors": (encoded, lambda tx, idle: tx.passages.delete(idle)),
    }
    for name, (present, drop) in drops.items():
        if idle := sorted(present):
            mend = _writing(scope.store, scope.owner, drop, idle)
            yield Defect(f"there are {name} of {len(idle):,} texts that do not exist", FIX_ALL, mend, check="vectors")


def _indexed(scope: Scope, tx: Transaction, memory: StoredMemory, counted: "NDArray[np.uint32] | None") -> bool:
    rows, _ = indexing.postings(scope.vault, memory, language=scope.language, zone=scope.zone)
    if not rows:
        return True
    if counted is not None:
        return memory.row.doc < len(counted) and int(counted[memory.row.doc]) == len(rows)
    postings = tx.words.fetch(memory.row.namespace, [row.term for row in rows[:: max(1, len(rows) // 4)]])
    return bool(postings) and holds(min(postings.values(), key=len), [memory.row.doc])


def _counted(tx: Transaction, namespace: str) -> "NDArray[np.uint32]":
    """The number of postings of each document; its memory does not depend on the index's size."""
    import numpy as np  # noqa: PLC0415  # only a full examination pays for it

    counts = np.zeros(tx.owners.get().next_doc + 1, np.uint32)
    for page in every_posting(tx, namespace):
        np.add.at(counts, page[:, 1], 1)
    return counts


def _vectors(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    encoder = book.encoder(scope.current_vault())
    if encoder is None:
        return
    with scope.store.read(scope.owner) as tx:
        waiting = {row.id: len(tx.vectors.missing(row.id, encoder.model, limit=10_000)) for row in tx.namespaces.all()}
    for namespace, count in waiting.items():
        if count:
            mend = partial(embed, book, scope, namespace)
            yield Defect(f"{count:,} texts wait for their vectors", "commonplace maintain", mend, WARNING)


def _ledger(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    """Nothing that the ledger records as forgotten or erased is in the book, and its tombstones are."""
    if problem := ledger_problem(book.store, scope.owner):
        remedy = "restore your copy of the ledger, or `commonplace doctor --fix` to rebuild it from the tombstones"
        yield Defect(problem, remedy, _writing(scope.store, scope.owner, _rebuild_ledger, scope))
    try:
        entries = list(book.store.ledger.entries(scope.owner))
    except StoreError as fault:
        yield Defect(str(fault), "restore your copy of the ledger")
        return
    ledger_state = standing(since_erasure(entries))
    with scope.store.read(scope.owner) as tx:
        places = {row.id for row in tx.namespaces.all()}
        back = [row.id for row in tx.memories.get(list(ledger_state.targets))]
        existing = {(row.namespace, row.fingerprint) for row in tx.tombstones.all()}
    missing = [value for value in ledger_state.values if value[0] in places and value not in existing]
    erased = [id for id in ledger_state.namespaces if id in places]
    mend = cache(partial(finish, book))  # once for all of them
    for things, message in (
        (back, f"{len(back):,} forgotten memories are back"),
        (missing, f"{len(missing):,} tombstones are missing"),
        (erased, f"{len(erased):,} erased namespaces are back"),
    ):
        if things:
            yield Defect(message, "commonplace restore --replay", mend)


def _rebuild_ledger(tx: Transaction, scope: Scope) -> None:
    """Rebuild the ledger from the book's tombstones. Erasures of namespaces and cuts cannot be rebuilt."""
    begun = LedgerEntry(owner=scope.owner, at=micros(scope.clock.now()), act=REBUILT, target=scope.owner)
    stones = [
        LedgerEntry(
            owner=scope.owner,
            at=stone.at,
            act="forget" if stone.reason == "forgotten" else "tombstone",
            target="",
            namespace=stone.namespace,
            fingerprints=(stone.fingerprint,),
            reason=stone.reason,
        )
        for stone in tx.tombstones.all()
    ]
    tx.final_acts.append([begun, *stones])


def _sealed(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    """Everything encrypted opens with the owner's keys: quotes always, every column with ``full``."""
    vault = scope.current_vault()
    for column in keys.SEALED:
        if not full and column.table != EVIDENCE:
            continue
        pages = walked(scope.store, scope.owner, column.table, partial(_closed, vault, column), size=CHECKED)
        if broken := [row for page in pages for row in page]:
            message = f"{len(broken):,} rows of {column.table} cannot be read with the owner's keys ({column.name})"
            if column.table == EVIDENCE:
                yield Defect(message, FIX, partial(_mend_quotes, scope, broken))
            else:
                yield Defect(message, RESTORE)


def _closed(
    vault: Vault, column: SealedColumn, tx: Transaction, page: Sequence[Mapping[str, Any]]
) -> list[Mapping[str, Any]]:
    closed = []
    for row in page:
        try:
            if row[column.name] is not None:
                vault.open(column.noun, column.row(row), row[column.name])
        except KeyringError:
            closed.append(row)
    return closed


def _mend_quotes(scope: Scope, rows: Sequence[Mapping[str, Any]]) -> None:
    """Repair quotes that were encrypted under another memory's id, by an earlier bug.

    They are decrypted without authentication, and accepted only if the episode contains these words. Any other quote is
    dropped; the memory still refers to its episode.
    """
    with scope.store.write(scope.owner) as tx:
        vault = scope.current_vault()
        texts = {
            memory.id: memory.content.text
            for memory in states.all_opened(scope, tx, tx.memories.get([str(row["episode"]) for row in rows]))
        }
        mended = []
        for row in rows:
            quote = vault.open_unproved(row["sealed"])
            quoted = quote is not None and quote in texts.get(str(row["episode"]), "")
            name = f"{row['noun']}/{row['id']}/{row['episode']}"
            mended.append({**row, "sealed": vault.seal_json(EVIDENCE, name, quote) if quoted else None})
        tx.tables.put(EVIDENCE, mended)


def _jobs(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    for job in Jobs(scope).list(states=("dead",), limit=1000):
        message = f"job {job.id} ({job.kind}) gave up after {job.attempts} attempts: {job.error}"
        yield Defect(message, f"commonplace jobs replay {job.id}", partial(Jobs(scope).replay, job.id), WARNING)
    late = micros(book.clock.now()) - STALE_LEASE
    with scope.store.read(scope.owner) as tx:
        stuck = [row for row in tx.jobs.all(states=("leased",), limit=1000) if (row.lease_until or 0) < late]
    for row in stuck:
        message = f"job {row.id} ({row.kind}) was leased by a process that has ended; it will be run again"
        yield Defect(message, "commonplace maintain", grade=WARNING)


def _clocks(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    """The entries of the change feed are in order."""
    with scope.store.read(scope.owner) as tx:
        last = tx.changes.last()
        tail = tx.changes.since(max(0, last - CHECKED), limit=CHECKED)
    ordered = all(earlier.sequence < later.sequence for earlier, later in pairwise(tail))
    if not ordered or (tail and tail[-1].sequence > last):
        yield Defect("the change feed is out of order", "restore")


def _model(book: OpenedBook, scope: Scope, full: bool) -> Defects:
    trouble = last_failure(scope) if book.settings.llm else None
    if trouble is not None:
        yield Defect(trouble, "check llm, llm_url and llm_key; then run: commonplace jobs replay", grade=WARNING)


OWNED: dict[str, Callable[[OpenedBook, Scope, bool], Defects]] = {
    "model": _model,
    "rows": _rows,
    "sealed": _sealed,
    "orphans": _orphans,
    "audit": _audit,
    "ledger": _ledger,
    "words": _words,
    "vectors": _vectors,
    "jobs": _jobs,
    "changes": _clocks,
}
