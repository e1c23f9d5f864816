"""What must be known before an owner is. The engine says in which statements, and on whose behalf they run."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from commonplace.store.rows import OwnerRow, TokenRow
from commonplace.store.statements import TableConnection
from commonplace.store.tables.account import OWNER
from commonplace.store.tables.shape import Shape, read_list, write_list

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
