"""What is to be done: directives with their steps, and jobs."""

from collections.abc import Sequence

from commonplace.store.rows import DirectiveRow, JobRow, StepRow
from commonplace.store.statements import sql
from commonplace.store.tables.shape import OwnedRows, Shape, VersionedRows, only, read_list, write_list

UNFINISHED = ("waiting", "leased")


class DirectiveTable(VersionedRows[DirectiveRow]):
    shape = Shape(DirectiveRow)

    def get(self, id: str) -> DirectiveRow | None:
        return self._first("and id = :id", id=id)

    def all(self, namespaces: Sequence[str], *, statuses: Sequence[str] = ()) -> list[DirectiveRow]:
        where, values = only({"status in (:statuses*)": list(statuses)})
        values["namespaces"] = list(namespaces)
        return self._select(f"and namespace in (:namespaces*){where} order by id", **values)

    def lease(self, id: str, *, holder: str, now: int, until: int) -> bool:
        """Take or prolong the right to run it; False while another holder has it."""
        return self._db.changed(sql("directive", "lease"), id=id, holder=holder, now=now, until=until) > 0

    def release(self, id: str, *, holder: str) -> None:
        self._db.run(sql("directive", "release"), id=id, holder=holder)

    def delete(self, id: str) -> None:
        steps = [step for (step,) in self._db.run(sql("step", "ids"), directives=[id])]
        self._db.run(sql("step", "delete"), ids=StepTable(self._db)._drop(steps))
        self._db.run(sql("directive", "delete"), ids=self._drop([id]))


class StepTable(VersionedRows[StepRow]):
    shape = Shape(StepRow, read={"depends_on": read_list}, write={"depends_on": write_list})

    def get(self, id: str) -> StepRow | None:
        return self._first("and id = :id", id=id)

    def of(self, directive: str) -> list[StepRow]:
        """In their order."""
        return self._select("and directive = :directive order by order_index, id", directive=directive)

    def delete(self, id: str) -> None:
        self._db.run(sql("step", "delete"), ids=self._drop([id]))


class JobTable(OwnedRows[JobRow]):
    shape = Shape(JobRow)

    def put(self, row: JobRow) -> bool:
        """Insert or replace by id; False (and nothing changed) if ``unique`` is taken by another unfinished job."""
        wished = row.unique is not None and row.state in UNFINISHED
        if wished and self._db.run(sql("job", "taken"), id=row.id, wish=row.unique):
            return False
        self._db.run(sql("job", "put"), **self.shape.values(row))
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
        return self._select("and id in (:ids*) order by due_at, id", ids=ids)

    def finish(self, id: str, *, holder: str, at: int) -> bool:
        """Mark it done; False if the lease was lost meanwhile."""
        return self._db.changed(sql("job", "finish"), id=id, holder=holder, at=at) > 0

    def get(self, id: str) -> JobRow | None:
        return self._first("and id = :id", id=id)

    def all(
        self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100, newest: bool = False
    ) -> list[JobRow]:
        """By when they are due; the latest first if ``newest``."""
        where, values = only({"state in (:states*)": list(states), "kind in (:kinds*)": list(kinds)})
        order = "due_at desc, id desc" if newest else "due_at, id"
        return self._select(f"{where} order by {order} limit :limit", **values, limit=limit)

    def counts(self) -> dict[tuple[str, str], int]:
        return {(kind, state): count for kind, state, count in self._db.run(sql("job", "counts"))}

    def delete(self, *, finished_before: int) -> int:
        return self._db.changed(sql("job", "delete"), finished_before=finished_before)
