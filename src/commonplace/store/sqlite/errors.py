"""What apsw raises, said in our words: which file, what happened, what to do."""

import apsw

from commonplace.errors import StoreBusy, StoreError, StoreFull

NO_ROOM = (
    *(apsw.SQLITE_IOERR_WRITE, apsw.SQLITE_IOERR_FSYNC, apsw.SQLITE_IOERR_TRUNCATE),
    *(apsw.SQLITE_IOERR_SHMSIZE, apsw.SQLITE_IOERR_SHMMAP),
)
DAMAGED = "is damaged; stop writing to it and restore a backup; `commonplace doctor` says more"


def translated(error: apsw.Error, place: str) -> StoreError:
    """The error to raise; chain it with ``from``. Never carries a value that was bound."""
    if isinstance(error, apsw.BusyError | apsw.LockedError):
        return StoreBusy(f"{place} stayed locked for longer than we wait; nothing was written, try again")
    if isinstance(error, apsw.FullError):
        return StoreFull(f"no room is left for {place}; nothing was written; free some space and try again")
    return StoreError(f"{place} {_reason(error)}")


def _reason(error: apsw.Error) -> str:
    if isinstance(error, apsw.ReadOnlyError):
        return "cannot be written; make the file, its -wal and -shm and its folder writable, or open the book elsewhere"
    if isinstance(error, apsw.CantOpenError):
        return "cannot be opened; check that the folder exists and that you may read and write it"
    if isinstance(error, apsw.NotADBError):
        return "is not a book; name another file, or restore this one from a backup"
    if isinstance(error, apsw.CorruptError):
        return DAMAGED
    if isinstance(error, apsw.IOError):
        full = "the disk takes no more" if getattr(error, "extendedresult", 0) in NO_ROOM else "the disk failed"
        return f"could not be read or written: {full}; nothing was written; check the disk and try again"
    if isinstance(error, apsw.ConstraintError):
        return f"refused a row: {error}"
    return f"failed: {error}"
