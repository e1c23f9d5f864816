"""The queue of learning: jobs that rules or a language model do, in the background or in the daily batch."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from commonplace import plans
from commonplace.clock import micros
from commonplace.errors import CommonplaceError, OverBudget, ProviderError
from commonplace.extraction.budget import DailyBudget
from commonplace.extraction.learn import Learner
from commonplace.extraction.queue import LEARN, THINK, learn_job, next_day, scope_of
from commonplace.maintenance import schedule
from commonplace.maintenance.house import House, own_scope
from commonplace.memories import jobs
from commonplace.memories.jobs import Handler
from commonplace.memories.scope import Scope
from commonplace.plans import Feature
from commonplace.store.ports import Transaction
from commonplace.store.rows import Filter, TraceRow

TOGETHER = 12
"""Turns that a language model reads in one question."""
CHARACTERS = 6_000
MOST = 10_000
PLAN = "plan"
MORE_TO_LEARN = frozenset({Feature.RELATIONS, Feature.ALL_RELATIONS})
OUT_OF_TOKENS = "OverBudget: the tokens of the day do not reach for it; it goes on tomorrow"
CAUGHT_UP = 200
"""Turns that one job of catching up names."""


def learning(house: House) -> Handler:
    """Does a job of kind ``learn``."""

    def handle(scope: Scope, payload: Mapping[str, Any]) -> None:
        where = scope_of(scope, payload)
        if where is not None:
            learn_job(learner(house, where), payload)

    return handle


def thinking(house: House) -> Handler:
    """Does a job of kind ``think``: what is left when the day's tokens are used up waits until tomorrow."""

    def handle(scope: Scope, payload: Mapping[str, Any]) -> None:
        where = scope_of(scope, payload)
        if where is None or not thinks(house, scope.owner):
            return
        ids = list(payload["episodes"])
        for number, some in enumerate(_together(scope, ids)):
            try:
                _think(house, where, some, payload.get("receipt"), payload.get("run"))
            except OverBudget:
                rest = [id for later in _together(scope, ids)[number:] for id in later]
                _tomorrow(house, scope, {**payload, "episodes": rest})
                return

    return handle


def thinks(house: House, owner: str) -> bool:
    """Whether a language model may be asked for this owner: it is set, allowed tokens, and in the plan."""
    settings = house.settings
    allowed = bool(settings.llm) and settings.llm_daily_tokens > 0
    return allowed and plans.has(house.plan(owner), Feature.EXTRACTION_AT_ONCE)


def learner(house: House, scope: Scope) -> Learner:
    with scope.store.read(scope.owner) as tx:
        plan, scope = house.plan(scope.owner), scope.as_set(tx.owners.get())
    return Learner(scope=scope, allows=partial(plans.allows_relation, plan))


def drain(house: House, scope: Scope) -> Mapping[str, int]:
    """The daily batch: do all learning that waits, whether its time has come or not; figures for the log."""
    now = micros(house.clock.now())
    with scope.store.write(scope.owner) as tx:
        for row in tx.jobs.all(states=("waiting",), kinds=(LEARN, THINK), limit=MOST):
            # a job of thinking that is not due waits for tomorrow's tokens; hurrying it would only put it off again
            if row.due_at > now and row.error is None and row.kind == LEARN:
                tx.jobs.put(replace(row, due_at=now))
    work = {LEARN: learning(house), THINK: thinking(house)}
    holder = f"drain/{house.clock.new_id()}"
    caught_up = follow_plan(house, scope)
    learned = {"learned from": jobs.run_due(scope, work, holder=holder, limit=MOST), **caught_up}
    with scope.store.read(scope.owner) as tx:
        late = [row for row in tx.jobs.all(states=("waiting",), kinds=(THINK,), limit=MOST) if row.due_at > now]
    return {**learned, "waiting for tokens": len(late)} if late else learned


def follow_plan(house: House, scope: Scope) -> Mapping[str, int]:
    """Queue what a larger plan adds for what is there already: vectors, and another reading of every turn.

    The plan that was last followed is kept beside the book's traces; the first time it is only written down.
    """
    plan, id = house.plan(scope.owner), f"{PLAN}/{scope.owner}"
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
            for one in tx.namespaces.all():
                wish = f"embed/{one.id}"
                queued += jobs.enqueue(scope, tx, "embed", {"namespace": one.id}, unique=wish) is not None
        sealed = scope.current_vault().seal_json("trace", id, {"plan": plan})
        tx.traces.put(TraceRow(id=id, kind=PLAN, at=micros(house.clock.now()), sealed=sealed))
    return {"caught up on": queued} if queued else {}


def _read_again(scope: Scope, tx: Transaction) -> int:
    """What was learned before is recognised; what the smaller plan left out is added. Nobody's trust is raised."""
    made, after = 0, None
    while True:
        everywhere = tuple(row.id for row in tx.namespaces.all())
        filter = Filter(namespaces=everywhere, kinds=("episodic",), statuses=("verified",))
        rows = tx.memories.find(filter, after=after, limit=CAUGHT_UP) if everywhere else []
        for namespace in dict.fromkeys(row.namespace for row in rows):
            ids = [row.id for row in rows if row.namespace == namespace and row.role == "user"]
            if ids:
                jobs.enqueue(scope, tx, LEARN, {"episodes": ids, "person": False, "receipt": None})
                made += 1
        if len(rows) < CAUGHT_UP:
            return made
        after = rows[-1].id


def think_soon(house: House, owner: str) -> None:
    """Do the thinking that is due. For a thread: a store that closes under it leaves the rest in the queue."""
    scope = own_scope(house, owner, house.settings.namespace or "default")
    try:
        jobs.run_due(scope, {THINK: thinking(house)}, holder=f"soon/{house.clock.new_id()}", limit=MOST)
    except CommonplaceError:
        return


def _think(house: House, scope: Scope, ids: Sequence[str], receipt: str | None, run: str | None) -> None:
    # pydantic and the HTTP client: only who asks a model pays for them
    from commonplace.extraction.llm import Thinker  # noqa: PLC0415

    settings = house.settings
    model = house.mind()
    assert model is not None
    thinker = Thinker(learner=learner(house, scope), model=model, timeout=settings.llm_timeout)
    budget = DailyBudget(scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
    try:
        thinker.think(ids, budget, receipt=receipt, run=run)
    except OverBudget:
        if budget.day_is_full:
            raise
        if len(ids) > 1:
            for id in ids:
                _think(house, scope, [id], receipt, run)
        elif budget.used:
            # answers were lost on the way or made no sense: that is a failure, and tried again like any other
            raise ProviderError("the endpoint failed until the tokens of one operation were used up") from None
        # one turn alone is too long for one operation: it stays as it was said, and the rules have read it


def _together(scope: Scope, ids: Sequence[str]) -> list[list[str]]:
    """The turns in portions that one question can hold."""
    with scope.store.read(scope.owner) as tx:
        sizes = {row.id: len(row.sealed) for row in tx.memories.get(ids)}
    found: list[list[str]] = []
    room = 0
    for id in ids:
        if id not in sizes:
            continue
        if not found or len(found[-1]) >= TOGETHER or sizes[id] > room:
            found.append([])
            room = CHARACTERS
        found[-1].append(id)
        room -= sizes[id]
    return found


def _tomorrow(house: House, scope: Scope, payload: Mapping[str, Any]) -> None:
    due = next_day(house.clock.now(), "UTC")  # usage is counted by the day in UTC
    with scope.store.write(scope.owner) as tx:
        id = jobs.enqueue(scope, tx, THINK, payload, due_at=due)
        row = None if id is None else tx.jobs.get(id)
        if row is not None:
            sealed = scope.current_vault().seal_json("job error", row.id, OUT_OF_TOKENS)
            tx.jobs.put(replace(row, error=sealed))


schedule.HANDLERS.update({LEARN: learning, THINK: thinking})
schedule.every("learn", drain)
