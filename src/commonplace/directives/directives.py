"""``book.directives``: goals, their steps and their memories; prompts and explanations."""

import logging
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from typing import Any, TypeVar, Unpack

from commonplace.clock import moment
from commonplace.directives import dag, prompts, records
from commonplace.directives.memory_selection import BUDGET, SelectedMemories, choose
from commonplace.directives.records import Plain
from commonplace.directives.values import (
    CATEGORIES,
    DIRECTIVE_STATUSES,
    SOURCES,
    STEP_STATUSES,
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
from commonplace.errors import CommonplaceError, Conflict, Invalid, NotAllowed, NotFound
from commonplace.memories import admission, indexing
from commonplace.memories import codec as states
from commonplace.memories.codec import StoredMemory
from commonplace.memories.forgetting import Forgetting
from commonplace.memories.gateway import Gateway
from commonplace.memories.ids import takes_ids
from commonplace.memories.reading import Reader
from commonplace.memories.scope import Scope
from commonplace.memories.unit_of_work import Work, write_transaction
from commonplace.memories.verifying import PENDING
from commonplace.model import CURRENT, Hit, Memory, NewMemory, Query, Receipt, Source
from commonplace.settings import without_credentials
from commonplace.store.rows import DirectiveRow, Filter, MemoryRow, StepRow
from commonplace.store.transaction import Transaction

log = logging.getLogger(__name__)

TITLE_LIMIT, GOAL_LIMIT, TEXT_LIMIT = 300, 100_000, 50_000
MOST_MEMORIES = 2_000
"""Maximum number of a directive's memories that are considered for a prompt, newest first."""
ASKED = 2_000
"""Maximum characters of a step or goal for recall."""
RELEVANT = 100
PAGE = 500

Recall = Callable[[Query], list[Hit]]
Row = TypeVar("Row", DirectiveRow, StepRow)


@takes_ids
class Directives:
    """The goals of one namespace. Every write is one transaction and returns a receipt."""

    def __init__(self, scope: Scope, recall: Recall, drop_caches: Callable[[], None] = lambda: None) -> None:
        self.scope, self._recall, self._drop_caches = scope, recall, drop_caches

    def acting(self, scope: Scope) -> "Directives":
        """The same directives for another actor."""
        return Directives(scope, self._recall, self._drop_caches)

    # Directives

    def create(
        self,
        title: str,
        goal: str,
        *,
        memory_enabled: bool = False,
        repository_url: str | None = None,
        local_path: str | None = None,
        base_branch: str | None = None,
        status: DirectiveStatus = "draft",
    ) -> Receipt:
        """Create a directive. Raises ``Invalid`` or ``Refused``."""
        texts = {"title": title, "goal": goal, "local_path": local_path, "base_branch": base_branch}
        plain = self._plain({**texts, "repository_url": repository_url})
        _one_of("status", status, DIRECTIVE_STATUSES)
        with write_transaction(self.scope, "CREATE") as work:
            row = DirectiveRow(
                id=self.scope.clock.new_id(),
                namespace=work.namespace().id,
                status=status,
                created_at=work.now,
                sealed=b"",
                version=0,
                memory_enabled=bool(memory_enabled),
                goal_updated_at=work.now,
                started_at=work.now if status == "active" else None,
            )
            records.put_directive(work, row, plain, "CREATE")
            return work.receipt()

    def get(self, id: str) -> Directive:
        """One directive. Raises ``NotFound``."""
        with self.scope.store.read(self.scope.owner) as tx:
            return records.directive(self.scope, records.directive_row(self.scope, tx, id))

    def list(self, *, status: DirectiveStatus | None = None) -> Sequence[Directive]:
        if status is not None:
            _one_of("status", status, DIRECTIVE_STATUSES)
        with self.scope.store.read(self.scope.owner) as tx:
            place = tx.namespaces.by_label(self.scope.vault.label("namespace", self.scope.namespace))
            rows = tx.directives.all([place.id], statuses=[status] if status else ()) if place else []
            return [records.directive(self.scope, row) for row in rows]

    def revise(self, id: str, *, expected: int | None = None, **fields: Unpack[DirectiveFields]) -> Receipt:
        """Change the given fields only; a new goal makes the runner plan again. Raises ``Conflict``.

        ``fields``: title, goal, status, memory_enabled, repository_url, local_path, base_branch; None clears the last
        three.
        """
        _only(fields, DirectiveFields)
        if "status" in fields:
            _one_of("status", fields["status"], DIRECTIVE_STATUSES)
        texts = self._plain({name: field for name, field in fields.items() if name not in ("status", "memory_enabled")})
        with write_transaction(self.scope, "REVISE") as work:
            row = _expect("directive", records.directive_row(self.scope, work.tx, id), expected)
            before = records.plain_of(self.scope, row)
            plain = {name: item for name, item in (before | texts).items() if item is not None}
            if plain["goal"] != before["goal"]:
                row = replace(row, goal_updated_at=work.now)
            status, memory_enabled = fields.get("status", row.status), fields.get("memory_enabled", row.memory_enabled)
            started = work.now if status == "active" and row.started_at is None else row.started_at
            row = replace(row, status=status, started_at=started, memory_enabled=bool(memory_enabled))
            records.put_directive(work, row, plain, "REVISE")
            return work.receipt()

    def pause(self, id: str) -> Receipt:
        """Stop runners after their current calls; none starts until ``resume``."""
        return self.revise(id, status="paused")

    def resume(self, id: str) -> Receipt:
        """Allow runners to work on it again."""
        return self.revise(id, status="active")

    def delete(self, id: str) -> Receipt:
        """Delete a directive, its steps, its memories and their history. Cannot be undone.

        The values may be stated again: no tombstone is left.
        """
        with write_transaction(self.scope, "FORGET") as work:
            row = records.directive_row(self.scope, work.tx, id)
            work.ids.append(id)
            for stored in self._all_stored(work, Filter(namespaces=(row.namespace,), directive=id)):
                self._drop(work, stored)
            for step in work.tx.steps.of(id):
                work.gone("step", step.id, None, row.namespace)
            for trace in records.attempts(self.scope, work.tx, id):
                work.tx.traces.delete(ids=[trace.id])
            work.tx.directives.delete(id)
            work.record("directive", id, "DELETE", row.namespace, operation="delete")
            work.note("DELETE", id, "deleted with its memories", noun="directive", before=row.version)
            receipt = work.receipt(state=PENDING)
        self._drop_caches()
        return Forgetting(self.scope).scrub(receipt)

    # Steps

    def steps(self, id: str) -> Sequence[Step]:
        with self.scope.store.read(self.scope.owner) as tx:
            records.directive_row(self.scope, tx, id)
            return self._steps(tx, id)

    def step(self, id: str) -> Step:
        """One step. Raises ``NotFound``."""
        with self.scope.store.read(self.scope.owner) as tx:
            return records.step(self.scope, records.step_row(self.scope, tx, id)[0])

    def add_step(
        self,
        directive: str,
        name: str,
        *,
        description: str | None = None,
        task_plan: str | None = None,
        depends_on: Sequence[str] = (),
        order_index: int | None = None,
    ) -> Receipt:
        """Add a step to the present plan. Raises ``Invalid`` for a dependency that is not a step of the directive."""
        plain = _step_plain({"name": name, "description": description, "task_plan": task_plan})
        if order_index is not None:
            _whole("order_index", order_index)
        with write_transaction(self.scope, "CREATE") as work:
            parent = records.directive_row(self.scope, work.tx, directive)
            steps = work.tx.steps.of(directive)
            following = max((step.order_index for step in steps), default=0) + 1
            row = StepRow(
                id=self.scope.clock.new_id(),
                directive=directive,
                status="pending",
                order_index=following if order_index is None else order_index,
                generation=max(records.plain_of(self.scope, parent).get("generation", 0), 1),
                sealed=b"",
                version=0,
                depends_on=_dependencies(steps, None, depends_on),
            )
            records.put_step(work, row, plain, "CREATE", parent.namespace)
            self.refresh(work, parent)
            return work.receipt()

    def revise_step(self, id: str, *, expected: int | None = None, **fields: Unpack[StepFields]) -> Receipt:
        """Change the given fields only. Raises ``Conflict``, and ``Invalid`` for a cycle of dependencies.

        ``fields``: name, description, task_plan, result, status, order_index, depends_on, attempts.
        """
        _only(fields, StepFields)
        columns: Plain = {name: fields[name] for name in ("status", "order_index", "attempts") if name in fields}
        if "status" in columns:
            _one_of("status", columns["status"], STEP_STATUSES)
        for name in ("order_index", "attempts"):
            if name in columns:
                _whole(name, columns[name])
        texts = _step_plain({name: field for name, field in fields.items() if name not in (*columns, "depends_on")})
        with write_transaction(self.scope, "REVISE") as work:
            row, parent = records.step_row(self.scope, work.tx, id)
            _expect("step", row, expected)
            if "depends_on" in fields:
                columns["depends_on"] = _dependencies(work.tx.steps.of(row.directive), id, fields["depends_on"])
            plain = {n: item for n, item in (records.plain_of(self.scope, row) | texts).items() if item is not None}
            records.put_step(work, replace(row, **columns), plain, "REVISE", parent.namespace)
            self.refresh(work, parent)
            return work.receipt()

    def delete_step(self, id: str) -> Receipt:
        """Delete a step. Its memories stay with the directive; dependent steps inherit its dependencies."""
        with write_transaction(self.scope, "DELETE") as work:
            row, parent = records.step_row(self.scope, work.tx, id)
            for stored in self._all_stored(
                work, Filter(namespaces=(parent.namespace,), directive=row.directive, step=id)
            ):
                work.change(stored, stored.with_row(step=None), action="DELETE", reason="its step was deleted")
            for other in work.tx.steps.of(row.directive):
                if id in other.depends_on:
                    waits = [item for dep in other.depends_on for item in (row.depends_on if dep == id else (dep,))]
                    after = replace(other, depends_on=tuple(dict.fromkeys(waits)))
                    records.put_step(work, after, records.plain_of(self.scope, other), "REVISE", parent.namespace)
            work.tx.steps.delete(id)
            work.record("step", id, "DELETE", parent.namespace, operation="delete")
            work.note("DELETE", id, "deleted; its memories stay", noun="step", before=row.version)
            self.refresh(work, parent)
            return work.receipt()

    def refresh(self, work: Work, parent: DirectiveRow) -> None:
        """Update which steps are ready or pending, after a change of dependencies."""
        rows = work.tx.steps.of(parent.id)
        by_id = {row.id: records.step(self.scope, row) for row in rows}
        for row in rows:
            if row.status in ("pending", "ready"):
                status = "ready" if dag.ready(by_id[row.id], by_id) else "pending"
                if status != row.status:
                    plain = records.plain_of(self.scope, row)
                    records.put_step(work, replace(row, status=status), plain, "REVISE", parent.namespace)

    # Memories

    def memories(
        self,
        id: str,
        *,
        category: DirectiveCategory | None = None,
        step: str | None = None,
        after: str | None = None,
        limit: int = 100,
        newest: bool = False,
    ) -> Sequence[Memory]:
        """The memories of a directive, or of one of its steps, in order of creation."""
        limit = admission.page_size(limit)
        if category is not None:
            _one_of("category", category, CATEGORIES)
        reader = Reader(self.scope)
        with self.scope.store.read(self.scope.owner) as tx:
            row = records.directive_row(self.scope, tx, id)
            filter = Filter(
                namespaces=(row.namespace,),
                directive=id,
                step=step,
                categories=(category,) if category else (),
                statuses=CURRENT,
            )
            rows = tx.memories.find(filter, after=after, limit=_whole("limit", limit), newest=newest)
            return reader.memories(tx, reader.stored(tx, rows), {row.namespace: self.scope.namespace})

    def remember(
        self,
        id: str,
        text: str,
        *,
        category: DirectiveCategory = "context",
        step: str | None = None,
        source: DirectiveSource | None = None,
    ) -> Receipt:
        """Store a memory of a directive; a known one is corroborated. Raises like the book's ``remember``.

        The source may be planner or executor for a person, or for an agent that can be it.
        """
        _one_of("category", category, CATEGORIES)
        new = NewMemory(text=text, category=category, directive=id, step=step, source=self._source(source))
        with write_transaction(self.scope, "REMEMBER") as work:
            records.directive_row(self.scope, work.tx, id)
            if step is not None and records.step_row(self.scope, work.tx, step)[0].directive != id:
                raise NotFound("step", step)
            Gateway(self.scope).admit(work, new)
            return work.receipt(shown=work.changes[0].action)

    def correct(
        self,
        id: str,
        memory: str,
        text: str | None = None,
        *,
        category: DirectiveCategory | None = None,
        reason: str | None = None,
        expected: int | None = None,
    ) -> Receipt:
        """Correct a memory of a directive; absent arguments change nothing. The old text is tombstoned, as in
        the book.
        """
        if category is not None:
            _one_of("category", category, CATEGORIES)
        self._of(id, memory)
        fields = {} if category is None else {"category": category}
        return Gateway(self.scope).revise(memory, text, reason=reason, expected=expected, **fields)

    def forget(self, id: str, memory: str) -> Receipt:
        """Delete a memory of a directive for good, as in the book."""
        self._of(id, memory)
        receipt = Forgetting(self.scope).forget([memory])
        self._drop_caches()
        return receipt

    # Prompts

    def prompt(self, id: str, *, step: str | None = None, tokens: int = BUDGET) -> Prompt:
        """The prompt for the next plan or for a step; ``tokens`` limits the memories in it."""
        with self.scope.store.read(self.scope.owner) as tx:
            directive = records.directive(self.scope, records.directive_row(self.scope, tx, id))
            steps = self._steps(tx, id)
        target = next((item for item in steps if item.id == step), None)
        if step is not None and target is None:
            raise NotFound("step", step)
        chosen = self.chosen(directive, target, tokens=tokens)
        if target is not None:
            text = prompts.execution(directive, target, chosen, steps)
        else:
            text = prompts.planning(directive, steps, chosen, generation=dag.next_generation(directive, steps))
        return Prompt(text=text, memories=chosen.ids, left_out=chosen.left_out, fault=chosen.fault)

    def chosen(self, directive: Directive, step: Step | None, *, tokens: int = BUDGET) -> SelectedMemories:
        """The memories for a prompt. A failure to load them is logged, and mentioned in the prompt."""
        if not directive.memory_enabled:
            return SelectedMemories()
        parts = (directive.title, directive.goal) if step is None else (step.name, step.description, step.task_plan)
        question = "\n".join(part for part in parts if part)[:ASKED]
        try:
            memories = self.memories(directive.id, limit=MOST_MEMORIES, newest=True)
            query = Query(text=question, directive=directive.id, limit=RELEVANT)
            relevant = [hit.memory.id for hit in self._recall(query)] if memories else []
        except CommonplaceError as fault:
            log.warning("memories of directive %s could not be loaded: %s", directive.id, type(fault).__name__)
            return SelectedMemories(fault=type(fault).__name__)
        return choose(memories, relevant, tokens=tokens)

    def explain(self, id: str) -> Sequence[Attempt]:
        """Every attempt at planning and at steps, oldest first, with the memories used and the result."""
        with self.scope.store.read(self.scope.owner) as tx:
            records.directive_row(self.scope, tx, id)
            return records.attempts(self.scope, tx, id)

    def history(self, id: str) -> Sequence[dict[str, Any]]:
        """Every version of a directive or a step, oldest first, with its author."""
        with self.scope.store.read(self.scope.owner) as tx:
            noun = "directive" if tx.directives.get(id) else "step"
            records.directive_row(self.scope, tx, id) if noun == "directive" else records.step_row(self.scope, tx, id)
            return [
                {
                    "version": row.version,
                    "recorded_at": moment(row.recorded_at),
                    "actor": row.actor,
                    "action": row.action,
                    **self.scope.open_json("version", f"{noun}/{id}/{row.version}", row.sealed)["plain"],
                }
                for row in tx.versions.of(noun, id)
            ]

    def _steps(self, tx: Transaction, id: str) -> Sequence[Step]:
        return [records.step(self.scope, row) for row in tx.steps.of(id)]

    def _source(self, source: DirectiveSource | None) -> Source:
        """The source. A person may set any of the three; an agent planner and executor, or only the one it is."""
        own_source = self.scope.source
        if source is None:
            return own_source if own_source in SOURCES else "executor"
        _one_of("source", source, SOURCES)
        allowed = SOURCES if self.scope.person else (own_source,) if own_source in SOURCES else ("planner", "executor")
        if source not in allowed:
            raise NotAllowed(f"on this interface a memory of a directive comes from {' or '.join(allowed)}")
        return source

    def _of(self, id: str, memory: str) -> MemoryRow:
        """The row, if it is a memory of that directive. Raises ``NotFound``: directives do not see each other's
        memories.
        """
        with self.scope.store.read(self.scope.owner) as tx:
            records.directive_row(self.scope, tx, id)
            rows = tx.memories.get([memory])
        if not rows or rows[0].directive != id:
            raise NotFound("memory of that directive", memory)
        return rows[0]

    def _all_stored(self, work: Work, filter: Filter) -> Sequence[StoredMemory]:
        rows: list[MemoryRow] = []
        while True:
            page = work.tx.memories.find(filter, after=rows[-1].id if rows else None, limit=PAGE)
            rows += page
            if len(page) < PAGE:
                return Reader(self.scope).stored(work.tx, rows)

    def _drop(self, work: Work, stored: StoredMemory) -> None:
        """Delete a memory from every table and index, also after a restore."""
        texts = {stored.row.doc: stored}
        for version in work.tx.versions.of(states.NOUN, stored.id):
            earlier, _ = states.opened_version(self.scope, version)
            texts.setdefault(earlier.row.doc, earlier)
        indexing.unindex(work.tx, work.vault, list(texts.values()), language=self.scope.language)
        for doc, text in texts.items():
            work.gone(states.NOUN, stored.id, doc, text.row.namespace)
        work.ledger("forget", stored.id, stored.row.namespace, (), "deleted with its directive")
        work.audit("DELETE", states.NOUN, stored.id, states.digest(work.vault, stored), None, None)
        work.note("DELETE", stored.id, "deleted with its directive", before=stored.row.version)
        work.ids.append(stored.id)
        work.tx.memories.delete([stored.id])

    def _plain(self, fields: Plain) -> Plain:
        """Check the texts of a directive; None stays None."""
        checked: Plain = {}
        for name, value in fields.items():
            if name == "goal":
                checked[name] = admission.clean(value, max_text=GOAL_LIMIT).text
            elif value is None and name != "title":
                checked[name] = None
            elif name == "local_path" and not self.scope.person:
                raise NotAllowed("only a person may set the folder in which an agent runs")
            else:
                plain = without_credentials(value) if name == "repository_url" and isinstance(value, str) else value
                checked[name] = admission.name(name, plain, limit=TITLE_LIMIT if name == "title" else 2_000)
        return checked


def _step_plain(fields: Plain) -> Plain:
    """Check the texts of a step; None stays None."""
    checked: Plain = {}
    for name, value in fields.items():
        if name == "name":
            checked[name] = admission.name("name", value, limit=TITLE_LIMIT)
        else:
            checked[name] = None if value is None else admission.clean(value, max_text=TEXT_LIMIT).text
    return checked


def _dependencies(rows: Sequence[StepRow], id: str | None, requested: Sequence[str]) -> tuple[str, ...]:
    """Check that each dependency is a step of the directive, without cycles. Raises ``Invalid`` with the path."""
    by_id = {row.id: row for row in rows}
    dependencies = tuple(dict.fromkeys(requested))
    for item in dependencies:
        if item not in by_id:
            raise Invalid(f"a step can only depend on steps of its own directive; {str(item)[:60]!r} is none")
    if id is not None:
        path = dag.cycle({row.id: dependencies if row.id == id else row.depends_on for row in rows})
        if path is not None:
            cycle_text = " → ".join(f"{by_id[item].order_index} ({item})" for item in path)
            raise Invalid(f"these steps would depend on each other: {cycle_text}", code="steps_in_a_circle")
    return dependencies


def _expect(noun: str, row: Row, expected: int | None) -> Row:
    if expected is not None and row.version != expected:
        raise Conflict(noun, row.id, expected=expected, found=row.version)
    return row


def _one_of(name: str, value: Any, allowed: Collection[str]) -> None:
    if value not in allowed:
        raise Invalid(f"unknown {name} {str(value)[:40]!r}; one of {', '.join(allowed)}")


def _only(fields: Collection[str], noun: type) -> None:
    allowed = noun.__annotations__
    if unknown := set(fields) - set(allowed):
        raise Invalid(f"cannot revise {', '.join(sorted(unknown))}; one of {', '.join(allowed)}")


def _whole(name: str, value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 2**31:
        raise Invalid(f"{name} is a whole number of at least 0")
    return value
