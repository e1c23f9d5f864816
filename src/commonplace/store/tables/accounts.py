"""What must be known before an owner is. The engine says in which statements, and on whose behalf they run."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from commonplace.store.rows import OwnerRow, TokenRow
from commonplace.store.statements import Connection
from commonplace.store.tables.account import OWNER
from commonplace.store.tables.shape import Shape, read_list, write_list

TOKEN = Shape(TokenRow, read={"namespaces": read_list}, write={"namespaces": write_list})

Opens = Callable[[str], AbstractContextManager[Connection]]
"""Given an owner ('' for none), a connection whose statements are durable when the block ends."""
Words = Callable[[str], str]
"""The statement behind a name."""


class AccountTable:
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

    def tokens(self, owner: str) -> list[TokenRow]:
        with self._opens(owner) as db:
            return TOKEN.all(db.run(self._words("tokens")))

    def owners(self) -> list[OwnerRow]:
        with self._opens("") as db:
            return OWNER.all(db.run(self._words("owners")))

    def due_owners(self, now: int) -> list[str]:
        with self._opens("") as db:
            return [owner for (owner,) in db.run(self._words("due_owners"), now=now)]

    def lease(self, name: str, *, holder: str, now: int, until: int) -> bool:
        with self._opens("") as db:
            return bool(db.run(self._words("lease"), name=name, holder=holder, now=now, until=until))

    def schema(self) -> int:
        with self._opens("") as db:
            return int(db.run("select max(number) from schema_version")[0][0])

    def release(self, name: str, *, holder: str) -> None:
        with self._opens("") as db:
            db.run(self._words("release"), name=name, holder=holder)
