"""A book from one engine to another, row by row, keys and all; proved by a digest of both."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

from commonplace.errors import Invalid, StoreError
from commonplace.maintenance.house import House
from commonplace.maintenance.report import Report
from commonplace.store.ports import Progress, Store
from commonplace.store.rows import LedgerEntry

PAGE = 1_000
VOLATILE = ("revision",)


def copy(
    source: House, target: House, *, owners: Iterable[str] | None = None, progress: Progress | None = None
) -> Report:
    """Move every owner (or the given ones) with everything: versions, audit, tombstones, jobs, receipts, keys, ledger.

    Broken off, the next call goes on with what is missing. Nobody may write to either book meanwhile: the digests at
    the end are of both as they stand, and ``StoreError`` says where they differ.
    """
    if source.store.place == target.store.place:
        raise Invalid("source and target are the same book")
    wanted = [row.owner for row in source.store.accounts.owners()] if owners is None else list(owners)
    total = sum(_size(source.store, owner) for owner in wanted)
    done = 0
    counts = {"owners": 0, "rows": 0}
    for owner in wanted:
        target.keychain.adopt(owner, source.keychain.fresh(owner))
        for rows in _tables(source.store, target.store, owner):
            done += rows
            if progress is not None:
                progress(done, total)
        _ledger(source.store, target.store, owner)
        if (there := digest(target.store, owner)) != (here := digest(source.store, owner)):
            differing = sorted(name for name in here if here[name] != there.get(name))
            raise StoreError(
                f"the copy of owner {owner!r} differs in {', '.join(differing)}: somebody wrote meanwhile, or the "
                "target was not empty; stop the writers and copy again into an empty book"
            )
        counts["owners"] += 1
    counts["rows"] = done
    return Report(action="COPY", at=source.clock.now(), count=done, counts=counts)


def _size(store: Store, owner: str) -> int:
    with store.read(owner) as tx:
        return sum(tx.tables.count(table) for table in tx.tables.names())


def _tables(source: Store, target: Store, owner: str) -> Iterator[int]:
    """Write every row that the target has not; how many a step looked at.

    Children may be written before their parents only within one transaction, so tables come in their order, and the
    rows that go with a memory travel after it.
    """
    with source.read(owner) as tx:
        account, names = tx.tables.account(), tx.tables.names()
    for table in names:
        after: tuple[Any, ...] | None = None
        while True:
            with source.read(owner) as tx:
                page = tx.tables.page(table, after=after, limit=PAGE)
            if not page:
                break
            with target.write(owner) as tx:
                there = {tx.tables.key(table, row): row for row in tx.tables.page(table, after=after, limit=PAGE)}
                tx.tables.put(table, [row for row in page if there.get(tx.tables.key(table, row)) != row])
                after = tx.tables.key(table, page[-1])
            yield len(page)
    with target.write(owner) as tx:
        if account is not None:
            tx.tables.put_account(account)


def _ledger(source: Store, target: Store, owner: str) -> None:
    known = set(target.ledger.entries(owner))
    missing: list[LedgerEntry] = [entry for entry in source.ledger.entries(owner) if entry not in known]
    target.ledger.append(missing)


def digest(store: Store, owner: str) -> dict[str, str]:
    """A digest of each table of an owner, the same on every engine for the same rows."""
    found = {}
    with store.read(owner) as tx:
        for table in tx.tables.names():
            made = blake2b(digest_size=16)
            after: tuple[Any, ...] | None = None
            while page := tx.tables.page(table, after=after, limit=PAGE):
                for row in page:
                    made.update(repr(sorted((name, _plain(cell)) for name, cell in row.items())).encode())
                after = tx.tables.key(table, page[-1])
            found[table] = made.hexdigest()
        account = tx.tables.account() or {}
        kept = sorted((name, cell) for name, cell in account.items() if name not in VOLATILE)
        found["owner"] = blake2b(repr(kept).encode(), digest_size=16).hexdigest()
    return found


def _plain(cell: Any) -> Any:
    if isinstance(cell, bytes | bytearray | memoryview):
        return bytes(cell).hex()
    return cell
