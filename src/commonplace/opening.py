"""The composition root: from a URL and settings to everything a book stands on."""

import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from commonplace import plans
from commonplace.clock import Clock, SystemClock
from commonplace.errors import KeyringError, ProviderError
from commonplace.memories.scope import Encoder, Scope
from commonplace.plans import Feature
from commonplace.security.keys import Keychain
from commonplace.security.master import MasterKeySource, master_key
from commonplace.security.vault import Vault
from commonplace.settings import Settings
from commonplace.store.open import open_store
from commonplace.store.ports import Store

if TYPE_CHECKING:
    from commonplace.providers.embed import Embedder
    from commonplace.providers.llm import LanguageModel
    from commonplace.retrieval.encoder import RotatedEncoder
    from commonplace.retrieval.matrices import Matrices
    from commonplace.retrieval.readings import Readings
    from commonplace.retrieval.snapshots import Snapshots

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Parts:
    """What the books of one process on one store share: connections, keys, the embedder, the matrices."""

    store: Store
    keychain: Keychain
    settings: Settings
    clock: Clock
    _embedder: "Embedder | None" = None
    _matrices: "Matrices | None" = None
    _mind: "LanguageModel | None" = None
    _thread: threading.Thread | None = None
    _readings: "Readings | None" = None
    _snapshots: "Snapshots | None" = None
    _encoders: "dict[bytes, RotatedEncoder]" = field(default_factory=dict)
    _vaults: dict[str, Vault] = field(default_factory=dict)
    _places: dict[tuple[str, str], str] = field(default_factory=dict)

    def scope(self, owner: str, namespace: str) -> Scope:
        """Raises ``KeyringError`` if the owner's rows are there and the keys to them are not."""
        self._check_keys(owner)
        return Scope(
            store=self.store,
            keychain=self.keychain,
            clock=self.clock,
            owner=owner,
            namespace=namespace,
            language=self.settings.language,
            timezone=self.settings.timezone,
            max_text=self.settings.max_text,
            encoder=self.writing_encoder,
            prepare=self.prepare,
            vaults=self._vaults,
            places=self._places,
        )

    def _check_keys(self, owner: str) -> None:
        if self.keychain.known(owner):
            return
        with self.store.read(owner) as tx:
            written = tx.audit.last() is not None
        if written and not self.keychain.known(owner):  # another process may have founded the owner since we looked
            raise KeyringError(
                f"{self.store.place} holds rows of owner {owner!r}, but the keyring beside it has no keys for them; "
                "put the keyring file that belongs to this book back in its place"
            )

    def plan(self, owner: str) -> str:
        """The owner's own plan, else the one the settings give to owners without."""
        with self.store.read(owner) as tx:
            return tx.owners.get().plan or self.settings.plan

    def timezone(self, owner: str) -> str | None:
        """The owner's own time zone, else the one that is set."""
        with self.store.read(owner) as tx:
            return tx.owners.get().timezone or self.settings.timezone

    def embedder(self) -> "Embedder | None":
        """The embedder that is set, loaded on first use; None where it is switched off."""
        if self._embedder is None and self.settings.embedder != "none":
            # numpy: only a book that embeds pays for them
            from commonplace.providers.embed.choose import embedder, sent_to  # noqa: PLC0415

            settings = self.settings
            if host := sent_to(settings.embedder, settings.embed_url):
                log.warning("texts and questions leave this machine: %s makes their vectors (embedder)", host)
            self._embedder = embedder(
                settings.embedder,
                base_url=settings.embed_url,
                api_key=settings.embed_key,
                dims=settings.embed_dims,
                question_timeout=settings.embed_timeout,
            )
        return self._embedder

    def with_embedder(self, name: str) -> "Parts":
        """The same store and keys with another embedder, to make its vectors before it is set."""
        settings = replace(self.settings, embedder=name)
        return replace(self, settings=settings, _embedder=None, _thread=None, _encoders={})

    def encoder(self, vault: Vault) -> "RotatedEncoder | None":
        """What makes and asks vectors for an owner whose plan has them."""
        embedder = self.embedder() if plans.has(self.plan(vault.owner), Feature.EMBEDDINGS) else None
        if embedder is None:
            return None
        return self._rotated(embedder, vault)

    def _rotated(self, embedder: "Embedder", vault: Vault) -> "RotatedEncoder":
        found = self._encoders.get(vault.keys.blind)
        if found is None or found.embedder is not embedder:
            # numpy again
            from commonplace.retrieval.encoder import RotatedEncoder  # noqa: PLC0415

            found = self._encoders[vault.keys.blind] = RotatedEncoder.of(embedder, vault)
        return found

    def writing_encoder(self, vault: Vault) -> Encoder | None:
        """The encoder to use inside a write: a remote one is left to a job, so that no write waits for a network."""
        embedder = self.embedder()
        return None if embedder is None or embedder.remote else self.encoder(vault)

    def prepare(self, vault: Vault, texts: Sequence[str]) -> None:
        """Make vectors that a write will ask for. What cannot be made now will fail again inside, and leave a job."""
        embedder = self.embedder()
        if embedder is not None and not embedder.remote:
            with suppress(ProviderError):
                self._rotated(embedder, vault).prepare(texts)

    def mind(self) -> "LanguageModel | None":
        """The language model that is set, made on first use."""
        if self._mind is None and self.settings.llm:
            # pydantic and the HTTP client: only who asks a model pays for them
            from commonplace.providers.llm.choose import language_model  # noqa: PLC0415

            settings = self.settings
            self._mind = language_model(settings.llm or "", base_url=settings.llm_url, api_key=settings.llm_key)
        return self._mind

    def in_background(self, work: Callable[[], None]) -> None:
        """Have ``work`` done in a thread of its own, one at a time; what comes meanwhile finds its job in the queue."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=work, name="commonplace", daemon=True)
            self._thread.start()

    def settle(self, timeout: float | None = None) -> None:
        """Wait for what is done in the background; what is not done in time stays in the queue."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def matrices(self) -> "Matrices":
        if self._matrices is None:
            # numpy again
            from commonplace.retrieval.matrices import Matrices  # noqa: PLC0415

            self._matrices = Matrices()
        return self._matrices

    def readings(self) -> "Readings":
        if self._readings is None:
            # numpy again
            from commonplace.retrieval.readings import Readings  # noqa: PLC0415

            self._readings = Readings()
        return self._readings

    def snapshots(self) -> "Snapshots":
        if self._snapshots is None:
            # numpy again
            from commonplace.retrieval.snapshots import Snapshots  # noqa: PLC0415

            self._snapshots = Snapshots()
        return self._snapshots

    def let_go(self, owner: str) -> None:
        """Drop what is held in memory of an owner who has forgotten something."""
        for cache in (self._matrices, self._readings, self._snapshots):
            if cache is not None:
                cache.drop(owner)

    def close(self) -> None:
        self.settle(self.settings.llm_timeout)
        self.store.close()


def open_parts(url: str | None, settings: Settings, *, clock: Clock | None = None, create: bool = True) -> Parts:
    """Open the store and the keys that belong to it. Raises ``StoreError`` or ``KeyringError`` with the way out."""
    clock = clock or SystemClock()
    store = open_store(url or settings.book_url, create=create, clock=clock)
    source = MasterKeySource(value=settings.master_key, command=settings.key_command, file=settings.master_key_file)
    # A key file is made for a new book only: one that is missing beside a keyring was lost, and must be said to be.
    master = master_key(source, create=not store.keyrings.owners())
    return Parts(store=store, keychain=Keychain(store.keyrings, master), settings=settings, clock=clock)


Opener = Callable[[str | None, Settings], Parts]
