"""The book's file: made private, recognised, brought to the present schema, copied while in use."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

import apsw

from commonplace import system
from commonplace.clock import Clock, micros
from commonplace.errors import NotFound, StoreError
from commonplace.store import migrate
from commonplace.store.durable_files import sync_folder
from commonplace.store.sqlite.connection import PAGE, connect, prepare
from commonplace.store.sqlite.errors import translated
from commonplace.store.sqlite.keyring_store import FileKeyring

if TYPE_CHECKING:
    from commonplace.store.ports import Progress

ENGINE = "sqlite"
APPLICATION = 0x434D4D42
"""Written in the file's header, so that a book is known from any other SQLite file."""
TO_RESTORE = 1
"""The user version of a file that was made for a restore; what is restored brings its own, 0."""
KEYRING, LEDGER = ".keyring", ".ledger"
"""Endings of the files beside the book."""
STEP = 1024
"""Pages a backup copies at once."""
HEADER = b"SQLite format 3\0"
READ_WRITE = apsw.SQLITE_OPEN_READWRITE


def make_private(path: Path) -> None:
    """Create the file (0600) and, if missing, its folder (0700)."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise StoreError(f"{path} cannot be made; check that you may write in {path.parent}") from error


def open_file(path: Path, clock: Clock, *, create: bool, to_restore: bool = False) -> migrate.Migrated | None:
    """Make the file a book of the present schema, new or migrated; returns what was migrated, if anything.

    A keyring without its book means that the book was lost: only a restore may make a new file then. Until the restore
    is done, nobody else opens that file.
    """
    if not to_restore and not _exists(path) and _has_owners(path) and not _exists(path):
        raise _lost(path)
    if not _exists(path):
        if not create:
            raise NotFound("book", str(path))
        make_private(path)
    if not path.is_file():
        raise StoreError(f"{path} is not a file; name the file that the book lies in")
    _refuse_other(path)
    try:
        connection = connect(str(path), READ_WRITE)
    except apsw.Error as error:
        raise translated(error, str(path)) from error
    try:
        return _bring_up(connection, path, clock, create=create, to_restore=to_restore)
    except apsw.Error as error:
        raise translated(error, str(path)) from error
    finally:
        connection.close()


def _exists(path: Path) -> bool:
    try:
        path.stat()  # not `exists`, which from Python 3.14 on takes a folder that is closed for an empty one
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StoreError(f"{path} cannot be opened; check that you may enter its folder") from error
    return True


def keyring_of(path: Path) -> FileKeyring:
    """The keyring beside a book, which may be missing itself."""
    return FileKeyring(path.with_name(path.name + KEYRING))


def _has_owners(path: Path) -> bool:
    """Whether there are keys. They are made after the book: one who finds none, and then keys, must look again."""
    return bool(keyring_of(path).owners())


def _lost(path: Path) -> StoreError:
    keyring = path.with_name(path.name + KEYRING)
    return StoreError(
        f"the book {path} is missing or empty, but its keyring {keyring} is here. Restore a backup: "
        f"`commonplace restore FILE`. To start an empty book on purpose, move {keyring} and {path.name}{LEDGER} to "
        "another folder first"
    )


def _refuse_other(path: Path) -> None:
    """SQLite takes a file of a few bytes for an empty one, and would write over it."""
    try:
        with path.open("rb") as file:
            start = file.read(len(HEADER))
    except OSError as error:
        raise StoreError(f"{path} cannot be read; check who may read it") from error
    if start and start != HEADER:
        raise StoreError(f"{path} is not a book; name another file, or restore this one from a backup")


def schema(connection: apsw.Connection, path: Path) -> int:
    """The schema found: 0 in an empty file."""
    tables = connection.execute("select count(*) from sqlite_schema").fetchall()[0][0]
    if not tables:
        return 0
    if connection.execute("pragma application_id").fetchall()[0][0] != APPLICATION:
        raise StoreError(f"{path} is a database, but not a book; name another file")
    return int(str(connection.execute("select max(number) from schema_version").fetchall()[0][0]))


def _bring_up(
    connection: apsw.Connection, path: Path, clock: Clock, *, create: bool, to_restore: bool
) -> migrate.Migrated | None:
    version = schema(connection, path)
    if not to_restore:
        if connection.execute("pragma user_version").fetchall()[0][0] == TO_RESTORE:
            raise StoreError(f"the restore of the book {path} was cut short; run `commonplace restore FILE` again")
        if not version and _has_owners(path) and not (version := schema(connection, path)):
            raise _lost(path)
    migrate.refuse_newer(ENGINE, version)
    if version == migrate.known(ENGINE):
        return None
    if not version:
        if not create:
            raise StoreError(f"{path} is empty; it was never a book, or its contents are lost: restore a backup")
        connection.execute(f"pragma page_size = {PAGE}").fetchall()
        if to_restore:
            connection.execute(f"pragma user_version = {TO_RESTORE}").fetchall()
    prepare(connection)
    backup = _backup_before(connection, path, version) if version else None
    _to_wal(connection)
    _apply(connection, path, clock)
    if backup is None:
        return None
    return migrate.Migrated(version, migrate.known(ENGINE), backup, way_back(backup, path))


def _to_wal(connection: apsw.Connection) -> None:
    """Switch to WAL. Several processes may try at once; all succeed."""
    wait = connection.execute("pragma journal_mode").fetchall()[0][0] != "wal"
    while wait:
        try:
            connection.execute("pragma journal_mode = wal").fetchall()
            return
        except apsw.BusyError:
            wait = connection.execute("pragma journal_mode").fetchall()[0][0] != "wal"


def _apply(connection: apsw.Connection, path: Path, clock: Clock) -> None:
    """Run the missing migrations under the write lock; another starter may have been faster."""
    connection.execute("begin immediate").fetchall()
    try:
        version = schema(connection, path)
        if not version:
            connection.execute(f"pragma application_id = {APPLICATION}").fetchall()
            connection.execute(migrate.VERSION_TABLE).fetchall()
        mark = "insert into schema_version (number, applied_at) values (?, ?)"
        migrate.apply(
            ENGINE,
            version,
            lambda text: connection.execute(text).fetchall(),
            lambda number: connection.execute(mark, (number, micros(clock.now()))).fetchall(),
        )
        connection.execute("commit").fetchall()
    except BaseException:
        if connection.in_transaction:
            connection.execute("rollback").fetchall()
        raise


def _backup_before(connection: apsw.Connection, path: Path, version: int) -> Path:
    backup = path.with_name(f"{path.name}.schema-{version}.backup")
    copy(connection, backup)
    return backup


def way_back(backup: Path, path: Path) -> str:
    """The shell command that replaces the book by the backup; no process may have the book open."""
    return system.HERE.put_back_command(backup, path)


def copy(source: apsw.Connection, target: Path, *, progress: "Progress | None" = None) -> None:
    """A consistent copy of the moment it starts, while others go on writing. Whole or not there.

    Broken off, it leaves nothing; killed, it leaves a file ending in ``.part``, which the next copy clears away.
    """
    part = target.with_name(target.name + ".part")
    _clear_away(part)
    make_private(part)
    try:
        _copy_pages(source, part, progress)
        part.replace(target)
        sync_folder(target.parent)
    except BaseException:
        remove(part)
        raise


def _copy_pages(source: apsw.Connection, part: Path, progress: "Progress | None") -> None:
    connection = connect(str(part), READ_WRITE)
    source.execute("begin").fetchall()
    try:
        source.execute("select count(*) from sqlite_schema").fetchall()
        with connection.backup("main", source, "main") as steps:
            while not steps.done:
                steps.step(STEP)
                if progress:
                    progress(steps.page_count - steps.remaining, steps.page_count)
        connection.execute("pragma journal_mode = delete").fetchall()
    finally:
        source.execute("rollback").fetchall()
        connection.close()


def _clear_away(part: Path) -> None:
    """What a killed copy left. One that is being written is locked, and left alone."""
    if part.exists():
        connection = apsw.Connection(str(part), flags=READ_WRITE)
        try:
            connection.execute("begin exclusive").fetchall()
        except apsw.BusyError as error:
            raise StoreError(f"{part} is being written by another backup; wait for it") from error
        except apsw.Error:
            pass  # torn: its writer is gone
        finally:
            connection.close()
    remove(part)


def remove(path: Path) -> None:
    for ending in ("", "-journal", "-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)


def put_in_place(source: Path, target: apsw.Connection) -> None:
    """Overwrite a book that may be in use with the contents of another file, as one transaction."""
    copy = connect(str(source), READ_WRITE)
    try:
        with target.backup("main", copy, "main") as steps:
            while not steps.done:
                steps.step(-1)
    finally:
        copy.close()
