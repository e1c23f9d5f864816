"""Who is asking, through which door, about which namespace: handed to everything that reads or writes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any, Protocol

from commonplace.clock import Clock, zone
from commonplace.errors import KeyringError
from commonplace.model import Receipt, Source
from commonplace.security.keys import Keychain
from commonplace.security.vault import Vault
from commonplace.store.ports import Store, Transaction
from commonplace.store.rows import OwnerRow


class Encoder(Protocol):
    """Texts to rotated int8 vectors, ready to store."""

    @property
    def model(self) -> str:
        """Names the embedder and the generation of the blind key; vectors of two names are never compared."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text. Raises ``ProviderError``."""


@dataclass(frozen=True, slots=True)
class Scope:
    """``person`` says whether a person speaks through this door: what they state counts as verified."""

    store: Store
    keychain: Keychain
    clock: Clock
    owner: str
    namespace: str
    actor: str = "owner"
    source: Source = "user"
    person: bool = True
    language: str = "en"
    timezone: str | None = None
    """None is the machine's."""
    max_text: int = 1_000_000
    encoder: Callable[[Vault], Encoder | None] = field(default=lambda vault: None)
    """What makes vectors while writing; None leaves a job to do it later."""
    prepare: Callable[[Vault, Sequence[str]], None] = field(default=lambda vault, texts: None)
    """Makes the vectors that a write is about to ask for, before it begins."""
    vaults: dict[str, Vault] = field(default_factory=dict, repr=False)
    places: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    """By owner and name, the id that a namespace had when it was last written to: a guess, and never more."""
    reach: frozenset[str] | None = None
    """Ids of the only namespaces that may be read or written, `personal` not excepted; None: all of the owner's."""
    settle: Callable[[Transaction, Receipt], None] | None = field(default=None, repr=False, compare=False)
    """Called with each receipt in the transaction that makes it: what it writes is there with the change, or not."""

    @property
    def vault(self) -> Vault:
        """The owner's vault by the keys last seen."""
        return self._vault(fresh=False)

    def current_vault(self) -> Vault:
        """The owner's vault by the keys as they are now. Inside a write it cannot change under our hands."""
        return self._vault(fresh=True)

    def open_json(self, table: str, row: str, sealed: bytes) -> Any:
        """Open a row; look once whether another process has rotated the keys before giving up."""
        try:
            return self.vault.open_json(table, row, sealed)
        except KeyringError:
            return self.current_vault().open_json(table, row, sealed)

    def reaches(self, namespace: str) -> bool:
        """Whether the namespace of that id may be touched at all."""
        return self.reach is None or namespace in self.reach

    @property
    def zone(self) -> tzinfo | None:
        return zone(self.timezone)

    def here(self) -> datetime:
        """The present moment on the owner's own clock, which decides what "today" is."""
        return self.clock.now().astimezone(self.zone)

    def as_set(self, row: OwnerRow) -> "Scope":
        """With the language and the time zone that the owner chose, where they did."""
        if row.language in (None, self.language) and row.timezone in (None, self.timezone):
            return self
        return replace(self, language=row.language or self.language, timezone=row.timezone or self.timezone)

    def within(self, namespace: str) -> "Scope":
        return replace(self, namespace=namespace)

    def acting_as(self, actor: str, *, source: Source, person: bool) -> "Scope":
        return replace(self, actor=actor, source=source, person=person)

    def _vault(self, *, fresh: bool) -> Vault:
        known = self.vaults.get(self.owner)
        if known and not fresh:
            return known
        keys = self.keychain.latest(self.owner) if fresh else self.keychain.of(self.owner)
        if known is None or known.keys is not keys:
            known = self.vaults[self.owner] = Vault(self.owner, keys)
        return known
