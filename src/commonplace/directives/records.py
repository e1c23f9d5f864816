"""Directives and steps between their two forms: the values people hold, and sealed rows with their versions."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from commonplace.clock import moment
from commonplace.directives.values import Attempt, Directive, Step
from commonplace.errors import Conflict, NotFound
from commonplace.memories.gateway import Gateway
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.store.rows import DirectiveRow, StepRow, TraceRow
from commonplace.store.transaction import Transaction

Plain = dict[str, Any]
KIND = "directive"
"""Of the traces."""


def put_directive(work: Work, row: DirectiveRow, plain: Plain, action: str) -> DirectiveRow:
    """Write the next version of a directive; a row of version 0 is new."""
    before = row.version or None
    row = replace(row, version=row.version + 1, sealed=work.vault.seal_json("directive", row.id, plain))
    work.tx.directives.put(row, expected=before)
    columns = {
        name: getattr(row, name)
        for name in ("status", "created_at", "memory_enabled", "goal_updated_at", "started_at", "version")
    }
    work.put_version("directive", row.id, row.version, action, {"row": columns, "plain": plain})
    _told(work, "directive", row.id, action, row.namespace, before, row.version)
    return row


def put_step(work: Work, row: StepRow, plain: Plain, action: str, namespace: str) -> StepRow:
    """Write the next version of a step; a row of version 0 is new."""
    before = row.version or None
    row = replace(row, version=row.version + 1, sealed=work.vault.seal_json("step", row.id, plain))
    work.tx.steps.put(row, expected=before)
    names = ("directive", "status", "order_index", "generation", "version", "attempts", "run")
    columns = {name: getattr(row, name) for name in names} | {"depends_on": list(row.depends_on)}
    work.put_version("step", row.id, row.version, action, {"row": columns, "plain": plain})
    _told(work, "step", row.id, action, namespace, before, row.version)
    return row


def _told(work: Work, noun: str, id: str, action: str, namespace: str, before: int | None, after: int) -> None:
    work.record(noun, id, action, namespace)
    work.touched.append((noun, id, before, after))
    work.ids.append(id)
    work.note("UPDATE" if before else "ADD", id, action.lower(), noun=noun, before=before, after=after)


def directive_row(scope: Scope, tx: Transaction, id: str) -> DirectiveRow:
    """The row, if it is in the scope's namespace. Raises ``NotFound``."""
    row = tx.directives.get(id)
    place = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
    if row is None or place is None or row.namespace != place.id:
        raise NotFound("directive", id)
    return row


def step_row(scope: Scope, tx: Transaction, id: str) -> tuple[StepRow, DirectiveRow]:
    """The row and its directive's. Raises ``NotFound``."""
    row = tx.steps.get(id)
    if row is None:
        raise NotFound("step", id)
    try:
        return row, directive_row(scope, tx, row.directive)
    except NotFound:
        raise NotFound("step", id) from None


def plain_of(scope: Scope, row: DirectiveRow | StepRow) -> Plain:
    table = "directive" if isinstance(row, DirectiveRow) else "step"
    opened: Plain = scope.open_json(table, row.id, row.sealed)
    return opened


def directive(scope: Scope, row: DirectiveRow) -> Directive:
    plain = plain_of(scope, row)
    return Directive(
        id=row.id,
        owner=scope.owner,
        namespace=scope.namespace,
        title=plain["title"],
        goal=plain["goal"],
        status=row.status,  # type: ignore[arg-type]  # checked on the way in
        created_at=moment(row.created_at),
        memory_enabled=row.memory_enabled,
        repository_url=plain.get("repository_url"),
        local_path=plain.get("local_path"),
        base_branch=plain.get("base_branch"),
        generation=plain.get("generation", 0),
        goal_updated_at=_moment(row.goal_updated_at),
        planned_for=_moment(plain.get("planned_for")),
        started_at=_moment(row.started_at),
        reason=plain.get("reason"),
        done=plain.get("done"),
        run=plain.get("run"),
        version=row.version,
    )


def step(scope: Scope, row: StepRow) -> Step:
    plain = plain_of(scope, row)
    return Step(
        id=row.id,
        directive=row.directive,
        name=plain["name"],
        status=row.status,  # type: ignore[arg-type]
        order_index=row.order_index,
        generation=row.generation,
        description=plain.get("description"),
        task_plan=plain.get("task_plan"),
        result=plain.get("result"),
        attempts=row.attempts,
        depends_on=row.depends_on,
        run=row.run,
        version=row.version,
    )


def put_attempt(work: Work, directive: str, attempt: Attempt) -> None:
    """Keep what an attempt was given and what came of it: ids and figures only, nothing that could be forgotten."""
    plain = {name: getattr(attempt, name) for name in Attempt.__slots__ if name not in ("id", "at")}
    sealed = work.vault.seal_json("trace", attempt.id, plain)
    at = int(attempt.at.timestamp() * 1_000_000)
    work.tx.traces.put(TraceRow(id=attempt.id, kind=KIND, at=at, sealed=sealed, target=directive))


def attempt(scope: Scope, row: TraceRow) -> Attempt:
    plain: Mapping[str, Any] = scope.open_json("trace", row.id, row.sealed)
    lists = {name: tuple(plain[name]) for name in ("went_in", "came_out")}
    return Attempt(id=row.id, at=moment(row.at), **{**plain, **lists})


def attempts(scope: Scope, tx: Transaction, directive: str) -> list[Attempt]:
    """Every attempt of a directive, oldest first."""
    trace_rows: list[TraceRow] = []
    before: str | None = None
    while True:
        page = tx.traces.page(KIND, target=directive, before=before, limit=500)
        trace_rows += page
        if len(page) < 500:
            return [attempt(scope, row) for row in reversed(trace_rows)]
        before = page[-1].id


def _moment(stored: int | None) -> Any:
    return None if stored is None else moment(stored)


def _earlier(work: Work, noun: str, id: str, version: int) -> Plain:
    row = next(item for item in work.tx.versions.of(noun, id) if item.version == version)
    state: Plain = work.scope.open_json("version", f"{noun}/{id}/{version}", row.sealed)
    return state


def undo_directive(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    row = directive_row(gateway.scope, work.tx, id)
    if row.version != after:
        raise Conflict("directive", id, expected=after, found=row.version)
    if before is None:
        put_directive(work, replace(row, status="archived"), plain_of(gateway.scope, row), "UNDO")
        return
    state = _earlier(work, "directive", id, before)
    columns = {name: item for name, item in state["row"].items() if name not in ("version", "created_at")}
    put_directive(work, replace(row, **columns), state["plain"], "UNDO")


def undo_step(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    row, parent = step_row(gateway.scope, work.tx, id)
    if row.version != after:
        raise Conflict("step", id, expected=after, found=row.version)
    if before is None:
        put_step(work, replace(row, status="skipped"), plain_of(gateway.scope, row), "UNDO", parent.namespace)
        return
    state = _earlier(work, "step", id, before)
    columns = {name: item for name, item in state["row"].items() if name not in ("version", "directive")}
    columns["depends_on"] = tuple(columns["depends_on"])
    put_step(work, replace(row, **columns), state["plain"], "UNDO", parent.namespace)
