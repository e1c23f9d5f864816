"""Which book a call works on, and what its caller may do there."""

from contextvars import ContextVar
from typing import Literal, Protocol

from commonplace.errors import NotAllowed
from commonplace.model import PERSONAL
from commonplace.protocol import Book
from commonplace.security.tokens import Scope, Token

CALLER: ContextVar[Token | None] = ContextVar("caller", default=None)
"""Who calls over HTTP; None over stdio, where the process itself is the caller's."""

Where = Literal["personal", "project"]


class BookAccess(Protocol):
    """Gives each call the caller's book. A model speaks here, so nothing it states is verified."""

    @property
    def has_files(self) -> bool:
        """Whether the caller works on this machine, so that the project's files are theirs to write."""

    def book(self, namespace: str | None, needed: Scope) -> Book:
        """The caller's book. Raises ``NotAllowed`` if they may not do that there."""

    def all_namespaces(self, needed: Scope) -> Book:
        """The caller's book, for what concerns all of their namespaces at once."""

    def whole_store(self) -> Book:
        """The caller's book, for what concerns every owner. Raises ``NotAllowed`` for others than administrators."""


def scoped_book(
    access: BookAccess, namespace: str | None, where: Where | None, needed: Scope, *, default: Where = "project"
) -> Book:
    """The book of a namespace, or of ``personal`` or the project. A caller without access to ``personal`` who did not
    ask for it gets the project."""
    if namespace is not None or (where or default) == "project":
        return access.book(namespace, needed)
    try:
        return access.book(PERSONAL, needed)
    except NotAllowed:
        if where is not None:
            raise
        return access.book(None, needed)


def readable_books(access: BookAccess) -> list[Book]:
    """The project's book and ``personal``, as far as the caller may read them: what a search without a scope reads."""
    books = [access.book(None, "read")]
    try:
        books.append(access.book(PERSONAL, "read"))
    except NotAllowed:
        return books
    return books if books[0].namespace != books[1].namespace else books[:1]
