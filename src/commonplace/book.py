"""The book: one short method per verb. The steps of each verb are in their own modules."""

import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, Unpack, cast, overload

from commonplace import plans
from commonplace.batches.report import Report, Stats
from commonplace.clock import Clock, zone
from commonplace.context.agenda import AgendaItem, agenda
from commonplace.context.compose import Composer
from commonplace.context.render import Page
from commonplace.context.uses import Use, uses
from commonplace.copies.backup import backup, restore
from commonplace.copies.check_lines import checked
from commonplace.copies.export import export, export_to
from commonplace.copies.import_lines import import_lines
from commonplace.copies.spool import EncryptedLines
from commonplace.describing.proposal import Proposal
from commonplace.errors import Invalid, NotAllowed, NotFound
from commonplace.lazy import LazyModule
from commonplace.learning.budget import DailyBudget
from commonplace.learning.learn import ACTOR
from commonplace.learning.queue import ObservedLearning, next_day
from commonplace.learning.trace import Trace, why
from commonplace.memories import previews
from commonplace.memories.audit import Audit
from commonplace.memories.bulk import Bulk
from commonplace.memories.core import Core
from commonplace.memories.feed import Feed
from commonplace.memories.forgetting import Forgetting, Target
from commonplace.memories.gateway import Gateway
from commonplace.memories.glossary import Glossary
from commonplace.memories.graph import Graph, Walk
from commonplace.memories.ids import AlsoShared, takes_ids
from commonplace.memories.jobs import Jobs
from commonplace.memories.member_store import READER, need_writer
from commonplace.memories.membership import home, is_shared, present_scopes, resolved
from commonplace.memories.namespaces import Namespaces
from commonplace.memories.reading import MOST_HITS, Reader
from commonplace.memories.receipts import Receipts
from commonplace.memories.review import Review
from commonplace.memories.scope import Scope
from commonplace.memories.sessions import Sessions
from commonplace.memories.timeline import Timeline
from commonplace.memories.verifying import Verification
from commonplace.model import (
    PERSONAL,
    Hit,
    Memory,
    Message,
    NewMemory,
    NewMemoryFields,
    Query,
    QueryFilters,
    Receipt,
    Relation,
    RevisionFields,
    Source,
    Version,
)
from commonplace.model import messages as as_messages
from commonplace.notebook.paths import notebook_paths
from commonplace.plans import Feature
from commonplace.protocol import Book
from commonplace.providers.judge import Judge
from commonplace.runtime import Parts, open_parts
from commonplace.security.master import parse_key
from commonplace.settings import Settings, without_credentials
from commonplace.sharing.sharing import Sharing, leave_everywhere
from commonplace.store.ports import Progress
from commonplace.upkeep.doctor import Diagnosis, doctor
from commonplace.upkeep.keys import rotate
from commonplace.upkeep.learning_jobs import model_trouble, planned_learner, think_soon, thinks
from commonplace.upkeep.merge import merge
from commonplace.upkeep.mine import dismiss, hints
from commonplace.upkeep.prune import PruneRule, prune, require_room
from commonplace.upkeep.reindex import reindex
from commonplace.upkeep.schedule import Round, maintain
from commonplace.upkeep.spooled_writes import drop_spooled
from commonplace.upkeep.stats import stats
from commonplace.upkeep.undo import undo

if TYPE_CHECKING:
    from commonplace import remote, workplace
    from commonplace.describing import resolve
    from commonplace.describing.resolve import Describing
    from commonplace.directives import directives as directive_book
    from commonplace.directives.directives import Directives
    from commonplace.learning import decisions, triggers
    from commonplace.learning.decisions import Decided
    from commonplace.notebook import notebook as notebook_files
    from commonplace.notebook.distil import Reword
    from commonplace.notebook.notebook import Notebook
    from commonplace.retrieval import pipeline
    from commonplace.retrieval.pipeline import Recall
    from commonplace.sync import exchange
    from commonplace.sync import state as sync_state
    from commonplace.sync.exchange import Peer
else:  # loaded when first used
    resolve = LazyModule("commonplace.describing.resolve")
    directive_book = LazyModule("commonplace.directives.directives")
    decisions = LazyModule("commonplace.learning.decisions")
    triggers = LazyModule("commonplace.learning.triggers")
    notebook_files = LazyModule("commonplace.notebook.notebook")
    remote = LazyModule("commonplace.remote")
    pipeline = LazyModule("commonplace.retrieval.pipeline")
    workplace = LazyModule("commonplace.workplace")
    exchange = LazyModule("commonplace.sync.exchange")
    sync_state = LazyModule("commonplace.sync.state")

QUERY_FIELDS = {field.name for field in fields(Query)} - {"text", "limit"} | {"glossary_tag"}


@takes_ids
class Commonplace(AlsoShared, Book):
    """An open store, seen by one owner in one namespace. A context manager; threads may share it."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        scope = resolved(scope)
        self._parts, self._scope = parts, scope
        self._gateway = Gateway(scope)
        self._reader = Reader(scope)
        self._forgetting = Forgetting(scope)
        self.core = Core(scope)
        self.glossary = Glossary(scope)
        self.namespaces = Namespaces(home(scope))
        self.graph = Graph(scope)
        self.review = Review(scope)
        self.audit = Audit(scope)
        self.jobs = Jobs(scope)
        self.receipts = Receipts(scope)
        self.sessions = Sessions(scope)
        self.feed = Feed(scope)
        self.bulk = Bulk(scope)
        self.timeline = Timeline(scope)

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
    ) -> Self:
        """Open the book at ``url`` (``sqlite:///path`` or ``postgresql://…``; None: the user's own), creating it if
        needed.

        ``https://…`` opens a book on a server, with the same verbs, for the owner of ``token``.
        """
        settings = settings or Settings.load()
        place = url or settings.book_url
        if place.startswith(("http://", "https://")):
            secret = token or settings.token
            book = remote.RemoteBook.connect(place, token=secret, namespace=namespace, settings=settings)
            return cast("Self", book)
        parts = open_parts(url, settings, clock=clock)
        return cls(parts, parts.scope(owner, namespace))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store, and with it every book made by ``within``."""
        self._parts.close()

    def within(self, namespace: str) -> "Commonplace":
        """The same book in another namespace. Both share the store: closing one closes both."""
        return type(self)(self._parts, self._scope.within(namespace))

    def _for_scope(self, scope: Scope) -> "Commonplace":
        return type(self)(self._parts, scope)

    def acting_as(self, actor: str, *, source: Source, person: bool, agent: str | None = None) -> "Commonplace":
        """The same book for another actor: who is recorded as acting, and whether it is a person.

        ``agent`` is the agent's name if it differs from ``actor``.
        """
        return type(self)(self._parts, self._scope.acting_as(actor, source=source, person=person, agent=agent))

    @property
    def owner(self) -> str:
        """The owner of the rows: the person, or the shared namespace that this book is in."""
        return self._scope.owner

    @property
    def person(self) -> str:
        """The person who uses the book."""
        return home(self._scope).owner

    @property
    def namespace(self) -> str:
        return self._scope.namespace

    @property
    def clock(self) -> Clock:
        """The clock that dates everything in this book."""
        return self._parts.clock

    @property
    def plan(self) -> str:
        return self._parts.plan(self.owner)

    @property
    def settings(self) -> Settings:
        return self._parts.settings

    @property
    def sharing(self) -> Sharing:
        """Namespaces shared with other people."""
        return Sharing(self._scope, self._parts.plan(home(self._scope).owner))

    @cached_property
    def directives(self) -> "Directives":
        """Goals that outlive a session."""
        return directive_book.Directives(self._scope, self._search_own, lambda: self._parts.drop_caches(self.owner))

    @property
    def notebook(self) -> "Notebook":
        """The Markdown files of the project around the current folder."""
        return self.notebook_at(Path.cwd())

    def notebook_at(self, folder: str | Path) -> "Notebook":
        """The Markdown files of the project around ``folder``."""
        place = workplace.namespace_for(Path(folder), self.settings)
        why = place.why if place.namespace == self.namespace else "given when the book was opened"
        return notebook_files.Notebook(
            self._scope,
            Path(folder),
            self.settings,
            scan=triggers.scan,
            why=why,
            reword=self._decision_rewriter(),
            labeller=self._parts.judge(),
        )

    def _decision_rewriter(self) -> "Reword | None":
        """Rewrites decisions with the configured language model; None if no model is set, or budget or plan
        forbid it.
        """
        settings, parts = self.settings, self._parts
        allowed = settings.llm and settings.llm_daily_tokens and plans.has(self.plan, Feature.EXTRACTION_AT_ONCE)
        if not allowed:
            return None

        def reworded(decided: "Sequence[Decided]", lines: Sequence[str]) -> "list[Decided]":
            model = parts.language_model()
            assert model is not None
            budget = DailyBudget(self._scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
            return decisions.reword(model, decided, lines, budget, timeout=settings.llm_timeout)

        return reworded

    # Keep

    def remember(self, text: str, **fields: Unpack[NewMemoryFields]) -> Receipt:
        """Store a memory; it is durable when this returns. The keywords are the fields of ``NewMemory``.

        Importance is computed and the status is set by default. ``confirm`` brings back a value that was rejected or
        forgotten before; only a person may pass it. Raises ``Refused`` (empty, too long, only a secret, over the
        quota), ``Tombstoned`` or ``Invalid``; nothing is changed then.
        """
        require_room(self._scope, self.settings.quota_memories)
        return self._gateway.remember(new_memory(text, fields))

    def remember_many(self, items: Iterable[str | Mapping[str, Any]]) -> Receipt:
        """Store many memories in one transaction: texts, or mappings with ``text`` and the fields of ``remember``."""
        new = [_item(item) for item in items]
        require_room(self._scope, self.settings.quota_memories, len(new))
        return self._gateway.remember_many(new)

    def observe(
        self, messages: Sequence[Message | str | Mapping[str, Any]] | Message | str, *, session: str | None = None
    ) -> Receipt:
        """Store a conversation word for word and learn from it. It is durable and searchable when this returns.

        ``receipt.changes`` lists the beliefs that were added, updated, deleted or left alone; pass ``receipt.trace`` to
        `why` for details. In a plan without immediate extraction, learning waits for the daily batch.
        """
        turns = as_messages(messages)
        require_room(self._scope, self.settings.quota_memories, len(turns))
        learning = self._learning()
        learning.read_ahead(turns)
        observed = self._gateway.observe(turns, session=session, then=learning.queue)
        if learning.think:
            self._parts.in_background(partial(think_soon, self._parts, self.owner))
        receipt = learning.finish(observed.receipt)
        trouble = model_trouble(self._parts, self._scope)
        return receipt if trouble is None else replace(receipt, notes=(*receipt.notes, trouble))

    # Find

    def recall(
        self, query: str | Query = "", *, limit: int | None = None, **filters: Unpack[QueryFilters]
    ) -> list[Hit]:
        """Return at most ``limit`` hits, best first. The keywords are the fields of ``Query``."""
        return self._search(as_query(query, limit, filters, default_recipe=self.settings.recipe))

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
    ) -> str:
        """The page for a model's prompt: profile and recalled memories, fenced as data. Empty if nothing is known.

        Recalled memories fill the budget of ``tokens``, at most ``limit`` of them. ``session`` repeats the last turns
        of that conversation, ``guidance`` adds instructions on when to memorize, recall and correct, and ``skip``
        leaves out memories that were already shown. ``as_of`` shows what was true then, ``known_at`` what was known
        then.
        """
        options = {name: value for name, value in locals().items() if name not in ("self", "query")}
        return self.page(query, **dict[str, Any](options)).text

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
    ) -> Page:
        """Like ``context``, with the ids of the memories on the page."""
        options: dict[str, Any] = {name: value for name, value in locals().items() if name != "self"}
        plan = self.plan
        composer = Composer(
            self._scope,
            self._search,
            relations=plans.has(plan, Feature.RELATIONS),
            hints=plans.has(plan, Feature.PROACTIVE),
            recipe=self.settings.recipe,
            allows=partial(plans.allows_relation, plan),
        )
        return composer.context(**options)

    def _search(self, query: Query) -> list[Hit]:
        """Hits that the plan shows, shared namespaces included. Further hits replace those that the plan hides.

        In a shared namespace, the person's own namespace `personal` is searched too.
        """
        scope, parts = self._scope, self._parts
        if scope.home is None:
            expected, shared = partial(parts.expected_names, scope), partial(parts.shared_names, scope)
            recall = replace(self._recall(), expected=expected, shared=shared, members=partial(present_scopes, scope))
        else:
            own = {PERSONAL: scope.home.owner}
            recall = replace(
                self._recall(), expected=lambda: own, shared=lambda tx: own, members=lambda *_: parts.shared(scope)
            )
        wide = query
        while True:
            hits = recall.hits(wide)
            visible = self._shown_by_plan(hits)
            if len(visible) >= query.limit or len(hits) < wide.limit or wide.limit == MOST_HITS:
                return visible[: query.limit]
            wide = replace(wide, limit=min(4 * wide.limit, MOST_HITS))

    def _shown_by_plan(self, hits: list[Hit]) -> list[Hit]:
        """The hits that the owner's plan shows."""
        if not any(hit.memory.kind in plans.HIDDEN_WITHOUT for hit in hits):
            return hits
        plan = self.plan
        visible = plans.shown(plan, hits, lambda hit: hit.memory.kind)
        return (
            visible
            if plans.has(plan, Feature.ALL_RELATIONS)
            else [hit for hit in visible if self._relation_shown(plan, hit)]
        )

    def _relation_shown(self, plan: str, hit: Hit) -> bool:
        if hit.memory.kind != "relational":
            return True
        try:
            relation = self.graph.get(hit.memory.id)
        except NotFound:
            return False
        return plans.allows_relation(plan, relation.subject.type, relation.object.type)

    def useful(self, hit: Hit | Memory | str, *, yes: bool = True) -> Receipt:
        """Say whether a memory helped: a new version has slightly higher or lower importance."""
        id = hit if isinstance(hit, str) else hit.memory.id if isinstance(hit, Hit) else hit.id
        return self._gateway.adjust_importance(id, 0.05 if yes else -0.05)

    def get(self, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        """One memory as it is now, was at ``as_of``, or was known at ``known_at``. Raises ``NotFound``."""
        return self._reader.get(id, as_of=as_of, known_at=known_at)

    def browse(
        self,
        *,
        after: str | None = None,
        newest: bool = True,
        important: bool = False,
        limit: int = 100,
        **filters: Unpack[QueryFilters],
    ) -> list[Memory]:
        """A page of memories by filter, without ranking; ``after`` is the last id of the page before.

        ``important`` sorts by importance. With ``known_at`` each memory is as it was known then.
        """
        query = as_query("", limit, filters)
        if important:
            return self._reader.most_important(query, after=after)
        return self._reader.page(query, after=after, newest=newest)

    def why(self, id: str) -> list[Trace]:
        """How a belief was learned; or, for a receipt or ``receipt.trace``, what that run of learning read and decided.

        Newest first. Empty for a memory that somebody stated directly.
        """
        return why(self._scope, id)

    def evidence(self, id: str) -> list[tuple[Memory, str | None]]:
        """The episodes that support a memory, each with the supporting quote if known."""
        return self._reader.evidence(id)

    def uses(self, id: str, *, before: str | None = None, limit: int = 100) -> list[Use]:
        """The prompts of the last 90 days that a memory was put into, newest first."""
        return uses(self._scope, id, before=before, limit=limit)

    # Correct

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
    ) -> Receipt | Proposal:
        """Correct a memory as a new version: by id, by description (``query``), or by a `Proposal`.

        In a compound sentence only the described part is replaced. A description is acted on at once only if it is
        certain; otherwise a `Proposal` is returned and nothing is changed. ``choose`` picks one proposed memory by its
        id. ``dry_run`` changes nothing. Raises ``NotFound`` with the nearest five memories if none matches.
        """
        if isinstance(id, str):
            if query is not None:
                raise Invalid("pass either a memory's id or a description as query=…")
            if dry_run:
                return previews.revising(self._scope, previews.whole(self._scope, id), text)
            return self._gateway.revise(id, text, reason=reason, expected=expected, **fields)
        described = self._resolve(id, query, choose=[choose] if choose else None, single=True)
        if isinstance(described, Proposal):
            return described
        target = described[0]
        text = None if text is None else target.corrected(text)
        if dry_run:
            return previews.revising(self._scope, target, text)
        return self._gateway.revise(target.id, text, reason=reason, expected=expected, **fields)

    def confirm(self, id: str, *, expected: int | None = None) -> Receipt:
        """Say that a memory is right: its confidence rises. Only a person verifies it and lifts a tombstone on it."""
        return self._gateway.confirm(id, expected=expected)

    def reject(self, id: str, *, reason: str | None = None, expected: int | None = None) -> Receipt:
        """Say that a memory is wrong; its value cannot be learned again without a person's confirmation."""
        return self._gateway.reject(id, reason=reason, expected=expected)

    def archive(self, *ids: str, reason: str | None = None) -> Receipt:
        """Hide memories from recall without saying that they are wrong."""
        return self._gateway.archive(ids, reason=reason)

    def end(self, id: str, *, at: datetime | None = None, reason: str | None = None) -> Receipt:
        """Say that a memory was true until now, or until ``at``, and no longer is."""
        return self._gateway.end(id, at=at, reason=reason)

    def history(self, id: str) -> list[Version]:
        """Every version of a memory, oldest first."""
        return self._reader.history(id)

    def rollback(self, id: str, *, to: int, expected: int | None = None) -> Receipt:
        """Restore an earlier version as the newest one."""
        return self._gateway.rollback(id, to=to, expected=expected)

    def undo(self, receipt: Receipt | str, *, progress: Progress | None = None) -> Receipt:
        """Undo what a receipt did, a whole maintenance run included. Forgetting and erasing cannot be undone.

        What took many transactions is undone in many; after an interruption the next call continues.
        """
        return undo(self._scope, receipt.ref if isinstance(receipt, Receipt) else receipt, progress=progress)

    # Forget

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
    def forget(
        self,
        id: str | Proposal | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        all: bool = False,
        yes: bool = False,
        choose: Sequence[str] | None = None,
    ) -> Receipt | Proposal:
        """Delete for good: rows, words, vectors, versions, quotes. By id, by description, or by a `Proposal`.

        A description (``query``) is acted on at once only if it is an id, an identifier, a quotation, the exact
        sentence, or words that only one memory has; otherwise a `Proposal` is returned and nothing is changed. ``yes``
        forgets the certain memories of a proposal, ``choose`` those with the listed ids, ``all`` every match.
        ``dry_run`` changes nothing. Raises ``NotFound`` with the nearest five memories if none matches.
        """
        if query is not None and choose is None and not dry_run:
            self._need_person("forgetting by description")
        if isinstance(id, str):
            if query is not None:
                raise Invalid("pass either a memory's id or a description as query=…")
            if dry_run:
                return previews.forgetting(self._scope, [previews.whole(self._scope, id)])
            receipt = self._forgetting.forget([id])
        else:
            described = self._resolve(id, query, choose=choose, all=all, yes=yes)
            if isinstance(described, Proposal):
                return described
            if dry_run:
                return previews.forgetting(self._scope, described)
            receipt = self._forgetting.forget_targets(described)
        self._parts.drop_caches(self.owner)
        return receipt

    def erase(self, *, confirm: bool, namespace: str | None = None) -> Receipt:
        """Erase a namespace, or all data of the owner and the keys that encrypt it. Cannot be undone.

        Raises ``NotAllowed`` for an agent.
        """
        self._need_person("erasing")
        if confirm is not True:
            raise Invalid("erasing cannot be undone; pass confirm=True")
        own = Forgetting(home(self._scope))
        if namespace is not None:
            if is_shared(self._scope, namespace):
                return self.sharing.delete(namespace)
            return own.erase_namespace(namespace)
        leave_everywhere(self._scope, self.plan)
        receipt = own.erase_owner()
        self._parts.drop_caches(self.person)
        drop_spooled(self._parts, self.person)
        return receipt

    def verify_receipt(self, receipt: Receipt | str) -> Verification:
        """Search the book, queues and notebook files, by id and by value, for what a forget or an erasure removed."""
        return self._forgetting.verify(receipt, self._notebook_files())

    # Relate

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
    ) -> Receipt:
        """Store a relation; stating it again confirms it."""
        statement: dict[str, Any] = {name: value for name, value in locals().items() if name != "self"}
        plans.require_relation(self.plan, subject_type, object_type)
        require_room(self._scope, self.settings.quota_memories)
        return self.graph.relate(**statement)

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
    ) -> list[Relation]:
        """Relations that hold now, or held at ``as_of``, filtered by any of their parts, as far as the plan
        shows them.
        """
        plans.require(self.plan, Feature.RELATIONS)
        relations = self.graph.relations(
            subject, predicate, object, as_of=as_of, known_at=known_at, limit=limit, after=after
        )
        return [row for row in relations if plans.allows_relation(self.plan, row.subject.type, row.object.type)]

    def walk(
        self, entity: str, *, depth: int = 2, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Walk:
        """Everything within ``depth`` steps of an entity: as it holds now, held at ``as_of``, or was known at
        ``known_at``.
        """
        plans.require(self.plan, Feature.RELATIONS)
        return self.graph.walk(entity, depth=depth, as_of=as_of, known_at=known_at)

    # Agenda and patterns

    def agenda(self, *, days: int = 14, silent: int = 30) -> list[AgendaItem]:
        """Follow-ups that are due, deadlines within ``days``, and people not contacted for over ``silent`` days."""
        predicates = ("owes_followup", "last_contacted_on")
        allowed = predicates if plans.has(self.plan, Feature.RELATIONS) else ()
        relations = [relation for name in allowed for relation in self.relations(predicate=name, limit=500)]
        memories = self.browse(kinds=["associative"], categories=["context"], limit=1_000)
        today = self.clock.now().astimezone(zone(self._parts.timezone(self.owner))).date()
        return agenda(relations, memories, today=today, quiet_days=silent, ahead_days=days)

    def hints(self) -> list[Memory]:
        """Detected patterns that are certain enough to mention, most certain first."""
        plans.require(self.plan, Feature.PROACTIVE)
        return hints(self._scope)

    def dismiss(self, id: str) -> Receipt:
        """Never suggest this pattern again. Raises ``Invalid`` if the memory is not a pattern."""
        return dismiss(self._scope, id)

    # Maintain

    def stats(self) -> Stats:
        """Counts, sizes, jobs and what pruning would archive, over all data of the owner."""
        return stats(self._parts, self._scope)

    def prune(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
        """Archive unimportant old memories of this namespace; undo with ``report.receipt``."""
        rule = PruneRule(episode_days=self.settings.episode_retention_days)
        return prune(self._scope, rule=rule, dry_run=dry_run, progress=progress)

    def merge(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
        """Merge memories with identical values in this namespace; undo with ``report.receipt``."""
        return merge(self._scope, dry_run=dry_run, progress=progress)

    def maintain(self) -> Round:
        """Run waiting jobs and maintain every namespace of the owner now, shared ones that they may write to included.

        Each logged action can be undone.
        """
        need_writer(self._scope.role)
        shared = [scope.owner for scope in self._parts.shared(home(self._scope)) if scope.role != READER]
        round = maintain(self._parts, owners={self.person, self.owner, *shared}, force=True)
        return replace(round, notes=(*round.notes, *self._notebook_proposals()))

    def backup(
        self,
        target: str | Path,
        *,
        keep: int | None = None,
        with_keys: bool = False,
        progress: Progress | None = None,
    ) -> Report:
        """Copy the whole book to a file or into a folder while it is in use; ``with_keys`` includes the keyring."""
        return backup(self._parts, Path(target), keep=keep, with_keys=with_keys, progress=progress)

    def restore(self, source: str | Path, *, without_ledger: bool = False, progress: Progress | None = None) -> Report:
        """Replace the book by a backup; what was forgotten, rejected or erased since then stays so."""
        return restore(self._parts, Path(source), without_ledger=without_ledger, progress=progress)

    def export(
        self, target: IO[str] | str | Path, *, namespaces: Sequence[str] = (), progress: Progress | None = None
    ) -> Report:
        """Write all data of the owner, or some namespaces, as JSON lines: to a file (mode 0600) or an open stream.

        An interrupted export to a file continues at the next call.
        """
        if not isinstance(target, str | Path):
            return export(self._scope, target, namespaces=namespaces, progress=progress)
        return export_to(self._scope, Path(target), namespaces=namespaces, progress=progress)

    def import_(
        self, source: IO[str] | str | Path, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Report:
        """Import exactly what `export` wrote. Importing the same file again changes nothing; tombstones stay.

        The whole file is checked first: a damaged line raises ``Invalid`` with its number, and nothing is changed.
        """
        if not dry_run:
            require_room(self._scope, self.settings.quota_memories)
        if not isinstance(source, str | Path):
            with EncryptedLines() as spool:
                spool.fill(checked(source))
                return import_lines(self._scope, spool, dry_run=dry_run, progress=progress)
        with Path(source).open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
            for _ in checked(lines):
                pass
            lines.seek(0)
            return import_lines(self._scope, lines, dry_run=dry_run, progress=progress)

    # Sync

    def sync(
        self,
        url: str,
        *,
        token: str | None = None,
        key: str | None = None,
        restart: bool = False,
        progress: Progress | None = None,
    ) -> Report:
        """Synchronise this book with another: ``https://…`` for a server, ``file:///…`` for a folder or a book file.

        After an interruption the next call continues; ``restart`` starts from the beginning. ``token`` is the server's,
        ``key`` the sync key that encrypts shared folders and private namespaces; both default to the settings.
        Raises ``NotAllowed`` for an agent.
        """
        scope = home(self._scope)
        exchange.need_person(scope)
        sync_key = key or self.settings.sync_key
        secret = exchange.stored_key(scope, None if sync_key is None else parse_key(sync_key, "the sync key"))
        address = without_credentials(url).rstrip("/")
        if url.startswith(("http://", "https://")):
            peer: Peer = remote.RemotePeer.connect(url, token or self.settings.token, self.settings)
            report = exchange.sync(scope, peer, address, key=secret, restart=restart, progress=progress)
            if secret is None and exchange.lacks_key(scope):  # other machines' records are here only now
                secret, notes = self._new_sync_key()
                keyed = exchange.sync(scope, peer, address, key=secret, progress=progress)
                counts = Counter(report.counts) + Counter(keyed.counts)
                report = replace(keyed, counts=dict(counts), count=counts.total(), notes=(*keyed.notes, *notes))
            return report
        notes = ()
        path = exchange.book_file(url)
        if path.parent.is_dir() and path.name == exchange.FOLDER_BOOK and not path.is_file() and secret is None:
            secret, notes = self._new_sync_key()
        with exchange.folder(path, scope.owner, secret) as (place, owner, master):
            settings = self.settings if master is None else replace(self.settings, master_key=master, embedder="none")
            parts = open_parts(place, settings, clock=self.clock, create=master is not None)
            try:
                peer = exchange.LocalPeer(parts.scope(owner, "default"))
                report = exchange.sync(scope, peer, address, key=secret, restart=restart, progress=progress)
            finally:
                parts.close()
        return replace(report, notes=(*report.notes, *notes))

    def _new_sync_key(self) -> tuple[bytes, tuple[str, ...]]:
        secret = os.urandom(32)
        exchange.stored_key(home(self._scope), secret)
        return secret, (f"A sync key was created. On your other machines set COMMONPLACE_SYNC_KEY={secret.hex()}",)

    @property
    def sync_key(self) -> str | None:
        """The key that encrypts private namespaces and shared folders; None if there is none yet.

        Raises ``NotAllowed`` for an agent.
        """
        self._need_person("reading the sync key")
        key = exchange.stored_key(home(self._scope))
        return None if key is None else key.hex()

    def sync_status(self) -> "sync_state.SyncStatus":
        """The books that this one is synchronised with, pending changes, and conflicts to resolve."""
        return sync_state.status(home(self._scope))

    def sync_private(self, name: str, *, private: bool = True) -> "sync_state.SyncStatus":
        """Mark a namespace private: it leaves this machine only encrypted with the sync key."""
        exchange.set_private(home(self._scope), name, private=private)
        return self.sync_status()

    @property
    def sync_peer(self) -> "Peer":
        """This book as a sync peer of other machines."""
        return exchange.LocalPeer(home(self._scope))

    def doctor(
        self,
        *,
        fix: bool = False,
        full: bool = False,
        environ: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Diagnosis:
        """Check the data of every owner for damage; ``fix`` repairs what can be repaired."""
        return doctor(self._parts, fix=fix, full=full, environ=environ, progress=progress)

    def reindex(self, *, model: str | None = None, progress: Progress | None = None) -> Report:
        """Rebuild all words and vectors with the configured language and embedder; recall keeps working meanwhile.

        ``model`` adds the vectors of another embedder to those in use, so that recall misses nothing when the setting
        ``embedder`` changes to it; the next call without ``model`` drops the old vectors.
        """
        if model is None:
            return reindex(self._parts, self._scope, progress=progress)
        used = self._parts.encoder(self._scope.vault)
        parts = self._parts.with_embedder(model)
        embedder = parts.embedder()  # raises for an unknown name before anything is indexed
        if embedder is not None:
            embedder.embed([""])  # raises for a model that is not installed
        return reindex(parts, self._scope, keep=None if used is None else used.model, progress=progress)

    def rotate_keys(self, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
        """Encrypt everything with a new key; can be interrupted and called again.

        Old keys are kept, because only they open older backups. ``destroy_old`` destroys them, which makes those
        backups unreadable, and raises ``NotAllowed`` for an agent.
        """
        if destroy_old:
            self._need_person("destroying keys")
        return rotate(self._scope, destroy_old=destroy_old, progress=progress)

    def _need_person(self, act: str) -> None:
        """Raise ``NotAllowed`` unless a person acts: irreversible acts are not for agents, tools or programs."""
        if not self._scope.person:
            raise NotAllowed(f"{act} cannot be undone and needs a person; an agent may not do it")

    def _notebook_files(self) -> list[tuple[str, str]]:
        """Name and text of each file of the notebook around the current folder."""
        files = notebook_paths(Path.cwd(), self.settings).files()
        return [(file.name, file.read_text("utf-8", errors="replace")) for file in files if file.is_file()]

    def _notebook_proposals(self) -> list[str]:
        """Open proposals of the notebook around the current folder, if there is one."""
        return self.notebook.proposals() if notebook_paths(Path.cwd(), self.settings).buffer.is_file() else []

    def _learning(self) -> ObservedLearning:
        with self._scope.store.read(self.owner) as tx:
            row = tx.owners.get()
        plan, scope = row.plan or self.settings.plan, self._scope.with_owner_settings(row)
        at_once = plans.has(plan, Feature.EXTRACTION_AT_ONCE)
        timezone = row.timezone or self.settings.timezone
        return ObservedLearning(
            planned_learner(self._parts, scope.acting_as(ACTOR, source="user", person=scope.person), plan),
            due=None if at_once else next_day(self.clock.now(), timezone),
            think=thinks(self._parts, plan),
        )

    def _describing(self) -> "Describing":
        with self._scope.store.read(self.owner) as tx:
            scope = self._scope.with_owner_settings(tx.owners.get())
        return resolve.Describing(scope, self._search_own, Judge())

    def _resolve(
        self,
        proposal: Proposal | None,
        query: str | None,
        *,
        choose: Sequence[str] | None,
        all: bool = False,
        yes: bool = False,
        single: bool = False,
    ) -> list[Target] | Proposal:
        """The memories to act on, or a proposal if a person or agent has to choose first."""
        if (proposal is None) == (query is None):
            raise Invalid("pass either a memory's id or a description as query=…")
        describing = self._describing()
        agreed = proposal is not None
        if proposal is None:
            proposal = describing.propose(str(query), all=all, undoable=single)
        if choose is not None:
            return describing.chosen(proposal.choose(choose))
        targets = [target for target in proposal.targets if agreed or target.sure]
        if single:
            targets = sorted(targets, key=lambda target: target.episode)[:1] if agreed or proposal.sure else []
        elif not (agreed or yes or proposal.sure) or (len(targets) > 1 and not agreed and not self._scope.person):
            targets = []  # an agent has to choose by id
        return describing.chosen(targets) if targets else proposal

    def _search_own(self, query: Query) -> list[Hit]:
        return self._recall().hits(query)

    def _recall(self) -> "Recall":
        embedder = self._parts.embedder()
        return pipeline.Recall(
            scope=self._scope,
            matrices=self._parts.matrices(),
            readings=self._parts.readings(),
            encoder=lambda scope, plan: self._parts.encoder(scope.vault, plan),
            token_encoder=self._parts.token_encoder,
            judge=self._parts.judge,
            weights=self.settings.weights,
            snapshots=self._parts.snapshots(),
            ahead=embedder is not None and embedder.remote,
        )


def as_query(
    query: str | Query, limit: int | None, filters: Mapping[str, Any], *, default_recipe: str = "balanced"
) -> Query:
    """Build a ``Query`` from a text with keywords; lists become tuples, unknown keywords raise ``Invalid``."""
    if isinstance(query, Query):
        if filters or limit is not None:
            raise Invalid("pass either a Query or a text with keywords, not both")
        return query
    if unknown := set(filters) - QUERY_FIELDS:
        raise Invalid(f"unknown filter {', '.join(sorted(unknown))}; one of {', '.join(sorted(QUERY_FIELDS))}")
    values = {name: _as_tuple(name, value) for name, value in filters.items() if value is not None}
    if tag := values.pop("glossary_tag", None):
        values["tags"] = (*values.get("tags", ()), tag)
    return Query(text=query, limit=8 if limit is None else limit, **{"recipe": default_recipe, **values})


def new_memory(text: str, values: Mapping[str, Any]) -> NewMemory:
    """Build a ``NewMemory`` from keywords; unknown ones raise ``Invalid``."""
    if unknown := values.keys() - NewMemory.__dataclass_fields__:
        raise Invalid(
            f"unknown field {', '.join(sorted(unknown))}; one of {', '.join(sorted(NewMemory.__dataclass_fields__))}"
        )
    values = {name: value for name, value in values.items() if value is not None}
    if "tags" in values:
        values["tags"] = _as_tuple("tags", values["tags"])
    return NewMemory(text=text, **values)


def _item(item: str | Mapping[str, Any]) -> NewMemory:
    if isinstance(item, str):
        return new_memory(item, {})
    if not isinstance(item, Mapping):
        raise Invalid(f"an item is a text, or a mapping with `text`, not {type(item).__name__}")
    values = dict(item)
    return new_memory(values.pop("text", ""), values)


PLURALS = {"kinds", "categories", "tags", "statuses", "sources", "namespaces"}


def _as_tuple(name: str, value: Any) -> Any:
    if name not in PLURALS:
        return value
    if isinstance(value, str):
        return (value,)
    try:
        return tuple(value)
    except TypeError as fault:
        raise Invalid(f"{name} takes a list of names") from fault
