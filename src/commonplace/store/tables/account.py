"""The owner's own row, the changes, what one used, and what must be known before an owner is."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from commonplace.clock import Clock, micros
from commonplace.store.rows import ChangeRow, OwnerRow, TokenRow, UsageRow
from commonplace.store.statements import TableConnection, sql
from commonplace.store.tables.shape import OwnedRows, Shape, read_list, write_list

OWNER = Shape(OwnerRow)
CHANGE = Shape(ChangeRow)

DEFAULT_PLAN = ""
"""None chosen: the book decides by its settings."""

OWNED = (
    *("change", "attribute", "tag_link", "tag_label", "entity_label", "relation", "entity", "tag", "step"),
    *("directive", "session", "memory", "version", "evidence", "tombstone", "job", "receipt", "trace"),
    *("word", "fresh", "vector", "vector_set", "passage", "namespace"),
)
"""Every table that ``drop`` empties: all but owner, token and usage. The audit goes last."""


class OwnerTable:
    """The account itself: always the transaction's own.

    The row is read once: in a snapshot it stays as it is, in a write it is locked.
    """

    def __init__(self, db: TableConnection, clock: Clock, *, afterwards: Callable[[], None]) -> None:
        """``afterwards`` is called when everything was dropped, for what others remember of it."""
        self._db, self._clock, self._afterwards = db, clock, afterwards
        self._seen: OwnerRow | None = None
        self._revision = 0

    def get(self) -> OwnerRow:
        """The owner's row; inside ``write`` made on first use, and locked until the transaction ends.

        Inside ``read`` an owner without a row looks like a new one, made at 0; nothing is written.
        """
        if self._seen is None:
            rows = self._db.run(sql("owner", "get"))
            *cells, self._revision = rows[0] if rows else (self._db.owner, DEFAULT_PLAN, None, None, 0, 0, 1, None, 0)
            self._seen = OWNER.one(tuple(cells))
        return self._seen

    def revision(self) -> int:
        """What it was when the row was read."""
        self.get()
        return self._revision

    def forget(self) -> None:
        """Read the row again: another process may have written it."""
        self._seen = None

    def make(self) -> None:
        self._db.run(sql("owner", "make"), plan=DEFAULT_PLAN, at=micros(self._clock.now()))

    def put(self, *, plan: str, timezone: str | None, language: str | None) -> None:
        self._db.run(sql("owner", "put"), plan=plan, timezone=timezone, language=language)
        self.forget()

    def take_docs(self, count: int) -> int:
        """Reserve ``count`` consecutive document numbers and return the first."""
        row = self.get()
        self._count(replace(row, next_doc=row.next_doc + count))
        return row.next_doc

    def take_sequence(self, count: int) -> int:
        """Reserve ``count`` numbers of the change table and return the first."""
        row = self.get()
        self._count(replace(row, sequence=row.sequence + count))
        return row.sequence + 1

    def mark_ledger(self, mark: str) -> None:
        self._count(replace(self.get(), ledger=mark))

    def _count(self, row: OwnerRow) -> None:
        self._db.leave(sql("owner", "count"), next_doc=row.next_doc, sequence=row.sequence, ledger=row.ledger)
        self._seen = row

    def drop(self) -> None:
        """Remove every row of the owner from every table but tokens, usage and the account itself."""
        for table in OWNED:
            self._db.run(f"delete from {table} where owner = :owner")
        self._db.run(sql("audit", "drop"))
        self._afterwards()


class ChangeTable:
    """Every write and delete in commit order, so that caches and feeds miss nothing."""

    def __init__(self, db: TableConnection, owners: OwnerTable) -> None:
        self._db, self._owners = db, owners

    def record(self, rows: Sequence[tuple[str, str, str, int | None, str | None]], *, at: int) -> int:
        """Append (noun, id, operation, doc, namespace) each; return the last sequence number."""
        first = self._owners.take_sequence(len(rows))
        names = ("sequence", "at", "noun", "id", "operation", "doc", "namespace")
        cells = [(number, at, *row) for number, row in enumerate(rows, start=first)]
        self._db.run_rows(sql("change", "add"), names, cells)
        return first + len(rows) - 1

    def since(self, sequence: int, *, limit: int = 1000) -> list[ChangeRow]:
        return CHANGE.all(self._db.run(sql("change", "since"), sequence=sequence, limit=limit))

    def last(self) -> int:
        return self._owners.get().sequence

    def trim(self, *, before: int) -> int:
        """Drop changes recorded before that moment; return how many."""
        return self._db.changed(sql("change", "trim"), before=before)


class UsageTable(OwnedRows[UsageRow]):
    shape = Shape(UsageRow)

    def add(self, day: str, what: str, *, calls: int, tokens: int) -> None:
        self._db.run(sql("usage", "add"), day=day, what=what, calls=calls, tokens=tokens)

    def of(self, day: str) -> list[UsageRow]:
        return self._rows(self._db.run(sql("usage", "of"), day=day))

    def page(self, *, since: str) -> list[UsageRow]:
        return self._rows(self._db.run(sql("usage", "page"), since=since))


TOKEN = Shape(TokenRow, read={"namespaces": read_list}, write={"namespaces": write_list})

Opens = Callable[[str], AbstractContextManager[TableConnection]]
"""Given an owner ('' for none), a connection whose statements are durable when the block ends."""
Words = Callable[[str], str]
"""The statement behind a name."""


class AccountTable:
    """What must be known before an owner is: tokens, owners, due work, leases of the whole deployment."""

    def __init__(self, opens: Opens, words: Words) -> None:
        self._opens, self._words = opens, words

    def token(self, hash: bytes) -> TokenRow | None:
        with self._opens("") as db:
            return TOKEN.first(db.run(self._words("token"), hash=hash))

    def put_token(self, row: TokenRow) -> None:
        values = TOKEN.values(row)
        del values["owner"]
        with self._opens(row.owner) as db:
            db.run(self._words("put_token"), **values)

    def replace_token(self, row: TokenRow, *, expected: str) -> bool:
        """Write scope and end of a token. False, and nothing is written, if its scope is no longer ``expected`` or it
        was revoked."""
        values = {"id": row.id, "scope": row.scope, "expires_at": row.expires_at, "expected": expected}
        with self._opens(row.owner) as db:
            return bool(db.run(self._words("replace_token"), **values))

    def tokens(self, owner: str) -> list[TokenRow]:
        with self._opens(owner) as db:
            return TOKEN.all(db.run(self._words("tokens")))

    def owners(self) -> list[OwnerRow]:
        with self._opens("") as db:
            return OWNER.all(db.run(self._words("owners")))

    def due_owners(self, now: int) -> list[str]:
        """Owners with a job that is due or whose lease ran out."""
        with self._opens("") as db:
            return [owner for (owner,) in db.run(self._words("due_owners"), now=now)]

    def lease(self, name: str, *, holder: str, now: int, until: int) -> bool:
        """Take or prolong a named lease; False while another holder has it."""
        with self._opens("") as db:
            return bool(db.run(self._words("lease"), name=name, holder=holder, now=now, until=until))

    def schema(self) -> int:
        """The number of the newest migration that the book has had, by whatever release."""
        with self._opens("") as db:
            return int(db.run("select max(number) from schema_version")[0][0])

    def release(self, name: str, *, holder: str) -> None:
        with self._opens("") as db:
            db.run(self._words("release"), name=name, holder=holder)
