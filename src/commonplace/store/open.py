"""From a URL to a store; an engine is imported when it is asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.clock import Clock
from commonplace.errors import Invalid
from commonplace.lazy import LazyModule
from commonplace.store.migrate import Migrated, known

if TYPE_CHECKING:
    from commonplace.store.ports import Keyrings, Store
    from commonplace.store.postgres import store as postgres
    from commonplace.store.sqlite import files as sqlite_files
    from commonplace.store.sqlite import store as sqlite
else:  # loaded when first used
    postgres = LazyModule("commonplace.store.postgres.store")
    sqlite = LazyModule("commonplace.store.sqlite.store")
    sqlite_files = LazyModule("commonplace.store.sqlite.files")

POSTGRES = ("postgresql://", "postgres://")
SQLITE = "sqlite:///"


def open_store(
    url: str | Path,
    *,
    create: bool = True,
    to_restore: bool = False,
    clock: Clock | None = None,
    connections: int = 10,
) -> "Store":
    """``sqlite:///path`` (four slashes for an absolute one), a plain path, or ``postgresql://…``.

    ``create`` makes a book where there is none; without it a missing one raises ``NotFound``. One that is missing or
    empty although its keyring is there was lost, and raises ``StoreError``, unless it is opened ``to_restore`` it.
    ``connections`` is the most that a process has to PostgreSQL for its transactions.
    """
    text = str(url)
    if text.startswith(POSTGRES):
        return postgres.PostgresStore(text, create=create, clock=clock, connections=connections)
    return sqlite.SqliteStore(sqlite_path(text), create=create, to_restore=to_restore, clock=clock)


@contextmanager
def open_keyrings(url: str) -> "Iterator[Keyrings]":
    """The keys of a book; on SQLite the book itself may be missing."""
    if not url.startswith(POSTGRES):
        yield sqlite_files.keyring_of(sqlite_path(url).expanduser().absolute())
        return
    store = open_store(url, create=False)
    try:
        yield store.keyrings
    finally:
        store.close()


def migrate_store(url: str | Path, *, clock: Clock | None = None) -> Migrated:
    """Bring a book to the present schema and say from where, with the command that goes back where there is one.

    A SQLite book is also brought up by opening it; a PostgreSQL one only here, because others may be using it.
    """
    text = str(url)
    if text.startswith(POSTGRES):
        return postgres.bring_up(text, clock=clock)
    store = open_store(text, create=False, clock=clock)
    store.close()
    return store.migrated or Migrated(known(store.engine), known(store.engine), None, None)


def sqlite_path(url: str) -> Path:
    if url.startswith(SQLITE):
        url = url.removeprefix(SQLITE)
    elif "://" in url:
        raise Invalid(f"a book's URL starts with sqlite:/// or postgresql://, not {url.partition('://')[0]}://")
    if not url:
        raise Invalid("a book's URL must name a file: sqlite:///path")
    return Path(url)
