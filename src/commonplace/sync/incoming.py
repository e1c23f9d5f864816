"""Applies the lines of another book. Applying them again, or in another order, changes nothing."""

import base64
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Any

from commonplace.copies import import_lines
from commonplace.copies.check_lines import Check, encoded, many, name, parsed, stamp, text
from commonplace.copies.export import Line
from commonplace.copies.import_lines import Incoming, Names, memory_from_line, put_entity
from commonplace.errors import Invalid, Refused
from commonplace.memories import admission, codec, indexing
from commonplace.memories.admission import optional
from commonplace.memories.codec import Content, StoredMemory
from commonplace.memories.gateway import core_value, evidence_rows, value, without_forgotten
from commonplace.memories.proposals import ACT, ARGUMENTS, TARGET, VERSION, WAITING, proposal_row
from commonplace.memories.residue import FORGOTTEN
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import GAP, Work, retry_on_conflict, write_transaction
from commonplace.model import CURRENT
from commonplace.security.keys import Elder
from commonplace.store.rows import Filter, LedgerEntry, MemoryRow, NamespaceRow, TombstoneRow, TraceRow, VersionRow
from commonplace.sync import versions as version_sets
from commonplace.sync.acts import Acts, SyncForgetting
from commonplace.sync.outgoing import ACTS, SEALED, final_acts, stored_versions, unseal
from commonplace.sync.state import CONFLICT, load, save
from commonplace.sync.versions import SYNC, MemoryVersion

BATCH = 500
ACT_FIELDS: dict[str, Check] = {
    "act": lambda value: value in ACTS,
    "target": text,
    "namespace": optional(name),
    "fingerprints": many(encoded),
    "reason": optional(text),
    "at": stamp,
}
SEALED_FIELDS: dict[str, Check] = {"name": name, "data": encoded}


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """The result of applying a page of lines."""

    counts: dict[str, int]
    before: int
    after: int
    """The end of this book's change feed before and after."""
    echo: bool
    """Whether the recorded changes are exactly those that were sent, so that they need not go back."""


@retry_on_conflict
def apply(scope: Scope, texts: Sequence[str], *, key: bytes | None = None) -> Applied:
    """Apply a page, whole or not at all. Raises ``Invalid`` if a line is malformed."""
    lines, sealed = _read(texts, key)
    names, erased = _places(scope, [line for line in lines if line["type"] == "namespace"])
    with write_transaction(scope, "SYNC") as work:
        before = work.tx.changes.last()
        merge = _Merge(work, names, erased)
        merge.take(lines)
        for line in sealed:
            merge.keep_sealed(line)
        work.receipt(keep=False)
        return Applied(counts=dict(merge.counts), before=before, after=work.tx.changes.last(), echo=merge.echo)


@retry_on_conflict
def clean_own(scope: Scope) -> None:
    """Remove words forgotten here since the last exchange everywhere, as the other book will."""
    acts = final_acts(scope)
    with scope.store.read(scope.owner) as tx:
        state = load(scope, tx)
    cleaned = state.get("cleaned", 0)
    fresh = acts[cleaned if cleaned <= len(acts) else 0 :]
    places = {act.namespace for act in fresh if act.act == "forget" and act.fingerprints and act.namespace}
    if not places and not _acts(acts, state).restated:
        return
    with write_transaction(scope, "SYNC") as work:
        _Merge(work, Names(fresh=False), frozenset()).clean(sorted(places))
        if places:
            save(scope, work.tx, load(scope, work.tx) | {"cleaned": len(acts)})
        work.receipt(keep=False)


def _acts(entries: Sequence[LedgerEntry], state: Mapping[str, Any]) -> Acts:
    settled = state.get("settled", 0)
    return Acts(entries, settled if settled <= len(entries) else 0)  # else the ledger was started again


def _read(texts: Iterable[str], key: bytes | None) -> tuple[list[Line], list[Line]]:
    """The lines, with encrypted records opened if the key matches; and the records that stay closed."""
    lines: list[Line] = []
    closed: list[Line] = []
    for content in texts:
        line = _parsed(content)
        if line["type"] != SEALED:
            lines.append(line)
        elif key is None or (inner := unseal(key, line["name"], line["data"])) is None:
            closed.append(line)
        else:
            lines += map(_parsed, inner)
    return lines, closed


def _parsed(content: str) -> Line:
    try:
        line: Any = json.loads(content)
    except (ValueError, RecursionError):
        raise Invalid("a line is not JSON; nothing of the page was taken", code="damaged_line") from None
    checks = {"act": ACT_FIELDS, SEALED: SEALED_FIELDS}.get(line.get("type", "") if isinstance(line, dict) else "")
    if checks is None:
        whole = parsed(content, 2)
        if whole["type"] == "memory" and not all(many(text)(row.get("parents", [])) for row in whole["versions"]):
            raise Invalid("a version names its parents wrongly", code="damaged_line")
        return whole
    for field, check in checks.items():
        if field not in line or not check(line[field]):
            raise Invalid(f"the field {field!r} of a line is missing or not what it should be", code="damaged_line")
    return dict(line)


def _places(scope: Scope, lines: Sequence[Line]) -> tuple[Names, frozenset[str]]:
    """The local namespace of each remote one, created if missing; and those that were erased here."""
    names = Names(fresh=False)
    if not lines:
        return names, frozenset()
    erased = Acts(final_acts(scope)).erased
    here = {elder.source: elder.scope for elder in scope.current_vault().keys.elders}
    elders: list[Elder] = []
    with write_transaction(scope, "SYNC") as work:
        for line in lines:
            keys = [(base64.b64decode(row["key"]), row["source"]) for row in line.get("keys", ())]
            place = _place(work, line, [line["id"], *(source for _, source in keys)], here, erased)
            names.namespaces[line["id"]] = place
            own = work.vault.values_key, place
            elders += [Elder(key, source, place) for key, source in keys if (key, source) != own]
        work.receipt(keep=False)
    scope.keychain.add_elders(scope.owner, elders)
    scope.current_vault()
    return names, frozenset(erased)


def _place(work: Work, line: Line, sources: Sequence[str], here: dict[str, str], erased: set[str]) -> str:
    ids = [here.get(source, source) for source in sources]
    if gone := next((place for place in ids if place in erased), None):
        return gone
    label = work.vault.label("namespace", admission.name("namespace", line["name"]))
    rows = [work.tx.namespaces.get(place) for place in ids]
    row = next(filter(None, rows), None) or work.tx.namespaces.by_label(label)
    if row is None:
        plain = {key: cell for key, cell in line.items() if key not in ("type", "id", "created_at", "keys")}
        at = import_lines.stamp(line["created_at"]) or work.now
        row = NamespaceRow(id=line["id"], label=label, sealed=b"", created_at=at)
        work.tx.namespaces.put(work.vault.sealed(row, admission.redacted(plain)))
        work.record("namespace", row.id, "SYNC", row.id)
    elif line.get("private"):
        plain = work.scope.opened(row)
        if not plain.get("private"):
            work.tx.namespaces.put(work.vault.sealed(row, plain | {"private": True}))
    return row.id


class _Merge:
    """One page, inside one transaction."""

    def __init__(self, work: Work, names: Names, erased: frozenset[str]) -> None:
        self.work, self.tx, self.names, self.erased = work, work.tx, names, erased
        self._ledger = final_acts(work.scope)
        self.acts = _acts(self._ledger, load(work.scope, work.tx))
        self.forgetting = SyncForgetting(work.scope, self.acts)
        self.counts: Counter[str] = Counter()
        self.echo = True
        self._docs: dict[str, int] = {}
        self._unsettled: dict[str, None] = {}
        self._blocks = False
        """Whether any value is blocked."""

    def take(self, lines: Sequence[Line]) -> None:
        self._align_restated()
        by_type: dict[str, list[Line]] = {}
        for line in lines:
            if line["type"] == "act" or self._lives(line):
                by_type.setdefault(line["type"], []).append(line)
        self._take_acts(by_type.get("act", []))
        self._blocks = self.tx.tables.count("tombstone") > 0
        self._take_tags(by_type.get("tag", []))
        self._take_sessions(by_type.get("session", []))
        for line in by_type.get("entity", []):
            self._take_entity(line)
        memories = {line["id"]: line for line in by_type.get("memory", [])}
        # Consecutive document numbers for turns of one conversation, because neighbours share their words in the index.
        turns: dict[str, list[Line]] = {}
        for line in memories.values():
            if line["kind"] == "episodic" and not self.tx.memories.get([line["id"]]):
                turns.setdefault(line["session"], []).append(line)
        for several in turns.values():
            first = self.tx.owners.take_docs(len(several) + 2 * GAP) + GAP
            ordered = sorted(several, key=lambda line: (line["position"], line["id"]))
            self._docs |= {line["id"]: first + offset for offset, line in enumerate(ordered)}
        for _, line in sorted(memories.items()):
            self._take_memory(line)
        self._end()

    def clean(self, places: Sequence[str]) -> None:
        self._align_restated()
        self._blocks = True
        for place in places:
            self._sweep(place)
        self._end()

    def _end(self) -> None:
        for id in sorted(self._unsettled):
            self._settle(id)
        self.tx.final_acts.append(self.acts.added)
        state, settled = load(self.work.scope, self.tx), len(self._ledger) + len(self.acts.added)
        if state.get("settled", 0) != settled:
            save(self.work.scope, self.tx, state | {"settled": settled})

    def keep_sealed(self, line: Line) -> None:
        """Store an encrypted record for other machines; it replaces those of its name that its writer had seen."""
        digest = blake2b(line["data"].encode(), digest_size=8).hexdigest()
        id = f"{SEALED}/{line['name']}/{digest}"
        if self.tx.traces.get(id) is not None:
            return
        sequence = self.tx.changes.last() + 1
        seen = line.get("after", 0)
        for row in self.tx.traces.page(SEALED, target=line["name"], limit=1000):
            if self.work.scope.opened(row)["sequence"] <= seen:
                self.tx.traces.delete(ids=[row.id])
        row = TraceRow(id=id, kind=SEALED, at=self.work.now, sealed=b"", target=line["name"])
        self.tx.traces.put(self.work.vault.sealed(row, {"data": line["data"], "sequence": sequence}))
        self.tx.changes.record([(SEALED, id, "put", None, None)], at=self.work.now)
        self.counts["encrypted"] += 1

    def _lives(self, line: Line) -> bool:
        place = self.names.namespaces.get(line.get("namespace", ""))
        return line["type"] == "namespace" or (place is not None and place not in self.erased)

    # Final acts

    def _take_acts(self, lines: Sequence[Line]) -> None:
        values: dict[str, set[bytes]] = {}
        for line in lines:
            if line["act"] == "erase-namespace":
                self._erase([line["target"], *line.get("aliases", ())])
                continue
            place = self.names.namespaces.get(line["namespace"])
            if place is None or place in self.erased:
                continue
            prints = tuple(base64.b64decode(print) for print in line["fingerprints"])
            entry = self.work.act(line["act"], line["target"], place, prints, line["reason"], line["at"])
            winning = self.acts.winning(entry)
            if self.acts.add(replace(entry, fingerprints=winning)):
                self.counts["final acts"] += 1
                stones = self._align(place, winning)
                values.setdefault(place, set()).update([stone.fingerprint for stone in stones])
        for memory in codec_opened(self.work, [line["target"] for line in lines if line["act"] == "forget"]):
            if self.tx.memories.get([memory.id]):  # already deleted with an earlier one
                self._forget(memory)
        self._blocks = True
        for place, prints_here in values.items():
            if prints_here:
                self._sweep(place)

    def _align(self, place: str, prints: Sequence[bytes]) -> list[TombstoneRow]:
        """Update the tombstones on these values from the acts; returns those that remain."""
        stones = [stone for print in prints if (stone := self.acts.stone(place, print)) is not None]
        self.tx.tombstones.lift(place, list(prints))
        self.tx.tombstones.put(stones)
        return stones

    def _align_restated(self) -> None:
        for entry in self.acts.restated:
            self._align(entry.namespace or "", entry.fingerprints)

    def _erase(self, ids: Sequence[str]) -> None:
        """Erase a namespace that was erased there: by its id, and by its ids in books that were imported."""
        here = {elder.source: elder.scope for elder in self.work.vault.keys.elders}
        for id in dict.fromkeys(here.get(id, id) for id in ids):
            if id in self.acts.erased:
                continue
            self.acts.add(self.work.act("erase-namespace", id, id))
            self.counts["namespaces erased"] += 1
            if self.tx.namespaces.get(id) is not None:
                self.forgetting.drop_namespace(self.work, id)

    def _sweep(self, place: str) -> None:
        """Delete blocked values under whatever id they are stored here."""
        after: str | None = None
        while page := self.tx.memories.find(Filter(namespaces=(place,)), after=after, limit=BATCH):
            after = page[-1].id
            for memory in codec_opened(self.work, [row.id for row in page]):
                ours = self._ours(memory.id)
                if not ours:
                    continue  # deleted with another one
                cleaned = {key: self._cleaned(version) for key, version in ours.items()}
                if _is_gone(version_sets.current(cleaned).state):
                    self._forget(memory)
                elif any(cleaned[key] is not version for key, version in ours.items()):
                    self._write(memory, ours, cleaned)
                self._unsettled[memory.id] = None

    def _forget(self, memory: StoredMemory) -> None:
        self.forgetting.forget_within(self.work, [memory])
        self.counts["forgotten"] += 1

    # What memories refer to

    def _take_tags(self, lines: Sequence[Line]) -> None:
        """A tag that exists here under another name keeps that name."""
        here = {row.id for row in self.tx.tags.get([line["id"] for line in lines])}
        self.names.tags |= {id: id for id in here}
        for _ in import_lines.TAKERS["tag"](self.work, self.names, [line for line in lines if line["id"] not in here]):
            pass

    def _take_sessions(self, lines: Sequence[Line]) -> None:
        for _ in import_lines.TAKERS["session"](self.work, self.names, lines):
            pass
        for line in lines:
            id: str = line["id"]
            for row in self.tx.sessions.get([self.names.sessions.get(id, id)]):
                if row.position < line["position"]:
                    self.tx.sessions.put(replace(row, position=line["position"]))

    def _take_entity(self, line: Line) -> None:
        """The state that was recorded later wins."""
        rows = self.tx.entities.get([line["id"]])
        if not rows:
            put_entity(self.work, self.names, line)
            return
        ours = self.tx.versions.of("entity", line["id"])
        theirs = [
            (import_lines.stamp(row["recorded_at"]) or 0, row["actor"], row["action"]) for row in line["versions"]
        ]
        newest = max(((row.recorded_at, row.actor, row.action) for row in ours), default=(0, "", ""))
        if max(theirs, default=(0, "", "")) > newest:
            self.tx.versions.delete("entity", [line["id"]])
            put_entity(self.work, self.names, line, expected=rows[0].version)
        elif max(theirs, default=(0, "", "")) < newest:
            self.echo = False

    # Memories

    def _take_memory(self, line: Line) -> None:
        id, place = line["id"], self.names.namespaces[line["namespace"]]
        if id in self.acts.dead:
            self.counts["forgotten here"] += 1
            return
        try:
            sent = self._theirs(line)
        except Refused:
            self.counts["refused"] += 1
            return
        theirs = {key: self._cleaned(version) for key, version in sent.items()}
        ours = self._ours(id)
        merged = version_sets.union(ours, theirs)
        if _is_gone(version_sets.current(merged).state):
            self._drop(id, place)
            return
        present = next(iter(codec_opened(self.work, [id])), None)
        if not version_sets.same(merged, ours):
            self.counts["changed" if ours else "new"] += 1
            self._write(present, ours, merged)
            self._unsettled[id] = None
        if not version_sets.same(merged, sent):
            self.echo = False
        self._take_evidence(id, place, line["evidence"])
        if ours:
            for version in version_sets.conflicts(merged):
                self._report(id, version.state, version.key, version.recorded_at)

    def _drop(self, id: str, place: str) -> None:
        """Its present words were forgotten here: delete it and publish the deletion."""
        self.echo = False
        present = codec_opened(self.work, [id])
        if present:
            self._forget(present[0])
            return
        self.acts.add(self.work.act("forget", id, place, reason="forgotten"))
        self.counts["forgotten"] += 1

    def _ours(self, id: str) -> dict[str, MemoryVersion]:
        return stored_versions(self.work.scope, self.tx.versions.of(codec.NOUN, id))

    def _theirs(self, line: Line) -> dict[str, MemoryVersion]:
        rows = []
        for row in line["versions"]:
            state = row.get("state", line)
            place = self.names.namespaces[
                state["namespace"] if state["namespace"] in self.names.namespaces else line["namespace"]
            ]
            stored = memory_from_line(self.work, self.names, place, line["id"], state)
            at = import_lines.stamp(row["recorded_at"]) or 0
            reason = admission.redacted(row.get("reason"))
            rows.append((at, row["actor"], row["action"], reason, row.get("parents"), stored))
        if not rows:
            raise Invalid("a memory without versions cannot be taken in", code="damaged_line")
        return version_sets.numbered(rows)

    def _cleaned(self, version: MemoryVersion) -> MemoryVersion:
        """The version without what was forgotten here."""
        if not self._blocks:
            return version
        state = version.state
        place, content = state.row.namespace, state.content
        cleaned, _ = without_forgotten(self.work, place, content.text)
        if content.key is not None:
            values = [value(content.text, content.key), core_value(content.text)]
            prints = [print for each in values for print in self.work.vault.fingerprints(place, each)]
            if any(stone.reason == "forgotten" for stone in self.tx.tombstones.among(place, prints)):
                cleaned = FORGOTTEN
        if cleaned == content.text:
            return version
        print = self.work.vault.fingerprint(place, value(cleaned, content.key))
        return replace(
            version,
            reason=None,
            state=replace(state, content=replace(content, text=cleaned)).with_row(fingerprint=print),
        )

    def _take_evidence(self, id: str, place: str, lines: Sequence[Line]) -> None:
        here = {row.episode for row in self.tx.evidence.of(codec.NOUN, [id])}
        quotes: list[tuple[str, str | None]] = []
        for line in lines:
            episode, quote = line["episode"], line["quote"]
            if episode in here or episode in self.acts.dead:
                continue
            if quote is not None and self._blocks and FORGOTTEN in without_forgotten(self.work, place, quote)[0]:
                continue
            quotes.append((episode, quote))
        self.tx.evidence.put(evidence_rows(self.work, id, quotes))

    def _write(
        self, present: StoredMemory | None, ours: dict[str, MemoryVersion], merged: dict[str, MemoryVersion]
    ) -> None:
        """Write rows, versions and index of a memory according to its versions."""
        work, tx = self.work, self.tx
        before = {_indexed(version.state): version.state for version in ours.values()}
        docs = {named: state.row.doc for named, state in before.items()}
        fresh: list[StoredMemory] = []
        ordered = []
        for number, version in enumerate(version_sets.in_order(merged), start=1):
            named = _indexed(version.state)
            if named not in docs:
                docs[named] = self._docs.pop(version.state.id, 0) or work.number(version.state)
                fresh.append(version.state.with_row(doc=docs[named]))
            ordered.append(replace(version, state=version.state.with_row(doc=docs[named], version=number)))
        top = ordered[-1].state
        tags = tuple(row.id for row in tx.tags.get(top.tags))
        uses = {} if present is None else {"uses": present.row.uses, "last_used_at": present.row.last_used_at}
        top = replace(top, tags=tags).with_row(**(uses or {"uses": 0, "last_used_at": None}))
        expected = None if present is None else present.row.version
        tx.memories.put(codec.sealed(work.vault, top), expected=expected)
        tx.versions.delete(codec.NOUN, [top.id])
        tx.versions.restore(
            [_version_row(work, version, ordered[at + 1 : at + 2]) for at, version in enumerate(ordered)]
        )
        work.write_links(top, expected=expected, replace_existing=True)
        used = {_indexed(version.state) for version in ordered}
        stale = [state for named, state in before.items() if named not in used]
        indexing.unindex(tx, work.vault, stale, language=work.scope.language)
        for state in stale:
            work.gone(codec.NOUN, top.id, state.row.doc, state.row.namespace)
        if fresh:
            import_lines.index_states(work, [Incoming(state, (), ()) for state in fresh])
        tx.changes.record([(codec.NOUN, top.id, "put", top.row.doc, top.row.namespace)], at=work.now)
        before_digest = None if present is None else codec.digest(work.vault, present)
        work.audit("SYNC", codec.NOUN, top.id, before_digest, codec.digest(work.vault, top), None)
        work.ids.append(top.id)

    # Rules across memories

    def _settle(self, id: str) -> None:
        """One belief per value, one value per key, and no rejected belief."""
        memory = next(iter(codec_opened(self.work, [id])), None)
        if memory is None or memory.row.status not in CURRENT or memory.row.kind == "episodic":
            return
        row = memory.row
        head = version_sets.current(self._ours(id))
        prints = self.work.vault.fingerprints(row.namespace, value(memory.content.text, memory.content.key))
        stones = self.tx.tombstones.among(row.namespace, prints)
        # Acts on this memory itself travel as versions of it; an agent's own forgetting deletes nothing else.
        stones = [stone for stone in stones if stone.at >= head.recorded_at and stone.target != id]
        stones = [stone for stone in stones if stone.target not in self.acts.dead]
        if stones:
            at = max(stone.at for stone in stones)
            self._derive(id, at, "REJECT", "rejected on another machine", status="rejected", retired_at=at)
            return
        for other in self._current(Filter(namespaces=(row.namespace,), fingerprint=row.fingerprint, statuses=CURRENT)):
            alike = (other.kind, other.directive, other.key) == (row.kind, row.directive, row.key)
            if alike and other.id != id:
                at = max(head.recorded_at, version_sets.current(self._ours(other.id)).recorded_at)
                later = max(id, other.id)
                self._derive(
                    later, at, "MERGE", "the same was said on another machine", status="archived", retired_at=at
                )
                if later == id:
                    return
        if row.key is not None:
            for other in self._current(Filter(namespaces=(row.namespace,), key=row.key, statuses=CURRENT)):
                if other.id != id:
                    self._one_value(id, other.id)

    def _current(self, filter: Filter) -> list[MemoryRow]:
        return self.tx.memories.find(filter, limit=50)

    def _one_value(self, id: str, other: str) -> None:
        """Of two values of a key the better one stays current, the other becomes history."""
        sides = {name: version_sets.current(self._ours(name)) for name in (id, other)}
        loser, winner = sorted(sides, key=lambda name: (*sides[name].precedence[:2], name))
        row = sides[winner].state.row
        if sides[loser].state.row.status not in CURRENT or row.status not in CURRENT:
            return
        at = max(side.recorded_at for side in sides.values())
        end = row.valid_from or row.recorded_at
        self._derive(loser, at, "SUPERSEDE", "another machine has another value", status="stale", valid_to=end)
        self._report(winner, sides[loser].state, loser, at)

    def _derive(self, id: str, at: int, action: str, reason: str, **columns: Any) -> None:
        """Write a version that is identical on every machine."""
        present = codec_opened(self.work, [id])[0]
        ours = self._ours(id)
        head = version_sets.current(ours)
        key = version_sets.keys([(at, SYNC, action)])[0]
        parents = frozenset(version.key for version in version_sets.heads(ours))
        version = MemoryVersion(key, at, SYNC, action, reason, parents, head.state.with_row(**columns))
        if key not in ours:
            self._write(present, ours, ours | {key: version})
            self.echo = False

    def _report(self, target: str, state: StoredMemory, loser: str, at: int) -> None:
        """Put both sides of a conflict into review, under the same id on every machine."""
        # Sorts by time, as all ids do.
        digits = f"{at // 1000:012x}7" + blake2b(f"{target}/{loser}".encode(), digest_size=16).hexdigest()[:19]
        id = f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"
        if id in self.acts.dead or self.tx.memories.get([id]):
            return
        winner = codec_opened(self.work, [target])[0]
        metadata = {WAITING: True, ACT: "revise", TARGET: target, VERSION: winner.row.version, CONFLICT: True}
        metadata |= {ARGUMENTS: {"text": True, "fields": {}}, "contradicts": target}
        row = proposal_row(self.work, id, winner, state.content.text, source=state.row.source, at=at)
        row = replace(row, category=state.row.category, confidence=state.row.confidence)
        reason = "stated on another machine at the same time"
        content = Content(text=state.content.text, metadata=metadata, rank=state.rank)
        stored = StoredMemory(row=row, content=content)
        key = version_sets.keys([(at, SYNC, "ADD")])[0]
        self._write(None, {}, {key: MemoryVersion(key, at, SYNC, "ADD", reason, frozenset(), stored)})
        self.counts["conflicts"] += 1
        self.echo = False


def codec_opened(work: Work, ids: Sequence[str]) -> list[StoredMemory]:
    return codec.all_opened(work.scope, work.tx, work.tx.memories.get(ids))


def _version_row(work: Work, version: MemoryVersion, following: Sequence[MemoryVersion]) -> VersionRow:
    plain = codec.state(version.state) | {"parents": sorted(version.parents)}
    at, actor, action, reason = version.recorded_at, version.actor, version.action, version.reason
    row = codec.version_row(work.vault, version.state, at=at, actor=actor, action=action, reason=reason, known=plain)
    return replace(row, superseded_at=following[0].recorded_at if following else None)


def _indexed(state: StoredMemory) -> tuple[str, str, str | None]:
    """What a document number refers to."""
    return state.row.namespace, state.content.text, state.content.key


def _is_gone(state: StoredMemory) -> bool:
    return not state.content.text.replace(FORGOTTEN, "").strip()
