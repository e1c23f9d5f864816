"""Learning jobs for rules and language model, run in the background or in the daily batch."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from commonplace import plans
from commonplace.batches.opened_book import OpenedBook, own_scope
from commonplace.clock import micros
from commonplace.errors import CommonplaceError, OverBudget, ProviderError
from commonplace.lazy import LazyModule
from commonplace.learning.budget import DailyBudget
from commonplace.learning.learn import Learner
from commonplace.learning.queue import LEARN, THINK, learn_job, next_day, scope_of
from commonplace.memories import jobs
from commonplace.memories.scope import Scope
from commonplace.plans import Feature
from commonplace.providers.llm.choose import PROVIDERS
from commonplace.store.rows import Filter, TraceRow
from commonplace.store.transaction import Transaction
from commonplace.upkeep import schedule

if TYPE_CHECKING:
    from commonplace.learning import llm
else:  # loaded when first used
    llm = LazyModule("commonplace.learning.llm")

FAILURES = 20
"""Number of language model jobs to check for errors."""
TOGETHER = 12
"""Turns per question to a language model."""
CHARACTERS = 6_000
MOST = 10_000
PLAN = "plan"
MORE_TO_LEARN = frozenset({Feature.RELATIONS, Feature.ALL_RELATIONS})
OUT_OF_TOKENS = "OverBudget: the tokens of the day do not reach for it; it goes on tomorrow"
CAUGHT_UP = 200
"""Turns per catch-up job."""


def learn(book: OpenedBook, scope: Scope, payload: Mapping[str, Any]) -> None:
    where = scope_of(scope, payload)
    if where is not None:
        learn_job(learner(book, where), payload)


def think(book: OpenedBook, scope: Scope, payload: Mapping[str, Any]) -> None:
    """Read waiting turns with the language model until the day's tokens are used up; the rest waits until tomorrow."""
    where = scope_of(scope, payload)
    if where is None or not thinks(book, book.plan(scope.owner)):
        return
    ids = list(payload["episodes"])
    for number, some in enumerate(_together(scope, ids)):
        try:
            _think(book, where, some, payload.get("receipt"), payload.get("run"))
        except OverBudget:
            rest = [id for later in _together(scope, ids)[number:] for id in later]
            _tomorrow(book, scope, {**payload, "episodes": rest})
            return


def thinks(book: OpenedBook, plan: str) -> bool:
    """Whether a language model may be called: it is configured, has tokens, and is in the plan."""
    settings = book.settings
    allowed = bool(settings.llm) and settings.llm_daily_tokens > 0
    return allowed and plans.has(plan, Feature.EXTRACTION_AT_ONCE)


def model_trouble(book: OpenedBook, scope: Scope) -> str | None:
    """Why the configured language model does not work: its name, its limit, or its last failure; None if it does."""
    settings = book.settings
    if not settings.llm:
        return None
    if settings.llm.partition(":")[0] not in PROVIDERS or settings.llm.endswith(":"):
        return f"unknown language model {settings.llm[:40]!r}"
    if settings.llm_daily_tokens == 0:
        return "the language model is never asked: llm_daily_tokens is 0"
    return last_failure(scope)


def last_failure(scope: Scope) -> str | None:
    failed = jobs.Jobs(scope).list(states=("waiting", "dead"), kinds=(THINK,), limit=FAILURES)
    errors = [job.error for job in failed if _failed(job)]
    return f"the language model failed: {errors[-1]}" if errors else None


def _failed(job: jobs.Job) -> bool:
    """Whether a language model job failed, rather than waiting for another day's tokens."""
    return job.error is not None and not job.error.startswith("OverBudget")


def learner(book: OpenedBook, scope: Scope) -> Learner:
    with scope.store.read(scope.owner) as tx:
        row = tx.owners.get()
    return planned_learner(book, scope.with_owner_settings(row), row.plan or book.settings.plan)


def planned_learner(book: OpenedBook, scope: Scope, plan: str) -> Learner:
    settings = book.settings
    return Learner(
        scope=scope,
        allows=partial(plans.allows_relation, plan),
        judge=book.judge(),
        act=settings.judge_act,
        ask=settings.judge_ask,
    )


def drain(book: OpenedBook, scope: Scope) -> Mapping[str, int]:
    """The daily batch: run all waiting learning jobs now; returns figures for the log."""
    now = micros(book.clock.now())
    with scope.store.write(scope.owner) as tx:
        for row in tx.jobs.all(states=("waiting",), kinds=(LEARN, THINK), limit=MOST):
            # a language model job that is not due waits for tomorrow's tokens; running it would only postpone it again
            if row.due_at > now and row.error is None and row.kind == LEARN:
                tx.jobs.put(replace(row, due_at=now))
    work = {LEARN: partial(learn, book), THINK: partial(think, book)}
    holder = f"drain/{book.clock.new_id()}"
    caught_up = follow_plan(book, scope)
    learned = {"learned from": jobs.run_due(scope, work, holder=holder, limit=MOST), **caught_up}
    waiting = jobs.Jobs(scope).list(states=("waiting",), kinds=(THINK,), limit=MOST)
    late = [job for job in waiting if micros(job.due_at) > now]
    failed = sum(map(_failed, late))
    reasons = {"waiting for the language model": failed, "waiting for tokens": len(late) - failed}
    return {**learned, **{reason: count for reason, count in reasons.items() if count}}


def follow_plan(book: OpenedBook, scope: Scope) -> Mapping[str, int]:
    """Queue the work that a larger plan adds for existing data: vectors, and reading every turn again.

    The plan that was last followed is stored beside the book's traces; the first time it is only stored.
    """
    plan, id = book.plan(scope.owner), f"{PLAN}/{scope.owner}"
    with scope.store.write(scope.owner) as tx:
        row = tx.traces.get(id)
        before = plan if row is None else str(scope.open_json("trace", id, row.sealed)["plan"])
        if row is not None and before == plan:
            return {}
        added = plans.missing(before, plan)
        queued = 0
        if added & MORE_TO_LEARN:
            queued += _read_again(scope, tx)
        if Feature.EMBEDDINGS in added:
            for namespace in tx.namespaces.all():
                wish = f"embed/{namespace.id}"
                queued += jobs.enqueue(scope, tx, "embed", {"namespace": namespace.id}, unique=wish) is not None
        sealed = scope.current_vault().seal_json("trace", id, {"plan": plan})
        tx.traces.put(TraceRow(id=id, kind=PLAN, at=micros(book.clock.now()), sealed=sealed))
    return {"caught up on": queued} if queued else {}


def _read_again(scope: Scope, tx: Transaction) -> int:
    """Known beliefs are recognised; what the smaller plan left out is added. No trust rank is raised."""
    read_count, after = 0, None
    while True:
        everywhere = tuple(row.id for row in tx.namespaces.all())
        filter = Filter(namespaces=everywhere, kinds=("episodic",), statuses=("verified",))
        rows = tx.memories.find(filter, after=after, limit=CAUGHT_UP) if everywhere else []
        for namespace in dict.fromkeys(row.namespace for row in rows):
            ids = [row.id for row in rows if row.namespace == namespace and row.role == "user"]
            if ids:
                jobs.enqueue(scope, tx, LEARN, {"episodes": ids, "person": False, "receipt": None})
                read_count += 1
        if len(rows) < CAUGHT_UP:
            return read_count
        after = rows[-1].id


def think_soon(book: OpenedBook, owner: str) -> None:
    """Run due language model jobs, in a thread: if the store is closed meanwhile, the rest stays queued."""
    scope = own_scope(book, owner, book.settings.namespace or "default")
    try:
        jobs.run_due(scope, {THINK: partial(think, book)}, holder=f"soon/{book.clock.new_id()}", limit=MOST)
    except CommonplaceError:
        return


def _think(book: OpenedBook, scope: Scope, ids: Sequence[str], receipt: str | None, run: str | None) -> None:
    settings = book.settings
    model = book.language_model()
    assert model is not None
    thinker = llm.ModelReader(learner=learner(book, scope), model=model, timeout=settings.llm_timeout)
    budget = DailyBudget(scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
    try:
        thinker.think(ids, budget, receipt=receipt, run=run)
    except OverBudget:
        if budget.day_is_full:
            raise
        if len(ids) > 1:
            for id in ids:
                _think(book, scope, [id], receipt, run)
        elif budget.used:
            # lost or invalid answers count as a failure and are retried like any other
            raise ProviderError("the endpoint failed until the tokens of one operation were used up") from None
        # a single turn is too long for one operation: the rules have read it, and it stays as it was said


def _together(scope: Scope, ids: Sequence[str]) -> list[list[str]]:
    """The turns in portions that fit one question."""
    with scope.store.read(scope.owner) as tx:
        sizes = {row.id: len(row.sealed) for row in tx.memories.get(ids)}
    batches: list[list[str]] = []
    room = 0
    for id in ids:
        if id not in sizes:
            continue
        if not batches or len(batches[-1]) >= TOGETHER or sizes[id] > room:
            batches.append([])
            room = CHARACTERS
        batches[-1].append(id)
        room -= sizes[id]
    return batches


def _tomorrow(book: OpenedBook, scope: Scope, payload: Mapping[str, Any]) -> None:
    due = next_day(book.clock.now(), "UTC")  # usage is counted by the day in UTC
    with scope.store.write(scope.owner) as tx:
        id = jobs.enqueue(scope, tx, THINK, payload, due_at=due)
        row = None if id is None else tx.jobs.get(id)
        if row is not None:
            sealed = scope.current_vault().seal_json("job error", row.id, OUT_OF_TOKENS)
            tx.jobs.put(replace(row, error=sealed))


schedule.handles(LEARN, learn)
schedule.handles(THINK, think)
schedule.every("learn", drain)
