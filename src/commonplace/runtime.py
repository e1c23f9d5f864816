"""The composition root: builds everything that a book needs from a URL and settings."""

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from commonplace import plans
from commonplace.batches.opened_book import own_scope
from commonplace.clock import Clock, SystemClock
from commonplace.errors import KeyringError, ProviderError
from commonplace.lazy import LazyModule
from commonplace.memories.membership import member_scopes, shared_in
from commonplace.memories.scope import Encoder, Scope
from commonplace.model import PERSONAL
from commonplace.plans import Feature
from commonplace.security.keys import Keychain
from commonplace.security.master import MasterKeySource, master_key
from commonplace.security.vault import Vault
from commonplace.settings import Settings
from commonplace.store.open import open_store
from commonplace.store.ports import Store
from commonplace.store.transaction import Transaction
from commonplace.upkeep.passages import PassageWorker, encode_passages

if TYPE_CHECKING:
    from commonplace.learning import statements
    from commonplace.memories.conflicts import ConflictSearch
    from commonplace.model import NewMemory
    from commonplace.providers import judge as judges
    from commonplace.providers.embed import Embedder
    from commonplace.providers.embed import choose as embedders
    from commonplace.providers.embed import tokens as token_encoders
    from commonplace.providers.embed.tokens import TokenEncoder
    from commonplace.providers.judge import Judge
    from commonplace.providers.llm import LanguageModel
    from commonplace.providers.llm import choose as language_models
    from commonplace.retrieval import encoder as encoders
    from commonplace.retrieval import matrices as matrices_module
    from commonplace.retrieval import memory_cache
    from commonplace.retrieval import snapshots as snapshots_module
    from commonplace.retrieval.encoder import RotatedEncoder
    from commonplace.retrieval.matrices import Matrices
    from commonplace.retrieval.memory_cache import Readings
    from commonplace.retrieval.snapshots import Snapshots
else:  # loaded when first used
    statements = LazyModule("commonplace.learning.statements")
    embedders = LazyModule("commonplace.providers.embed.choose")
    token_encoders = LazyModule("commonplace.providers.embed.tokens")
    judges = LazyModule("commonplace.providers.judge")
    language_models = LazyModule("commonplace.providers.llm.choose")
    encoders = LazyModule("commonplace.retrieval.encoder")
    matrices_module = LazyModule("commonplace.retrieval.matrices")
    memory_cache = LazyModule("commonplace.retrieval.memory_cache")
    snapshots_module = LazyModule("commonplace.retrieval.snapshots")

log = logging.getLogger(__name__)


@dataclass(slots=True)
class Parts:
    """What all books of one process on one store share: connections, keys, models, caches."""

    store: Store
    keychain: Keychain
    settings: Settings
    clock: Clock
    _embedder: "Embedder | None" = None
    _matrices: "Matrices | None" = None
    _language_model: "LanguageModel | None" = None
    _thread: threading.Thread | None = None
    _readings: "Readings | None" = None
    _snapshots: "Snapshots | None" = None
    _token_encoder: "TokenEncoder | None" = None
    _passages: PassageWorker | None = None
    _encoders: "dict[bytes, RotatedEncoder]" = field(default_factory=dict)
    _vaults: dict[str, Vault] = field(default_factory=dict)
    _places: dict[tuple[str, str], str] = field(default_factory=dict)
    _shared: dict[str, tuple[int | None, dict[str, str]]] = field(default_factory=dict)
    """By owner: the revision that was read, and the shared namespaces that the owner is a member of."""
    _checked: set[str] = field(default_factory=set)
    """Owners whose keys and ledger were checked since the store was opened."""

    def scope(self, owner: str, namespace: str) -> Scope:
        """Raises ``KeyringError`` if the owner has rows but no keys to them."""
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
            encode_soon=self.encode_soon,
            vaults=self._vaults,
            places=self._places,
            read_statement=self._read_statement,
            shared=self.shared,
        )

    def _check_keys(self, owner: str) -> None:
        if self.keychain.known(owner):
            if owner not in self._checked:
                self._checked.add(owner)
                self.keychain.finish_erasure(owner)
                self._check_ledger(owner)
            return
        with self.store.read(owner) as tx:
            written = tx.audit.last() is not None
        if written and not self.keychain.known(owner):  # another process may have created the owner meanwhile
            raise KeyringError(
                f"{self.store.place} has rows of owner {owner!r}, but its keyring has no keys for them; "
                "restore the keyring file that belongs to this book"
            )

    def _check_ledger(self, owner: str) -> None:
        with self.store.read(owner) as tx:
            mark = tx.owners.get().ledger
        if problem := self.store.ledger.problem(mark):
            log.warning("%s; restore your copy of it, or run `commonplace doctor --fix`", problem)

    def plan(self, owner: str) -> str:
        """The owner's own plan, else the configured default."""
        with self.store.read(owner) as tx:
            return tx.owners.get().plan or self.settings.plan

    def timezone(self, owner: str) -> str | None:
        """The owner's own time zone, else the configured one."""
        with self.store.read(owner) as tx:
            return tx.owners.get().timezone or self.settings.timezone

    def embedder(self) -> "Embedder | None":
        """The configured embedder, loaded on first use; None if it is switched off."""
        if self._embedder is None and self.settings.embedder != "none":
            settings = self.settings
            if host := embedders.sent_to(settings.embedder, settings.embed_url):
                log.warning("texts and questions are sent to %s for embedding (setting `embedder`)", host)
            self._embedder = embedders.embedder(
                settings.embedder,
                base_url=settings.embed_url,
                api_key=settings.embed_key,
                dims=settings.embed_dims,
                question_timeout=settings.embed_timeout,
            )
        return self._embedder

    def with_embedder(self, name: str) -> "Parts":
        """The same store and keys with another embedder, to compute its vectors before the setting changes."""
        settings = replace(self.settings, embedder=name)
        return replace(self, settings=settings, _embedder=None, _thread=None, _encoders={})

    def encoder(self, vault: Vault, plan: str | None = None) -> "RotatedEncoder | None":
        """The encoder of this owner's vectors; None if embeddings are off or not in the plan (default: the owner's)."""
        embedder = self.embedder() if plans.has(plan or self.plan(vault.owner), Feature.EMBEDDINGS) else None
        if embedder is None:
            return None
        return self._rotated(embedder, vault)

    def _rotated(self, embedder: "Embedder", vault: Vault) -> "RotatedEncoder":
        encoder = self._encoders.get(vault.keys.blind)
        if encoder is None or encoder.embedder is not embedder:
            encoder = self._encoders[vault.keys.blind] = encoders.RotatedEncoder.of(embedder, vault)
        return encoder

    def writing_encoder(self, vault: Vault) -> Encoder | None:
        """The encoder to use inside a write; None for a remote one, which a job calls, so that no write waits
        for it.
        """
        embedder = self.embedder()
        return None if embedder is None or embedder.remote else self.encoder(vault)

    def prepare(self, vault: Vault, texts: Sequence[str]) -> None:
        """Compute the vectors that a write needs before it begins. If that fails, the write queues a job for them."""
        embedder = self.embedder()
        if embedder is not None and not embedder.remote:
            with suppress(ProviderError):
                self._rotated(embedder, vault).prepare(texts)

    def token_encoder(self, owner: str) -> "TokenEncoder | None":
        """The encoder of token vectors; None if it is off, not installed or not in the owner's plan."""
        settings = self.settings
        if settings.late_interaction == "off" or settings.embedder == "none":
            return None
        if self._token_encoder is None:
            self._token_encoder = token_encoders.TokenEncoder()
        ready = self._token_encoder.ready() and plans.has(self.plan(owner), Feature.EMBEDDINGS)
        return self._token_encoder if ready else None

    def encode_soon(self, owner: str, namespace: str) -> None:
        """Compute token vectors for new rows in a background thread."""
        if self.settings.late_interaction == "on":
            if self._passages is None:
                self._passages = PassageWorker(self._encode)
            self._passages.note(owner, namespace)

    def _encode(self, owner: str, namespace: str, after: int, stop: threading.Event) -> int:
        scope = own_scope(self, owner, self.settings.namespace or "default")
        return encode_passages(self, scope, namespace, after=after, stop=stop)[1]

    def _read_statement(self, scope: Scope, new: "NewMemory", judged: bool) -> "ConflictSearch | None":
        judge = self.judge() if judged and new.kind == "associative" else None
        return statements.conflicts(scope, new, judge=judge, act=self.settings.judge_act)

    def judge(self) -> "Judge | None":
        """The judge, loaded on first use; None if it is switched off or not installed."""
        return judges.judge_of(self.settings)

    def language_model(self) -> "LanguageModel | None":
        """The configured language model, created on first use."""
        if self._language_model is None and self.settings.llm:
            settings = self.settings
            self._language_model = language_models.language_model(
                settings.llm or "", base_url=settings.llm_url, api_key=settings.llm_key
            )
        return self._language_model

    def in_background(self, work: Callable[[], None]) -> None:
        """Run ``work`` in a thread unless one is running: that one also runs jobs that are queued meanwhile."""
        if self._thread is None or not self._thread.is_alive():
            self._thread = threading.Thread(target=work, name="commonplace", daemon=True)
            self._thread.start()

    def settle(self, timeout: float | None = None) -> None:
        """Wait for background work; what is not finished within ``timeout`` seconds stays queued."""
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)

    def matrices(self) -> "Matrices":
        if self._matrices is None:
            self._matrices = matrices_module.Matrices()
        return self._matrices

    def readings(self) -> "Readings":
        if self._readings is None:
            self._readings = memory_cache.Readings()
        return self._readings

    def snapshots(self) -> "Snapshots":
        if self._snapshots is None:
            self._snapshots = snapshots_module.Snapshots()
        return self._snapshots

    def shared(self, scope: Scope) -> list[Scope]:
        """Scopes to search as well: every shared namespace of the person; inside one, the person's `personal`."""
        if scope.home is not None:
            return [scope.home.within(PERSONAL)]
        with scope.store.read(scope.owner) as tx:
            names = self.shared_names(scope, tx)
        return member_scopes(scope, names) if names else []

    def shared_names(self, scope: Scope, tx: Transaction) -> Mapping[str, str]:
        """The shared namespaces that the person is a member of; cached by the revision of their book."""
        if scope.member is not None or scope.reach is not None:
            return {}
        entry = self._shared.get(scope.owner)
        if entry is None or tx.revision is None or entry[0] != tx.revision:
            entry = self._shared[scope.owner] = (tx.revision, shared_in(tx, scope))
        return entry[1]

    def expected_names(self, scope: Scope) -> Mapping[str, str]:
        """The last result of ``shared_names``; it may be out of date."""
        entry = self._shared.get(scope.owner)
        return {} if entry is None or scope.member is not None or scope.reach is not None else entry[1]

    def drop_caches(self, owner: str) -> None:
        """Clear the in-memory caches of an owner after something was forgotten."""
        for cache in (self._matrices, self._readings, self._snapshots):
            if cache is not None:
                cache.drop(owner)

    def close(self) -> None:
        self.settle(self.settings.llm_timeout)
        if self._passages is not None:
            self._passages.close()
        self.store.close()


def open_parts(
    url: str | None,
    settings: Settings,
    *,
    clock: Clock | None = None,
    create: bool = True,
    to_restore: bool = False,
) -> Parts:
    """Open a store and its keys; ``to_restore`` as in ``open_store``. Raises ``StoreError`` or ``KeyringError``."""
    clock = clock or SystemClock()
    store = open_store(
        url or settings.book_url, create=create, to_restore=to_restore, clock=clock, connections=settings.pool_size
    )
    source = MasterKeySource(value=settings.master_key, command=settings.key_command, file=settings.master_key_file)
    try:
        # Create a key file only for a new book: beside a keyring or a backup, a missing one was lost.
        master = master_key(source, create=not to_restore and not store.keyrings.owners())
        return Parts(store=store, keychain=Keychain.of_store(store, master), settings=settings, clock=clock)
    except BaseException:
        store.close()
        raise


Opener = Callable[[str | None, Settings], Parts]
