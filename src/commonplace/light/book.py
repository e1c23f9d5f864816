"""The book for hooks: a SQLite file, opened without waiting and without importing numpy."""

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
"""Seconds that a hook waits for a locked book; some hosts give all hooks together 1.5 seconds."""


def open_scope(settings: Settings, namespace: str) -> Scope:
    """Raises ``StoreError`` if the book cannot be opened, ``KeyringError`` if its keys cannot."""
    url = settings.book_url
    if not url.startswith("sqlite:///"):
        raise StoreError("the book is not on this machine and no local server is running (`commonplace serve`)")
    connection.PATIENCE = PATIENCE
    path = sqlite_path(url)
    # A first book is created; if keys exist without a book, it was lost, and a person has to look.
    keyring = path.with_name(path.name + ".keyring")
    may_be_made = not keyring.exists() and (settings.url is None or path.parent.is_dir())
    if not path.exists() and not may_be_made:
        raise StoreError(f"the book {path} is missing although its keys or folder exist; run `commonplace doctor`")
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
