"""Keys over their life: rotated in the background, checked, and a copy for a person to keep."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from pathlib import Path
from typing import Any

from commonplace.clock import micros
from commonplace.errors import KeyringError
from commonplace.maintenance.house import House
from commonplace.maintenance.report import Report
from commonplace.memories import jobs
from commonplace.memories.scope import Scope
from commonplace.security.master import MasterKeySource, master_key, recovery_text
from commonplace.security.vault import Vault
from commonplace.store.ports import Progress, Transaction

RESEALED = 500
"""Rows sealed anew in one transaction."""

Row = Mapping[str, Any]
Named = Callable[[Row], str]


@dataclass(frozen=True, slots=True)
class Column:
    """A sealed column, and the two names that its bytes are bound to."""

    table: str
    row: Named
    name: str = "sealed"
    bound: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "bound", self.bound or self.table)


def _by_id(row: Row) -> str:
    return str(row["id"])


BY_ID = ("namespace", "session", "memory", "tag", "entity", "relation", "directive", "step", "job", "trace", "token")
SEALED = (
    *(Column(table, _by_id) for table in BY_ID),
    Column("version", lambda row: f"{row['noun']}/{row['id']}/{row['version']}"),
    Column("evidence", lambda row: f"{row['noun']}/{row['id']}/{row['episode']}"),
    Column("job", _by_id, name="error", bound="job error"),
    Column("audit", lambda row: str(row["sequence"]), name="reason"),
    Column("receipt", lambda row: str(row["ref"])),
)
"""Every sealed column of the book."""


def rotate(scope: Scope, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
    """Give the owner a new seal key and seal every row with it.

    Old keys stay in the keyring, for backups made before can be read with nothing else; ``destroy_old`` makes an end of
    them, and of every such backup. Readers and writers go on. Interrupted, the next call (or the job that is left)
    continues where it stopped.
    """
    with scope.store.read(scope.owner) as tx:
        waiting = tx.jobs.all(states=("waiting", "leased"), kinds=("reseal",))
        begun = [row for row in waiting if "destroy_old" in scope.open_json("job", row.id, row.sealed)]
    if not begun:  # a restore leaves such a job too, which is no rotation
        scope.keychain.rotate_seal(scope.owner)
    with scope.store.write(scope.owner) as tx:
        scope.current_vault()
        jobs.enqueue(scope, tx, "reseal", {"destroy_old": destroy_old}, unique="reseal")
    report = reseal(scope, destroy_old=destroy_old, progress=progress)
    _settle(scope)
    return report


def _settle(scope: Scope) -> None:
    """The job that was left for a rotation cut short has nothing more to do."""
    at = micros(scope.clock.now())
    with scope.store.write(scope.owner) as tx:
        for row in tx.jobs.all(states=("waiting", "leased"), kinds=("reseal",)):
            tx.jobs.put(replace(row, state="done", finished_at=at, lease_holder=None, lease_until=None))


def reseal(scope: Scope, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
    """Bring every row under the newest seal key; with ``destroy_old``, then destroy the others.

    A write that began after the new key was made uses it, so the pass that finds nothing old is the last.
    """
    sealed = _pass(scope, SEALED, progress)
    while more := _pass(scope, SEALED, None):
        sealed += more
    retired = _retire(scope) if destroy_old else 0
    return Report(
        action="ROTATE", at=scope.clock.now(), count=sealed, counts={"sealed anew": sealed, "keys destroyed": retired}
    )


def _pass(scope: Scope, columns: Sequence[Column], progress: Progress | None) -> int:
    with scope.store.read(scope.owner) as tx:
        total = sum(tx.tables.count(one.table) for one in columns) if progress else 0
    done = sealed = 0
    for column in columns:
        after: tuple[Any, ...] | None = None
        while True:
            size, changed, after = _page(scope, column, after)
            done, sealed = done + size, sealed + changed
            if progress is not None:
                progress(done, total)
            if size < RESEALED:
                break
    return sealed


def _page(scope: Scope, column: Column, after: tuple[Any, ...] | None) -> tuple[int, int, tuple[Any, ...] | None]:
    """One page: looked at without a lock, written only where something is old. (rows, sealed anew, last key)."""
    vault = scope.current_vault()
    with scope.store.read(scope.owner) as tx:
        page = tx.tables.page(column.table, after=after, limit=RESEALED)
        last = tx.tables.key(column.table, page[-1]) if page else after
    if not any(_old(vault, row, column) for row in page):
        return len(page), 0, last
    with scope.store.write(scope.owner) as tx:
        return len(page), _sealed_anew(scope, tx, column, after), last


def _sealed_anew(scope: Scope, tx: Transaction, column: Column, after: tuple[Any, ...] | None) -> int:
    """Within the transaction the rows are read again, so that nothing newer is overwritten."""
    vault = scope.current_vault()
    fresh = []
    for row in tx.tables.page(column.table, after=after, limit=RESEALED):
        if _old(vault, row, column):
            name, sealed = column.row(row), row[column.name]
            fresh.append({**row, column.name: vault.seal(column.bound, name, vault.open(column.bound, name, sealed))})
    tx.tables.put(column.table, fresh)
    return len(fresh)


def _old(vault: Vault, row: Row, column: Column) -> bool:
    return row[column.name] is not None and vault.stale(row[column.name])


def _retire(scope: Scope) -> int:
    keys = scope.current_vault().keys
    old = [number for number in keys.seal if number != keys.current]
    for number in old:
        scope.keychain.retire_seal(scope.owner, number)
    scope.current_vault()
    return len(old)


def source(house: House) -> MasterKeySource:
    settings = house.settings
    return MasterKeySource(value=settings.master_key, command=settings.key_command, file=settings.master_key_file)


def recovery(house: House) -> str:
    """The master key as a text to write down. That a copy was asked for is noted, and `doctor` stops warning."""
    master = master_key(source(house), create=False)
    note = copy_note(house)
    note.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    note.write_text(_mark(master) + "\n", "ascii")
    return recovery_text(master)


def copied(house: House) -> bool:
    """Whether a copy of the present master key was ever asked for."""
    try:
        noted = copy_note(house).read_text("ascii").strip()
        return noted == _mark(master_key(source(house), create=False))
    except FileNotFoundError:
        return False


def copy_note(house: House) -> Path:
    return house.settings.home / "master.key.copied"


def check(house: House) -> list[str]:
    """What is wrong with the keys, in words: owners whose keys do not open with the master key, or open no row."""
    problems = []
    for owner in house.store.keyrings.owners():
        try:
            vault = Vault(owner, house.keychain.fresh(owner))
            with house.store.read(owner) as tx:
                for row in tx.tables.page("namespace", after=None, limit=10):
                    vault.open("namespace", row["id"], row["sealed"])
                for row in tx.tables.page("memory", after=None, limit=10):
                    vault.open("memory", row["id"], row["sealed"])
        except KeyringError as fault:
            problems.append(str(fault))
    return problems


def _mark(master: bytes) -> str:
    return blake2b(master, digest_size=8, person=b"commonplace/note").hexdigest()
