"""A book from one engine to another, row by row, keys and all; proved by a digest of both."""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import Any

from commonplace.batches.opened_book import OpenedBook, walked
from commonplace.batches.report import Report
from commonplace.errors import Invalid, StoreError
from commonplace.store.ports import Progress, Store
from commonplace.store.rows import LedgerEntry

PAGE = 1_000
VOLATILE = ("revision", "ledger")
APPENDED = ("audit", "change")
"""Tables whose rows never change, but for what a new key seals again."""
RESEALED = ("reason",)
BYTES = bytes | bytearray | memoryview


def copy(
    source: OpenedBook, target: OpenedBook, *, owners: Iterable[str] | None = None, progress: Progress | None = None
) -> Report:
    """Move every owner (or the given ones) with everything: versions, audit, tombstones, jobs, receipts, keys, ledger.

    Broken off, the next call goes on with what is missing. A target that holds rows of its own raises ``StoreError``
    and is left as it is. Nobody may write to either book meanwhile: the digests at the end are of both as they stand,
    and ``StoreError`` says where they differ.
    """
    if source.store.place == target.store.place:
        raise Invalid("source and target are the same book")
    selected = [row.owner for row in source.store.accounts.owners()] if owners is None else list(owners)
    total = 0
    for owner in selected:
        with source.store.read(owner) as tx:
            total += sum(tx.tables.count(table) for table in tx.tables.names())
    for owner in selected:
        _refuse_rows_of_its_own(source.store, target.store, owner)
    copied_rows = 0
    counts = {"owners": 0, "rows": 0}
    for owner in sorted(selected, key=lambda owner: bool(source.keychain.members(owner))):  # members come first
        target.keychain.adopt(owner, source.keychain.fresh(owner), source.keychain.members(owner))
        for rows in _tables(source.store, target.store, owner):
            copied_rows += rows
            if progress is not None:
                progress(copied_rows, total)
        entries = set(target.store.ledger.entries(owner))
        missing: list[LedgerEntry] = [entry for entry in source.store.ledger.entries(owner) if entry not in entries]
        if missing:
            with target.store.write(owner) as tx:
                tx.final_acts.append(missing)
        if (target_digest := digest(target.store, owner)) != (source_digest := digest(source.store, owner)):
            differing = sorted(name for name in source_digest if source_digest[name] != target_digest.get(name))
            raise StoreError(
                f"the copy of owner {owner!r} differs in {', '.join(differing)}: it was written to meanwhile, or the "
                "target was not empty; stop the writers and copy again into an empty book"
            )
        counts["owners"] += 1
    counts["rows"] = copied_rows
    return Report(action="COPY", at=source.clock.now(), count=copied_rows, counts=counts)


def _refuse_rows_of_its_own(source: Store, target: Store, owner: str) -> None:
    """Writing over them would lose them, and the counters of the source would number new rows like old ones."""
    with target.read(owner) as tx:
        filled = [table for table in tx.tables.names() if tx.tables.count(table)]
    for table in filled:
        candidates = _rows(source, owner, table)
        for key, row in _rows(target, owner, table):
            twin = next((other for candidate, other in candidates if candidate == key), None)
            if twin is None or (table in APPENDED and _settled(twin) != _settled(row)):
                raise StoreError(
                    f"the target already holds rows of owner {owner!r} that the source has not, in {table}; nothing "
                    "was changed: copy into an empty book"
                )


def _rows(store: Store, owner: str, table: str) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """Every row of a table by its key, in the order of keys."""
    for page in walked(
        store, owner, table, lambda tx, rows: [(tx.tables.key(table, row), row) for row in rows], size=PAGE
    ):
        yield from page


def _settled(row: dict[str, Any]) -> dict[str, Any]:
    return {name: cell for name, cell in row.items() if name not in RESEALED}


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
                existing = {tx.tables.key(table, row): row for row in tx.tables.page(table, after=after, limit=PAGE)}
                changed = [row for row in page if existing.get(tx.tables.key(table, row)) != row]
                tx.tables.put(table, changed)
                for row in changed if table == "audit" else ():
                    if tx.tables.key(table, row) in existing:  # of a copy that was broken off
                        tx.audit.reseal(row["sequence"], row["reason"])
                after = tx.tables.key(table, page[-1])
            yield len(page)
    with target.write(owner) as tx:
        if account is not None:
            tx.tables.put_account({**account, "ledger": tx.owners.get().ledger})


def digest(store: Store, owner: str) -> dict[str, str]:
    """A digest of each table of an owner, the same on every engine for the same rows."""
    digests = {}
    with store.read(owner) as tx:
        for table in tx.tables.names():
            hash = blake2b(digest_size=16)
            after: tuple[Any, ...] | None = None
            while page := tx.tables.page(table, after=after, limit=PAGE):
                for row in page:
                    cells = ((name, cell.hex() if isinstance(cell, BYTES) else cell) for name, cell in row.items())
                    hash.update(repr(sorted(cells)).encode())
                after = tx.tables.key(table, page[-1])
            digests[table] = hash.hexdigest()
        account = tx.tables.account() or {}
        account_cells = sorted((name, cell) for name, cell in account.items() if name not in VOLATILE)
        digests["owner"] = blake2b(repr(account_cells).encode(), digest_size=16).hexdigest()
    return digests
