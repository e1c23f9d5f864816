"""Copies of the book, and the way back that keeps forgotten things forgotten."""

import base64
import json
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

from commonplace.clock import micros
from commonplace.errors import Invalid, KeyringError, StoreError
from commonplace.maintenance.house import House, own_scope
from commonplace.maintenance.replay import WHOLE, replay
from commonplace.maintenance.report import Report
from commonplace.memories import jobs
from commonplace.memories.scope import Scope
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
SAMPLE = 100
"""Rows of each owner that a drill opens."""


def backup(
    house: House, target: Path, *, keep: int | None = None, with_keys: bool = False, progress: Progress | None = None
) -> Report:
    """A consistent copy while others write. ``target`` is a file, or a folder that gets a file named by the time.

    The keyring is left out unless asked for: without it an erased owner stays erased in every copy. With ``keep``
    only the newest that many copies of the folder are kept. Broken off, earlier copies stand as they were.
    """
    folder = target.is_dir() or keep is not None or not target.suffix
    file = target / _name(house.clock.now()) if folder else target
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    unnamed = file.with_name(UNNAMED) if folder else file  # what a killed one leaves, the next finds by its name
    house.store.backup(unnamed, progress=progress)
    unnamed.replace(file)
    notes = [str(file)]
    if with_keys:
        _write_keys(file.with_name(file.name + ".keyring"), house.store.keyrings)
        notes.append("with the keyring: whoever has it and the master key reads it, erased owners included")
    gone = _thin(file.parent, keep) if keep is not None else []
    notes += [f"removed {path.name}" for path in gone]
    counts = {"bytes": file.stat().st_size, "removed": len(gone)}
    return Report(action="BACKUP", at=house.clock.now(), count=1, counts=counts, notes=tuple(notes))


def _name(now: datetime) -> str:
    return f"{PREFIX}{now.strftime(STAMP)}{SUFFIX}"


def copies(folder: Path) -> list[Path]:
    """The copies in a folder, the newest first."""
    return sorted(folder.glob(f"{PREFIX}*{SUFFIX}"), reverse=True)


def _thin(folder: Path, keep: int) -> list[Path]:
    gone = copies(folder)[max(keep, 1) :]
    for path in gone:
        path.unlink(missing_ok=True)
        path.with_name(path.name + ".keyring").unlink(missing_ok=True)
    return gone


def _write_keys(path: Path, keyrings: Keyrings) -> None:
    records = {owner: base64.b64encode(keyrings.get(owner) or b"").decode() for owner in keyrings.owners()}
    part = path.with_name(path.name + ".part")
    file = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(file, "w", encoding="ascii") as out:
        json.dump({"format": KEYRING_FORMAT, "owners": records}, out)
    part.replace(path)


def restore(house: House, source: Path, *, without_ledger: bool = False, progress: Progress | None = None) -> Report:
    """Put a copy in the book's place, at once, with everything forgotten, rejected or erased since left out again.

    The work is done on a file beside the book; a kill on the way leaves the book as it was. Raises ``Invalid`` when
    there is no ledger to know those acts from, unless ``without_ledger``; ``KeyringError`` when the keys that the copy
    needs are not there.
    """
    if not source.is_file():
        raise Invalid(f"{source} is no file; name a copy that `commonplace backup` made")
    if not without_ledger and not _has_ledger(house):
        raise Invalid(
            "there is no ledger beside the book, so nobody knows what was forgotten since the copy was made; put the "
            "ledger back, or say that you accept it (--without-ledger)"
        )
    _take_keys(source.with_name(source.name + ".keyring"), house)
    with _staged(house, source) as (staged, path):
        known = list(house.store.ledger.entries())
        counts = _brought_up(house, staged, known)
        staged.scrub()
        staged.close()
        if progress is not None:
            progress(1, 2)
        house.store.replace_with(path)
    counts += finish(house)
    if progress is not None:
        progress(2, 2)
    house.store.scrub()
    notes = (UNKNOWN_REST,) if counts[WHOLE] else ()
    return Report(action="RESTORE", at=house.clock.now(), count=sum(counts.values()), counts=dict(+counts), notes=notes)


def finish(house: House) -> Counter[str]:
    """Replay the ledger on the book itself: what was forgotten while a restore was at work, or after `pg_restore`."""
    counts: Counter[str] = Counter()
    for owner in _owners(house.store):
        counts += replay(_restoring(house, house.store, owner), list(house.store.ledger.entries(owner)))
    return counts


def replaying(house: House) -> Callable[[Scope, Mapping[str, object]], None]:
    """The job that a restore leaves behind, in case it is killed right after the swap."""

    def handler(scope: Scope, payload: Mapping[str, object]) -> None:
        replay(_restoring(house, house.store, scope.owner), list(house.store.ledger.entries(scope.owner)))

    return handler


def _brought_up(house: House, staged: Store, known: list[LedgerEntry]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for owner in _owners(staged):
        mine = [entry for entry in known if entry.owner == owner]
        if not house.keychain.known(owner) and not any(entry.act == "erase-owner" for entry in mine):
            raise KeyringError(
                f"the keyring has no keys of owner {owner!r}, so nothing of theirs could be read; restore the keyring "
                "that belongs to this copy first"
            )
        scope = _restoring(house, staged, owner)
        counts += replay(scope, mine)
        counts["owners"] += 1
        _move_on(house, staged, scope)
    return counts


def _move_on(house: House, staged: Store, scope: Scope) -> None:
    """Numbers never run backwards: caches of other processes must see that everything may have changed.

    Tokens and usage are carried over, so that a revoked token stays revoked and a spent budget spent.
    """
    with house.store.read(scope.owner) as tx:
        before = tx.tables.account()
        carried = {table: tx.tables.page(table, after=None, limit=100_000) for table in ("token", "usage")}
    with staged.write(scope.owner) as tx:
        account = tx.tables.account()
        assert account is not None
        if before is not None:
            for name in ("sequence", "next_doc", "revision"):
                account[name] = max(account[name], before[name]) + 2
            tx.tables.put_account(account)
        for table, rows in carried.items():
            tx.tables.put(table, rows)
        tx.changes.record([("owner", scope.owner, "put", None, None)], at=micros(house.clock.now()))
        jobs.enqueue(scope, tx, REPLAY, {}, unique=REPLAY)
        jobs.enqueue(scope, tx, "reseal", {}, unique="reseal a copy")  # the keys may have been rotated since the copy


def _restoring(house: House, store: Store, owner: str) -> Scope:
    scope = own_scope(house, owner, "default").acting_as("restore", source="system", person=False)
    return replace(scope, store=store)


def _owners(store: Store) -> list[str]:
    return [row.owner for row in store.accounts.owners()]


def _has_ledger(house: House) -> bool:
    """There is one, or the book that stands here shows that nothing final was ever done."""
    if house.store.ledger.exists():
        return True
    owners = _owners(house.store)
    for owner in owners:
        with house.store.read(owner) as tx:
            if tx.tombstones.all() or tx.receipts.page(limit=1, actions=("FORGET", "ERASE")):
                return False
    return bool(owners)


@contextmanager
def _staged(house: House, source: Path) -> Iterator[tuple[Store, Path]]:
    """The copy opened as a book of its own, beside the real one and with its keys; gone afterwards."""
    if house.store.engine != "sqlite":
        house.store.replace_with(source)  # says how it is done there
    place = Path(house.store.place)
    path = place.with_name(place.name + ".restoring")
    _clear(path)
    try:
        shutil.copyfile(source, path)
        path.chmod(0o600)
        staged = _opened(house, source, path)
        if problems := staged.check():
            staged.close()
            raise StoreError(f"{source} is damaged ({problems[0]}); restore another copy")
        try:
            yield staged, path
        finally:
            staged.close()
    finally:
        _clear(path)


def _opened(house: House, source: Path, path: Path) -> Store:
    try:
        return open_store(f"sqlite:///{path}", create=False, clock=house.clock)
    except StoreError as fault:
        if type(fault) is not StoreError:
            raise  # says by itself what is the matter
        raise StoreError(f"{source} is no copy of a book; name one that `commonplace backup` made") from fault


def _clear(path: Path) -> None:
    for ending in BESIDE:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _take_keys(path: Path, house: House) -> None:
    """Keys that travel with a copy fill what the keyring lacks; an owner erased since gets none back."""
    if not path.is_file():
        return
    erased = {entry.owner for entry in house.store.ledger.entries() if entry.act == "erase-owner"}
    try:
        records: dict[str, str] = json.loads(path.read_text("ascii"))["owners"]
    except (ValueError, KeyError, TypeError) as fault:
        raise KeyringError(f"{path} is no keyring; leave it out, or take another copy of it") from fault
    for owner, record in records.items():
        if owner not in erased:
            house.store.keyrings.put(owner, base64.b64decode(record), expected=None)


def drill(house: House, source: Path) -> Report:
    """Restore a copy for practice, into a folder that is thrown away: does it open, is it sound, can rows be read?"""
    counts: Counter[str] = Counter()
    problems: list[str] = []
    with tempfile.TemporaryDirectory(prefix="commonplace-drill-") as folder:
        path = Path(folder) / "book.db"
        shutil.copyfile(source, path)
        path.chmod(0o600)
        store = open_store(f"sqlite:///{path}", create=False, clock=house.clock)
        try:
            problems += store.check()
            for owner in _owners(store):
                counts["owners"] += 1
                if house.keychain.known(owner):
                    counts["rows read"] += _readable(house, store, owner, problems)
        finally:
            store.close()
    return Report(action="DRILL", at=house.clock.now(), count=len(problems), counts=dict(counts), notes=tuple(problems))


def _readable(house: House, store: Store, owner: str, problems: list[str]) -> int:
    vault = _restoring(house, store, owner).current_vault()
    with store.read(owner) as tx:
        rows = tx.tables.page("memory", after=None, limit=SAMPLE)
        try:
            for row in rows:
                vault.open_json("memory", row["id"], row["sealed"])
        except KeyringError as fault:
            problems.append(str(fault))
    return len(rows)


def scheduled(house: House) -> Report | None:
    """The backup that is due by the settings, with its drill; None if none is."""
    settings = house.settings
    if settings.backup_schedule is None or house.store.engine != "sqlite":
        return None
    gap = SCHEDULES.get(settings.backup_schedule)
    if gap is None:
        raise Invalid(f"backup_schedule is one of {', '.join(SCHEDULES)}")
    newest = next(iter(copies(settings.home / "backups")), None)
    if newest is not None and newest.name > _name(house.clock.now() - gap):
        return None
    return routine(house)


def routine(house: House, *, progress: Progress | None = None) -> Report:
    """What a schedule does each time: a copy into the home's ``backups``, the oldest thinned, the newest practised."""
    folder = house.settings.home / "backups"
    report = backup(house, folder, keep=house.settings.backup_keep, progress=progress)
    practised = drill(house, copies(folder)[0])
    return replace(report, notes=(*report.notes, *practised.notes), counts={**report.counts, **practised.counts})
