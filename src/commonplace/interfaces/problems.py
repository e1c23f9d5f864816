"""One table: what each error is called and counted as on every interface.

REST answers with the status and a problem document, the CLI ends with the exit code, MCP returns the sentence. The
sentence is always the error's own; none carries the text of a memory.
"""

from dataclasses import dataclass
from typing import Any

from commonplace import errors
from commonplace.errors import CommonplaceError
from commonplace.security.tokens import NotSignedIn


@dataclass(frozen=True, slots=True)
class ErrorKind:
    status: int
    """Of HTTP."""
    title: str
    exit_code: int
    """Of the CLI; 2 is left to its own parser."""


TABLE: dict[type[CommonplaceError], ErrorKind] = {
    NotSignedIn: ErrorKind(401, "Not signed in", 13),
    errors.NotFound: ErrorKind(404, "Not found", 3),
    errors.Conflict: ErrorKind(409, "Someone else wrote first", 4),
    errors.Tombstoned: ErrorKind(400, "Rejected or forgotten before", 5),
    errors.OverQuota: ErrorKind(403, "The quota is full", 5),
    errors.Refused: ErrorKind(400, "Refused", 5),
    errors.Ambiguous: ErrorKind(409, "Several memories fit", 6),
    errors.Invalid: ErrorKind(400, "Not valid", 7),
    errors.NotInPlan: ErrorKind(403, "Not in this plan", 8),
    errors.NotAllowed: ErrorKind(403, "Not allowed", 9),
    errors.SettingsError: ErrorKind(500, "Wrong settings", 10),
    errors.KeyringError: ErrorKind(503, "Keys are missing", 11),
    errors.SchemaTooNew: ErrorKind(503, "The book is newer than this release", 12),
    errors.SchemaTooOld: ErrorKind(503, "The book waits for its migration", 12),
    errors.StoreBusy: ErrorKind(503, "The book is busy", 12),
    errors.StoreFull: ErrorKind(507, "No room left on the disk", 12),
    errors.StoreError: ErrorKind(503, "The book cannot be reached", 12),
    errors.OverBudget: ErrorKind(429, "The day's token cap is reached", 14),
    errors.ProviderError: ErrorKind(502, "A model or embedder failed", 14),
    CommonplaceError: ErrorKind(500, "Something went wrong", 1),
}

EXTRAS = ("noun", "id", "expected", "found", "ids", "nearest", "feature", "plan", "plans", "reason", "kept", "most")
"""What an error knows beyond its sentence, and a program may want."""


def problem(error: CommonplaceError) -> ErrorKind:
    """The row of the nearest class."""
    return next(TABLE[parent] for parent in type(error).__mro__ if parent in TABLE)


def document(error: CommonplaceError) -> dict[str, Any]:
    """The error as an RFC 9457 problem document."""
    row = problem(error)
    extras = {name: getattr(error, name) for name in EXTRAS if hasattr(error, name)}
    plain = {name: list(value) if isinstance(value, tuple) else value for name, value in extras.items()}
    return {
        "type": f"urn:commonplace:{type(error).__name__}",
        "title": row.title,
        "status": row.status,
        "detail": str(error),
        **({"code": error.code, "values": error.values} if error.code else {}),
        **plain,
    }
