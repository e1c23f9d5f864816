"""JSON lines back into a book: what is here already stays, what was forgotten here stays forgotten."""

import base64
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from typing import Any

from commonplace.batches.report import Report
from commonplace.batches.runs import Run
from commonplace.clock import micros
from commonplace.copies.check_lines import kept_numbers, parsed
from commonplace.copies.export import FORMAT, TIMES, VERSION, Line
from commonplace.copies.replay import cutter, standing
from commonplace.errors import Invalid, Refused
from commonplace.memories import admission
from commonplace.memories import codec as states
from commonplace.memories.codec import STATE_FIELDS, TYPED_FIELDS, Content, StoredMemory
from commonplace.memories.gateway import Gateway, entity_value, evidence_rows, value, without_forgotten
from commonplace.memories.residue import FORGOTTEN
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, collector_paused
from commonplace.model import CURRENT
from commonplace.security.keys import Elder
from commonplace.store.ports import Progress
from commonplace.store.rows import (
    DirectiveRow,
    EntityRow,
    Filter,
    MemoryRow,
    NamespaceRow,
    SessionRow,
    StepRow,
    TagRow,
    TombstoneRow,
    TraceRow,
    VersionRow,
)
from commonplace.store.transaction import Transaction
from commonplace.text.sentences import sentences

BATCH = 1_000
TRACE = "import"
NEW, HERE, SAME = "new", "already here", "the same value is here"
DEAD, REFUSED = "forgotten or rejected here", "refused"
OTHER_MASTER = (
    "tombstones were left out: the export was made under another master key, so that nobody can tell here which values "
    "they stand for; use `commonplace copy`, or export again where the master key is this one"
)


@dataclass(slots=True)
class Names:
    """The names used here for the namespaces, entities and tags of the file; different only where a name was taken."""

    namespaces: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    sessions: dict[str, str] = field(default_factory=dict)
    talks: dict[str, str] = field(default_factory=dict)
    """The name of each conversation, by the id in the file."""
    base: int = 0
    """What is added to document numbers."""
    stones: bool = True
    """Whether anything was ever forgotten or rejected here; looked up once a batch."""
    fresh: bool = True
    """The book was empty when the import began: nothing of it can be the same as anything here."""
    erased: frozenset[str] = frozenset()
    """Ids of namespaces that were erased here."""
    forgotten: frozenset[str] = frozenset()
    """Ids of memories that were forgotten here."""
    cut: Callable[[str], str] | None = None
    """What is left of a text that lost a part here; None if none ever did."""


def import_lines(
    scope: Scope, lines: Iterable[str], *, dry_run: bool = False, progress: Progress | None = None
) -> Report:
    """Take in what ``export`` wrote, with ids, versions, evidence and clocks as they were.

    What has an id that is here already is passed over, so that a broken off import is simply run again, and a second
    one changes nothing. A value that is tombstoned here is not brought back. `undo` takes the whole import back.
    With ``dry_run`` nothing is written, and the counts say what would happen.
    """
    run = Run(scope, "IMPORT", dry_run=dry_run)
    checksum = FileChecksum()
    reading = _parsed(lines, checksum)
    header = next(reading, None)
    if header is None or header.get("format") != FORMAT:
        raise Invalid("this is not an export: the first line must be its header", code="not_an_export")
    if header["version"] > VERSION:
        raise Invalid(
            f"the export has format {header['version']}, this release reads up to {VERSION}; update first",
            code="newer_export",
        )
    names = _begin(scope, header, dry_run=dry_run)
    lost = standing(list(scope.store.ledger.entries(scope.owner)))
    names.cut = cutter(scope, lost) if lost.cuts else None
    names.erased, names.forgotten = frozenset(lost.namespaces), frozenset(lost.targets)
    waiting: list[Line] = []
    count = left_out = 0
    elders: list[Elder] | None = None
    for line in reading:
        if line["type"] == "footer":
            checksum.footer = line
            continue
        if waiting and (len(waiting) >= BATCH or waiting[0]["type"] != line["type"]):
            _take(run, names, waiting)
            count += len(waiting)
            waiting = []
            if progress is not None:
                progress(count, None)
        if line["type"] == "tombstone":
            if elders is None:
                elders = _elders(scope, header.get("tombstone_keys", []), names)
                _keep_elders(scope, elders, dry_run=dry_run)
            if not elders:
                left_out += 1
                continue
        waiting.append(line)
    if waiting:
        _take(run, names, waiting)
    run.notes += checksum.doubts()
    if left_out:
        run.notes.append(f"{left_out:,} {OTHER_MASTER}")
    return run.report()


@dataclass(slots=True)
class FileChecksum:
    """Whether the file is as it was written: its last line tells how many lines there were, and their digest."""

    footer: Line | None = None
    before: bytes = b""
    """The digest of every line up to the last one."""

    def doubts(self) -> list[str]:
        if self.footer is None:
            return ["the file has no last line: it was cut short, and what is missing was not taken in"]
        if self.footer.get("digest") != self.before.hex():
            return ["the file is not as it was written: its digest is another"]
        return []


def _parsed(lines: Iterable[str], checksum: FileChecksum) -> Iterator[Line]:
    digest = blake2b(digest_size=32)
    for number, text in enumerate(lines, start=1):
        checksum.before = digest.digest()
        digest.update((text if text.endswith("\n") else text + "\n").encode("utf-8", "surrogatepass"))
        if not text.strip():
            continue
        yield parsed(text, number)


def _begin(scope: Scope, header: Line, *, dry_run: bool) -> Names:
    """Reserve document numbers once per export: neighbouring turns stay neighbours, also after a broken off import."""
    id = f"{TRACE}/{header['export']}"
    with scope.store.read(scope.owner) as tx:
        row = tx.traces.get(id)
        fresh = not tx.namespaces.all()
    if row is not None:
        return Names(**scope.opened(row))
    if dry_run:
        return Names(fresh=fresh)
    with scope.store.write(scope.owner) as tx:
        base = tx.owners.take_docs(int(header["docs"])) - 1
        row = TraceRow(id=id, kind=TRACE, at=micros(scope.clock.now()), sealed=b"")
        tx.traces.put(scope.current_vault().sealed(row, {"base": base, "fresh": fresh}))
    return Names(base=base, fresh=fresh)


@collector_paused()
def _take(run: Run, names: Names, lines: Sequence[Line]) -> None:
    kind = lines[0]["type"]
    taker = TAKERS.get(kind)
    if taker is None:
        raise Invalid(f"the export has lines of type {str(kind)[:40]!r}, which this release does not know")
    if run.dry_run:
        with run.scope.store.read(run.scope.owner) as tx:
            for line in lines:
                run.found(str(line.get("id", "")), _verdict(run.scope, tx, names, line), noun=kind)
        return
    with run.batch() as work:
        for id, verdict in taker(work, names, lines):
            run.found(id, verdict, noun=kind)
        if not work.touched:
            work.receipt(keep=False)


Taken = Iterator[tuple[str, str]]


def _verdict(scope: Scope, tx: Transaction, names: Names, line: Line) -> str:
    """What importing a line would do. Writes nothing."""
    kind, id = line["type"], str(line.get("id", ""))
    if kind == "namespace":
        row = tx.namespaces.get(id) or tx.namespaces.by_label(scope.vault.label("namespace", line["name"]))
        names.namespaces[id] = row.id if row is not None else id
        return HERE if row is not None else NEW
    if kind == "tombstone":
        tombstones = tx.tombstones.among(_place(names, line), [base64.b64decode(line["fingerprint"])])
        return HERE if tombstones else NEW
    if kind == "memory":
        if tx.memories.get([id]):
            return HERE
        prints = scope.vault.fingerprints(_place(names, line), value(_left(names, line["text"]), line.get("key")))
        return DEAD if line["status"] != "rejected" and tx.tombstones.among(_place(names, line), prints) else NEW
    lookups: Mapping[str, Callable[[], object]] = {
        "tag": lambda: tx.tags.get([id]),
        "session": lambda: tx.sessions.get([id]),
        "entity": lambda: tx.entities.get([id]),
        "directive": lambda: tx.directives.get(id),
        "step": lambda: tx.steps.get(id),
    }
    return HERE if kind in lookups and lookups[kind]() else NEW


def _place(names: Names, line: Line) -> str:
    try:
        return names.namespaces[line["namespace"]]
    except KeyError as fault:
        raise Invalid("a line names a namespace that the export does not hold; the file is damaged") from fault


def _namespaces(work: Work, names: Names, lines: Sequence[Line]) -> Taken:
    for line in lines:
        id, name = line["id"], admission.name("namespace", line["name"])
        label = work.vault.label("namespace", name)
        row = work.tx.namespaces.by_label(label)
        if row is None:
            plain = {key: cell for key, cell in line.items() if key not in ("type", "id", "created_at")}
            place = id if id not in names.erased else work.scope.clock.new_id()  # a restore erases the old id again
            row = NamespaceRow(id=place, label=label, sealed=b"", created_at=stamp(line["created_at"]) or work.now)
            row = work.vault.sealed(row, admission.redacted(plain))
            work.tx.namespaces.put(row)
            work.record("namespace", place, "IMPORT", place)
            yield id, NEW
        else:
            yield id, HERE
        names.namespaces[id] = row.id


def _tags(work: Work, names: Names, lines: Sequence[Line]) -> Taken:
    for line in lines:
        id, place = line["id"], _place(names, line)
        labels = [
            work.vault.label("tag", f"{place}/{admission.name('tag', name)}")
            for name in (line["name"], *line.get("synonyms", ()))
        ]
        existing = next((row for label in labels if (row := work.tx.tags.by_label(place, label))), None)
        names.tags[id] = existing.id if existing is not None else id
        if existing is not None:
            yield id, HERE
            continue
        plain = {key: cell for key, cell in line.items() if key not in ("type", "id", "namespace", "created_at")}
        at, synonyms = stamp(line["created_at"]) or work.now, tuple(labels[1:])
        row = TagRow(id=id, namespace=place, label=labels[0], sealed=b"", synonyms=synonyms, created_at=at)
        work.tx.tags.put(work.vault.sealed(row, admission.redacted(plain)))
        work.record("tag", id, "IMPORT", place)
        yield id, NEW


def _sessions(work: Work, names: Names, lines: Sequence[Line]) -> Taken:
    for line in lines:
        id, place, name = line["id"], _place(names, line), admission.name("session", line["name"], limit=512)
        label = work.vault.label("session", f"{place}/{name}")
        existing = work.tx.sessions.by_label(place, label)
        names.talks[id] = name
        if existing is not None:
            if existing.id != id:
                names.sessions[id] = existing.id
                work.tx.sessions.put(replace(existing, position=max(existing.position, int(line["position"]))))
            yield id, HERE
            continue
        kept = kept_numbers(*line["docs"])
        session = SessionRow(
            id=id,
            namespace=place,
            label=label,
            sealed=b"",
            started_at=stamp(line["started_at"]) or work.now,
            position=line["position"],
            next_doc=kept.start + names.base,
            end_doc=kept.stop + names.base,
        )
        work.tx.sessions.put(work.vault.sealed(session, {"name": name}))
        yield id, NEW


def _entities(work: Work, names: Names, lines: Sequence[Line]) -> Taken:
    existing = {row.id for row in work.tx.entities.get([line["id"] for line in lines])}
    for line in lines:
        id, place = line["id"], _place(names, line)
        if id in existing:
            yield id, HERE
        elif _is_forgotten(work, place, line["label"]):
            yield id, DEAD
        else:
            aliases = [name for name in line.get("aliases") or () if not _is_forgotten(work, place, name)]
            put_entity(work, names, {**line, "aliases": aliases})
            yield id, NEW


ENTITY_COLUMNS = "type id namespace kind status recorded_at retired_at version tags versions".split()


def put_entity(work: Work, names: Names, line: Line, *, expected: int | None = None) -> None:
    """Write an entity with its versions: a new one, or in the place of its version ``expected``."""
    id, place = line["id"], _place(names, line)
    plain = {key: cell for key, cell in line.items() if key not in ENTITY_COLUMNS}
    labels = [
        work.vault.label("entity", f"{place}/{admission.name('label', name)}")
        for name in (plain["label"], *(plain.get("aliases") or ()))
    ]
    row = EntityRow(
        id=id,
        namespace=place,
        type=line["kind"],
        label=labels[0],
        sealed=b"",
        status=line["status"],
        recorded_at=stamp(line["recorded_at"]) or work.now,
        version=line["version"],
        aliases=tuple(labels[1:]),
        retired_at=stamp(line["retired_at"]),
    )
    work.tx.entities.put(work.vault.sealed(row, admission.redacted(plain)), expected=expected)
    work.tx.tags.set_links("entity", id, [names.tags.get(tag, tag) for tag in line["tags"]])
    _put_versions(work, "entity", id, line["versions"])
    work.record("entity", id, "IMPORT", place)


def _is_forgotten(work: Work, place: str, label: str) -> bool:
    return bool(work.tx.tombstones.among(place, work.vault.fingerprints(place, entity_value(label))))


def _plans(work: Work, names: Names, lines: Sequence[Line]) -> Taken:
    """Directives, or steps of them."""
    for line in lines:
        id, noun, place, columns = line["id"], line["type"], _place(names, line), dict(line["columns"])
        plain = admission.redacted(line["plain"])
        if (work.tx.directives if noun == "directive" else work.tx.steps).get(id) is not None:
            yield id, HERE
            continue
        if noun == "directive":
            directive = DirectiveRow(id=id, namespace=place, sealed=b"", **columns)
            work.tx.directives.put(work.vault.sealed(directive, plain))
        else:
            columns["depends_on"] = tuple(columns["depends_on"])
            work.tx.steps.put(work.vault.sealed(StepRow(id=id, sealed=b"", **columns), plain))
        _put_versions(work, noun, id, line["versions"])
        work.record(noun, id, "IMPORT", place)
        yield id, NEW


def _put_versions(work: Work, noun: str, id: str, versions: Sequence[Line]) -> None:
    rows = [_version(work, noun, id, line, admission.redacted(line["plain"])) for line in versions]
    work.tx.versions.restore(rows)


def _version(work: Work, noun: str, id: str, line: Line, plain: Any, doc: int | None = None) -> VersionRow:
    columns: dict[str, Any] = {name: line[name] for name in ("version", "actor", "action")}
    columns |= {name: stamp(line[name]) for name in ("recorded_at", "superseded_at")}
    return work.vault.sealed(VersionRow(noun=noun, id=id, sealed=b"", doc=doc, **columns), plain)


@dataclass(frozen=True, slots=True)
class Incoming:
    """A memory of the file as it would stand here, with its earlier states."""

    memory: StoredMemory
    versions: tuple[tuple[Line, StoredMemory], ...]
    evidence: tuple[tuple[str, str | None], ...]


def _memories(work: Work, names: Names, lines: Sequence[Line]) -> Taken:
    existing = {row.id for row in work.tx.memories.get([line["id"] for line in lines])}
    accepted: list[Incoming] = []
    names.stones = work.tx.tables.count("tombstone") > 0
    for line in lines:
        if line["id"] in existing:
            yield line["id"], HERE
            continue
        if line["id"] in names.forgotten:
            yield line["id"], DEAD
            continue
        try:
            incoming = _incoming(work, names, line)
        except Refused:
            yield line["id"], REFUSED
            continue
        if incoming is None:
            yield line["id"], DEAD
        elif not names.fresh and (same := _same(work, incoming.memory)) is not None:
            work.tx.evidence.put(evidence_rows(work, same, incoming.evidence))
            yield line["id"], SAME
        else:
            existing.add(line["id"])
            accepted.append(incoming if names.fresh else _fitted(work, incoming))
            yield line["id"], NEW
    _write(work, accepted)


def _incoming(work: Work, names: Names, line: Line) -> Incoming | None:
    """None if the value was forgotten or rejected here; earlier states that were forgotten here are left out."""
    place = _place(names, line)
    memory = _living(work, names, memory_from_line(work, names, place, line["id"], line))
    if memory is None:
        return None
    if memory.content.triple and len(work.tx.entities.get(_ends(memory))) < 2:
        return None  # the name of one of its ends was forgotten here
    versions = []
    for version in line["versions"]:
        earlier: StoredMemory | None = memory
        if "state" in version:
            where = names.namespaces.get(version["state"]["namespace"], place)
            earlier = memory_from_line(work, names, where, line["id"], version["state"])
            earlier = (
                _living(work, names, earlier, past=True) if earlier.content.text != memory.content.text else earlier
            )
        if earlier is not None:
            versions.append((version, earlier))
    quotes = tuple((row["episode"], _unforgotten(work, names, place, row["quote"])) for row in line["evidence"])
    if quotes and all(row["quote"] is not None for row in line["evidence"]) and not any(quote for _, quote in quotes):
        return None  # every word it rests on was forgotten here
    return Incoming(memory, tuple(versions), quotes)


def _rank(work: Work, recorded: Any) -> int | None:
    """As recorded in the file, but never above that of who imports it."""
    if recorded is None:
        return None if work.scope.person else work.scope.rank
    return min(int(recorded), work.scope.rank)


def _ends(memory: StoredMemory) -> list[str]:
    triple = memory.content.triple or {}
    return [triple["subject"], triple["object"]]


def _left(names: Names, text: str) -> str:
    """The text without the parts that were forgotten here after the export was made."""
    if names.cut is None:
        return text
    text = names.cut(text)
    for span in reversed(sentences(text)):
        text = text[: span.start] + names.cut(span.text) + text[span.end :]
    return text


def _unforgotten(work: Work, names: Names, place: str, quote: str | None) -> str | None:
    if quote is None or not names.stones:
        return quote
    quote = _left(names, quote)
    if FORGOTTEN in without_forgotten(work, place, quote)[0]:
        return None
    return quote


CHECKED = ("text", "key", "metadata")
"""Typed fields of a memory that are read in their own way; the others are remarks."""


def memory_from_line(work: Work, names: Names, place: str, id: str, line: Line) -> StoredMemory:
    columns = {name: line[name] for name in STATE_FIELDS if name in line and name not in ("fingerprint", "key")}
    for name in TIMES:
        if name in columns:
            columns[name] = stamp(columns[name])
    text = admission.checked(line["text"], max_text=work.scope.max_text)
    if columns["kind"] != "episodic":
        text = admission.clean(text, max_text=work.scope.max_text).text
    else:
        text = admission.redacted(text)
    text = _left(names, text)
    key = None if line.get("key") is None else admission.name("key", line["key"])
    talk = columns.get("session")
    content = Content(
        **{name: admission.remark(name, line.get(name)) for name in TYPED_FIELDS if name not in CHECKED},
        text=text,
        key=key,
        metadata=admission.metadata(line.get("metadata")),
        speaker=line.get("speaker"),
        session=None if talk is None else names.talks.get(talk),
        triple=admission.redacted(line.get("triple")),
        rank=_rank(work, line.get("rank")),
        author=work.scope.member or admission.remark("author", line.get("author")),
        agent=admission.remark("agent", line.get("agent")),
    )
    columns |= {
        "id": id,
        "namespace": place,
        "doc": int(line["doc"]) + names.base,
        "session": None if talk is None else names.sessions.get(talk, talk),
        "fingerprint": work.vault.fingerprint(place, value(text, key)),
        "key": None if key is None else work.vault.label("core", f"{place}/{key}"),
    }
    used = {"uses": int(line.get("uses", 0)), "last_used_at": stamp(line.get("last_used_at"))}
    tags = tuple(names.tags.get(tag, tag) for tag in line.get("tags", ()))
    return StoredMemory(row=MemoryRow(**(columns | used), sealed=b""), content=content, tags=tags)


def _living(work: Work, names: Names, memory: StoredMemory, *, past: bool = False) -> StoredMemory | None:
    """The memory as it may come in: whole, with forgotten sentences redacted, or not at all."""
    place, content = memory.row.namespace, memory.content
    if not names.stones:
        return memory
    if memory.row.kind == "episodic":
        text, _ = without_forgotten(work, place, content.text)
        if text == content.text:
            return memory
        if not text.replace(FORGOTTEN, "").strip():
            return None
        print = work.vault.fingerprint(place, text)
        return replace(memory, content=replace(content, text=text)).with_row(fingerprint=print)
    prints = work.vault.fingerprints(place, value(content.text, content.key))
    reasons = {row.reason for row in work.tx.tombstones.among(place, prints)}
    if "forgotten" in reasons or (reasons and not past and memory.row.status != "rejected"):
        return None
    return memory


def _same(work: Work, memory: StoredMemory) -> str | None:
    """The id under which a current value is believed here already."""
    row = memory.row
    if row.status not in CURRENT or row.kind == "episodic":
        return None
    filter = Filter(namespaces=(row.namespace,), fingerprint=row.fingerprint, statuses=CURRENT)
    for twin in work.tx.memories.find(filter, limit=50):
        if (twin.kind, twin.directive, twin.key) == (row.kind, row.directive, row.key):
            return twin.id
    return None


def _fitted(work: Work, incoming: Incoming) -> Incoming:
    """A core key holds one value at a time: of the one here and the one that comes, the later recorded holds now."""
    row = incoming.memory.row
    if row.key is None or row.status not in CURRENT:
        return incoming
    rows = work.tx.memories.find(Filter(namespaces=(row.namespace,), key=row.key, statuses=CURRENT), limit=10)
    for memory in states.all_opened(work.scope, work.tx, rows):
        if memory.row.recorded_at > row.recorded_at:
            end = memory.row.valid_from or memory.row.recorded_at
            return replace(incoming, memory=incoming.memory.with_row(status="stale", valid_to=end))
        Gateway(work.scope).supersede(work, memory, row.valid_from or row.recorded_at, "a newer value was imported")
    return incoming


def _write(work: Work, accepted: Sequence[Incoming]) -> None:
    if not accepted:
        return
    tx, vault = work.tx, work.vault
    tx.memories.put_many([states.sealed(vault, incoming.memory) for incoming in accepted])
    tx.versions.restore(
        [_state(work, incoming.memory, line, memory) for incoming in accepted for line, memory in incoming.versions]
    )
    for incoming in accepted:
        memory = incoming.memory
        work.write_links(memory)
        work.tx.evidence.put(evidence_rows(work, memory.id, incoming.evidence))
        work.audit("IMPORT", states.NOUN, memory.id, None, states.digest(vault, memory), None)
        work.ids.append(memory.id)
        work.touched.append((states.NOUN, memory.id, None, memory.row.version))
    index_states(work, accepted)


def _state(work: Work, present: StoredMemory, line: Line, memory: StoredMemory) -> VersionRow:
    if int(line["version"]) == present.row.version:
        memory = present
    plain = states.state(memory) | {"reason": admission.redacted(line.get("reason"))}
    return _version(work, states.NOUN, memory.id, line, plain, memory.row.doc)


def index_states(work: Work, accepted: Sequence[Incoming]) -> None:
    """Words and vectors of every text, earlier ones included, once each."""
    texts: dict[int, StoredMemory] = {}
    for incoming in accepted:
        for memory in (incoming.memory, *(earlier for _, earlier in incoming.versions)):
            texts.setdefault(memory.row.doc, memory)
    fed = [(states.NOUN, memory.id, "put", doc, memory.row.namespace) for doc, memory in texts.items()]
    for place in dict.fromkeys(memory.row.namespace for memory in texts.values()):
        work.index([memory for memory in texts.values() if memory.row.namespace == place])
    work.tx.changes.record(fed, at=work.now)


def _tombstones(work: Work, names: Names, lines: Sequence[Line]) -> Taken:
    rows = [
        TombstoneRow(
            namespace=_place(names, line),
            fingerprint=base64.b64decode(line["fingerprint"]),
            reason=str(line["reason"]),
            at=stamp(line["at"]) or work.now,
            target=line["target"] or None,
        )
        for line in lines
    ]
    existing = {
        (place, row.fingerprint)
        for place in {row.namespace for row in rows}
        for row in work.tx.tombstones.among(place, [row.fingerprint for row in rows if row.namespace == place])
    }
    fresh = [row for row in rows if (row.namespace, row.fingerprint) not in existing]
    work.tx.tombstones.put(fresh)
    if fresh:
        acts = [work.act("tombstone", row.target or "", row.namespace, [row.fingerprint], row.reason) for row in fresh]
        work.tx.final_acts.append(acts)
        work.audit("IMPORT", "tombstone", work.scope.owner, None, None, None)
    for row in rows:
        yield row.target or "", HERE if (row.namespace, row.fingerprint) in existing else NEW


def _elders(scope: Scope, keys: Sequence[Line], names: Names) -> list[Elder]:
    """What the tombstones of the file are compared with, as far as this master key opens it.

    Exports of early releases carry it as it is.
    """
    elders = []
    for line in keys:
        key = base64.b64decode(line["key"]) if "key" in line else None
        if key is None:
            key = scope.keychain.open_from_export(line.get("sealed", ""), line["source"])
        place = names.namespaces.get(line["namespace"])
        if key is not None and place is not None:
            elders.append(Elder(key, line["source"], place))
    return elders


def _keep_elders(scope: Scope, elders: Sequence[Elder], *, dry_run: bool) -> None:
    """Not needed where key and namespace are our own."""
    own_key = scope.current_vault().values_key
    foreign = [elder for elder in elders if (elder.key, elder.source) != (own_key, elder.scope)]
    if foreign and not dry_run:
        scope.keychain.add_elders(scope.owner, foreign)
        scope.current_vault()


TAKERS: dict[str, Callable[[Work, Names, Sequence[Line]], Taken]] = {
    "namespace": _namespaces,
    "tag": _tags,
    "session": _sessions,
    "entity": _entities,
    "directive": _plans,
    "step": _plans,
    "memory": _memories,
    "tombstone": _tombstones,
}


def stamp(text: str | None) -> int | None:
    return None if text is None else micros(datetime.fromisoformat(text))
