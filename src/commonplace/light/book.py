"""The book as a hook can have it: a SQLite file, opened at once or not at all, and nothing that imports numpy."""

from commonplace.clock import SystemClock
from commonplace.errors import StoreError
from commonplace.memories.membership import capturing
from commonplace.memories.scope import Scope
from commonplace.security.keys import Keychain
from commonplace.security.master import MasterKeySource, master_key
from commonplace.settings import Settings, sqlite_path
from commonplace.store.open import open_store
from commonplace.store.sqlite import connection

PATIENCE = 0.4
"""Seconds that a hook waits for a locked book: some hosts give all hooks together a second and a half."""


def open_scope(settings: Settings, namespace: str) -> Scope:
    """Raises ``StoreError`` where the book is out of reach, and ``KeyringError`` where its keys are."""
    url = settings.book_url
    if not url.startswith("sqlite:///"):
        raise StoreError("the book is not on this machine and no local server is running (`commonplace serve`)")
    connection.PATIENCE = PATIENCE
    path = sqlite_path(url)
    # a first book is made; one whose keys lie there without it was lost, and a person must look
    keyring = path.with_name(path.name + ".keyring")
    may_be_made = not keyring.exists() and (settings.url is None or path.parent.is_dir())
    if not path.exists() and not may_be_made:
        raise StoreError(f"the book {path} is not there, though its keys or its place are known; `commonplace doctor`")
    store = open_store(url)
    source = MasterKeySource(value=settings.master_key, command=settings.key_command, file=settings.master_key_file)
    scope = Scope(
        store=store,
        keychain=Keychain.of_store(store, master_key(source)),
        clock=SystemClock(),
        owner=settings.owner,
        namespace=namespace,
        actor="hook",
        language=settings.language,
        timezone=settings.timezone,
        max_text=settings.max_text,
    )
    return capturing(scope)
