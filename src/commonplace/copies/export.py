"""Everything an owner has, as JSON lines that any program can read and `import` puts back exactly.

The schema stands in ``docs/export-format.md``. Words and vectors are not in it: they are made again from the texts.
"""

import base64
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from pathlib import Path
from typing import IO, Any, Protocol

from commonplace.batches.report import Report
from commonplace.clock import moment
from commonplace.copies.partial_export import PART, Earlier, claim, earlier
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.scope import Scope
from commonplace.model import MemoryColumns, time_fields
from commonplace.store.ports import Progress
from commonplace.store.rows import (
    EntityRow,
    EvidenceRow,
    Filter,
    MemoryRow,
    NamespaceRow,
    SessionRow,
    TagRow,
    VersionRow,
)
from commonplace.store.transaction import Transaction

FORMAT, VERSION = "commonplace-export", 1
PAGE = 500
BUFFER = 8192
TIMES = (*time_fields(MemoryColumns), "said_at")
KEYED = ("fingerprint", "key")
"""Columns that only the book that made them can use; made again on import."""

TAKEN_OVER = "memories were taken over from the run that was broken off"
STARTED_OVER = (
    "started over: what was broken off was of another book, or something was forgotten, erased or purged since"
)

Line = dict[str, Any]


class Sink(Protocol):
    def write(self, text: str, /) -> object: ...


def export(
    scope: Scope,
    out: Sink,
    *,
    namespaces: Sequence[str] = (),
    unfinished: Earlier | None = None,
    progress: Progress | None = None,
) -> Report:
    """Write one consistent moment of the owner's book, or of some namespaces, line by line in bounded memory.

    The lines are plain text: whoever reads the file reads the memories. The header carries the key that tombstones are
    compared with, sealed under the master key, so that they hold in every book with the same one. ``unfinished`` is
    what an interrupted export left: its lines are reused where they are still true.
    """
    counts: dict[str, int] = {}
    digest = blake2b(digest_size=32)
    with scope.store.read(scope.owner) as tx:
        going_on = unfinished if unfinished is not None and unfinished.follows(tx, scope.owner) else None
        if unfinished is not None and going_on is None:
            unfinished.discard()
        names = {row.id: scope.opened(row)["name"] for row in tx.namespaces.all()}
        places = {id: name for id, name in names.items() if not namespaces or name in namespaces}
        total = sum(row[4] for row in tx.memories.counts() if row[0] in places)
        for line in _lines(scope, tx, places, going_on):
            text, kind = (line, "memory") if isinstance(line, str) else (text_line(line), str(line["type"]))
            digest.update(text.encode("utf-8", "surrogatepass"))
            out.write(text)
            counts[kind] = counts.get(kind, 0) + 1
            if progress is not None and kind == "memory" and counts[kind] % PAGE == 0:
                progress(counts[kind], total)
    counts.pop("header")
    out.write(json.dumps({"type": "footer", "counts": counts, "digest": digest.hexdigest()}) + "\n")
    if progress is not None:
        progress(total, total)
    notes = () if unfinished is None else (STARTED_OVER if going_on is None else f"{going_on.taken:,} {TAKEN_OVER}",)
    return Report(action="EXPORT", at=scope.clock.now(), count=sum(counts.values()), counts=counts, notes=notes)


def export_to(scope: Scope, path: Path, *, namespaces: Sequence[str] = (), progress: Progress | None = None) -> Report:
    """As ``export``, to a file that only its owner reads, in place when it is whole; broken off, the next call goes on.

    If something was forgotten, erased or purged since, or the book is another, it starts over: the report says which.
    """
    with earlier(path) as unfinished, private_file(path) as stream:
        return export(scope, stream, namespaces=namespaces, unfinished=unfinished, progress=progress)


@contextmanager
def private_file(path: Path) -> Iterator[IO[str]]:
    """A file that only its owner reads, in place when it is whole."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    part = path.with_name(path.name + PART)
    part.unlink(missing_ok=True)
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    # A small buffer, in every version of Python: a run that is killed leaves what is not in it to the next one.
    with os.fdopen(descriptor, "w", BUFFER, encoding="utf-8", errors="surrogatepass", newline="\n") as stream:
        claim(stream, path)
        yield stream
        stream.flush()
        os.fsync(stream.fileno())
    part.replace(path)


def text_line(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _lines(
    scope: Scope, tx: Transaction, places: Mapping[str, str], unfinished: Earlier | None
) -> Iterator[Line | str]:
    yield _header(scope, tx, places)
    for row in tx.namespaces.all():
        if row.id in places:
            yield namespace_line(scope, row)
    for place in places:
        for tag, _ in tx.tags.all(place):
            yield tag_line(scope, tag)
        for talk in tx.sessions.all(namespace=place):
            yield session_line(scope, talk)
    yield from _entities(scope, tx, list(places))
    for place in places:
        yield from _directives(scope, tx, place)
    yield from _memories(scope, tx, places, unfinished)
    for place in places:
        for stone in tx.tombstones.all(namespace=place):
            print = base64.b64encode(stone.fingerprint).decode()
            line = {"type": "tombstone", "namespace": place, "fingerprint": print, "reason": stone.reason}
            yield line | {"at": iso(stone.at), "target": stone.target}


def namespace_line(scope: Scope, row: NamespaceRow) -> Line:
    plain = scope.opened(row)
    return {"type": "namespace", "id": row.id, "created_at": iso(row.created_at), **plain}


def tag_line(scope: Scope, row: TagRow) -> Line:
    plain = scope.opened(row)
    return {"type": "tag", "id": row.id, "namespace": row.namespace, "created_at": iso(row.created_at), **plain}


def session_line(scope: Scope, row: SessionRow) -> Line:
    name = scope.opened(row)["name"]
    line = {"type": "session", "id": row.id, "namespace": row.namespace, "name": name}
    return line | {"started_at": iso(row.started_at), "position": row.position, "docs": [row.next_doc, row.end_doc]}


def _header(scope: Scope, tx: Transaction, places: Mapping[str, str]) -> Line:
    vault = scope.current_vault()
    own_keys = [(vault.values_key, place, place) for place in places]
    elders = [(elder.key, elder.source, elder.scope) for elder in vault.keys.elders if elder.scope in places]
    last = tx.audit.last()
    return {
        "type": "header",
        "format": FORMAT,
        "version": VERSION,
        "export": scope.clock.new_id(),
        "owner": scope.owner,
        "exported_at": scope.clock.now().isoformat(),
        "docs": tx.owners.get().next_doc,
        "audited": None if last is None else [last.sequence, last.hash.hex()],
        "tombstone_keys": [
            {"sealed": scope.keychain.seal_for_export(key, source), "source": source, "namespace": place}
            for key, source, place in [*own_keys, *elders]
        ],
    }


def _entities(scope: Scope, tx: Transaction, places: Sequence[str]) -> Iterator[Line]:
    after: str | None = None
    while places and (page := tx.entities.all(places, after=after, limit=PAGE)):
        after = page[-1].id
        tags = tx.tags.links("entity", [row.id for row in page])
        for row in page:
            yield entity_line(scope, tx, row, tags.get(row.id, ()))


def entity_line(scope: Scope, tx: Transaction, row: EntityRow, tags: Sequence[str]) -> Line:
    plain = scope.opened(row)
    return {
        "type": "entity",
        "id": row.id,
        "namespace": row.namespace,
        "kind": row.type,
        "status": row.status,
        "recorded_at": iso(row.recorded_at),
        "retired_at": iso(row.retired_at),
        "version": row.version,
        "tags": list(tags),
        **plain,
        "versions": _versions(scope, tx.versions.of("entity", row.id)),
    }


def _directives(scope: Scope, tx: Transaction, place: str) -> Iterator[Line]:
    names = ("status", "created_at", "version", "memory_enabled", "goal_updated_at", "started_at")
    for row in tx.directives.all([place]):
        yield _plan(scope, tx, place, "directive", row, {name: getattr(row, name) for name in names})
        for step in tx.steps.of(row.id):
            step_names = ("directive", "status", "order_index", "generation", "version", "attempts", "run")
            columns = {name: getattr(step, name) for name in step_names} | {"depends_on": list(step.depends_on)}
            yield _plan(scope, tx, place, "step", step, columns)


def _plan(scope: Scope, tx: Transaction, place: str, noun: str, row: Any, columns: Mapping[str, Any]) -> Line:
    line = {"type": noun, "id": row.id, "namespace": place, "columns": columns, "plain": scope.opened(row)}
    return line | {"versions": _versions(scope, tx.versions.of(noun, row.id))}


def _versions(scope: Scope, rows: Sequence[VersionRow]) -> list[Line]:
    return [version_line(row) | {"plain": scope.opened(row)} for row in rows]


def version_line(row: VersionRow) -> Line:
    return {
        "version": row.version,
        "recorded_at": iso(row.recorded_at),
        "superseded_at": iso(row.superseded_at),
        "actor": row.actor,
        "action": row.action,
    }


def _memories(
    scope: Scope, tx: Transaction, places: Mapping[str, str], unfinished: Earlier | None
) -> Iterator[Line | str]:
    after: str | None = None
    filter = Filter(namespaces=tuple(places))
    while places and (page := tx.memories.find(filter, after=after, limit=PAGE)):
        after = page[-1].id
        ids = [row.id for row in page]
        tags = tx.tags.links("memory", ids)
        evidence: dict[str, list[Line]] = {}
        for quote in tx.evidence.of(states.NOUN, ids):
            evidence.setdefault(quote.id, []).append(evidence_line(scope, quote))
        taken = {}
        for row in page if unfinished is not None else ():
            used, quotes = iso(row.last_used_at), evidence.get(row.id, [])
            taken[row.id] = unfinished and unfinished.line(row, used, tags.get(row.id, ()), quotes)
        versions = tx.versions.of_each(states.NOUN, [id for id in ids if not taken.get(id)])
        for row in page:
            if text := taken.get(row.id):
                yield text
                continue
            memory = states.opened(scope, row, tags.get(row.id, ()))
            line: Line = {"type": "memory", "id": memory.id, **plain_state(memory)}
            line |= {"uses": row.uses, "last_used_at": iso(row.last_used_at)}
            line["versions"] = [_memory_version(scope, version, row) for version in versions.get(row.id, ())]
            yield line | {"evidence": evidence.get(row.id, [])}


def evidence_line(scope: Scope, row: EvidenceRow) -> Line:
    return {"episode": row.episode, "quote": scope.opened(row)}


def _memory_version(scope: Scope, row: VersionRow, present: MemoryRow) -> Line:
    earlier, reason = states.opened_version(scope, row)
    line = version_line(row) | {"reason": reason}
    return line if row.version == present.version else line | {"state": plain_state(earlier)}


def plain_state(memory: StoredMemory) -> Line:
    """A memory's columns and content without what only this book can use; times as ISO 8601, empty fields left out."""
    state = states.state(memory)
    content = state.pop("content")
    line: Line = {"text": content["text"]}
    for name, value in state.items():
        if name == "id" or name in KEYED or value is None:
            continue
        line[name] = iso(value) if name in TIMES else value
    line |= {name: value for name, value in content.items() if value and name not in ("text", "session", "rank")}
    return line if memory.content.rank is None else line | {"rank": memory.content.rank}


def iso(at: int | None) -> str | None:
    return None if at is None else moment(at).isoformat()
