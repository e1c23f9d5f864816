"""Brings edits of the files into the book, block by block; a block is identified by its text.

A line that a person wrote is verified. A line in our format that the book does not know (lost in a crash) is a
candidate. Lines of the log and about the present moment stay in the files only.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, time
from hashlib import blake2b
from pathlib import Path
from typing import Any

from commonplace.errors import Refused
from commonplace.memories import admission
from commonplace.memories.gateway import Gateway
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, STATUSES, Memory, NewMemory, Query
from commonplace.notebook.corrections import affirmed
from commonplace.notebook.current import refuse_withdrawn
from commonplace.notebook.files import write_whole
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE, PROTOCOL, Block, blocks
from commonplace.notebook.pages import Pages
from commonplace.text.normal import normal
from commonplace.text.words import words

REMOVED, FOUND = "removed", "found"
"""Metadata keys: the line was removed from the file; the line was there before the memory."""
SIMILAR = 0.5
"""Minimum share of common words of an edited block; below it, one block was deleted and another one written."""
HALF_SAVED = 3
MAX_MEMORIES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What a pass changed. ``missing`` are removed lines without a decision yet."""

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    ended: tuple[str, ...] = ()
    archived: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        return not any((self.added, self.changed, self.moved, self.ended, self.archived, self.missing))


@dataclass(slots=True)
class _FileChanges:
    """One file: its blocks now, the new ones, and the memories whose block is gone."""

    name: str
    blocks: list[Block]
    new: list[Block]
    gone: list[Memory]


class Sync:
    """One pass over the files. A second pass changes nothing; concurrent passes agree."""

    def __init__(self, scope: Scope, pages: Pages, deletions: str) -> None:
        self._scope = scope.acting_as("notebook", source="user", person=True)
        self._pages, self._deletions = pages, deletions
        self._gateway, self._reader = Gateway(self._scope), Reader(self._scope)
        self._agent = Gateway(scope.acting_as("notebook", source="assistant", person=False))
        self._result: dict[str, list[str]] = {name: [] for name in Synced.__dataclass_fields__}

    def run(self) -> Synced:
        state, digests = self._state(), {}
        changed: list[_FileChanges] = []
        for name in dict.fromkeys([*map(self._pages.paths.name, self._pages.paths.files()), *state]):
            try:
                changes, digest = self._compare(name, state.get(name))
            except Refused as fault:
                self._result["problems"].append(str(fault))
                continue
            digests[name] = digest
            if changes is not None:
                changed.append(changes)
        for changes in changed:
            self._move(changes, changed)
        for changes in changed:
            self._change(changes)
            self._add(changes)
            self._tick(changes)
            self._missing(changes)
        with suppress(OSError):  # an optimisation: without it the next pass reads every file again
            write_whole(self._state_file, json.dumps(digests).encode())
        return Synced(**{name: tuple(ids) for name, ids in self._result.items()})

    def _compare(self, name: str, earlier: str | None) -> tuple[_FileChanges | None, str]:
        """New and missing blocks of a file; None if it has not changed since the last pass."""
        text = self._pages.read(self._pages.paths.root / name)
        if text.conflicted:
            raise Refused(f"{name} has an unfinished merge; finish it to have the file read")
        digest = self._scope.vault.digest(text.text.encode()).hex()[:32]
        if digest == earlier:
            return None, digest
        stated = [
            block
            for block in blocks(text.text)
            if block.section != PROTOCOL
            and any(letter.isalpha() for letter in block.text)
            and not (block.text.startswith("_") and block.text.endswith("_"))
        ]
        stated = list({self._fingerprint(block.text): block for block in stated}.values())
        memories = self._memories_of(name)
        texts = {normal(memory.text) for memory in memories}
        new = [block for block in stated if not texts & forms_of(block) and not block.passing]
        live = [memory for memory in memories if memory.status in CURRENT and REMOVED not in memory.metadata]
        forms = {form for block in stated for form in forms_of(block)}
        gone = [memory for memory in live if normal(memory.text) not in forms]
        if len(gone) >= HALF_SAVED and 2 * len(gone) > len(live) and not new:
            raise Refused(f"{name} has lost most of its lines and may be half saved; their memories are kept")
        return _FileChanges(name, stated, new, gone), digest

    def _memories_of(self, name: str) -> list[Memory]:
        return self._reader.page(Query(metadata={FILE: name}, statuses=STATUSES, limit=MAX_MEMORIES))

    def _fingerprint(self, text: str) -> bytes:
        return self._scope.vault.fingerprint("notebook", text)

    def _move(self, changes: _FileChanges, changed: Sequence[_FileChanges]) -> None:
        """A block that moved to another file keeps its memory."""
        for other in changed:
            for memory in list(other.gone) if other is not changes else ():
                block = next((new for new in changes.new if normal(memory.text) in forms_of(new)), None)
                if block is not None:
                    self._revise(memory, None, block, changes.name)
                    self._result["moved"].append(memory.id)
                    changes.new.remove(block)
                    other.gone.remove(memory)

    def _change(self, changes: _FileChanges) -> None:
        """A block similar to a missing one becomes the next version of its memory."""
        for memory in list(changes.gone):
            block = max(changes.new, key=lambda new: self._similarity(new.text, memory.text), default=None)
            if block is None or self._similarity(block.text, memory.text) < SIMILAR:
                continue
            try:
                refuse_withdrawn(self._scope, block.text)  # an old line in a file is no new statement
                self._revise(memory, block.text, block, changes.name)
            except Refused as fault:
                self._result["problems"].append(f"{changes.name}, line {block.line}: {fault}")
            else:
                self._result["changed"].append(memory.id)
                changes.gone.remove(memory)
            changes.new.remove(block)

    def _add(self, changes: _FileChanges) -> None:
        """Add the new blocks, a person's and our own separately; refused ones are reported."""
        for gateway, stamped in ((self._gateway, False), (self._agent, True)):
            items = []
            for block in changes.new:
                if block.done is True or block.stamped != stamped:
                    continue
                try:
                    admission.clean(block.text, max_text=self._scope.max_text)
                    items.append(self._new(block, changes.name))
                except Refused as fault:
                    self._result["problems"].append(f"{changes.name}, line {block.line}: {fault}")
            if not items:
                continue
            receipt = gateway.remember_many(items)
            self._result["added"] += receipt.ids
            reasons = [change.reason for change in receipt.changes if not change.id]
            self._result["problems"] += [f"{changes.name}: a line was refused, {reason}" for reason in reasons]

    def _new(self, block: Block, name: str) -> NewMemory:
        kind = block.kind or ("task" if block.done is not None else "note")
        day = block.day or self._pages.day_of(self._pages.paths.root / name)
        return NewMemory(
            text=block.text,
            category=KINDS[kind],  # type: ignore[arg-type]  # a table of categories
            metadata={FILE: name, LINE: block.line, KIND: kind, FOUND: True},
            valid_from=datetime.combine(day, time.min, self._pages.zone).astimezone(UTC) if day else None,
        )

    def _tick(self, changes: _FileChanges) -> None:
        """End the memories of ticked items."""
        ticked = {self._fingerprint(block.text) for block in changes.blocks if block.done}
        if not ticked:
            return
        for memory in self._memories_of(changes.name):
            if memory.status in CURRENT and self._fingerprint(memory.text) in ticked:
                self._gateway.end(memory.id, reason="ticked off")
                self._result["ended"].append(memory.id)

    def _missing(self, changes: _FileChanges) -> None:
        for memory in changes.gone:
            if self._deletions == "archive":
                self._gateway.archive([memory.id], reason=f"removed from {changes.name}")
                self._result["archived"].append(memory.id)
                continue
            if self._deletions == "ask":
                self._result["missing"].append(memory.id)
            metadata = {**memory.metadata, REMOVED: changes.name}
            self._gateway.revise(memory.id, metadata=metadata, reason="line removed")

    def _revise(self, memory: Memory, text: str | None, block: Block, name: str) -> None:
        metadata: dict[str, Any] = {**memory.metadata, FILE: name, LINE: block.line}
        reason = f"moved to {name}" if text is None else f"edited in {name}"
        self._gateway.revise(memory.id, text, metadata=metadata, reason=reason)

    def _similarity(self, first: str, second: str) -> float:
        first_words, second_words = (set(words(text, self._scope.language)) for text in (first, second))
        return len(first_words & second_words) / max(len(first_words), len(second_words), 1)

    # A keyed digest of each file at the last pass, so that a session's start is free if nothing changed

    @property
    def _state_file(self) -> Path:
        where = f"{self._scope.owner}\0{self._scope.namespace}\0{self._pages.paths.root}"
        name = blake2b(where.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        return self._pages.home / "synced" / name

    def _state(self) -> dict[str, str]:
        with suppress(OSError, ValueError):
            state = json.loads(self._state_file.read_bytes())
            return state if isinstance(state, dict) else {}
        return {}


def forms_of(block: Block) -> set[str]:
    """The normal forms of a block's text; a correction is stored without what it withdraws."""
    forms = {normal(text) for text in block.wholes}
    return forms | {normal(affirmed(block.text))} if block.kind == "correction" else forms
