"""What maintenance needs of an opened book: handed in by the composition root, which stands above."""

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
    """Texts to packed token vectors (``providers.embed.tokens``, which needs numpy)."""

    @property
    def model(self) -> str: ...

    def encode(self, text: str, before: str = "") -> bytes:
        """Raises ``ProviderError``."""


class OpenedBook(Protocol):
    """The parts that the books of one process share."""

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
        """What makes vectors for an owner whose plan has them; None where it is switched off."""

    def token_encoder(self, owner: str) -> PassageEncoder | None:
        """What makes token vectors for an owner whose plan has them; None where it is switched off or not installed."""

    def judge(self) -> Judge | None:
        """The judge, where it is on and installed."""

    def mind(self) -> LanguageModel | None:
        """The language model that is set, if one is."""


def own_scope(book: OpenedBook, owner: str, namespace: str) -> Scope:
    """A scope for background work: its versions and audit lines say so."""
    return book.scope(owner, namespace).acting_as("maintenance", source="system", person=False)


def namespaces(scope: Scope) -> dict[str, str]:
    """Ids and names of every namespace of the owner."""
    with scope.store.read(scope.owner) as tx:
        return {row.id: scope.opened(row)["name"] for row in tx.namespaces.all()}


def walked(
    store: Store, owner: str, table: str, look: Callable[[Transaction, list[dict[str, Any]]], Seen], *, size: int
) -> Iterator[Seen]:
    """Yield what ``look`` returns for each page of a table; each page is read in a snapshot of its own."""
    after: tuple[Any, ...] | None = None
    while True:
        with store.read(owner) as tx:
            page = tx.tables.page(table, after=after, limit=size)
            after = tx.tables.key(table, page[-1]) if page else None
            seen = look(tx, page)
        yield seen
        if len(page) < size:
            return
