"""Converts directives and steps between public values and encrypted rows with versions."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from commonplace.clock import moment
from commonplace.directives.values import Attempt, Directive, Step
from commonplace.errors import Conflict, NotFound
from commonplace.memories.gateway import Gateway
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work
from commonplace.store.rows import DirectiveRow, StepRow, TraceRow
from commonplace.store.transaction import Transaction

Plain = dict[str, Any]
Row = TypeVar("Row", DirectiveRow, StepRow)
KIND = "directive"
"""The kind of the traces."""


def put_directive(work: Work, row: DirectiveRow, plain: Plain, action: str) -> DirectiveRow:
    """Write the next version of a directive; a row of version 0 is new."""
    before, row = row.version or None, _sealed(work, row, plain)
    work.tx.directives.put(row, expected=before)
    names = ("status", "created_at", "memory_enabled", "goal_updated_at", "started_at", "version")
    _put_version(work, row, plain, action, names, row.namespace)
    return row


def put_step(work: Work, row: StepRow, plain: Plain, action: str, namespace: str) -> StepRow:
    """Write the next version of a step; a row of version 0 is new."""
    before, row = row.version or None, _sealed(work, row, plain)
    work.tx.steps.put(row, expected=before)
    names = ("directive", "status", "order_index", "generation", "version", "attempts", "run", "depends_on")
    _put_version(work, row, plain, action, names, namespace)
    return row


def _noun(row: DirectiveRow | StepRow) -> str:
    return "directive" if isinstance(row, DirectiveRow) else "step"


def _sealed(work: Work, row: Row, plain: Plain) -> Row:
    return replace(row, version=row.version + 1, sealed=work.vault.seal_json(_noun(row), row.id, plain))


def _put_version(work: Work, row: Row, plain: Plain, action: str, names: Sequence[str], namespace: str) -> None:
    noun, id, before = _noun(row), row.id, row.version - 1 or None
    work.put_version(
        noun, id, row.version, action, {"row": {name: getattr(row, name) for name in names}, "plain": plain}
    )
    work.record(noun, id, action, namespace)
    work.touched.append((noun, id, before, row.version))
    work.ids.append(id)
    work.note("UPDATE" if before else "ADD", id, action.lower(), noun=noun, before=before, after=row.version)


def directive_row(scope: Scope, tx: Transaction, id: str) -> DirectiveRow:
    """The row, if it is in the scope's namespace. Raises ``NotFound``."""
    row = tx.directives.get(id)
    place = tx.namespaces.by_label(scope.vault.label("namespace", scope.namespace))
    if row is None or place is None or row.namespace != place.id:
        raise NotFound("directive", id)
    return row


def step_row(scope: Scope, tx: Transaction, id: str) -> tuple[StepRow, DirectiveRow]:
    """The rows of a step and of its directive. Raises ``NotFound``."""
    row = tx.steps.get(id)
    if row is None:
        raise NotFound("step", id)
    try:
        return row, directive_row(scope, tx, row.directive)
    except NotFound:
        raise NotFound("step", id) from None


def plain_of(scope: Scope, row: DirectiveRow | StepRow) -> Plain:
    opened: Plain = scope.open_json(_noun(row), row.id, row.sealed)
    return opened


def directive(scope: Scope, row: DirectiveRow) -> Directive:
    plain = plain_of(scope, row)
    texts = ("title", "goal", "repository_url", "local_path", "base_branch", "reason", "done", "run")
    values: Plain = {name: plain.get(name) for name in texts}
    times = (("goal_updated_at", row.goal_updated_at), ("planned_for", plain.get("planned_for")))
    for name, at in (*times, ("started_at", row.started_at)):
        values[name] = None if at is None else moment(at)
    return Directive(
        id=row.id,
        owner=scope.owner,
        namespace=scope.namespace,
        status=row.status,  # type: ignore[arg-type]  # checked on the way in
        created_at=moment(row.created_at),
        memory_enabled=row.memory_enabled,
        generation=plain.get("generation", 0),
        version=row.version,
        **values,
    )


def step(scope: Scope, row: StepRow) -> Step:
    plain = plain_of(scope, row)
    columns = ("id", "directive", "status", "order_index", "generation", "attempts", "depends_on", "run", "version")
    values: Plain = {name: getattr(row, name) for name in columns}
    values |= {name: plain.get(name) for name in ("name", "description", "task_plan", "result")}
    return Step(**values)


def put_attempt(work: Work, directive: str, attempt: Attempt) -> None:
    """Store an attempt's input and result: ids and figures only, nothing that could be forgotten."""
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


def _earlier(
    gateway: Gateway, work: Work, row: DirectiveRow | StepRow, before: int | None, after: int, gone: str
) -> tuple[Plain, Plain]:
    """The columns and texts of an earlier version; ``gone`` for what did not exist then. Raises ``Conflict``."""
    noun = _noun(row)
    if row.version != after:
        raise Conflict(noun, row.id, expected=after, found=row.version)
    if before is None:
        return {"status": gone}, plain_of(gateway.scope, row)
    version = next(item for item in work.tx.versions.of(noun, row.id) if item.version == before)
    state: Plain = gateway.scope.open_json("version", f"{noun}/{row.id}/{before}", version.sealed)
    kept = ("version", "created_at", "directive")
    columns = {name: item for name, item in state["row"].items() if name not in kept}
    return {name: tuple(item) if name == "depends_on" else item for name, item in columns.items()}, state["plain"]


def undo_directive(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    row = directive_row(gateway.scope, work.tx, id)
    columns, plain = _earlier(gateway, work, row, before, after, "archived")
    put_directive(work, replace(row, **columns), plain, "UNDO")


def undo_step(gateway: Gateway, work: Work, id: str, before: int | None, after: int) -> None:
    row, parent = step_row(gateway.scope, work.tx, id)
    columns, plain = _earlier(gateway, work, row, before, after, "skipped")
    put_step(work, replace(row, **columns), plain, "UNDO", parent.namespace)
