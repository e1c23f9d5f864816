"""What maintenance needs of an opened book: handed in by the composition root, which stands above."""

from typing import Protocol

from commonplace.clock import Clock
from commonplace.memories.scope import Encoder, Scope
from commonplace.providers.llm import LanguageModel
from commonplace.security.keys import Keychain
from commonplace.security.vault import Vault
from commonplace.settings import Settings
from commonplace.store.ports import Store


class House(Protocol):
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

    def mind(self) -> LanguageModel | None:
        """The language model that is set, if one is."""


def own_scope(house: House, owner: str, namespace: str) -> Scope:
    """A scope for work that nobody asked for: its versions and audit lines say so."""
    return house.scope(owner, namespace).acting_as("maintenance", source="system", person=False)


def namespaces(scope: Scope) -> dict[str, str]:
    """Ids and names of every namespace of the owner."""
    with scope.store.read(scope.owner) as tx:
        return {row.id: scope.open_json("namespace", row.id, row.sealed)["name"] for row in tx.namespaces.all()}
