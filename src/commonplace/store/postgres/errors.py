"""What psycopg raises, said in our words."""

import psycopg
from psycopg import errors
from psycopg_pool import PoolTimeout, TooManyRequests

from commonplace.errors import StoreBusy, StoreError, StoreFull

BUSY = (
    errors.LockNotAvailable,
    errors.QueryCanceled,
    errors.DeadlockDetected,
    errors.SerializationFailure,
    errors.IdleInTransactionSessionTimeout,
    errors.TooManyConnections,
    PoolTimeout,
    TooManyRequests,
)
UNDONE = (errors.SerializationFailure, errors.DeadlockDetected)
"""The server undid the whole transaction, and asks for it once more."""
FULL = (errors.DiskFull, errors.OutOfMemory)


def translated(error: psycopg.Error, place: str) -> StoreError:
    """The error to raise; chain it with ``from``. Never carries a value that was bound."""
    if isinstance(error, PoolTimeout | TooManyRequests):
        return StoreBusy(f"every connection to {place} stayed in use; nothing was written, try again")
    if isinstance(error, BUSY):
        busy = StoreBusy(f"{place} stayed busy for longer than we wait; nothing was written, try again")
        busy.undone = isinstance(error, UNDONE)
        return busy
    if isinstance(error, FULL):
        return StoreFull(f"no room is left on {place}; nothing was written; free some space and try again")
    return StoreError(f"{place} {_reason(error)}")


def unsure(place: str) -> StoreError:
    """The connection broke between a commit and its answer."""
    return StoreError(
        f"the connection to {place} broke while the write was being kept: it may be there or not; "
        "look for it before you write it again"
    )


def undone(place: str) -> StoreError:
    """The commit was answered with a rollback."""
    return StoreError(f"{place} undid the write, for something in it had failed; nothing was written, try again")


def _reason(error: psycopg.Error) -> str:
    message_primary = error.diag.message_primary or "no reason given"
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return "is read-only, a standby perhaps; open the book on the primary"
    if isinstance(error, errors.InsufficientPrivilege):
        return f"does not let this role do that ({message_primary}); grant it the book's application role"
    if isinstance(error, errors.UndefinedTable | errors.InvalidSchemaName):
        return "holds no book; run `commonplace migrate`"
    if isinstance(error, errors.IntegrityError):
        return f"refused a row: {message_primary}"
    if isinstance(error, psycopg.OperationalError):
        return "cannot be reached, or the connection broke; nothing was written; check the server and try again"
    return f"failed: {message_primary}"
