"""Made by `python tools/stubs.py` from the signatures in book.py and its collections."""

import builtins
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Protocol, Self, Unpack, overload

from commonplace.batches.report import Report, Stats
from commonplace.clock import Clock
from commonplace.context.agenda import AgendaItem
from commonplace.context.render import Page
from commonplace.context.uses import Use
from commonplace.describing.proposal import Proposal
from commonplace.directives.directives import Directives
from commonplace.learning.trace import Trace
from commonplace.memories.audit import Audit
from commonplace.memories.bulk import Bulk
from commonplace.memories.core import Core
from commonplace.memories.feed import Feed
from commonplace.memories.glossary import Glossary
from commonplace.memories.graph import Graph, Walk
from commonplace.memories.jobs import Jobs
from commonplace.memories.namespaces import Namespaces
from commonplace.memories.receipts import Receipts
from commonplace.memories.review import Review
from commonplace.memories.sessions import Sessions
from commonplace.memories.timeline import Timeline
from commonplace.memories.verifying import Verification
from commonplace.model import (
    Hit,
    Memory,
    Message,
    NewMemoryFields,
    Query,
    QueryFilters,
    Receipt,
    Relation,
    RevisionFields,
    Source,
    Version,
)
from commonplace.notebook.notebook import Notebook
from commonplace.settings import Settings
from commonplace.sharing.sharing import Sharing
from commonplace.store.ports import Progress
from commonplace.sync import state as sync_state
from commonplace.sync.exchange import Peer
from commonplace.upkeep.doctor import Diagnosis
from commonplace.upkeep.schedule import Round

class Book(Protocol):
    core: Core
    glossary: Glossary
    namespaces: Namespaces
    graph: Graph
    review: Review
    audit: Audit
    jobs: Jobs
    receipts: Receipts
    sessions: Sessions
    feed: Feed
    bulk: Bulk
    timeline: Timeline
    def __enter__(self) -> Self: ...
    def __exit__(self, *fault: object) -> None: ...
    def close(self) -> None: ...
    def within(self, namespace: str) -> Book: ...
    def acting_as(self, actor: str, *, source: Source, person: bool, agent: str | None = None) -> Book: ...
    @property
    def owner(self) -> str: ...
    @property
    def person(self) -> str: ...
    @property
    def namespace(self) -> str: ...
    @property
    def clock(self) -> Clock: ...
    @property
    def plan(self) -> str: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def sharing(self) -> Sharing: ...
    @property
    def directives(self) -> Directives: ...
    @property
    def notebook(self) -> Notebook: ...
    def notebook_at(self, folder: str | Path) -> Notebook: ...
    def remember(self, text: str, **fields: Unpack[NewMemoryFields]) -> Receipt: ...
    def remember_many(self, items: Iterable[str | Mapping[str, Any]]) -> Receipt: ...
    def observe(
        self, messages: Sequence[Message | str | Mapping[str, Any]] | Message | str, *, session: str | None = None
    ) -> Receipt: ...
    def recall(
        self, query: str | Query = "", *, limit: int | None = None, **filters: Unpack[QueryFilters]
    ) -> builtins.list[Hit]: ...
    def context(
        self,
        query: str | None = None,
        *,
        tokens: int = 2000,
        limit: int | None = None,
        session: str | None = None,
        guidance: bool = False,
        skip: Sequence[str] = (),
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> str: ...
    def page(
        self,
        query: str | None = None,
        *,
        tokens: int = 2000,
        limit: int | None = None,
        session: str | None = None,
        guidance: bool = False,
        skip: Sequence[str] = (),
        as_of: datetime | None = None,
        known_at: datetime | None = None,
    ) -> Page: ...
    def useful(self, hit: Hit | Memory | str, *, yes: bool = True) -> Receipt: ...
    def get(self, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory: ...
    def browse(
        self,
        *,
        after: str | None = None,
        newest: bool = True,
        important: bool = False,
        limit: int = 100,
        **filters: Unpack[QueryFilters],
    ) -> builtins.list[Memory]: ...
    def why(self, id: str) -> builtins.list[Trace]: ...
    def evidence(self, id: str) -> builtins.list[tuple[Memory, str | None]]: ...
    def uses(self, id: str, *, before: str | None = None, limit: int = 100) -> builtins.list[Use]: ...
    @overload
    def revise(
        self,
        id: str | Proposal,
        text: str | None = None,
        *,
        query: None = None,
        dry_run: bool = False,
        choose: str | None = None,
        reason: str | None = None,
        expected: int | None = None,
        **fields: Unpack[RevisionFields],
    ) -> Receipt: ...
    @overload
    def revise(
        self,
        id: str | Proposal | None = None,
        text: str | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        choose: str | None = None,
        reason: str | None = None,
        expected: int | None = None,
        **fields: Unpack[RevisionFields],
    ) -> Receipt | Proposal: ...
    def confirm(self, id: str, *, expected: int | None = None) -> Receipt: ...
    def reject(self, id: str, *, reason: str | None = None, expected: int | None = None) -> Receipt: ...
    def archive(self, *ids: str, reason: str | None = None) -> Receipt: ...
    def end(self, id: str, *, at: datetime | None = None, reason: str | None = None) -> Receipt: ...
    def history(self, id: str) -> builtins.list[Version]: ...
    def rollback(self, id: str, *, to: int, expected: int | None = None) -> Receipt: ...
    def undo(self, receipt: Receipt | str, *, progress: Progress | None = None) -> Receipt: ...
    @overload
    def forget(
        self, id: str | Proposal, *, query: None = None, dry_run: bool = False, choose: Sequence[str] | None = None
    ) -> Receipt: ...
    @overload
    def forget(
        self,
        id: str | Proposal | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        all: bool = False,
        yes: bool = False,
        choose: Sequence[str] | None = None,
    ) -> Receipt | Proposal: ...
    def erase(self, *, confirm: bool, namespace: str | None = None) -> Receipt: ...
    def verify_receipt(self, receipt: Receipt | str) -> Verification: ...
    def relate(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        subject_type: str = "person",
        object_type: str = "topic",
        confidence: float = 0.7,
        notes: str | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        confirm: bool = False,
    ) -> Receipt: ...
    def relations(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        as_of: datetime | None = None,
        known_at: datetime | None = None,
        limit: int = 20,
        after: str | None = None,
    ) -> builtins.list[Relation]: ...
    def walk(
        self, entity: str, *, depth: int = 2, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Walk: ...
    def agenda(self, *, days: int = 14, silent: int = 30) -> builtins.list[AgendaItem]: ...
    def hints(self) -> builtins.list[Memory]: ...
    def dismiss(self, id: str) -> Receipt: ...
    def stats(self) -> Stats: ...
    def prune(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report: ...
    def merge(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report: ...
    def maintain(self) -> Round: ...
    def backup(
        self, target: str | Path, *, keep: int | None = None, with_keys: bool = False, progress: Progress | None = None
    ) -> Report: ...
    def restore(
        self, source: str | Path, *, without_ledger: bool = False, progress: Progress | None = None
    ) -> Report: ...
    def export(
        self, target: IO[str] | str | Path, *, namespaces: Sequence[str] = (), progress: Progress | None = None
    ) -> Report: ...
    def import_(
        self, source: IO[str] | str | Path, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Report: ...
    def sync(
        self,
        url: str,
        *,
        token: str | None = None,
        key: str | None = None,
        restart: bool = False,
        progress: Progress | None = None,
    ) -> Report: ...
    @property
    def sync_key(self) -> str | None: ...
    def sync_status(self) -> sync_state.SyncStatus: ...
    def sync_private(self, name: str, *, private: bool = True) -> sync_state.SyncStatus: ...
    @property
    def sync_peer(self) -> Peer: ...
    def doctor(
        self,
        *,
        fix: bool = False,
        full: bool = False,
        environ: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Diagnosis: ...
    def reindex(self, *, model: str | None = None, progress: Progress | None = None) -> Report: ...
    def rotate_keys(self, *, destroy_old: bool = False, progress: Progress | None = None) -> Report: ...
