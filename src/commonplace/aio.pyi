"""Made by `python tools/stubs.py` from the signatures in book.py and its collections."""

import builtins
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import IO, Any, Self, Unpack, overload

from commonplace.batches.report import Report, Stats
from commonplace.book import Commonplace
from commonplace.clock import Clock
from commonplace.context.agenda import AgendaItem
from commonplace.context.render import Page
from commonplace.context.uses import Use
from commonplace.describing.proposal import Proposal
from commonplace.directives.memory_selection import BUDGET
from commonplace.directives.values import (
    Attempt,
    Directive,
    DirectiveCategory,
    DirectiveFields,
    DirectiveSource,
    DirectiveStatus,
    Prompt,
    Step,
    StepFields,
)
from commonplace.learning.trace import Trace
from commonplace.memories.audit import AuditCheck, AuditLine
from commonplace.memories.feed import Signal
from commonplace.memories.glossary import Tag
from commonplace.memories.graph import Walk
from commonplace.memories.jobs import Job
from commonplace.memories.member_store import MemberRole
from commonplace.memories.namespaces import Namespace
from commonplace.memories.review import Decision, Waiting
from commonplace.memories.sessions import Session
from commonplace.memories.timeline import Day, UsageDay
from commonplace.memories.verifying import Verification
from commonplace.model import (
    Category,
    Entity,
    Hit,
    Memory,
    Message,
    NewMemoryFields,
    Query,
    QueryFilters,
    Receipt,
    Relation,
    RelationFields,
    RevisionFields,
    Version,
)
from commonplace.settings import Settings
from commonplace.sharing.sharing import Invitation, LeavingRule, SharedNamespace
from commonplace.store.ports import Progress
from commonplace.sync import state as sync_state
from commonplace.upkeep.doctor import Diagnosis
from commonplace.upkeep.schedule import Round

Run = Callable[[Callable[[], Any]], Coroutine[Any, Any, Any]]
COLLECTIONS: dict[str, type]

def verbs_of(collection: type) -> list[str]: ...

class AsyncCollection:
    def __init__(self, collection: object, run: Run) -> None: ...

class AsyncCore(AsyncCollection):
    async def set(
        self, key: str, value: str, *, category: Category = "preference", confirm: bool = False
    ) -> Receipt: ...
    async def get(self, key: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory: ...
    async def list(
        self, *, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> builtins.list[Memory]: ...
    async def forget(self, key: str) -> Receipt: ...

class AsyncGlossary(AsyncCollection):
    async def list(self) -> builtins.list[Tag]: ...
    async def get(self, name: str) -> Tag: ...
    async def create(self, name: str, *, description: str | None = None, synonyms: Sequence[str] = ()) -> Receipt: ...
    async def revise(
        self,
        name: str,
        *,
        rename: str | None = None,
        description: str | None = None,
        synonyms: Sequence[str] | None = None,
    ) -> Receipt: ...
    async def merge(self, name: str, *, into: str) -> Receipt: ...
    async def delete(self, name: str) -> Receipt: ...

class AsyncNamespaces(AsyncCollection):
    async def list(self) -> builtins.list[Namespace]: ...
    async def get(self, name: str) -> Namespace: ...
    async def create(self, name: str, *, description: str | None = None) -> Receipt: ...
    async def revise(
        self,
        name: str,
        *,
        rename: str | None = None,
        description: str | None = None,
        predicates: Sequence[str] | None = None,
    ) -> Receipt: ...
    async def move(self, ids: Sequence[str], *, to: str) -> Receipt: ...
    async def delete(self, name: str) -> Receipt: ...

class AsyncSharing(AsyncCollection):
    async def list(self) -> builtins.list[SharedNamespace]: ...
    async def get(self, name: str) -> SharedNamespace: ...
    async def share(
        self, name: str, *, person: str | None = None, role: MemberRole = "writer", rule: LeavingRule = "stays"
    ) -> Invitation: ...
    async def withdraw(self, name: str, invitation: str) -> SharedNamespace: ...
    async def preview(self, code: str) -> Invitation: ...
    async def join(self, code: str) -> SharedNamespace: ...
    async def leave(self, name: str) -> Receipt: ...
    async def remove(self, name: str, person: str) -> SharedNamespace: ...
    async def set_role(self, name: str, person: str, role: MemberRole) -> SharedNamespace: ...
    async def transfer(self, name: str, person: str) -> SharedNamespace: ...
    async def delete(self, name: str) -> Receipt: ...

class AsyncGraph(AsyncCollection):
    async def relate(
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
    async def revise(
        self, id: str, *, expected: int | None = None, reason: str | None = None, **fields: Unpack[RelationFields]
    ) -> Receipt: ...
    async def get(self, id: str) -> Relation: ...
    async def relations(
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
    async def walk(
        self, entity: str, *, depth: int = 2, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Walk: ...
    async def entities(
        self,
        *,
        type: str | None = None,
        query: str | None = None,
        tag: str | None = None,
        limit: int = 100,
        after: str | None = None,
    ) -> builtins.list[Entity]: ...
    async def entity(self, label_or_id: str) -> Entity: ...
    async def revise_entity(
        self,
        id: str,
        *,
        label: str | None = None,
        type: str | None = None,
        aliases: Sequence[str] | None = None,
        notes: str | None = None,
        tags: Sequence[str] | None = None,
    ) -> Receipt: ...
    async def merge(self, keep: str, absorb: str) -> Receipt: ...
    async def split(
        self, id: str, *, label: str, relations: Sequence[str] = (), aliases: Sequence[str] = ()
    ) -> Receipt: ...
    async def predicates(self) -> builtins.list[tuple[str, bool]]: ...
    async def declare(self, predicate: str) -> Receipt: ...

class AsyncReview(AsyncCollection):
    async def list(self, *, limit: int = 100, after: str | None = None) -> builtins.list[Waiting]: ...
    async def count(self) -> int: ...
    async def decide(
        self, id: str, decision: Decision, *, text: str | None = None, reason: str | None = None
    ) -> Receipt: ...
    async def lift(self, text: str) -> int: ...

class AsyncAudit(AsyncCollection):
    async def list(self, *, after: int = 0, limit: int = 100, newest: bool = False) -> builtins.list[AuditLine]: ...
    async def record_call(self, tool: str) -> None: ...
    async def verify(self) -> AuditCheck: ...

class AsyncJobs(AsyncCollection):
    async def list(
        self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100, newest: bool = False
    ) -> builtins.list[Job]: ...
    async def counts(self) -> dict[str, dict[str, int]]: ...
    async def replay(self, id: str) -> Job: ...

class AsyncReceipts(AsyncCollection):
    async def list(
        self, *, actions: Sequence[str] = (), before: str | None = None, limit: int = 100
    ) -> builtins.list[Receipt]: ...
    async def get(self, ref: str) -> Receipt: ...

class AsyncSessions(AsyncCollection):
    async def list(self, *, limit: int = 100) -> builtins.list[Session]: ...

class AsyncFeed(AsyncCollection):
    async def last(self) -> int: ...
    async def since(self, sequence: int, *, limit: int = 1000) -> builtins.list[Signal]: ...
    async def revision(self) -> int: ...

class AsyncBulk(AsyncCollection):
    async def confirm(self, ids: Sequence[str]) -> Receipt: ...
    async def reject(self, ids: Sequence[str], *, reason: str | None = None) -> Receipt: ...
    async def tag(self, ids: Sequence[str], tags: Iterable[str]) -> Receipt: ...

class AsyncTimeline(AsyncCollection):
    async def days(
        self,
        *,
        since: datetime | None = None,
        until: datetime | None = None,
        before: str | None = None,
        limit: int = 60,
    ) -> builtins.list[Day]: ...
    async def usage(self, *, since: str) -> builtins.list[UsageDay]: ...

class AsyncDirectives(AsyncCollection):
    async def create(
        self,
        title: str,
        goal: str,
        *,
        memory_enabled: bool = False,
        repository_url: str | None = None,
        local_path: str | None = None,
        base_branch: str | None = None,
        status: DirectiveStatus = "draft",
    ) -> Receipt: ...
    async def get(self, id: str) -> Directive: ...
    async def list(self, *, status: DirectiveStatus | None = None) -> Sequence[Directive]: ...
    async def revise(self, id: str, *, expected: int | None = None, **fields: Unpack[DirectiveFields]) -> Receipt: ...
    async def pause(self, id: str) -> Receipt: ...
    async def resume(self, id: str) -> Receipt: ...
    async def delete(self, id: str) -> Receipt: ...
    async def steps(self, id: str) -> Sequence[Step]: ...
    async def step(self, id: str) -> Step: ...
    async def add_step(
        self,
        directive: str,
        name: str,
        *,
        description: str | None = None,
        task_plan: str | None = None,
        depends_on: Sequence[str] = (),
        order_index: int | None = None,
    ) -> Receipt: ...
    async def revise_step(self, id: str, *, expected: int | None = None, **fields: Unpack[StepFields]) -> Receipt: ...
    async def delete_step(self, id: str) -> Receipt: ...
    async def memories(
        self,
        id: str,
        *,
        category: DirectiveCategory | None = None,
        step: str | None = None,
        after: str | None = None,
        limit: int = 100,
        newest: bool = False,
    ) -> Sequence[Memory]: ...
    async def remember(
        self,
        id: str,
        text: str,
        *,
        category: DirectiveCategory = "context",
        step: str | None = None,
        source: DirectiveSource | None = None,
    ) -> Receipt: ...
    async def correct(
        self,
        id: str,
        memory: str,
        text: str | None = None,
        *,
        category: DirectiveCategory | None = None,
        reason: str | None = None,
        expected: int | None = None,
    ) -> Receipt: ...
    async def forget(self, id: str, memory: str) -> Receipt: ...
    async def prompt(self, id: str, *, step: str | None = None, tokens: int = BUDGET) -> Prompt: ...
    async def explain(self, id: str) -> Sequence[Attempt]: ...
    async def history(self, id: str) -> Sequence[dict[str, Any]]: ...

class AsyncCommonplace:
    def __init__(self, book: Commonplace | Callable[[], Commonplace]) -> None: ...
    @property
    def book(self) -> Commonplace: ...
    async def __aenter__(self) -> Self: ...
    async def __aexit__(self, *fault: object) -> None: ...
    async def close(self) -> None: ...
    @classmethod
    def open(
        cls,
        url: str | None = None,
        *,
        owner: str = "me",
        namespace: str = "default",
        settings: Settings | None = None,
        clock: Clock | None = None,
        token: str | None = None,
    ) -> Self: ...
    async def remember(self, text: str, **fields: Unpack[NewMemoryFields]) -> Receipt: ...
    async def remember_many(self, items: Iterable[str | Mapping[str, Any]]) -> Receipt: ...
    async def observe(
        self, messages: Sequence[Message | str | Mapping[str, Any]] | Message | str, *, session: str | None = None
    ) -> Receipt: ...
    async def recall(
        self, query: str | Query = "", *, limit: int | None = None, **filters: Unpack[QueryFilters]
    ) -> builtins.list[Hit]: ...
    async def context(
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
    async def page(
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
    async def useful(self, hit: Hit | Memory | str, *, yes: bool = True) -> Receipt: ...
    async def get(self, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory: ...
    async def browse(
        self,
        *,
        after: str | None = None,
        newest: bool = True,
        important: bool = False,
        limit: int = 100,
        **filters: Unpack[QueryFilters],
    ) -> builtins.list[Memory]: ...
    async def why(self, id: str) -> builtins.list[Trace]: ...
    async def evidence(self, id: str) -> builtins.list[tuple[Memory, str | None]]: ...
    async def uses(self, id: str, *, before: str | None = None, limit: int = 100) -> builtins.list[Use]: ...
    @overload
    async def revise(
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
    async def revise(
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
    async def confirm(self, id: str, *, expected: int | None = None) -> Receipt: ...
    async def reject(self, id: str, *, reason: str | None = None, expected: int | None = None) -> Receipt: ...
    async def archive(self, *ids: str, reason: str | None = None) -> Receipt: ...
    async def end(self, id: str, *, at: datetime | None = None, reason: str | None = None) -> Receipt: ...
    async def history(self, id: str) -> builtins.list[Version]: ...
    async def rollback(self, id: str, *, to: int, expected: int | None = None) -> Receipt: ...
    async def undo(self, receipt: Receipt | str, *, progress: Progress | None = None) -> Receipt: ...
    @overload
    async def forget(
        self, id: str | Proposal, *, query: None = None, dry_run: bool = False, choose: Sequence[str] | None = None
    ) -> Receipt: ...
    @overload
    async def forget(
        self,
        id: str | Proposal | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        all: bool = False,
        yes: bool = False,
        choose: Sequence[str] | None = None,
    ) -> Receipt | Proposal: ...
    async def erase(self, *, confirm: bool, namespace: str | None = None) -> Receipt: ...
    async def verify_receipt(self, receipt: Receipt | str) -> Verification: ...
    async def relate(
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
    async def relations(
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
    async def walk(
        self, entity: str, *, depth: int = 2, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Walk: ...
    async def agenda(self, *, days: int = 14, silent: int = 30) -> builtins.list[AgendaItem]: ...
    async def hints(self) -> builtins.list[Memory]: ...
    async def dismiss(self, id: str) -> Receipt: ...
    async def stats(self) -> Stats: ...
    async def prune(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report: ...
    async def merge(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report: ...
    async def maintain(self) -> Round: ...
    async def backup(
        self, target: str | Path, *, keep: int | None = None, with_keys: bool = False, progress: Progress | None = None
    ) -> Report: ...
    async def restore(
        self, source: str | Path, *, without_ledger: bool = False, progress: Progress | None = None
    ) -> Report: ...
    async def export(
        self, target: IO[str] | str | Path, *, namespaces: Sequence[str] = (), progress: Progress | None = None
    ) -> Report: ...
    async def import_(
        self, source: IO[str] | str | Path, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Report: ...
    async def sync(
        self,
        url: str,
        *,
        token: str | None = None,
        key: str | None = None,
        restart: bool = False,
        progress: Progress | None = None,
    ) -> Report: ...
    async def sync_status(self) -> sync_state.SyncStatus: ...
    async def sync_private(self, name: str, *, private: bool = True) -> sync_state.SyncStatus: ...
    async def doctor(
        self,
        *,
        fix: bool = False,
        full: bool = False,
        environ: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Diagnosis: ...
    async def reindex(self, *, model: str | None = None, progress: Progress | None = None) -> Report: ...
    async def rotate_keys(self, *, destroy_old: bool = False, progress: Progress | None = None) -> Report: ...
    @property
    def core(self) -> AsyncCore: ...
    @property
    def glossary(self) -> AsyncGlossary: ...
    @property
    def namespaces(self) -> AsyncNamespaces: ...
    @property
    def sharing(self) -> AsyncSharing: ...
    @property
    def graph(self) -> AsyncGraph: ...
    @property
    def review(self) -> AsyncReview: ...
    @property
    def audit(self) -> AsyncAudit: ...
    @property
    def jobs(self) -> AsyncJobs: ...
    @property
    def receipts(self) -> AsyncReceipts: ...
    @property
    def sessions(self) -> AsyncSessions: ...
    @property
    def feed(self) -> AsyncFeed: ...
    @property
    def bulk(self) -> AsyncBulk: ...
    @property
    def timeline(self) -> AsyncTimeline: ...
    @property
    def directives(self) -> AsyncDirectives: ...
