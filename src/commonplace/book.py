"""The book: one short method a verb. Each names the steps; every step lives in its room."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Self, cast

from commonplace import plans
from commonplace.clock import Clock
from commonplace.context.compose import Composer
from commonplace.context.render import Page
from commonplace.context.uses import Use, uses
from commonplace.errors import Invalid
from commonplace.extraction.budget import DailyBudget
from commonplace.extraction.learn import ACTOR, Learner
from commonplace.extraction.queue import Learning, next_day
from commonplace.extraction.trace import Trace, why
from commonplace.maintenance.backup import backup, restore
from commonplace.maintenance.doctor import Diagnosis, doctor
from commonplace.maintenance.drain import think_soon, thinks
from commonplace.maintenance.exporting import export, export_to
from commonplace.maintenance.importing import import_lines
from commonplace.maintenance.indexes import reindex
from commonplace.maintenance.keys import rotate
from commonplace.maintenance.merge import merge
from commonplace.maintenance.mine import dismiss, hints
from commonplace.maintenance.prune import PruneRule, prune, require_room
from commonplace.maintenance.report import Report, Stats
from commonplace.maintenance.schedule import Round, maintain
from commonplace.maintenance.spooled import drop_waiting
from commonplace.maintenance.stats import stats
from commonplace.maintenance.undoing import undo
from commonplace.memories import previews
from commonplace.memories.admission import NewMemory
from commonplace.memories.audit import Audit
from commonplace.memories.bulk import Bulk
from commonplace.memories.core import Core
from commonplace.memories.feed import Feed
from commonplace.memories.forgetting import Forgetting, Meant, Verification
from commonplace.memories.gateway import Gateway
from commonplace.memories.glossary import Glossary
from commonplace.memories.graph import Graph, Walk
from commonplace.memories.jobs import Jobs
from commonplace.memories.namespaces import Namespaces
from commonplace.memories.reading import MOST_HITS, Reader
from commonplace.memories.receipts import Receipts
from commonplace.memories.review import Review
from commonplace.memories.scope import Scope
from commonplace.memories.sessions import Sessions
from commonplace.memories.timeline import Timeline
from commonplace.model import (
    Category,
    Hit,
    Kind,
    Memory,
    Message,
    Metadata,
    Query,
    Receipt,
    Relation,
    Source,
    Version,
)
from commonplace.model import messages as as_messages
from commonplace.notebook.places import places
from commonplace.opening import Parts, open_parts
from commonplace.plans import Feature
from commonplace.settings import Settings
from commonplace.store.ports import Progress

if TYPE_CHECKING:
    from commonplace.directives.desk import Directives
    from commonplace.extraction.decisions import Decided
    from commonplace.notebook.distil import Reword
    from commonplace.notebook.notebook import Notebook
    from commonplace.retrieval.pipeline import Recall
    from commonplace.retrieval.targets import Targets

QUERY_FIELDS = {one.name for one in fields(Query)} - {"text", "limit"}


class Commonplace:
    """One opened store, seen by one owner in one namespace. A context manager; threads may share it."""

    def __init__(self, parts: Parts, scope: Scope) -> None:
        self._parts, self._scope = parts, scope
        self._gateway = Gateway(scope)
        self._reader = Reader(scope)
        self._forgetting = Forgetting(scope)
        self.core = Core(scope)
        self.glossary = Glossary(scope)
        self.namespaces = Namespaces(scope)
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
            # an HTTP client, which only a book elsewhere needs
            from commonplace.remote import RemoteBook  # noqa: PLC0415

            there = RemoteBook.connect(place, token=token or settings.token, namespace=namespace, settings=settings)
            return cast("Self", there)
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

    def acting_as(self, actor: str, *, source: Source, person: bool) -> "Commonplace":
        """The same book through another door: who is recorded as acting, and whether a person speaks there."""
        return type(self)(self._parts, self._scope.acting_as(actor, source=source, person=person))

    @property
    def owner(self) -> str:
        return self._scope.owner

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

    @cached_property
    def directives(self) -> "Directives":
        """Goals that outlive a session."""
        # a tenth of what the book takes to start, and most programs set no goals
        from commonplace.directives.desk import Directives  # noqa: PLC0415

        return Directives(self._scope, self._hits, lambda: self._parts.let_go(self.owner))

    @property
    def notebook(self) -> "Notebook":
        """The Markdown files of the project around the current folder."""
        return self.notebook_at(Path.cwd())

    def notebook_at(self, folder: str | Path) -> "Notebook":
        """The Markdown files of the project around ``folder``."""
        # most programs keep no files, and the rules of five languages are much to read
        from commonplace.extraction.triggers import scan  # noqa: PLC0415
        from commonplace.notebook.notebook import Notebook  # noqa: PLC0415
        from commonplace.workplace import namespace_for  # noqa: PLC0415

        name, why = namespace_for(Path(folder), self.settings)
        why = why if name == self.namespace else "given when the book was opened"
        return Notebook(self._scope, Path(folder), self.settings, scan=scan, why=why, reword=self._rewording())

    def _rewording(self) -> "Reword | None":
        """How the model of the settings puts decisions, where one is set, may cost something, and is in the plan."""
        settings, parts = self.settings, self._parts
        wanted = settings.llm and settings.llm_daily_tokens and plans.has(self.plan, Feature.EXTRACTION_AT_ONCE)
        if not wanted:
            return None

        def reworded(decided: "Sequence[Decided]", lines: Sequence[str]) -> "list[Decided]":
            # pydantic and the HTTP client: only who asks a model pays for them
            from commonplace.extraction.decisions import reword  # noqa: PLC0415

            model = parts.mind()
            assert model is not None
            budget = DailyBudget(self._scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
            return reword(model, decided, lines, budget, timeout=settings.llm_timeout)

        return reworded

    # Keep

    def remember(
        self,
        text: str,
        *,
        kind: Kind = "associative",
        category: Category = "context",
        key: str | None = None,
        importance: float | None = None,
        confidence: float | None = None,
        tags: Iterable[str] = (),
        source: Source | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        expires_at: datetime | None = None,
        pinned: bool = False,
        metadata: Metadata | None = None,
    ) -> Receipt:
        """Keep a memory; durable when this returns. What nobody gives is computed (importance) or set by the door.

        Raises ``Refused`` (empty, too long, nothing but a secret, over the quota), ``Tombstoned`` or ``Invalid``,
        changing nothing.
        """
        given = {name: value for name, value in locals().items() if name not in ("self", "text")}
        require_room(self._scope, self.settings.quota_memories)
        return self._gateway.remember(new_memory(text, given))

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
        said = as_messages(messages)
        require_room(self._scope, self.settings.quota_memories, len(said))
        learning = self._learning()
        learning.foresee(said)
        kept = self._gateway.observe(said, session=session, then=learning.queue)
        if learning.think:
            self._parts.in_background(partial(think_soon, self._parts, self.owner))
        return learning.finish(kept.receipt)

    # Find

    def recall(self, query: str | Query = "", *, limit: int | None = None, **fields: Any) -> list[Hit]:
        """At most ``limit`` hits, best first. The keywords are the fields of ``Query``."""
        asked = as_query(query, limit, fields, default_recipe=self.settings.recipe)
        return self._found(asked)

    def context(self, query: str | None = None, *, tokens: int = 2000, limit: int = 8, **options: Any) -> str:
        """The page a model reads: profile and recall, fenced as data, within both bounds. Empty if nothing is known.

        ``options``: ``session`` repeats the last turns of that conversation, ``guidance=True`` adds when to memorize,
        recall and correct, ``skip`` leaves out memories already shown.
        """
        return self.page(query, tokens=tokens, limit=limit, **options).text

    def page(self, query: str | None = None, *, tokens: int = 2000, limit: int = 8, **options: Any) -> Page:
        """As ``context``, with the ids of the memories that are on it."""
        plan = self.plan
        composer = Composer(
            self._scope,
            self._found,
            relations=plans.has(plan, Feature.RELATIONS),
            hints=plans.has(plan, Feature.PROACTIVE),
            recipe=self.settings.recipe,
            allows=partial(plans.allows_relation, plan),
        )
        return composer.context(query, tokens=tokens, limit=limit, **options)

    def _found(self, asked: Query) -> list[Hit]:
        """A page of what the plan shows: others take the place of what it hides."""
        wide = asked
        while True:
            hits = self._recall().hits(wide)
            left = self._within_plan(hits)
            if len(left) >= asked.limit or len(hits) < wide.limit or wide.limit == MOST_HITS:
                return left[: asked.limit]
            wide = replace(wide, limit=min(4 * wide.limit, MOST_HITS))

    def _within_plan(self, hits: list[Hit]) -> list[Hit]:
        """Without what a smaller plan hides."""
        if not any(hit.memory.kind in plans.HIDDEN_WITHOUT for hit in hits):
            return hits
        plan = self.plan
        left = plans.shown(plan, hits, lambda hit: hit.memory.kind)
        return left if plans.has(plan, Feature.ALL_RELATIONS) else [hit for hit in left if self._allowed(plan, hit)]

    def _allowed(self, plan: str, hit: Hit) -> bool:
        if hit.memory.kind != "relational":
            return True
        relation = self.graph.get(hit.memory.id)
        return plans.allows_relation(plan, relation.subject.type, relation.object.type)

    def useful(self, hit: Hit | Memory | str, *, yes: bool = True) -> Receipt:
        """Say whether a memory helped: its importance goes up or down a little, as a version."""
        id = hit if isinstance(hit, str) else hit.memory.id if isinstance(hit, Hit) else hit.id
        return self._gateway.weigh(id, 0.05 if yes else -0.05)

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
        **fields: Any,
    ) -> list[Memory]:
        """A page of memories by filter, without ranking; ``after`` is the id that the last page ended with.

        ``important`` asks for the most important first. With ``known_at`` each is as it was known then.
        """
        asked = as_query("", limit, fields)
        if important:
            return self._reader.weightiest(asked, after=after)
        return self._reader.page(asked, after=after, newest=newest)

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

    def revise(
        self,
        id: str | None = None,
        text: str | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        best: bool = False,
        reason: str | None = None,
        expected: int | None = None,
        **fields: Any,
    ) -> Receipt:
        """Correct a memory, named by id or described by ``query``, as a new version; the old value stays away.

        Of a compound sentence only the part described is replaced. ``dry_run`` shows what would be; a description that
        fits several raises ``Ambiguous`` unless ``best`` is given, one that fits nothing ``NotFound``.
        """
        meant = self._one_meant(id, query, best=best, dry_run=dry_run)
        if meant is None:
            return self._gateway.revise(str(id), text, reason=reason, expected=expected, **fields)
        text = None if text is None else meant.corrected(text)
        if dry_run:
            return previews.revising(self._scope, meant, text)
        return self._gateway.revise(meant.id, text, reason=reason, expected=expected, **fields)

    def confirm(self, id: str, *, expected: int | None = None) -> Receipt:
        """Vouch for a memory; a person's confirmation lifts the tombstone on its value."""
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
        # says how a goal or a step is taken back; read only here and where goals are set
        from commonplace.directives import keeping  # noqa: F401, PLC0415

        return undo(self._scope, receipt.ref if isinstance(receipt, Receipt) else receipt, progress=progress)

    # Forget

    def forget(
        self,
        id: str | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        all: bool = False,
        best: bool = False,
    ) -> Receipt:
        """Forget for good, by id or by description: rows, words, vectors, versions, quotes; cannot be undone.

        ``query`` takes exactly what it describes, of a compound sentence only that part. Several that fit raise
        ``Ambiguous`` unless ``all`` or ``best`` is given; nothing that fits ``NotFound``. ``dry_run`` only shows.
        """
        if (id is None) == (query is None):
            raise Invalid("name a memory by its id, or describe what is meant with query=…")
        if query is not None:
            meant = self._targets().find(query, all=all, best=best)
            if dry_run:
                return previews.forgetting(self._scope, meant)
            receipt = self._forgetting.forget_meant(meant)
            self._parts.let_go(self.owner)
            return receipt
        if dry_run:
            return previews.forgetting(self._scope, [previews.whole(self._scope, str(id))])
        receipt = self._forgetting.forget([str(id)])
        self._parts.let_go(self.owner)
        return receipt

    def erase(self, *, confirm: bool, namespace: str | None = None) -> Receipt:
        """Erase a namespace, or everything the owner has and the keys it was sealed with; cannot be undone."""
        if confirm is not True:
            raise Invalid("erasing cannot be undone; pass confirm=True")
        if namespace is not None:
            return self._forgetting.erase_namespace(namespace)
        receipt = self._forgetting.erase_owner()
        self._parts.let_go(self.owner)
        drop_waiting(self._parts, self.owner)
        return receipt

    def verify_receipt(self, receipt: Receipt | str) -> Verification:
        """Search again for what a forget or an erasure took away."""
        return self._forgetting.verify(receipt.ref if isinstance(receipt, Receipt) else receipt)

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
    ) -> Receipt:
        """State a relation; said again, it is confirmed again."""
        plans.require_relation(self.plan, subject_type, object_type)
        require_room(self._scope, self.settings.quota_memories)
        return self.graph.relate(
            subject,
            predicate,
            object,
            subject_type=subject_type,
            object_type=object_type,
            confidence=confidence,
            notes=notes,
            valid_from=valid_from,
            valid_to=valid_to,
        )

    def relations(
        self, subject: str | None = None, predicate: str | None = None, object: str | None = None, **fields: Any
    ) -> list[Relation]:
        """Relations that hold now, or held at ``as_of``, by any of their parts; those that the plan shows."""
        plans.require(self.plan, Feature.RELATIONS)
        found = self.graph.relations(subject, predicate, object, **fields)
        return [one for one in found if plans.allows_relation(self.plan, one.subject.type, one.object.type)]

    def walk(self, entity: str, *, depth: int = 2, as_of: datetime | None = None) -> Walk:
        """Everything within ``depth`` steps of an entity."""
        plans.require(self.plan, Feature.RELATIONS)
        return self.graph.walk(entity, depth=depth, as_of=as_of)

    # Noticed

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
        """Run what waits, and tidy every namespace of the owner now; each act in the log can be undone."""
        done = maintain(self._parts, owners=[self.owner], force=True)
        return replace(done, notes=(*done.notes, *self._proposals()))

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
        """Take in what `export` wrote, exactly; twice changes nothing, and tombstoned values stay out."""
        if not dry_run:
            require_room(self._scope, self.settings.quota_memories)
        if not isinstance(source, str | Path):
            return import_lines(self._scope, source, dry_run=dry_run, progress=progress)
        with Path(source).open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
            return import_lines(self._scope, lines, dry_run=dry_run, progress=progress)

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
        other = self._parts.with_embedder(model)
        made = other.embedder()  # a name that nobody knows is refused before anything is made anew
        if made is not None:
            made.embed([""])  # as is a model that is not installed
        return reindex(other, self._scope, keep=None if used is None else used.model, progress=progress)

    def rotate_keys(self, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
        """Seal everything with a new key; can be interrupted and called again.

        Old keys are kept for the backups made before, which nothing else can open; ``destroy_old`` ends both.
        """
        return rotate(self._scope, destroy_old=destroy_old, progress=progress)

    def _proposals(self) -> list[str]:
        """What the notebook around the current folder waits for, where there is one."""
        return self.notebook.proposals() if places(Path.cwd(), self.settings).buffer.is_file() else []

    def _learning(self) -> Learning:
        with self._scope.store.read(self.owner) as tx:
            plan, scope = self.plan, self._scope.as_set(tx.owners.get())
        at_once = plans.has(plan, Feature.EXTRACTION_AT_ONCE)
        return Learning(
            Learner(
                scope=scope.acting_as(ACTOR, source="user", person=scope.person),
                allows=partial(plans.allows_relation, plan),
            ),
            due=None if at_once else next_day(self._parts.clock.now(), self._parts.timezone(self.owner)),
            think=thinks(self._parts, self.owner),
        )

    def _targets(self) -> "Targets":
        # numpy, as for recall
        from commonplace.retrieval.targets import Targets  # noqa: PLC0415

        encoder = self._parts.encoder(self._scope.vault)
        with self._scope.store.read(self.owner) as tx:
            scope = self._scope.as_set(tx.owners.get())
        near = encoder.embedder if encoder and encoder.embedder.ready() else None
        return Targets(scope, lambda asked: self._recall().hits(asked), near)

    def _one_meant(self, id: str | None, query: str | None, *, best: bool, dry_run: bool) -> Meant | None:
        if (id is None) == (query is None):
            raise Invalid("name a memory by its id, or describe what is meant with query=…")
        if query is not None:
            return self._targets().find_one(query, best=best)
        return previews.whole(self._scope, str(id)) if dry_run else None

    def _hits(self, asked: Query) -> list[Hit]:
        return self._recall().hits(asked)

    def _recall(self) -> "Recall":
        # numpy: a process that only writes words or reads by id never pays for it
        from commonplace.retrieval.pipeline import Recall  # noqa: PLC0415

        embedder = self._parts.embedder()
        return Recall(
            scope=self._scope,
            matrices=self._parts.matrices(),
            readings=self._parts.readings(),
            encoder=lambda scope: self._parts.encoder(scope.vault),
            weights=self.settings.weights,
            snapshots=self._parts.snapshots(),
            ahead=embedder is not None and embedder.remote,
        )


def as_query(
    query: str | Query, limit: int | None, given: Mapping[str, Any], *, default_recipe: str = "balanced"
) -> Query:
    """A question in either form as a ``Query``; lists become tuples, unknown words raise ``Invalid``."""
    if isinstance(query, Query):
        if given or limit is not None:
            raise Invalid("pass either a Query or a text with keywords, not both")
        return query
    if unknown := set(given) - QUERY_FIELDS:
        raise Invalid(f"unknown filter {', '.join(sorted(unknown))}; one of {', '.join(sorted(QUERY_FIELDS))}")
    wanted = {name: _as_tuple(name, value) for name, value in given.items() if value is not None}
    return Query(text=query, limit=8 if limit is None else limit, **{"recipe": default_recipe, **wanted})


def new_memory(text: str, given: Mapping[str, Any]) -> NewMemory:
    """A memory to be, from keywords; unknown words raise ``Invalid``."""
    allowed = {one.name for one in fields(NewMemory)}
    if unknown := set(given) - allowed:
        raise Invalid(f"unknown field {', '.join(sorted(unknown))}; one of {', '.join(sorted(allowed))}")
    given = {name: value for name, value in given.items() if value is not None}
    if "tags" in given:
        given["tags"] = _as_tuple("tags", given["tags"])
    return NewMemory(text=text, **given)


def _item(item: str | Mapping[str, Any]) -> NewMemory:
    if isinstance(item, str):
        return new_memory(item, {})
    if not isinstance(item, Mapping):
        raise Invalid(f"an item is a text, or a mapping with `text`, not {type(item).__name__}")
    given = dict(item)
    return new_memory(given.pop("text", ""), given)


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
