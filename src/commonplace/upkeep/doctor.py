"""Is the book sound? Every promise that can be checked is checked; what can be put right is put right on request."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from commonplace import system
from commonplace.batches.opened_book import OpenedBook, own_scope
from commonplace.batches.runs import opened
from commonplace.clock import micros
from commonplace.copies.backup import finish
from commonplace.copies.replay import ledger_problem, standing
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
from commonplace.store.ports import Progress
from commonplace.store.rows import LedgerEntry, SealedColumn
from commonplace.store.transaction import Transaction
from commonplace.text.languages import LANGUAGES
from commonplace.upkeep import keys
from commonplace.upkeep.learning_jobs import last_failure
from commonplace.upkeep.provider_check import provider_problems
from commonplace.upkeep.reindex import embed, reindex, texts

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

PRIVATE_ENDINGS = ("", "-wal", "-shm", ".keyring", ".ledger")
SAMPLED = 2_000
"""Texts whose words are looked up unless everything is to be looked at."""
CHECKED = 500
RECORD = 6
"""Bytes of a posting: document, frequency, length."""
STALE_LEASE = 3_600_000_000
RESTORE = "restore a backup: `commonplace restore FILE`"
EVIDENCE = "evidence"
GRAVE, WARNING = "problem", "warning"


@dataclass(frozen=True, slots=True, kw_only=True)
class Symptom:
    """Something that is not as it should be."""

    check: str
    what: str
    grade: str = GRAVE
    """``problem``, or ``warning`` where nothing is wrong yet."""
    owner: str | None = None
    remedy: str = ""
    fixed: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnosis:
    checks: tuple[str, ...]
    symptoms: tuple[Symptom, ...]

    @property
    def sound(self) -> bool:
        """Nothing is wrong; warnings may stand."""
        return not [symptom for symptom in self.symptoms if symptom.grade == GRAVE and not symptom.fixed]


def doctor(
    book: OpenedBook,
    *,
    fix: bool = False,
    full: bool = False,
    owners: Iterable[str] | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Look at everything, of all owners or of some; with ``fix`` repair what can be.

    ``full`` opens every sealed column, and counts the words of every text instead of looking some up. ``environ`` is
    where unknown variables are looked for; nothing is, where it is left out.
    """
    symptoms: list[Symptom] = []
    checks: dict[str, Callable[[], Iterable[Symptom]]] = {
        "integrity": lambda: _integrity(book),
        "permissions": lambda: _permissions(book, fix=fix),
        "keys": lambda: _keys(book),
        "settings": lambda: [*_settings(environ or {}), *_language(book)],
        "endpoint": lambda: _endpoint(book),
        "embedder": lambda: _embedder(book),
        "judge": lambda: _judge(book),
        "providers": lambda: _providers(book),
    }
    for owner in [row.owner for row in book.store.accounts.owners()] if owners is None else owners:
        try:
            if book.keychain.known(owner):
                book.keychain.fresh(owner)
            scope = own_scope(book, owner, "default")
        except KeyringError as fault:
            checks[f"keys of {owner}"] = lambda owner=owner, fault=fault: _unreadable(book, owner, fault, fix)  # type: ignore[misc]
            continue
        if not book.keychain.known(owner):
            continue  # an owner who has not written anything yet
        for name, check in OWNED.items():
            checks[f"{name} of {owner}"] = lambda check=check, scope=scope: check(book, scope, fix, full)  # type: ignore[misc]
    for number, (name, look) in enumerate(checks.items(), start=1):
        symptoms += _looked(name, look)
        if progress is not None:
            progress(number, len(checks))
    return Diagnosis(checks=tuple(checks), symptoms=tuple(symptoms))


def _looked(name: str, look: Callable[[], Iterable[Symptom]]) -> Iterable[Symptom]:
    """What a check finds. Where a damaged page or row breaks it off, the others still go on."""
    try:
        yield from look()
    except StoreBusy:
        raise
    except (StoreError, KeyringError) as fault:
        check, _, owner = name.partition(" of ")
        message = f"{name}: not looked at to the end: {fault}"
        yield Symptom(check=check, what=message, owner=owner or None, remedy=RESTORE)


def _integrity(book: OpenedBook) -> Iterable[Symptom]:
    for line in book.store.check():
        yield Symptom(check="integrity", what=line, remedy=RESTORE)


def _permissions(book: OpenedBook, *, fix: bool) -> Iterable[Symptom]:
    files = [book.settings.master_key_file]
    if book.store.engine == "sqlite":
        place = Path(book.store.place)
        files += [place.with_name(place.name + ending) for ending in PRIVATE_ENDINGS]
    for path in files:
        if path.exists() and system.HERE.readable_by_others(path):
            if fix:
                path.chmod(0o600)
            remedy = system.HERE.private_command(path)
            yield Symptom(check="permissions", what=f"others may read {path}", remedy=remedy, fixed=fix)


def _keys(book: OpenedBook) -> Iterable[Symptom]:
    for line in keys.check(book):
        yield Symptom(check="keys", what=line, remedy="put back the keyring or the master key that belongs to the book")
    try:
        noted = keys.copied(book)
    except KeyringError as fault:
        yield Symptom(check="keys", what=str(fault), remedy="commonplace keys restore")
        return
    if not noted:
        message = "there is no copy of the master key; if it is lost, the book cannot be read"
        yield Symptom(check="keys", what=message, grade=WARNING, remedy="commonplace keys recovery")


def _unreadable(book: OpenedBook, owner: str, fault: KeyringError, fix: bool) -> Iterable[Symptom]:
    """An owner whose keys are missing or damaged. Rows that an erasure should have taken with its keys go now."""
    erased = any(entry.act == "erase-owner" for entry in book.store.ledger.entries(owner))
    if not erased or book.keychain.known(owner):
        yield Symptom(check="keys", what=str(fault), owner=owner, remedy="put back the keyring")
        return
    if fix:
        with book.store.write(owner) as tx:
            tx.owners.drop()
    message = f"the erasure of owner {owner!r} was cut short: their keys are gone, their unreadable rows are not"
    yield Symptom(check="keys", what=message, owner=owner, remedy="commonplace doctor --fix", fixed=fix)


def _settings(environ: Mapping[str, str]) -> Iterable[Symptom]:
    for name in unknown_variables(environ):
        message = f"the variable {name} is not a setting; a typing error?"
        yield Symptom(check="settings", what=message, grade=WARNING, remedy=f"unset {name}")


def _language(book: OpenedBook) -> Iterable[Symptom]:
    language = book.settings.language
    if language != "auto" and language[:2].lower() not in LANGUAGES:
        message = f"the language {language[:20]!r} is not supported: texts are read as English"
        yield Symptom(
            check="settings", what=message, grade=WARNING, remedy=f"set language to {', '.join(LANGUAGES)} or auto"
        )


def _endpoint(book: OpenedBook) -> Iterable[Symptom]:
    host = sent_to(book.settings.embedder, book.settings.embed_url)
    if host is not None:
        message = f"texts and questions leave this machine: {host} makes their vectors"
        yield Symptom(
            check="endpoint", what=message, grade=WARNING, remedy="set embedder to static-256 to keep them here"
        )


def _embedder(book: OpenedBook) -> Iterable[Symptom]:
    remedies = {"minilm": "onnxruntime", **PACKAGES}
    name = book.settings.embedder
    if name in remedies and not embedder(name).ready():
        message = f"the embedder {name} is not installed: memories are kept, and found by their words alone"
        yield Symptom(check="embedder", what=message, remedy=f"pip install {remedies[name]}")


def _providers(book: OpenedBook) -> Iterable[Symptom]:
    for problem in provider_problems(book, own_scope(book, book.settings.owner, "default")):
        grade = GRAVE if problem.broken else WARNING
        yield Symptom(check="providers", what=problem.what, grade=grade, remedy=problem.remedy)


def _judge(book: OpenedBook) -> Iterable[Symptom]:
    """Without the judge the rules work alone: say what they miss."""
    lost = "changes and restatements in other words go unnoticed, and descriptions match by words alone"
    if book.settings.judge == "off":
        remedy = "set judge to on"
        yield Symptom(check="judge", what=f"the judge is switched off: {lost}", grade=WARNING, remedy=remedy)
    elif not Judge().ready():
        message = f"onnxruntime or the judge's model is not installed: {lost}"
        yield Symptom(check="judge", what=message, remedy="pip install --force-reinstall commonplace-memory")


def _audit(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    checked = Audit(scope).verify()
    if checked.problem is not None:
        remedy = "compare with a backup; the audit is never rewritten"
        yield Symptom(check="audit", what=checked.problem, owner=scope.owner, remedy=remedy)


def _rows(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """Every memory opens, has its newest version, and the relation that belongs to it."""
    after: str | None = None
    while True:
        with scope.store.read(scope.owner) as tx:
            page = tx.tables.page("memory", after=None if after is None else (after,), limit=CHECKED)
            broken = list(_broken(scope, tx, page))
        for id, problem, mends in broken:
            if fix and mends is not None:
                with scope.store.write(scope.owner) as tx:
                    mends(scope, tx, id)
            mended = fix and mends is not None
            remedy = "restore a backup" if mends is None else "commonplace doctor --fix"
            yield Symptom(check="rows", what=f"memory {id}: {problem}", owner=scope.owner, remedy=remedy, fixed=mended)
        if len(page) < CHECKED:
            return
        after = page[-1]["id"]


Mend = Callable[[Scope, Transaction, str], None]


def _broken(
    scope: Scope, tx: Transaction, page: Sequence[Mapping[str, object]]
) -> Iterable[tuple[str, str, Mend | None]]:
    """What is wrong with which memory, and what puts it right."""
    ids = [str(row["id"]) for row in page]
    related = {row.id for row in tx.relations.get([str(row["id"]) for row in page if row["kind"] == "relational"])}
    latest = {row.id: row.version for row in tx.versions.at(states.NOUN, ids, 2**62)}
    for row in page:
        id = str(row["id"])
        try:
            scope.open_json(states.NOUN, id, row["sealed"])  # type: ignore[arg-type]
        except KeyringError:
            yield id, "it cannot be read with the owner's keys", None
            continue
        if latest.get(id) != row["version"]:
            newer = latest.get(id, 0) > row["version"]  # type: ignore[operator]
            yield id, "its newest version is missing or another", None if newer else _put_version
        if row["kind"] == "relational" and id not in related:
            yield id, "the graph does not have it", _put_relation


def _put_version(scope: Scope, tx: Transaction, id: str) -> None:
    """The newest version is the memory as it stands."""
    for memory in opened(scope, tx, tx.memories.get([id])):
        at = micros(scope.clock.now())
        version_row = states.version_row(
            scope.current_vault(), memory, at=at, actor=scope.actor, action="DOCTOR", reason="it was missing"
        )
        tx.versions.put(version_row)


def _put_relation(scope: Scope, tx: Transaction, id: str) -> None:
    for memory in opened(scope, tx, tx.memories.get([id])):
        triple = memory.content.triple or {}
        if len(tx.entities.get([triple["subject"], triple["object"]])) == len({triple["subject"], triple["object"]}):
            notes = scope.current_vault().seal_json("relation", id, triple.get("notes"))
            tx.relations.put(states.relation(memory, notes))


def _orphans(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """Versions, evidence and links of memories and entities that are not there."""
    for table, owned in (("version", "versions"), ("evidence", "evidence"), ("tag_link", "tag links")):
        lost = _lost_in(scope, table)
        if fix and lost:
            with scope.store.write(scope.owner) as tx:
                for noun, id in lost:
                    _drop(tx, table, noun, id)
        for noun, id in sorted(lost):
            message = f"{owned} of {noun} {id}, which is not there"
            yield Symptom(
                check="orphans", what=message, owner=scope.owner, remedy="commonplace doctor --fix", fixed=fix
            )


def _lost_in(scope: Scope, table: str) -> set[tuple[str, str]]:
    lost: set[tuple[str, str]] = set()
    after = None
    while True:
        with scope.store.read(scope.owner) as tx:
            page = tx.tables.page(table, after=after, limit=CHECKED)
            references = {(str(row["noun"]), str(row["id"])) for row in page}
            memories = {row.id for row in tx.memories.get([id for noun, id in references if noun == states.NOUN])}
            entities = {row.id for row in tx.entities.get([id for noun, id in references if noun == "entity"])}
            after = tx.tables.key(table, page[-1]) if page else None
        lost |= {(noun, id) for noun, id in references if noun == states.NOUN and id not in memories}
        lost |= {(noun, id) for noun, id in references if noun == "entity" and id not in entities}
        if len(page) < CHECKED:
            return lost


def _drop(tx: Transaction, table: str, noun: str, id: str) -> None:
    if table == "version":
        tx.versions.delete(noun, [id])
    elif table == "evidence":
        tx.evidence.delete(noun, [id])
    else:
        tx.tags.set_links(noun, id, ())


def _words(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """The words of texts are in the index under their numbers: some of an even sample, or every one of all.

    All of them looked at, it shows too which words belong to no text.
    """
    missing = looked = 0
    with scope.store.read(scope.owner) as tx:
        places = {row.id for row in tx.namespaces.all()}
        postings = {place: _counted(tx, place) for place in places} if full else {}
        unclaimed = {place: counted > 0 for place, counted in postings.items()}
        claimed = bytearray(tx.owners.get().next_doc + 1)
        every = 1 if full else max(1, tx.tables.count("version") // SAMPLED)
        scope = scope.as_set(tx.owners.get())
        for memory in texts(scope, tx, every=every):
            place, doc = memory.row.namespace, memory.row.doc
            if place in places:
                looked += 1
                missing += not _indexed(scope, tx, memory, postings.get(place))
                if place in unclaimed and doc < len(unclaimed[place]):
                    unclaimed[place][doc] = False
                    claimed[doc] = 1
    if missing:
        if fix:
            reindex(book, scope)
        message = f"{missing:,} of {looked:,} texts looked at are not in the word index"
        yield Symptom(check="words", what=message, owner=scope.owner, remedy="commonplace reindex", fixed=fix)
    if full:
        yield from _unclaimed(scope, {place: docs.nonzero()[0].tolist() for place, docs in unclaimed.items()}, fix)
        yield from _idle_vectors(scope, claimed, fix)
        yield from _idle_passages(scope, claimed, fix)


def _unclaimed(scope: Scope, docs: Mapping[str, Sequence[int]], fix: bool) -> Iterable[Symptom]:
    """Words under numbers that no text has: what was deleted must leave none."""
    for place, numbers in docs.items():
        if not numbers:
            continue
        if fix:
            with scope.store.write(scope.owner) as tx:
                tx.words.remove(place, numbers, None)
        message = f"the word index holds words of {len(numbers):,} texts that are not there"
        yield Symptom(
            check="words", what=message, owner=scope.owner, remedy="commonplace doctor --full --fix", fixed=fix
        )


def _idle_vectors(scope: Scope, claimed: bytearray, fix: bool) -> Iterable[Symptom]:
    """Vectors under numbers that no text has."""
    with scope.store.read(scope.owner) as tx:
        sets = [(place, model) for place, model, _ in tx.vectors.counts()]
        rows = (row for place, model in sets for batch in tx.vectors.load(place, model) for row in batch)
        idle = sorted({row.doc for row in rows if row.doc >= len(claimed) or not claimed[row.doc]})
    if idle:
        if fix:
            with scope.store.write(scope.owner) as tx:
                tx.vectors.delete(idle)
        message = f"there are vectors of {len(idle):,} texts that are not there"
        yield Symptom(
            check="vectors", what=message, owner=scope.owner, remedy="commonplace doctor --full --fix", fixed=fix
        )


def _idle_passages(scope: Scope, claimed: bytearray, fix: bool) -> Iterable[Symptom]:
    """Token vectors under numbers that no text has."""
    idle: list[int] = []
    with scope.store.read(scope.owner) as tx:
        after = -1
        while docs := tx.passages.docs(after=after, limit=CHECKED):
            idle += [doc for doc in docs if doc >= len(claimed) or not claimed[doc]]
            after = docs[-1]
    if idle:
        if fix:
            with scope.store.write(scope.owner) as tx:
                tx.passages.delete(idle)
        message = f"there are token vectors of {len(idle):,} texts that are not there"
        yield Symptom(
            check="vectors", what=message, owner=scope.owner, remedy="commonplace doctor --full --fix", fixed=fix
        )


def _indexed(scope: Scope, tx: Transaction, memory: StoredMemory, counted: "NDArray[np.uint32] | None") -> bool:
    rows, _ = indexing.postings(scope.vault, memory, language=scope.language, zone=scope.zone)
    if not rows:
        return True
    if counted is not None:
        return memory.row.doc < len(counted) and int(counted[memory.row.doc]) == len(rows)
    postings = tx.words.fetch(memory.row.namespace, [row.term for row in rows[:: max(1, len(rows) // 4)]])
    return bool(postings) and _holds(min(postings.values(), key=len), memory.row.doc)


def _holds(postings: bytes, doc: int) -> bool:
    number = doc.to_bytes(4, "little")
    place = postings.find(number)
    while place >= 0 and place % RECORD:
        place = postings.find(number, place + 1)
    return place >= 0


def _counted(tx: Transaction, namespace: str) -> "NDArray[np.uint32]":
    """How many postings each document has; a number a document, whatever the size of the index."""
    import numpy as np  # noqa: PLC0415  # only a full examination pays for it

    counts = np.zeros(tx.owners.get().next_doc + 1, np.uint32)
    after: tuple[int, int] | None = None
    while page := tx.words.blocks(namespace, after=after, limit=CHECKED):
        data = np.frombuffer(b"".join(block.data for block in page), np.uint8).reshape(-1, RECORD)
        docs = np.ascontiguousarray(data[:, :4]).view("<u4").ravel()
        np.add.at(counts, docs, 1)
        after = (page[-1].term, page[-1].first)
    loose: tuple[object, ...] | None = (namespace, -(2**63), 0)
    while loose is not None and (rows := tx.tables.page("fresh", after=loose, limit=CHECKED * 10)):
        numbers = [row["doc"] for row in rows if row["namespace"] == namespace]
        np.add.at(counts, numbers, 1)
        loose = tx.tables.key("fresh", rows[-1]) if len(numbers) == len(rows) else None
    return counts


def _vectors(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    encoder = book.encoder(scope.current_vault())
    if encoder is None:
        return
    with scope.store.read(scope.owner) as tx:
        waiting = {row.id: len(tx.vectors.missing(row.id, encoder.model, limit=10_000)) for row in tx.namespaces.all()}
    for namespace, count in waiting.items():
        if count:
            if fix:
                embed(book, scope, namespace)
            message = f"{count:,} texts wait for their vectors"
            remedy = "commonplace maintain"
            yield Symptom(check="vectors", what=message, grade=WARNING, owner=scope.owner, remedy=remedy, fixed=fix)


def _ledger(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """Nothing that the ledger says was forgotten or erased is in the book, and its tombstones are."""
    if problem := ledger_problem(book.store, scope.owner):
        if fix:
            _rebuild_ledger(scope)
        remedy = "put back your copy of the ledger, or `commonplace doctor --fix` to begin it again from the tombstones"
        yield Symptom(check="ledger", what=problem, owner=scope.owner, remedy=remedy, fixed=fix)
    try:
        entries = list(book.store.ledger.entries(scope.owner))
    except StoreError as fault:
        yield Symptom(check="ledger", what=str(fault), owner=scope.owner, remedy="put back your copy of the ledger")
        return
    last = max((at for at, entry in enumerate(entries) if entry.act == "erase-owner"), default=-1)
    ledger_state = standing(entries[last + 1 :])
    with scope.store.read(scope.owner) as tx:
        places = {row.id for row in tx.namespaces.all()}
        back = [row.id for row in tx.memories.get(list(ledger_state.targets))]
        existing = {(row.namespace, row.fingerprint) for row in tx.tombstones.all()}
    missing = [value for value in ledger_state.values if value[0] in places and value not in existing]
    erased = [id for id in ledger_state.namespaces if id in places]
    if fix and (back or missing or erased):
        finish(book)
    for message in (
        f"{len(back):,} forgotten memories are back" if back else "",
        f"{len(missing):,} tombstones are missing" if missing else "",
        f"{len(erased):,} erased namespaces are back" if erased else "",
    ):
        if message:
            remedy = "commonplace restore --replay"
            yield Symptom(check="ledger", what=message, owner=scope.owner, remedy=remedy, fixed=fix)


def _rebuild_ledger(scope: Scope) -> None:
    """What the book itself knows of final acts: its tombstones. Erasures of namespaces and cuts are not among them."""
    with scope.store.write(scope.owner) as tx:
        now = micros(scope.clock.now())
        tx.final_acts.append(
            [LedgerEntry(owner=scope.owner, at=now, act=REBUILT, target=scope.owner)]
            + [
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
        )


def _sealed(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """Everything that is sealed opens with the owner's keys: quotes always, every column with ``full``."""
    vault = scope.current_vault()
    for column in keys.SEALED:
        if not full and column.table != EVIDENCE:
            continue
        broken = 0
        after: tuple[Any, ...] | None = None
        while True:
            with scope.store.read(scope.owner) as tx:
                page = tx.tables.page(column.table, after=after, limit=CHECKED)
            closed = [row for row in page if row[column.name] is not None and not _opens(vault, column, row)]
            broken += len(closed)
            if fix and closed and column.table == EVIDENCE:
                _mend_quotes(scope, closed)
            if len(page) < CHECKED:
                break
            after = tx.tables.key(column.table, page[-1])
        if broken:
            mended = fix and column.table == EVIDENCE
            remedy = "commonplace doctor --fix" if column.table == EVIDENCE else RESTORE
            message = f"{broken:,} rows of {column.table} cannot be read with the owner's keys ({column.name})"
            yield Symptom(check="sealed", what=message, owner=scope.owner, remedy=remedy, fixed=mended)


def _opens(vault: Vault, column: SealedColumn, row: Mapping[str, Any]) -> bool:
    try:
        vault.open(column.noun, column.row(row), row[column.name])
    except KeyringError:
        return False
    return True


def _mend_quotes(scope: Scope, rows: Sequence[Mapping[str, Any]]) -> None:
    """Quotes that were sealed under another memory's id (the same thing said twice did that once).

    The bytes are decrypted without their proof, and believed only where the episode, which has its own, holds those
    words. Any other quote is dropped; the memory still points at its episode.
    """
    with scope.store.write(scope.owner) as tx:
        vault = scope.current_vault()
        texts = {
            memory.id: memory.content.text
            for memory in opened(scope, tx, tx.memories.get([str(row["episode"]) for row in rows]))
        }
        mended = []
        for row in rows:
            quote = vault.open_unproved(row["sealed"])
            quoted = quote is not None and quote in texts.get(str(row["episode"]), "")
            name = f"{row['noun']}/{row['id']}/{row['episode']}"
            mended.append({**row, "sealed": vault.seal_json(EVIDENCE, name, quote) if quoted else None})
        tx.tables.put(EVIDENCE, mended)


def _jobs(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    dead = Jobs(scope).list(states=("dead",), limit=1000)
    for job in dead:
        if fix:
            Jobs(scope).replay(job.id)
        message = f"job {job.id} ({job.kind}) gave up after {job.attempts} attempts: {job.error}"
        remedy = f"commonplace jobs replay {job.id}"
        yield Symptom(check="jobs", what=message, grade=WARNING, owner=scope.owner, remedy=remedy, fixed=fix)
    late = micros(book.clock.now()) - STALE_LEASE
    with scope.store.read(scope.owner) as tx:
        stuck = [row for row in tx.jobs.all(states=("leased",), limit=1000) if (row.lease_until or 0) < late]
    for row in stuck:
        message = f"job {row.id} ({row.kind}) was taken by a process that ended, and waits to be taken again"
        yield Symptom(check="jobs", what=message, grade=WARNING, owner=scope.owner, remedy="commonplace maintain")


def _clocks(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """The changes of the feed stand in one unbroken order."""
    with scope.store.read(scope.owner) as tx:
        last = tx.changes.last()
        tail = tx.changes.since(max(0, last - CHECKED), limit=CHECKED)
    if any(earlier.sequence >= later.sequence for earlier, later in pairwise(tail)) or (
        tail and tail[-1].sequence > last
    ):
        yield Symptom(check="changes", what="the change feed is out of order", owner=scope.owner, remedy="restore")


Check = Callable[[OpenedBook, Scope, bool, bool], Iterable[Symptom]]


def _model(book: OpenedBook, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    trouble = last_failure(scope) if book.settings.llm else None
    if trouble is not None:
        remedy = "look at llm, llm_url and llm_key; then: commonplace jobs replay"
        yield Symptom(check="model", what=trouble, owner=scope.owner, grade=WARNING, remedy=remedy)


OWNED: dict[str, Check] = {
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
