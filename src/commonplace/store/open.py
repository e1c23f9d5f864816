"""From a URL to a store; an engine is imported when it is asked for."""

from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.clock import Clock
from commonplace.errors import Invalid
from commonplace.store.migrate import Migrated, known

if TYPE_CHECKING:
    from commonplace.store.ports import Store

POSTGRES = ("postgresql://", "postgres://")
SQLITE = "sqlite:///"


def open_store(url: str | Path, *, create: bool = True, clock: Clock | None = None) -> "Store":
    """``sqlite:///path`` (four slashes for an absolute one), a plain path, or ``postgresql://…``.

    ``create`` makes a book where there is none; without it a missing one raises ``NotFound``.
    """
    text = str(url)
    if text.startswith(POSTGRES):
        # psycopg takes 200 ms to import, which a SQLite book should not pay
        from commonplace.store.postgres.store import PostgresStore  # noqa: PLC0415

        return PostgresStore(text, create=create, clock=clock)
    # the other way round: a server on PostgreSQL needs no apsw
    from commonplace.store.sqlite.store import SqliteStore  # noqa: PLC0415

    return SqliteStore(sqlite_path(text), create=create, clock=clock)


def migrate_store(url: str | Path, *, clock: Clock | None = None) -> Migrated:
    """Bring a book to the present schema and say from where, with the command that goes back where there is one.

    A SQLite book is also brought up by opening it; a PostgreSQL one only here, because others may be using it.
    """
    text = str(url)
    if text.startswith(POSTGRES):
        # as above
        from commonplace.store.postgres.store import bring_up  # noqa: PLC0415

        return bring_up(text, clock=clock)
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
