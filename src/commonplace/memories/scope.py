"""Who acts, through which interface, in which namespace: passed to everything that reads or writes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from typing import Any, Protocol

from commonplace.clock import Clock, zone
from commonplace.errors import KeyringError, NotAllowed
from commonplace.memories.trust import scope_rank
from commonplace.model import Receipt, Source
from commonplace.security.keys import Keychain
from commonplace.security.vault import Vault
from commonplace.store.ports import Store
from commonplace.store.rows import OwnerRow, sealed_as
from commonplace.store.transaction import Transaction


class Encoder(Protocol):
    """Encodes texts as rotated int8 vectors for the store."""

    @property
    def model(self) -> str:
        """Name of the embedder and the key generation; vectors of different names are never compared."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One vector per text. Raises ``ProviderError``."""


@dataclass(frozen=True, slots=True)
class Scope:
    """``person``: whether a person acts through this interface; what they state counts as verified."""

    store: Store
    keychain: Keychain
    clock: Clock
    owner: str
    namespace: str
    actor: str = "owner"
    source: Source = "user"
    person: bool = True
    agent: str | None = None
    """The name of the acting agent; None for a person."""
    member: str | None = None
    """In a shared namespace, the acting person; ``owner`` is then the namespace's own."""
    home: "Scope | None" = field(default=None, repr=False, compare=False)
    """In a shared namespace, the same person's scope in their own book."""
    role: str = "admin"
    """The person's role there: reader, writer or admin."""
    decides: bool = False
    """Whether this scope carries out a member's decision in review."""
    rank_limit: int | None = None
    """The maximum rank of what is done here, if lower than the interface's own."""
    language: str = "en"
    timezone: str | None = None
    """None is the machine's time zone."""
    max_text: int = 1_000_000
    encoder: Callable[[Vault], Encoder | None] = field(default=lambda vault: None)
    """The encoder to use while writing; None queues a job instead."""
    prepare: Callable[[Vault, Sequence[str]], None] = field(default=lambda vault, texts: None)
    """Computes the vectors that a write will need, before it begins."""
    encode_soon: Callable[[str, str], None] = field(default=lambda owner, namespace: None, repr=False, compare=False)
    """Has the token vectors of an owner's namespace (by id) computed soon."""
    vaults: dict[str, Vault] = field(default_factory=dict, repr=False)
    places: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    """The last known id of a namespace, by owner and name. Only a guess: it may be out of date."""
    reach: frozenset[str] | None = None
    """Ids of the only namespaces in reach, `personal` included; None: all of the owner's."""
    read_statement: Callable[["Scope", Any, bool], Any] | None = field(default=None, repr=False, compare=False)
    """Finds what a statement contradicts (``conflicts.ReadStatement``); None: not searched."""
    shared: Callable[["Scope"], Sequence["Scope"]] = field(default=lambda scope: (), repr=False, compare=False)
    """Scopes to search as well: every shared namespace of the person; inside one, the person's `personal`."""
    settle: Callable[["Scope", Transaction, Receipt], None] | None = field(default=None, repr=False, compare=False)
    """Called with each receipt in its transaction, so that what it writes commits with the change or not at all.

    The scope is the one that was written in, possibly of a shared namespace.
    """

    @property
    def vault(self) -> Vault:
        """The owner's vault with the keys last read."""
        return self._vault(fresh=False)

    def current_vault(self) -> Vault:
        """The owner's vault with the current keys. Inside a write they cannot change."""
        return self._vault(fresh=True)

    def open_json(self, table: str, row: str, sealed: bytes) -> Any:
        """Open a row; if that fails, read the keys once more, as another process may have rotated them."""
        try:
            return self.vault.open_json(table, row, sealed)
        except KeyringError:
            return self.current_vault().open_json(table, row, sealed)

    def opened(self, row: Any) -> Any:
        """The decrypted content of a row; None if it has none."""
        return None if row.sealed is None else self.open_json(*sealed_as(row), row.sealed)

    def reaches(self, namespace: str) -> bool:
        """Whether the namespace with that id is in reach."""
        return self.reach is None or namespace in self.reach

    def has_namespace(self, name: str) -> bool:
        with self.store.read(self.owner) as tx:
            return tx.namespaces.by_label(self.vault.label("namespace", name)) is not None

    @property
    def zone(self) -> tzinfo | None:
        return zone(self.timezone)

    def here(self) -> datetime:
        """The present time in the owner's time zone, which decides what "today" is."""
        return self.clock.now().astimezone(self.zone)

    def with_owner_settings(self, row: OwnerRow) -> "Scope":
        """This scope with the owner's chosen language and time zone."""
        if row.language in (None, self.language) and row.timezone in (None, self.timezone):
            return self
        return replace(self, language=row.language or self.language, timezone=row.timezone or self.timezone)

    def within(self, namespace: str) -> "Scope":
        """The same person in another namespace of their own book."""
        return replace(self.home or self, namespace=namespace)

    def acting_as(
        self, actor: str, *, source: Source, person: bool, rank_limit: int | None = None, agent: str | None = None
    ) -> "Scope":
        """The same scope for another actor; an agent is named ``agent``, by default like the actor."""
        limit = self.rank_limit if rank_limit is None else rank_limit
        actor = actor.removeprefix(f"{self.member}:")
        agent = None if person else agent or actor
        home = self.home and self.home.acting_as(
            actor, source=source, person=person, rank_limit=rank_limit, agent=agent
        )
        if self.member is not None:
            actor = f"{self.member}:{actor}"
        return replace(self, actor=actor, source=source, person=person, agent=agent, rank_limit=limit, home=home)

    def deciding_about(self, author: str | None) -> "Scope":
        """The scope to carry out a decision about what ``author`` stated in a shared namespace.

        Raises ``NotAllowed`` for another member who is not an admin.
        """
        if self.member is None or author in (None, self.member):
            return self
        if self.role != "admin":
            raise NotAllowed(f"only {author}, who stated this, or an admin can decide", code="anothers_statement")
        return replace(self, decides=True)

    @property
    def rank(self) -> int:
        """The trust rank of what is done here (see ``trust``)."""
        rank = scope_rank(person=self.person, source=self.source)
        return rank if self.rank_limit is None else min(rank, self.rank_limit)

    def _vault(self, *, fresh: bool) -> Vault:
        vault = self.vaults.get(self.owner)
        if vault and not fresh:
            return vault
        keys = self.keychain.latest(self.owner) if fresh else self.keychain.of(self.owner)
        if vault is None or vault.keys is not keys:
            vault = self.vaults[self.owner] = Vault(self.owner, keys)
        return vault
