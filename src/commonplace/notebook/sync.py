"""Files edited by hand or by other tools, brought into the book block by block; a block is known by what it says."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from typing import Any

from commonplace.errors import Refused
from commonplace.memories import admission
from commonplace.memories.admission import NewMemory
from commonplace.memories.gateway import Gateway
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.model import CURRENT, STATUSES, Memory, Query
from commonplace.notebook.corrections import affirmed
from commonplace.notebook.files import write_whole
from commonplace.notebook.lines import FILE, KIND, KINDS, LINE, PROTOCOL, Block, blocks
from commonplace.notebook.pages import Pages
from commonplace.text.normal import normal
from commonplace.text.words import words

REMOVED, FOUND = "removed", "found"
"""In a memory's metadata: that its line is gone from the file; that the line was there before the memory."""
ALIKE = 0.5
"""Share of words that a block keeps when it is edited; below, one thing was deleted and another written."""
HALF_SAVED = 3
MOST = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class Synced:
    """What the files taught the book. ``missing`` are lines that somebody took out and was not asked about yet."""

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
class _Found:
    """One file: what it says now, and what the book knows of it."""

    name: str
    blocks: list[Block]
    new: list[Block] = field(default_factory=list)
    gone: list[Memory] = field(default_factory=list)


class Sync:
    """One pass over the files. Twice changes nothing the second time; two processes at once agree."""

    def __init__(self, scope: Scope, pages: Pages, deletions: str) -> None:
        self._scope = scope.acting_as("notebook", source="import", person=False)
        self._pages, self._deletions = pages, deletions
        self._gateway, self._reader = Gateway(self._scope), Reader(self._scope)
        self._done: dict[str, list[str]] = {name: [] for name in Synced.__dataclass_fields__}

    def run(self) -> Synced:
        state, looked = self._state(), {}
        found: list[_Found] = []
        for name in dict.fromkeys([*map(self._pages.places.name, self._pages.places.files()), *state]):
            try:
                one, digest = self._look(name, state.get(name))
            except Refused as fault:
                self._done["problems"].append(str(fault))
                continue
            looked[name] = digest
            if one is not None:
                found.append(one)
        for one in found:
            self._move(one, found)
        for one in found:
            self._change(one)
            self._add(one)
            self._tick(one)
            self._missing(one)
        self._keep(looked)
        return Synced(**{name: tuple(ids) for name, ids in self._done.items()})

    def _look(self, name: str, seen: str | None) -> tuple[_Found | None, str]:
        """What is new and what is gone in a file; None if it is as it was at the last look."""
        text = self._pages.read(self._pages.places.root / name)
        if text.conflicted:
            raise Refused(f"{name} has an unfinished merge; it is read again when that is done")
        digest = self._scope.vault.digest(text.text.encode()).hex()[:32]
        if digest == seen:
            return None, digest
        told = [block for block in blocks(text.text) if block.section != PROTOCOL and _says_something(block)]
        told = list({self._print(block.text): block for block in told}.values())
        known = self._known(name)
        found = _Found(name, told)
        texts = {normal(one.text) for one in known}
        found.new = [block for block in told if not texts & said_as(block)]
        live = [one for one in known if one.status in CURRENT and REMOVED not in one.metadata]
        said = {one for block in told for one in said_as(block)}
        found.gone = [one for one in live if normal(one.text) not in said]
        if len(found.gone) >= HALF_SAVED and 2 * len(found.gone) > len(live) and not found.new:
            raise Refused(f"{name} has lost most of its lines and may be half saved; their memories are left alone")
        return found, digest

    def _known(self, name: str) -> list[Memory]:
        return self._reader.page(Query(metadata={FILE: name}, statuses=STATUSES, limit=MOST))

    def _print(self, text: str) -> bytes:
        return self._scope.vault.fingerprint("notebook", text)

    def _move(self, one: _Found, found: Sequence[_Found]) -> None:
        """A block that left one file and stands in another is the same memory."""
        for other in found:
            for memory in list(other.gone) if other is not one else ():
                block = next((new for new in one.new if normal(memory.text) in said_as(new)), None)
                if block is not None:
                    self._revise(memory, None, block, one.name)
                    self._done["moved"].append(memory.id)
                    one.new.remove(block)
                    other.gone.remove(memory)

    def _change(self, one: _Found) -> None:
        """A block that reads much like one that is gone is its next version."""
        for memory in list(one.gone):
            near = max(one.new, key=lambda new: self._alike(new.text, memory.text), default=None)
            if near is None or self._alike(near.text, memory.text) < ALIKE:
                continue
            try:
                self._revise(memory, near.text, near, one.name)
            except Refused as fault:
                self._done["problems"].append(f"{one.name}, line {near.line}: {fault}")
            else:
                self._done["changed"].append(memory.id)
                one.gone.remove(memory)
            one.new.remove(near)

    def _add(self, one: _Found) -> None:
        """What is new, in one transaction; what may not come in is named."""
        items = []
        for block in one.new:
            if block.done is True or block.kind == "session":
                continue
            try:
                admission.clean(block.text, max_text=self._scope.max_text)
                items.append(self._new(block, one.name))
            except Refused as fault:
                self._done["problems"].append(f"{one.name}, line {block.line}: {fault}")
        if not items:
            return
        receipt = self._gateway.remember_many(items)
        self._done["added"] += receipt.ids
        left = [change.reason for change in receipt.changes if not change.id]
        self._done["problems"] += [f"{one.name}: a line was not taken in, {reason}" for reason in left]

    def _new(self, block: Block, name: str) -> NewMemory:
        kind = block.kind or ("task" if block.done is not None else "note")
        return NewMemory(
            text=block.text,
            category=KINDS[kind],  # type: ignore[arg-type]  # a table of categories
            source="assistant" if block.stamped else "import",
            metadata={FILE: name, LINE: block.line, KIND: kind, FOUND: True},
        )

    def _tick(self, one: _Found) -> None:
        """What is ticked off is no longer to be done."""
        done = {self._print(block.text) for block in one.blocks if block.done}
        if not done:
            return
        for memory in self._known(one.name):
            if memory.status in CURRENT and self._print(memory.text) in done:
                self._gateway.end(memory.id, reason="ticked off")
                self._done["ended"].append(memory.id)

    def _missing(self, one: _Found) -> None:
        for memory in one.gone:
            if self._deletions == "archive":
                self._gateway.archive([memory.id], reason=f"taken out of {one.name}")
                self._done["archived"].append(memory.id)
                continue
            if self._deletions == "ask":
                self._done["missing"].append(memory.id)
            self._gateway.revise(memory.id, metadata={**memory.metadata, REMOVED: one.name}, reason="line removed")

    def _revise(self, memory: Memory, text: str | None, block: Block, name: str) -> None:
        metadata: dict[str, Any] = {**memory.metadata, FILE: name, LINE: block.line}
        reason = f"moved to {name}" if text is None else f"edited in {name}"
        self._gateway.revise(memory.id, text, metadata=metadata, reason=reason)

    def _alike(self, one: str, other: str) -> float:
        mine, theirs = set(words(one, self._scope.language)), set(words(other, self._scope.language))
        return len(mine & theirs) / max(len(mine), len(theirs), 1)

    # What was looked at last: a keyed digest per file, so that a session start costs nothing where nothing changed

    @property
    def _state_file(self) -> Path:
        where = f"{self._scope.owner}\0{self._scope.namespace}\0{self._pages.places.root}"
        name = blake2b(where.encode("utf-8", "surrogatepass"), digest_size=12).hexdigest()
        return self._pages.home / "synced" / name

    def _state(self) -> dict[str, str]:
        try:
            found = json.loads(self._state_file.read_bytes())
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def _keep(self, looked: dict[str, str]) -> None:
        try:
            write_whole(self._state_file, json.dumps(looked).encode())
        except OSError:
            # Only a short cut: without it the next pass looks at every file again.
            return


def said_as(block: Block) -> set[str]:
    """The normal forms of what a block says; a correction is remembered without what it takes back."""
    told = {normal(one) for one in block.wholes}
    return told | {normal(affirmed(block.text))} if block.kind == "correction" else told


def _says_something(block: Block) -> bool:
    return any(letter.isalpha() for letter in block.text) and not (
        block.text.startswith("_") and block.text.endswith("_")
    )
