"""What is to be done: directives with their steps, and jobs."""

from collections.abc import Sequence

from commonplace.store.rows import DirectiveRow, JobRow, StepRow
from commonplace.store.statements import sql
from commonplace.store.tables.shape import OwnerRows, Shape, drop_with, only, put_versioned, read_list, write_list

DIRECTIVE = Shape(DirectiveRow)
STEP = Shape(StepRow, read={"depends_on": read_list}, write={"depends_on": write_list})
JOB = Shape(JobRow)

UNFINISHED = ("waiting", "leased")


class DirectiveTable(OwnerRows):
    def put(self, row: DirectiveRow, *, expected: int | None = None) -> None:
        put_versioned(self._db, "directive", DIRECTIVE.values(row), expected=expected)

    def get(self, id: str) -> DirectiveRow | None:
        return DIRECTIVE.first(self._db.run(f"{sql('directive', 'select')} and id = :id", id=id))

    def all(self, namespaces: Sequence[str], *, statuses: Sequence[str] = ()) -> list[DirectiveRow]:
        where, values = only({"status in (:statuses*)": list(statuses)})
        text = f"{sql('directive', 'select')} and namespace in (:namespaces*){where} order by id"
        return DIRECTIVE.all(self._db.run(text, namespaces=list(namespaces), **values))

    def lease(self, id: str, *, holder: str, now: int, until: int) -> bool:
        """Take or prolong the right to run it; False while another holder has it."""
        return self._db.changed(sql("directive", "lease"), id=id, holder=holder, now=now, until=until) > 0

    def release(self, id: str, *, holder: str) -> None:
        self._db.run(sql("directive", "release"), id=id, holder=holder)

    def delete(self, id: str) -> None:
        steps = [step for (step,) in self._db.run(sql("step", "ids"), directives=[id])]
        drop_with(self._db, "step", steps)
        drop_with(self._db, "directive", [id])
        self._db.run(sql("step", "delete"), ids=steps)
        self._db.run(sql("directive", "delete"), ids=[id])


class StepTable(OwnerRows):
    def put(self, row: StepRow, *, expected: int | None = None) -> None:
        put_versioned(self._db, "step", STEP.values(row), expected=expected)

    def get(self, id: str) -> StepRow | None:
        return STEP.first(self._db.run(f"{sql('step', 'select')} and id = :id", id=id))

    def of(self, directive: str) -> list[StepRow]:
        """In their order."""
        text = f"{sql('step', 'select')} and directive = :directive order by order_index, id"
        return STEP.all(self._db.run(text, directive=directive))

    def delete(self, id: str) -> None:
        drop_with(self._db, "step", [id])
        self._db.run(sql("step", "delete"), ids=[id])


class JobTable(OwnerRows):
    def put(self, row: JobRow) -> bool:
        """Insert or replace by id; False (and nothing changed) if ``unique`` is taken by another unfinished job."""
        wished = row.unique is not None and row.state in UNFINISHED
        if wished and self._db.run(sql("job", "taken"), id=row.id, wish=row.unique):
            return False
        self._db.run(sql("job", "put"), **JOB.values(row))
        return True

    def lease(self, *, kinds: Sequence[str], now: int, until: int, holder: str, limit: int = 1) -> list[JobRow]:
        """Take due jobs, and those whose lease ran out. No two holders get the same one.

        ``kinds`` empty means any. Taking counts as an attempt, so that a job that kills its runner dies out too.
        """
        where, values = only({"kind in (:kinds*)": list(kinds)})
        text = f"{sql('job', 'due')}{where} order by due_at, id limit :limit {{skip locked}}"
        ids = [id for (id,) in self._db.run(text, **values, now=now, limit=limit)]
        if not ids:
            return []
        self._db.run(sql("job", "lease"), ids=ids, until=until, holder=holder)
        return JOB.all(self._db.run(f"{sql('job', 'select')} and id in (:ids*) order by due_at, id", ids=ids))

    def finish(self, id: str, *, holder: str, at: int) -> bool:
        """Mark it done; False if the lease was lost meanwhile."""
        return self._db.changed(sql("job", "finish"), id=id, holder=holder, at=at) > 0

    def get(self, id: str) -> JobRow | None:
        return JOB.first(self._db.run(f"{sql('job', 'select')} and id = :id", id=id))

    def all(
        self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100, newest: bool = False
    ) -> list[JobRow]:
        """By when they are due; the latest first if ``newest``."""
        where, values = only({"state in (:states*)": list(states), "kind in (:kinds*)": list(kinds)})
        order = "due_at desc, id desc" if newest else "due_at, id"
        text = f"{sql('job', 'select')}{where} order by {order} limit :limit"
        return JOB.all(self._db.run(text, **values, limit=limit))

    def counts(self) -> dict[tuple[str, str], int]:
        """How many per (kind, state)."""
        return {(kind, state): count for kind, state, count in self._db.run(sql("job", "counts"))}

    def delete(self, *, finished_before: int) -> int:
        return self._db.changed(sql("job", "delete"), finished_before=finished_before)
