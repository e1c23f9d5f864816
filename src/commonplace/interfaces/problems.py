"""One table: what each error is called and counted as on every door.

REST answers with the status and a problem document, the CLI ends with the exit code, MCP returns the sentence. The
sentence is always the error's own; none carries the text of a memory.
"""

from dataclasses import dataclass
from typing import Any

from commonplace import errors
from commonplace.errors import CommonplaceError
from commonplace.security.tokens import NotSignedIn


@dataclass(frozen=True, slots=True)
class Problem:
    status: int
    """Of HTTP."""
    title: str
    exit_code: int
    """Of the CLI; 2 is left to its own parser."""


TABLE: dict[type[CommonplaceError], Problem] = {
    NotSignedIn: Problem(401, "Not signed in", 13),
    errors.NotFound: Problem(404, "Not found", 3),
    errors.Conflict: Problem(409, "Someone else wrote first", 4),
    errors.Tombstoned: Problem(400, "Rejected or forgotten before", 5),
    errors.OverQuota: Problem(403, "The quota is full", 5),
    errors.Refused: Problem(400, "Refused", 5),
    errors.Ambiguous: Problem(409, "Several memories fit", 6),
    errors.Invalid: Problem(400, "Not valid", 7),
    errors.NotInPlan: Problem(403, "Not in this plan", 8),
    errors.NotAllowed: Problem(403, "Not allowed", 9),
    errors.SettingsError: Problem(500, "Wrong settings", 10),
    errors.KeyringError: Problem(503, "Keys are missing", 11),
    errors.SchemaTooNew: Problem(503, "The book is newer than this release", 12),
    errors.SchemaTooOld: Problem(503, "The book waits for its migration", 12),
    errors.StoreBusy: Problem(503, "The book is busy", 12),
    errors.StoreFull: Problem(507, "No room left on the disk", 12),
    errors.StoreError: Problem(503, "The book cannot be reached", 12),
    errors.OverBudget: Problem(429, "The day's token cap is reached", 14),
    errors.ProviderError: Problem(502, "A model or embedder failed", 14),
    CommonplaceError: Problem(500, "Something went wrong", 1),
}

EXTRAS = ("noun", "id", "expected", "found", "ids", "feature", "plan", "plans", "reason", "kept", "most")
"""What an error knows beyond its sentence, and a program may want."""


def problem(error: CommonplaceError) -> Problem:
    """The row of the nearest class."""
    return next(TABLE[one] for one in type(error).__mro__ if one in TABLE)


def document(error: CommonplaceError) -> dict[str, Any]:
    """The error as an RFC 9457 problem document."""
    row = problem(error)
    known = {name: getattr(error, name) for name in EXTRAS if hasattr(error, name)}
    plain = {name: list(one) if isinstance(one, tuple) else one for name, one in known.items()}
    return {
        "type": f"urn:commonplace:{type(error).__name__}",
        "title": row.title,
        "status": row.status,
        "detail": str(error),
        **plain,
    }
