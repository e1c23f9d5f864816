"""Copies of the book, and the way back that keeps forgotten things forgotten."""

import base64
import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from commonplace.batches.opened_book import OpenedBook, own_scope
from commonplace.batches.report import Report
from commonplace.clock import micros
from commonplace.copies.replay import WHOLE, ledger_problem, replay
from commonplace.errors import Invalid, KeyringError, StoreError
from commonplace.memories import jobs
from commonplace.memories.scope import Scope
from commonplace.store.durable_files import sync_folder, write_whole
from commonplace.store.open import open_store
from commonplace.store.ports import Keyrings, Progress, Store
from commonplace.store.rows import LedgerEntry

PREFIX, SUFFIX = "commonplace-", ".backup"
STAMP = "%Y%m%dT%H%M%SZ"
UNNAMED = "commonplace.backup"
"""What a copy in a folder is called until it is whole."""
KEYRING_FORMAT = 1
REPLAY = "replay"
BESIDE = (
    "", "-wal", "-shm", "-journal", ".lock", ".ledger", ".keyring", ".ledger.lock", ".keyring.lock", ".keyring.part"
)  # fmt: skip
SCHEDULES = {"hourly": timedelta(hours=1), "daily": timedelta(days=1), "weekly": timedelta(weeks=1)}
UNKNOWN_REST = (
    "of some texts only a part was forgotten, but the ledger does not tell how the rest is made of the whole; "
    "they were left out whole"
)
UNREADABLE = "owners that cannot be read"
WITHOUT_LEDGER = (
    "what was forgotten since the backup is not known; put your copy of the ledger back, or accept that it returns "
    "(--without-ledger)"
)
SAMPLE = 100
"""Rows of each owner that a drill opens."""


def backup(
    book: OpenedBook,
    target: Path,
    *,
    keep: int | None = None,
    with_keys: bool = False,
    progress: Progress | None = None,
) -> Report:
    """A consistent copy while others write. ``target`` is a file, or a folder that gets a file named by the time.

    The keyring is left out unless asked for: without it an erased owner stays erased in every copy. With ``keep``
    only the newest that many copies of the folder are kept. Broken off, earlier copies stand as they were.
    """
    folder = target.is_dir() or keep is not None or not target.suffix
    file = target / _name(book.clock.now()) if folder else target
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unnamed = file.with_name(UNNAMED) if folder else file  # what a killed one leaves, the next finds by its name
    book.store.backup(unnamed, progress=progress)
    unnamed.replace(file)
    sync_folder(file.parent)
    notes = [str(file)]
    if with_keys:
        _write_keys(file.with_name(file.name + ".keyring"), book.store.keyrings)
        notes.append("with the keyring: with the master key all of it can be read, erased owners included")
    paths = _thin(file.parent, keep) if keep is not None else []
    notes += [f"removed {path.name}" for path in paths]
    counts = {"bytes": file.stat().st_size, "removed": len(paths)}
    return Report(action="BACKUP", at=book.clock.now(), count=1, counts=counts, notes=tuple(notes))


def _name(now: datetime) -> str:
    return f"{PREFIX}{now.strftime(STAMP)}{SUFFIX}"


def copies(folder: Path) -> list[Path]:
    """The copies in a folder, the newest first."""
    return sorted(folder.glob(f"{PREFIX}*{SUFFIX}"), reverse=True)


def _thin(folder: Path, keep: int) -> list[Path]:
    paths = copies(folder)[max(keep, 1) :]
    for path in paths:
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".keyring").unlink(missing_ok=True)
    return paths


def _write_keys(path: Path, keyrings: Keyrings) -> None:
    records = {owner: base64.b64encode(keyrings.get(owner) or b"").decode() for owner in keyrings.owners()}
    part = path.with_name(path.name + ".part")
    write_whole(part, json.dumps({"format": KEYRING_FORMAT, "owners": records}).encode())
    part.replace(path)
    sync_folder(path.parent)


def restore(
    book: OpenedBook, source: Path, *, without_ledger: bool = False, progress: Progress | None = None
) -> Report:
    """Put a copy in the book's place, at once, with everything forgotten, rejected or erased since left out again.

    The work is done on a file beside the book; a kill on the way leaves the book as it was. Raises ``Invalid`` when
    the ledger that knows those acts is missing or incomplete, unless ``without_ledger``; ``KeyringError`` when the
    keyring has the keys of no owner in the copy. Owners whose keys alone are missing or damaged are restored as they
    are, and the report names them.
    """
    if not source.is_file():
        raise Invalid(f"File not found: {source}")
    if not without_ledger:
        if not _has_ledger(book):
            raise Invalid(f"there is no ledger beside the book; {WITHOUT_LEDGER}")
        for owner in _owners(book.store):
            if problem := ledger_problem(book.store, owner):
                raise Invalid(f"{problem}; {WITHOUT_LEDGER}")
    _take_keys(source.with_name(source.name + ".keyring"), book)
    with _staged(book, source) as (staged, path):
        for owner in () if without_ledger else _owners(staged):
            if problem := book.store.ledger.problem(_mark(staged, owner)):
                raise Invalid(f"{problem}; {WITHOUT_LEDGER}")
        counts, unreadable = _brought_up(book, staged, list(book.store.ledger.entries()))
        staged.scrub()
        staged.close()
        if progress is not None:
            progress(1, 2)
        book.store.replace_with(path)
    counts += finish(book)
    del counts[UNREADABLE]
    if progress is not None:
        progress(2, 2)
    book.store.scrub()
    notes = [UNKNOWN_REST] if counts[WHOLE] else []
    notes += [f"owner {owner!r} was restored, but cannot be read: {fault}" for owner, fault in unreadable.items()]
    return Report(
        action="RESTORE", at=book.clock.now(), count=sum(counts.values()), counts=dict(+counts), notes=tuple(notes)
    )


def finish(book: OpenedBook) -> Counter[str]:
    """Replay the ledger on the book itself: what was forgotten while a restore was at work, or after `pg_restore`."""
    counts: Counter[str] = Counter()
    for owner in _owners(book.store):
        try:
            counts += replay(_restoring(book, book.store, owner), list(book.store.ledger.entries(owner)))
        except KeyringError:
            counts[UNREADABLE] += 1
    return counts


def replayed(book: OpenedBook, scope: Scope, payload: Mapping[str, object]) -> None:
    """Does the job that a restore leaves behind, in case it is killed right after the swap."""
    replay(_restoring(book, book.store, scope.owner), list(book.store.ledger.entries(scope.owner)))


def _brought_up(
    book: OpenedBook, staged: Store, entries: Sequence[LedgerEntry]
) -> tuple[Counter[str], dict[str, KeyringError]]:
    """Replay the ledger on the copy; how much was done, and whose rows could not be read and why."""
    counts: Counter[str] = Counter()
    unreadable: dict[str, KeyringError] = {}
    owners = _owners(staged)
    for owner in owners:
        acts = [entry for entry in entries if entry.owner == owner]
        mark = _mark(staged, owner)
        try:
            if not book.keychain.known(owner) and not any(entry.act == "erase-owner" for entry in acts):
                raise KeyringError(
                    f"the keyring has no keys of owner {owner!r}, so nothing of theirs can be read; restore the "
                    "keyring that belongs to this copy"
                )
            scope = _restoring(book, staged, owner)
            counts += replay(scope, acts)
            _move_on(book, staged, scope, mark)
            counts["owners"] += 1
        except KeyringError as fault:
            unreadable[owner] = fault
    if owners and len(unreadable) == len(owners):
        raise next(iter(unreadable.values()))
    return counts, unreadable


def _mark(store: Store, owner: str) -> str | None:
    with store.read(owner) as tx:
        return tx.owners.get().ledger


def _move_on(book: OpenedBook, staged: Store, scope: Scope, copied_mark: str | None) -> None:
    """Raise every counter above those of the old book, so that other processes drop their caches.

    Tokens and usage are carried over, so that a revoked token stays revoked and a spent budget spent.
    """
    with book.store.read(scope.owner) as tx:
        before = tx.tables.account()
        carried = {table: tx.tables.page(table, after=None, limit=100_000) for table in ("token", "usage")}
    with staged.write(scope.owner) as tx:
        account = tx.tables.account()
        assert account is not None
        if before is not None:
            for name in ("sequence", "next_doc", "revision"):
                account[name] = max(account[name], before[name]) + 2
        marks = [before["ledger"] if before is not None else None, copied_mark]
        account["ledger"] = next((mark for mark in marks if mark and not book.store.ledger.problem(mark)), None)
        tx.tables.put_account(account)
        for table, rows in carried.items():
            tx.tables.put(table, rows)
        tx.changes.record([("owner", scope.owner, "put", None, None)], at=micros(book.clock.now()))
        jobs.enqueue(scope, tx, REPLAY, {}, unique=REPLAY)
        jobs.enqueue(scope, tx, "reseal", {}, unique="reseal a copy")  # the keys may have been rotated since the copy


def _restoring(book: OpenedBook, store: Store, owner: str) -> Scope:
    scope = own_scope(book, owner, "default").acting_as("restore", source="system", person=False)
    return replace(scope, store=store)


def _owners(store: Store) -> list[str]:
    return [row.owner for row in store.accounts.owners()]


def _has_ledger(book: OpenedBook) -> bool:
    """Whether there is a ledger, or the present book proves that nothing was ever forgotten or erased."""
    if book.store.ledger.exists():
        return True
    owners = _owners(book.store)
    for owner in owners:
        with book.store.read(owner) as tx:
            if tx.tombstones.all() or tx.receipts.page(limit=1, actions=("FORGET", "ERASE")):
                return False
    return bool(owners)


@contextmanager
def _staged(book: OpenedBook, source: Path) -> Iterator[tuple[Store, Path]]:
    """The copy opened as a book of its own, beside the real one and with its keys; gone afterwards."""
    if book.store.engine != "sqlite":
        book.store.replace_with(source)  # says how it is done there
    place = Path(book.store.place)
    path = place.with_name(place.name + ".restoring")
    _clear(path)
    try:
        staged = _copied(book, source, path)
        if problems := staged.check():
            staged.close()
            raise StoreError(f"{source} is damaged ({problems[0]}); restore another copy")
        try:
            yield staged, path
        finally:
            staged.close()
    finally:
        _clear(path)


def _copied(book: OpenedBook, source: Path, path: Path) -> Store:
    """A copy of the copy, opened."""
    shutil.copyfile(source, path)
    path.chmod(0o600)
    try:
        return open_store(f"sqlite:///{path}", create=False, clock=book.clock)
    except StoreError as fault:
        if type(fault) is not StoreError:
            raise  # says by itself what is the matter
        raise StoreError(f"{source} is not a backup of a book; pass one that `commonplace backup` made") from fault


def _clear(path: Path) -> None:
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _take_keys(path: Path, book: OpenedBook) -> None:
    """Keys that travel with a copy fill what the keyring lacks; an owner erased since gets none back."""
    if not path.is_file():
        return
    erased = {entry.owner for entry in book.store.ledger.entries() if entry.act == "erase-owner"}
    try:
        encoded: dict[str, str] = json.loads(path.read_text("ascii"))["owners"]
        records = {owner: base64.b64decode(record, validate=True) for owner, record in encoded.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as fault:
        raise KeyringError(f"{path} is damaged or not a keyring; remove it, or take another copy of it") from fault
    for owner, record in records.items():
        if owner not in erased:
            book.store.keyrings.put(owner, record, expected=None)


def drill(book: OpenedBook, source: Path) -> Report:
    """Restore a copy for practice, into a folder that is thrown away: does it open, is it sound, can rows be read?"""
    counts: Counter[str] = Counter()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="commonplace-drill-") as folder:
        store = _copied(book, source, Path(folder) / "book.db")
        try:
            problems += store.check()
            for owner in _owners(store):
                counts["owners"] += 1
                if book.keychain.known(owner):
                    counts["rows read"] += _readable(book, store, owner, problems)
        finally:
            store.close()
    return Report(action="DRILL", at=book.clock.now(), count=len(problems), counts=dict(counts), notes=tuple(problems))


def _readable(book: OpenedBook, store: Store, owner: str, problems: list[str]) -> int:
    vault = _restoring(book, store, owner).current_vault()
    with store.read(owner) as tx:
        rows = tx.tables.page("memory", after=None, limit=SAMPLE)
        try:
            for row in rows:
                vault.open_json("memory", row["id"], row["sealed"])
        except KeyringError as fault:
            problems.append(str(fault))
    return len(rows)


def scheduled(book: OpenedBook) -> Report | None:
    """The backup that is due by the settings, with its drill; None if none is."""
    settings = book.settings
    if settings.backup_schedule is None or book.store.engine != "sqlite":
        return None
    gap = SCHEDULES.get(settings.backup_schedule)
    if gap is None:
        raise Invalid(f"backup_schedule is one of {', '.join(SCHEDULES)}")
    newest = next(iter(copies(settings.home / "backups")), None)
    if newest is not None and newest.name > _name(book.clock.now() - gap):
        return None
    return routine(book)


def routine(book: OpenedBook, *, progress: Progress | None = None) -> Report:
    """What a schedule does each time: a copy into the home's ``backups``, the oldest thinned, the newest practised."""
    folder = book.settings.home / "backups"
    report = backup(book, folder, keep=book.settings.backup_keep, progress=progress)
    practised = drill(book, copies(folder)[0])
    return replace(report, notes=(*report.notes, *practised.notes), counts={**report.counts, **practised.counts})
