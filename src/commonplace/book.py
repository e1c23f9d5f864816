"""The book: one short method per verb. Each names the steps; every step lives in its module."""

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
from commonplace.upkeep.spooled_writes import drop_waiting
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
    """One opened store, seen by one owner in one namespace. A context manager; threads may share it."""

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
        """Open the book at ``url`` (``sqlite:///path``, ``postgresql://…``; None: the user's own), made if need be.

        ``https://…`` is a book on a server: the same verbs, for the owner of ``token``.
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
        """Close the store; books made by ``within`` close with it."""
        self._parts.close()

    def within(self, namespace: str) -> "Commonplace":
        """The same book in another namespace; closing one closes both."""
        return type(self)(self._parts, self._scope.within(namespace))

    def _of(self, scope: Scope) -> "Commonplace":
        return type(self)(self._parts, scope)

    def acting_as(self, actor: str, *, source: Source, person: bool, agent: str | None = None) -> "Commonplace":
        """The same book for another actor: who is recorded as acting, and whether a person speaks.

        ``agent`` is what an agent is called, where that is not the actor.
        """
        return type(self)(self._parts, self._scope.acting_as(actor, source=source, person=person, agent=agent))

    @property
    def owner(self) -> str:
        """Whose rows these are: the person, or the shared namespace this book is in."""
        return self._scope.owner

    @property
    def person(self) -> str:
        """Who uses the book."""
        return home(self._scope).owner

    @property
    def namespace(self) -> str:
        return self._scope.namespace

    @property
    def clock(self) -> Clock:
        """The clock that everything in this book is dated by."""
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
        return directive_book.Directives(self._scope, self._hits, lambda: self._parts.let_go(self.owner))

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
            reword=self._rewording(),
            labeller=self._parts.judge(),
        )

    def _rewording(self) -> "Reword | None":
        """How the model of the settings puts decisions, where one is set, may cost something, and is in the plan."""
        settings, parts = self.settings, self._parts
        allowed = settings.llm and settings.llm_daily_tokens and plans.has(self.plan, Feature.EXTRACTION_AT_ONCE)
        if not allowed:
            return None

        def reworded(decided: "Sequence[Decided]", lines: Sequence[str]) -> "list[Decided]":
            model = parts.mind()
            assert model is not None
            budget = DailyBudget(self._scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
            return decisions.reword(model, decided, lines, budget, timeout=settings.llm_timeout)

        return reworded

    # Keep

    def remember(self, text: str, **fields: Unpack[NewMemoryFields]) -> Receipt:
        """Keep a memory; durable when this returns. The keywords are the fields of ``NewMemory``.

        Importance is computed, and the status set, if not given. ``confirm`` brings back a value that was rejected or
        forgotten before; only a person can. Raises ``Refused`` (empty, too long, nothing but a secret, over the quota),
        ``Tombstoned`` or ``Invalid``, changing nothing.
        """
        require_room(self._scope, self.settings.quota_memories)
        return self._gateway.remember(new_memory(text, fields))

    def remember_many(self, items: Iterable[str | Mapping[str, Any]]) -> Receipt:
        """Keep many memories in one transaction: texts, or mappings with ``text`` and the fields of ``remember``."""
        new = [_item(item) for item in items]
        require_room(self._scope, self.settings.quota_memories, len(new))
        return self._gateway.remember_many(new)

    def observe(
        self, messages: Sequence[Message | str | Mapping[str, Any]] | Message | str, *, session: str | None = None
    ) -> Receipt:
        """Keep a conversation word for word, durable and findable when this returns, and learn from it.

        ``receipt.changes`` says which beliefs were added, updated, deleted or left alone; `why` tells more by
        ``receipt.trace``. In a plan without extraction at once, learning waits for the daily batch.
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
        """At most ``limit`` hits, best first. The keywords are the fields of ``Query``."""
        return self._found(as_query(query, limit, filters, default_recipe=self.settings.recipe))

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
        """The page a model reads: profile and recall, fenced as data, within its budget. Empty if nothing is known.

        What is recalled fills the budget; ``limit`` bounds how many memories that may be.
        ``session`` repeats the last turns of that conversation, ``guidance`` adds when to memorize, recall and correct,
        ``skip`` leaves out memories already shown. ``as_of`` makes the page of what was true then, ``known_at`` of
        what was known then.
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
        """As ``context``, with the ids of the memories that are on it."""
        options: dict[str, Any] = {name: value for name, value in locals().items() if name != "self"}
        plan = self.plan
        composer = Composer(
            self._scope,
            self._found,
            relations=plans.has(plan, Feature.RELATIONS),
            hints=plans.has(plan, Feature.PROACTIVE),
            recipe=self.settings.recipe,
            allows=partial(plans.allows_relation, plan),
        )
        return composer.context(**options)

    def _found(self, query: Query) -> list[Hit]:
        """A page of what the plan shows, shared namespaces along: others take the place of what it hides.

        In a shared namespace it is what is `personal` to the person that is read along.
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
            visible = self._within_plan(hits)
            if len(visible) >= query.limit or len(hits) < wide.limit or wide.limit == MOST_HITS:
                return visible[: query.limit]
            wide = replace(wide, limit=min(4 * wide.limit, MOST_HITS))

    def _within_plan(self, hits: list[Hit]) -> list[Hit]:
        """Without what a smaller plan hides."""
        if not any(hit.memory.kind in plans.HIDDEN_WITHOUT for hit in hits):
            return hits
        plan = self.plan
        visible = plans.shown(plan, hits, lambda hit: hit.memory.kind)
        return (
            visible if plans.has(plan, Feature.ALL_RELATIONS) else [hit for hit in visible if self._allowed(plan, hit)]
        )

    def _allowed(self, plan: str, hit: Hit) -> bool:
        if hit.memory.kind != "relational":
            return True
        try:
            relation = self.graph.get(hit.memory.id)
        except NotFound:
            return False
        return plans.allows_relation(plan, relation.subject.type, relation.object.type)

    def useful(self, hit: Hit | Memory | str, *, yes: bool = True) -> Receipt:
        """Say whether a memory helped: its importance goes up or down a little, as a version."""
        id = hit if isinstance(hit, str) else hit.memory.id if isinstance(hit, Hit) else hit.id
        return self._gateway.adjust_importance(id, 0.05 if yes else -0.05)

    def get(self, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        """One memory, as it is or as it was. Raises ``NotFound``."""
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
        """A page of memories by filter, without ranking; ``after`` is the id that the last page ended with.

        ``important`` asks for the most important first. With ``known_at`` each is as it was known then.
        """
        query = as_query("", limit, filters)
        if important:
            return self._reader.weightiest(query, after=after)
        return self._reader.page(query, after=after, newest=newest)

    def why(self, id: str) -> list[Trace]:
        """How a belief came about, or what a run of learning (a receipt's, or ``receipt.trace``) saw and decided.

        Newest first; nothing for what somebody stated.
        """
        return why(self._scope, id)

    def evidence(self, id: str) -> list[tuple[Memory, str | None]]:
        """The episodes a memory rests on, with the words that matter."""
        return self._reader.evidence(id)

    def uses(self, id: str, *, before: str | None = None, limit: int = 100) -> list[Use]:
        """The pages made for a prompt that a memory was on, newest first, of the last 90 days."""
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
        """Correct a memory as a new version: by id, by description (``query``), or as a `Proposal` says.

        Of a compound sentence only the part described is replaced. A description is acted on at once only where it is
        certain; otherwise a `Proposal` comes back and nothing is changed. ``choose`` names one of those it proposes by
        its id. ``dry_run`` only shows. Raises ``NotFound`` with the nearest five where nothing fits.
        """
        if isinstance(id, str):
            if query is not None:
                raise Invalid("name a memory by its id, or describe what is meant with query=…")
            if dry_run:
                return previews.revising(self._scope, previews.whole(self._scope, id), text)
            return self._gateway.revise(id, text, reason=reason, expected=expected, **fields)
        described = self._described(id, query, choose=[choose] if choose else None, single=True)
        if isinstance(described, Proposal):
            return described
        target = described[0]
        text = None if text is None else target.corrected(text)
        if dry_run:
            return previews.revising(self._scope, target, text)
        return self._gateway.revise(target.id, text, reason=reason, expected=expected, **fields)

    def confirm(self, id: str, *, expected: int | None = None) -> Receipt:
        """Say that a memory is right: it becomes surer. Only a person makes it verified and lifts a tombstone on it."""
        return self._gateway.confirm(id, expected=expected)

    def reject(self, id: str, *, reason: str | None = None, expected: int | None = None) -> Receipt:
        """Say that a memory is wrong; its value cannot come back by itself."""
        return self._gateway.reject(id, reason=reason, expected=expected)

    def archive(self, *ids: str, reason: str | None = None) -> Receipt:
        """Put memories out of sight without judging them."""
        return self._gateway.archive(ids, reason=reason)

    def end(self, id: str, *, at: datetime | None = None, reason: str | None = None) -> Receipt:
        """Say that a memory is no longer true: it was, until now or ``at``."""
        return self._gateway.end(id, at=at, reason=reason)

    def history(self, id: str) -> list[Version]:
        """Every version of a memory, oldest first."""
        return self._reader.history(id)

    def rollback(self, id: str, *, to: int, expected: int | None = None) -> Receipt:
        """Restore an earlier version as the newest one."""
        return self._gateway.rollback(id, to=to, expected=expected)

    def undo(self, receipt: Receipt | str, *, progress: Progress | None = None) -> Receipt:
        """Take back what a receipt did, a whole tidying included: everything but forgetting and erasing.

        What was done in many transactions is taken back in many; broken off, the next call goes on.
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
        """Forget for good: rows, words, vectors, versions, quotes. By id, by description, or what a `Proposal` says.

        A description (``query``) is acted on at once only where it is an id, an identifier, a quotation, the exact
        sentence or words that only one memory holds; otherwise a `Proposal` comes back and nothing is changed. ``yes``
        forgets the certain ones of a proposal, ``choose`` those of its memories that it names by id. ``all`` means
        everything that fits. ``dry_run`` only shows. Raises ``NotFound`` with the nearest five where nothing fits.
        """
        if query is not None and choose is None and not dry_run:
            self._need_person("forgetting by description")
        if isinstance(id, str):
            if query is not None:
                raise Invalid("name a memory by its id, or describe what is meant with query=…")
            if dry_run:
                return previews.forgetting(self._scope, [previews.whole(self._scope, id)])
            receipt = self._forgetting.forget([id])
        else:
            described = self._described(id, query, choose=choose, all=all, yes=yes)
            if isinstance(described, Proposal):
                return described
            if dry_run:
                return previews.forgetting(self._scope, described)
            receipt = self._forgetting.forget_targets(described)
        self._parts.let_go(self.owner)
        return receipt

    def erase(self, *, confirm: bool, namespace: str | None = None) -> Receipt:
        """Erase a namespace, or everything the owner has and the keys it was sealed with; cannot be undone.

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
        self._parts.let_go(self.person)
        drop_waiting(self._parts, self.person)
        return receipt

    def verify_receipt(self, receipt: Receipt | str) -> Verification:
        """Search again, by id and by value, for what a forget or an erasure took away: book, queues, notebook files."""
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
        """State a relation; said again, it is confirmed again."""
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
        """Relations that hold now, or held at ``as_of``, by any of their parts; those that the plan shows."""
        plans.require(self.plan, Feature.RELATIONS)
        relations = self.graph.relations(
            subject, predicate, object, as_of=as_of, known_at=known_at, limit=limit, after=after
        )
        return [row for row in relations if plans.allows_relation(self.plan, row.subject.type, row.object.type)]

    def walk(
        self, entity: str, *, depth: int = 2, as_of: datetime | None = None, known_at: datetime | None = None
    ) -> Walk:
        """Everything within ``depth`` steps of an entity, as it holds now, held at ``as_of`` or was known."""
        plans.require(self.plan, Feature.RELATIONS)
        return self.graph.walk(entity, depth=depth, as_of=as_of, known_at=known_at)

    # Noticed

    def agenda(self, *, days: int = 14, silent: int = 30) -> list[AgendaItem]:
        """Follow-ups owed, deadlines within ``days``, and people not contacted for more than ``silent`` days."""
        predicates = ("owes_followup", "last_contacted_on")
        allowed = predicates if plans.has(self.plan, Feature.RELATIONS) else ()
        relations = [relation for name in allowed for relation in self.relations(predicate=name, limit=500)]
        memories = self.browse(kinds=["associative"], categories=["context"], limit=1_000)
        today = self.clock.now().astimezone(zone(self._parts.timezone(self.owner))).date()
        return agenda(relations, memories, today=today, quiet_days=silent, ahead_days=days)

    def hints(self) -> list[Memory]:
        """Patterns noticed by themselves that are sure enough to mention, surest first."""
        plans.require(self.plan, Feature.PROACTIVE)
        return hints(self._scope)

    def dismiss(self, id: str) -> Receipt:
        """Never hear of a pattern again. Raises ``Invalid`` for a memory that is none."""
        return dismiss(self._scope, id)

    # Tidy

    def stats(self) -> Stats:
        """Counts, sizes, jobs, what would be pruned: of everything the owner has."""
        return stats(self._parts, self._scope)

    def prune(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
        """Archive what is unimportant and old in this namespace; `undo` takes ``report.receipt``."""
        rule = PruneRule(episode_days=self.settings.episode_retention_days)
        return prune(self._scope, rule=rule, dry_run=dry_run, progress=progress)

    def merge(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
        """Fold identical values of this namespace into one each; `undo` takes ``report.receipt``."""
        return merge(self._scope, dry_run=dry_run, progress=progress)

    def maintain(self) -> Round:
        """Run what waits, and tidy every namespace of the owner now, with the shared ones that they write to.

        Each act in the log can be undone.
        """
        need_writer(self._scope.role)
        shared = [scope.owner for scope in self._parts.shared(home(self._scope)) if scope.role != READER]
        round = maintain(self._parts, owners={self.person, self.owner, *shared}, force=True)
        return replace(round, notes=(*round.notes, *self._proposals()))

    def backup(
        self,
        target: str | Path,
        *,
        keep: int | None = None,
        with_keys: bool = False,
        progress: Progress | None = None,
    ) -> Report:
        """Copy the whole book, online, to a file or into a folder; the keyring is left out unless asked for."""
        return backup(self._parts, Path(target), keep=keep, with_keys=with_keys, progress=progress)

    def restore(self, source: str | Path, *, without_ledger: bool = False, progress: Progress | None = None) -> Report:
        """Put a backup in the book's place; what was forgotten, rejected or erased since stays so."""
        return restore(self._parts, Path(source), without_ledger=without_ledger, progress=progress)

    def export(
        self, target: IO[str] | str | Path, *, namespaces: Sequence[str] = (), progress: Progress | None = None
    ) -> Report:
        """Write everything the owner has, or some namespaces, as JSON lines: to a file (0600) or an open stream.

        To a file, a run that was broken off is gone on with.
        """
        if not isinstance(target, str | Path):
            return export(self._scope, target, namespaces=namespaces, progress=progress)
        return export_to(self._scope, Path(target), namespaces=namespaces, progress=progress)

    def import_(
        self, source: IO[str] | str | Path, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Report:
        """Take in what `export` wrote, exactly; importing the same file again changes nothing, tombstones stay.

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
        """Bring this book and another in step: ``https://…`` of a server, ``file:///…`` of a folder or a book.

        Interrupted, the next call goes on. ``token`` is that of the server, ``key`` the sync key, which encrypts shared
        folders and private namespaces; both come from the settings if absent. ``restart`` starts as if for the first
        time. Raises ``NotAllowed`` for an agent.
        """
        scope = home(self._scope)
        exchange.need_person(scope)
        given = key or self.settings.sync_key
        secret = exchange.stored_key(scope, None if given is None else parse_key(given, "the sync key"))
        address = without_credentials(url).rstrip("/")
        if url.startswith(("http://", "https://")):
            peer: Peer = remote.RemotePeer.connect(url, token or self.settings.token, self.settings)
            report = exchange.sync(scope, peer, address, key=secret, restart=restart, progress=progress)
            if secret is None and exchange.lacks_key(scope):  # known once the records of other machines are here
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
        return secret, (f"A sync key was made. On your other machines set COMMONPLACE_SYNC_KEY={secret.hex()}",)

    @property
    def sync_key(self) -> str | None:
        """The key that this person's machines encrypt private namespaces and shared folders with; None: none is made.

        Raises ``NotAllowed`` for an agent.
        """
        self._need_person("reading the sync key")
        key = exchange.stored_key(home(self._scope))
        return None if key is None else key.hex()

    def sync_status(self) -> "sync_state.SyncStatus":
        """The books that this one is in step with, what waits, and conflicts to decide about."""
        return sync_state.status(home(self._scope))

    def sync_private(self, name: str, *, private: bool = True) -> "sync_state.SyncStatus":
        """Mark a namespace private: it leaves this machine only encrypted with the sync key."""
        exchange.set_private(home(self._scope), name, private=private)
        return self.sync_status()

    @property
    def sync_peer(self) -> "Peer":
        """This book, as other machines exchange changes with it."""
        return exchange.LocalPeer(home(self._scope))

    def doctor(
        self,
        *,
        fix: bool = False,
        full: bool = False,
        environ: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Diagnosis:
        """Look whether the book is sound, every owner's part of it; with ``fix`` repair what can be repaired."""
        return doctor(self._parts, fix=fix, full=full, environ=environ, progress=progress)

    def reindex(self, *, model: str | None = None, progress: Progress | None = None) -> Report:
        """Make all words and vectors anew, with the language and embedder as set; recall goes on meanwhile.

        ``model`` makes the vectors of another embedder beside those in use, so that nothing is missed when ``embedder``
        is set to it; the next call without it drops the old ones.
        """
        if model is None:
            return reindex(self._parts, self._scope, progress=progress)
        used = self._parts.encoder(self._scope.vault)
        parts = self._parts.with_embedder(model)
        embedder = parts.embedder()  # an unknown name is refused before anything is indexed
        if embedder is not None:
            embedder.embed([""])  # as is a model that is not installed
        return reindex(parts, self._scope, keep=None if used is None else used.model, progress=progress)

    def rotate_keys(self, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
        """Seal everything with a new key; can be interrupted and called again.

        Old keys are kept for the backups made before, which nothing else can open; ``destroy_old`` ends both, and
        raises ``NotAllowed`` for an agent.
        """
        if destroy_old:
            self._need_person("destroying keys")
        return rotate(self._scope, destroy_old=destroy_old, progress=progress)

    def _need_person(self, act: str) -> None:
        """Irreversible acts are a person's: raise ``NotAllowed`` if an agent, a tool or a program acts here."""
        if not self._scope.person:
            raise NotAllowed(f"{act} cannot be undone and needs a person; an agent may not do it")

    def _notebook_files(self) -> list[tuple[str, str]]:
        """Name and text of each file of the notebook around the current folder."""
        files = notebook_paths(Path.cwd(), self.settings).files()
        return [(file.name, file.read_text("utf-8", errors="replace")) for file in files if file.is_file()]

    def _proposals(self) -> list[str]:
        """What the notebook around the current folder waits for, where there is one."""
        return self.notebook.proposals() if notebook_paths(Path.cwd(), self.settings).buffer.is_file() else []

    def _learning(self) -> ObservedLearning:
        with self._scope.store.read(self.owner) as tx:
            row = tx.owners.get()
        plan, scope = row.plan or self.settings.plan, self._scope.as_set(row)
        at_once = plans.has(plan, Feature.EXTRACTION_AT_ONCE)
        timezone = row.timezone or self.settings.timezone
        return ObservedLearning(
            planned_learner(self._parts, scope.acting_as(ACTOR, source="user", person=scope.person), plan),
            due=None if at_once else next_day(self.clock.now(), timezone),
            think=thinks(self._parts, plan),
        )

    def _describing(self) -> "Describing":
        with self._scope.store.read(self.owner) as tx:
            scope = self._scope.as_set(tx.owners.get())
        return resolve.Describing(scope, self._hits, Judge())

    def _described(
        self,
        proposal: Proposal | None,
        query: str | None,
        *,
        choose: Sequence[str] | None,
        all: bool = False,
        yes: bool = False,
        single: bool = False,
    ) -> list[Target] | Proposal:
        """What to act on; or the proposal, where a choice is needed first."""
        if (proposal is None) == (query is None):
            raise Invalid("name a memory by its id, or describe what is meant with query=…")
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
            targets = []  # an agent chooses by id what goes
        return describing.chosen(targets) if targets else proposal

    def _hits(self, query: Query) -> list[Hit]:
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
    """A question in either form as a ``Query``; lists become tuples, unknown words raise ``Invalid``."""
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
    """A memory to be, from keywords; unknown words raise ``Invalid``."""
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
