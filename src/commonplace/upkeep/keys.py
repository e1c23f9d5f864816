"""Key rotation in the background, key checks, and the recovery copy."""

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from commonplace.batches.opened_book import OpenedBook, walked
from commonplace.batches.report import Report
from commonplace.clock import micros
from commonplace.errors import KeyringError
from commonplace.memories import jobs
from commonplace.memories.scope import Scope
from commonplace.security.master import MasterKeySource, master_key, recovery_text
from commonplace.security.vault import Vault
from commonplace.store.ports import Progress
from commonplace.store.rows import SealedColumn, sealed_columns
from commonplace.store.transaction import Transaction

RESEALED = 500
"""Rows that are encrypted again in one transaction."""

Row = Mapping[str, Any]
SEALED = tuple(sealed_columns())


def rotate(scope: Scope, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
    """Create a new encryption key for the owner and encrypt every row with it.

    Old keys stay in the keyring, because older backups need them; ``destroy_old`` destroys them, which makes those
    backups unreadable. Readers and writers are not blocked. After an interruption the next call, or the queued job,
    continues.
    """
    with scope.store.read(scope.owner) as tx:
        waiting = tx.jobs.all(states=("waiting", "leased"), kinds=("reseal",))
        unfinished = [payload for row in waiting if "destroy_old" in (payload := scope.opened(row))]
    if not unfinished:  # a restore queues such a job too, without a rotation
        scope.keychain.rotate_seal(scope.owner)
    destroy_old = destroy_old or any(payload["destroy_old"] for payload in unfinished)
    with scope.store.write(scope.owner) as tx:
        scope.current_vault()
        jobs.enqueue(scope, tx, "reseal", {"destroy_old": destroy_old}, unique="reseal")
    report = reseal(scope, destroy_old=destroy_old, progress=progress)
    _settle(scope)
    return report


def rekey(scope: Scope, change: Callable[[], None]) -> None:
    """Create a new encryption key with ``change``, and encrypt every row with it; the old keys are destroyed.

    The job that continues after an interruption is queued before the key exists.
    """
    with scope.store.write(scope.owner) as tx:
        jobs.begin(scope, tx, "reseal", {"destroy_old": True}, holder=f"{os.getpid()}/{scope.clock.new_id()}")
    change()
    reseal(scope, destroy_old=True)
    _settle(scope)


def _settle(scope: Scope) -> None:
    """Mark the job done that was queued for the case of an interruption."""
    at = micros(scope.clock.now())
    with scope.store.write(scope.owner) as tx:
        for row in tx.jobs.all(states=("waiting", "leased"), kinds=("reseal",)):
            tx.jobs.put(jobs.released(row, "done", at))


def reseal(scope: Scope, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
    """Encrypt every row with the newest key; with ``destroy_old``, then destroy the others.

    Writes that begin after the new key exists use it, so the first pass without an old row is the last.
    """
    sealed = _pass(scope, SEALED, progress)
    while changed_rows := _pass(scope, SEALED, None):
        sealed += changed_rows
    retired = _retire(scope) if destroy_old else 0
    return Report(
        action="ROTATE", at=scope.clock.now(), count=sealed, counts={"re-encrypted": sealed, "keys destroyed": retired}
    )


def _pass(scope: Scope, columns: Sequence[SealedColumn], progress: Progress | None) -> int:
    with scope.store.read(scope.owner) as tx:
        total = sum(tx.tables.count(column.table) for column in columns) if progress else 0
    count = sealed = 0
    for column in columns:
        after: tuple[Any, ...] | None = None
        look = partial(_looked_at, scope, column)
        for size, last, old in walked(scope.store, scope.owner, column.table, look, size=RESEALED):
            if old:  # checked without a lock, and only written with one
                with scope.store.write(scope.owner) as tx:
                    sealed += _sealed_anew(scope, tx, column, after)
            count, after = count + size, last
            if progress is not None:
                progress(count, total)
    return sealed


def _looked_at(
    scope: Scope, column: SealedColumn, tx: Transaction, page: Sequence[Row]
) -> tuple[int, tuple[Any, ...] | None, bool]:
    """For a page: number of rows, the last key, and whether any row uses an older key."""
    vault = scope.current_vault()
    last = tx.tables.key(column.table, page[-1]) if page else None
    return len(page), last, any(_old(vault, row, column) for row in page)


def _sealed_anew(scope: Scope, tx: Transaction, column: SealedColumn, after: tuple[Any, ...] | None) -> int:
    """The rows are read again within the transaction, so that nothing newer is overwritten."""
    vault = scope.current_vault()
    fresh = []
    for row in tx.tables.page(column.table, after=after, limit=RESEALED):
        if _old(vault, row, column):
            name, sealed = column.row(row), row[column.name]
            fresh.append({**row, column.name: vault.seal(column.noun, name, vault.open(column.noun, name, sealed))})
    if column.table == "audit":
        for row in fresh:
            tx.audit.reseal(row["sequence"], row["reason"])
    else:
        tx.tables.put(column.table, fresh)
    return len(fresh)


def _old(vault: Vault, row: Row, column: SealedColumn) -> bool:
    return row[column.name] is not None and vault.stale(row[column.name])


def _retire(scope: Scope) -> int:
    keys = scope.current_vault().keys
    old = [number for number in keys.seal if number != keys.current]
    for number in old:
        scope.keychain.retire_seal(scope.owner, number)
    scope.current_vault()
    return len(old)


def source(book: OpenedBook) -> MasterKeySource:
    settings = book.settings
    return MasterKeySource(value=settings.master_key, command=settings.key_command, file=settings.master_key_file)


def recovery(book: OpenedBook) -> str:
    """The master key as a text to write down. The request is recorded, so that `doctor` stops warning."""
    master = master_key(source(book), create=False)
    note = copy_note(book)
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note.write_text(_mark(master) + "\n", "ascii")
    return recovery_text(master)


def copied(book: OpenedBook) -> bool:
    """Whether a recovery copy of the present master key was ever requested."""
    try:
        noted = copy_note(book).read_text("ascii").strip()
        return noted == _mark(master_key(source(book), create=False))
    except FileNotFoundError:
        return False


def copy_note(book: OpenedBook) -> Path:
    return book.settings.home / "master.key.copied"


def check(book: OpenedBook) -> list[str]:
    """Problems of the keys: owners whose keys do not open with the master key, or open no row."""
    problems = []
    for owner in book.store.keyrings.owners():
        try:
            vault = Vault(owner, book.keychain.fresh(owner))
            with book.store.read(owner) as tx:
                for table in ("namespace", "memory"):
                    for row in tx.tables.page(table, after=None, limit=10):
                        vault.open(table, row["id"], row["sealed"])
        except KeyringError as fault:
            problems.append(str(fault))
    return problems


def _mark(master: bytes) -> str:
    return blake2b(master, digest_size=8, person=b"commonplace/note").hexdigest()
