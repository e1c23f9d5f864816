"""The interface of an open book for maintenance, implemented by the composition root above."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

from commonplace.clock import Clock
from commonplace.memories.scope import Encoder, Scope
from commonplace.providers.judge import Judge
from commonplace.providers.llm import LanguageModel
from commonplace.security.keys import Keychain
from commonplace.security.vault import Vault
from commonplace.settings import Settings
from commonplace.store.ports import Store
from commonplace.store.transaction import Transaction

Seen = TypeVar("Seen")


class PassageEncoder(Protocol):
    """Encodes texts as packed token vectors (``providers.embed.tokens``, which needs numpy)."""

    @property
    def model(self) -> str: ...

    def encode(self, text: str, before: str = "") -> bytes:
        """Raises ``ProviderError``."""


class OpenedBook(Protocol):
    """What the books of one process share."""

    @property
    def store(self) -> Store: ...
    @property
    def keychain(self) -> Keychain: ...
    @property
    def settings(self) -> Settings: ...
    @property
    def clock(self) -> Clock: ...

    def scope(self, owner: str, namespace: str) -> Scope: ...

    def plan(self, owner: str) -> str: ...

    def timezone(self, owner: str) -> str | None: ...

    def encoder(self, vault: Vault) -> Encoder | None:
        """The encoder of this owner's vectors; None if it is off or not in the plan."""

    def token_encoder(self, owner: str) -> PassageEncoder | None:
        """The encoder of this owner's token vectors; None if it is off, not installed or not in the plan."""

    def judge(self) -> Judge | None:
        """The judge; None if it is off or not installed."""

    def language_model(self) -> LanguageModel | None:
        """The configured language model; None if none is set."""


def own_scope(book: OpenedBook, owner: str, namespace: str) -> Scope:
    """A scope for background work, which is recorded as its actor."""
    return book.scope(owner, namespace).acting_as("maintenance", source="system", person=False)


def namespaces(scope: Scope) -> dict[str, str]:
    """Names of all namespaces of the owner by id."""
    with scope.store.read(scope.owner) as tx:
        return {row.id: scope.opened(row)["name"] for row in tx.namespaces.all()}


def walked(
    store: Store, owner: str, table: str, look: Callable[[Transaction, list[dict[str, Any]]], Seen], *, size: int
) -> Iterator[Seen]:
    """Yield the results of ``look`` for each page of a table; each page is read in its own snapshot."""
    after: tuple[Any, ...] | None = None
    while True:
        with store.read(owner) as tx:
            page = tx.tables.page(table, after=after, limit=size)
            after = tx.tables.key(table, page[-1]) if page else None
            seen = look(tx, page)
        yield seen
        if len(page) < size:
            return
