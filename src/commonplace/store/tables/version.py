"""Earlier states, and why things are believed."""

from collections.abc import Iterator, Sequence

from commonplace.errors import Conflict
from commonplace.store.rows import EvidenceRow, VersionRow
from commonplace.store.statements import sql
from commonplace.store.tables.shape import OwnedRows, Shape

WALKED = 1_000
STOOD = "recorded_at <= :known_at and (superseded_at is null or superseded_at > :known_at)"


class VersionTable(OwnedRows[VersionRow]):
    shape = Shape(VersionRow)

    def put(self, row: VersionRow) -> None:
        """Add a version and close the one before it at the same moment."""
        if not self._db.changed(sql("version", "insert"), **self.shape.values(row)):
            raise Conflict(row.noun, row.id, expected=row.version - 1, found=row.version)
        self._db.run(
            sql("version", "close"), noun=row.noun, id=row.id, version=row.version, recorded_at=row.recorded_at
        )

    def put_many(self, rows: Sequence[VersionRow]) -> None:
        """As ``put`` for each; a first version that is there already may be told of only when the write ends."""
        if any(row.version != 1 for row in rows):
            for row in rows:
                self.put(row)
            return
        if rows:
            self._put_many("add", rows, taken=Conflict(rows[0].noun, rows[0].id, expected=0, found=1))

    def restore(self, rows: Sequence[VersionRow]) -> None:
        """Write versions as they are, in the place of those with the same number."""
        self._put_many("restore", rows)

    def of(self, noun: str, id: str) -> list[VersionRow]:
        """All states, oldest first."""
        return self._select("and noun = :noun and id = :id order by version", noun=noun, id=id)

    def of_each(self, noun: str, ids: Sequence[str]) -> dict[str, list[VersionRow]]:
        """As ``of``, for several."""
        states: dict[str, list[VersionRow]] = {}
        where = "and noun = :noun and id in (:ids*) order by id, version"
        for row in self._select(where, noun=noun, ids=list(ids)) if ids else ():
            states.setdefault(row.id, []).append(row)
        return states

    def at(self, noun: str, ids: Sequence[str], known_at: int) -> list[VersionRow]:
        """For each id the state that stood at that moment, where one did."""
        where = f"and noun = :noun and id in (:ids*) and {STOOD} order by id, version"
        return self._select(where, noun=noun, ids=list(ids), known_at=known_at)

    def by_docs(self, docs: Sequence[int], *, known_at: int) -> list[VersionRow]:
        """States of memories that stood at that moment under these document numbers."""
        where = f"and doc is not null and doc in (:docs*) and noun = 'memory' and {STOOD} order by id, version"
        return self._select(where, docs=list(docs), known_at=known_at)

    def page(self, noun: str, *, after: tuple[str, int], limit: int) -> list[VersionRow]:
        """Every version, ordered by id and version: for re-sealing, export and checks."""
        where = "and noun = :noun and (id, version) > (:id, :version) order by id, version limit :limit"
        return self._select(where, noun=noun, id=after[0], version=after[1], limit=limit)

    def walk(self, noun: str, *, after: tuple[str, int] = ("", 0)) -> Iterator[VersionRow]:
        """Every version after one, as ``page``, some at a time."""
        while page := self.page(noun, after=after, limit=WALKED):
            yield from page
            after = (page[-1].id, page[-1].version)

    def moved(self) -> list[str]:
        """Ids of memories that were ever moved from one namespace to another."""
        return [id for (id,) in self._db.run(sql("version", "moved"))]

    def replace(self, row: VersionRow) -> None:
        """Write the same version again (re-sealed or redacted)."""
        self._db.run(sql("version", "replace"), **self.shape.values(row))

    def delete(self, noun: str, ids: Sequence[str]) -> None:
        self._db.run(sql("version", "delete"), noun=noun, ids=list(ids))


class EvidenceTable(OwnedRows[EvidenceRow]):
    shape = Shape(EvidenceRow)

    def put(self, rows: Sequence[EvidenceRow]) -> None:
        """Idempotent per (noun, id, episode)."""
        self._put_many("put", rows)

    def of(self, noun: str, ids: Sequence[str]) -> list[EvidenceRow]:
        return self._rows(self._db.run(sql("evidence", "of"), noun=noun, ids=list(ids)))

    def resting_on(self, episodes: Sequence[str]) -> list[EvidenceRow]:
        """What is believed because of these episodes."""
        return self._rows(self._db.run(sql("evidence", "resting_on"), episodes=list(episodes)))

    def move(self, noun: str, source: str, target: str) -> None:
        if source != target:
            self._db.run(sql("evidence", "move"), noun=noun, source=source, target=target)
            self._db.run(sql("evidence", "delete"), noun=noun, ids=[source])

    def delete(self, noun: str, ids: Sequence[str], *, episodes: Sequence[str] | None = None) -> None:
        if episodes is None:
            self._db.run(sql("evidence", "delete"), noun=noun, ids=list(ids))
        else:
            self._db.run(sql("evidence", "delete_some"), noun=noun, ids=list(ids), episodes=list(episodes))
