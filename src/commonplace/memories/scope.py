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
    """Texts to rotated int8 vectors, ready to store."""

    @property
    def model(self) -> str:
        """Names the embedder and the generation of the blind key; vectors of two names are never compared."""

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One vector a text. Raises ``ProviderError``."""


@dataclass(frozen=True, slots=True)
class Scope:
    """``person`` says whether a person acts through this interface: what they state counts as verified."""

    store: Store
    keychain: Keychain
    clock: Clock
    owner: str
    namespace: str
    actor: str = "owner"
    source: Source = "user"
    person: bool = True
    agent: str | None = None
    """What the agent that acts is called; None for a person."""
    member: str | None = None
    """In a shared namespace, the person who acts; ``owner`` is then the namespace's own."""
    home: "Scope | None" = field(default=None, repr=False, compare=False)
    """In a shared namespace, the same person in their own book."""
    role: str = "admin"
    """What that person may do there: reader, writer or admin."""
    decides: bool = False
    """Whether this carries out what a member decided in review."""
    rank_limit: int | None = None
    """The highest rank of what is done here, where that is lower than the interface's own."""
    language: str = "en"
    timezone: str | None = None
    """None is the machine's."""
    max_text: int = 1_000_000
    encoder: Callable[[Vault], Encoder | None] = field(default=lambda vault: None)
    """What makes vectors while writing; None leaves a job to do it later."""
    prepare: Callable[[Vault, Sequence[str]], None] = field(default=lambda vault, texts: None)
    """Makes the vectors that a write is about to ask for, before it begins."""
    encode_soon: Callable[[str, str], None] = field(default=lambda owner, namespace: None, repr=False, compare=False)
    """Has the token vectors of an owner's namespace (by id) made a little later."""
    vaults: dict[str, Vault] = field(default_factory=dict, repr=False)
    places: dict[tuple[str, str], str] = field(default_factory=dict, repr=False)
    """By owner and name, the id that a namespace had when it was last written to: a guess, and never more."""
    reach: frozenset[str] | None = None
    """Ids of the only namespaces that may be read or written, `personal` not excepted; None: all of the owner's."""
    read_statement: Callable[["Scope", Any, bool], Any] | None = field(default=None, repr=False, compare=False)
    """How a statement is read for what it contradicts (``conflicts.ReadStatement``); None: it is not."""
    shared: Callable[["Scope"], Sequence["Scope"]] = field(default=lambda scope: (), repr=False, compare=False)
    """A scope for every shared namespace that the person may read; in one, for what is `personal` to them."""
    settle: Callable[["Scope", Transaction, Receipt], None] | None = field(default=None, repr=False, compare=False)
    """Called with each receipt in the transaction that makes it: what it writes is there with the change, or not.

    The scope is the one that was written in, which may be of a shared namespace.
    """

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

    def opened(self, row: Any) -> Any:
        """What is sealed in a row; None where nothing is."""
        return None if row.sealed is None else self.open_json(*sealed_as(row), row.sealed)

    def reaches(self, namespace: str) -> bool:
        """Whether the namespace of that id may be touched at all."""
        return self.reach is None or namespace in self.reach

    def has_namespace(self, name: str) -> bool:
        with self.store.read(self.owner) as tx:
            return tx.namespaces.by_label(self.vault.label("namespace", name)) is not None

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
        """The same person in another namespace of their own book."""
        return replace(self.home or self, namespace=namespace)

    def acting_as(
        self, actor: str, *, source: Source, person: bool, rank_limit: int | None = None, agent: str | None = None
    ) -> "Scope":
        """The same scope for another actor; an agent is called ``agent``, or as the actor."""
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
        """The scope that carries out a decision about what ``author`` stated in a shared namespace.

        Raises ``NotAllowed`` for another member who is no admin.
        """
        if self.member is None or author in (None, self.member):
            return self
        if self.role != "admin":
            raise NotAllowed(f"{author} stated this: they decide, or an admin", code="anothers_statement")
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
