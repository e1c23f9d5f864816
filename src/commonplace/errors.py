"""Everything we raise on purpose. No message ever carries the text of a memory.

CommonplaceError
├── NotFound          nothing lives at that id in that namespace
├── Conflict          someone else wrote a newer version first, or has the name already
├── Refused           the gateway did not let it in: empty, too long, a secret
│   ├── Tombstoned        the value was rejected or forgotten before
│   └── OverQuota         the owner keeps as many memories as they may
├── Ambiguous         a description fits several memories; the candidates are listed
├── Invalid           an argument is not what the verb takes
├── NotInPlan         the feature belongs to another plan
├── NotAllowed        the caller's token or door does not reach that far
├── SettingsError     a setting is unknown or cannot be read
├── KeyringError      keys are missing or do not fit the book
├── StoreError        the database failed; the driver's error is __cause__
│   ├── SchemaTooNew      written by a newer release
│   ├── SchemaTooOld      needs `commonplace migrate`
│   ├── StoreBusy         locked for longer than we wait; try again
│   └── StoreFull         no room left on the disk
└── ProviderError     an embedder or model failed; its error is __cause__
    └── OverBudget        the day's token cap is reached
"""

from collections.abc import Sequence


class CommonplaceError(Exception):
    """The root of everything we raise on purpose."""


NAMED = ("namespace", "tag", "entity", "core value")
"""What is asked for by a name that a person gave."""


class NotFound(CommonplaceError, LookupError):
    """Nothing lives at that id in that namespace."""

    def __init__(self, noun: str, id: str) -> None:
        # a name is somebody's words, and an error may end up in a log
        if noun in NAMED:
            super().__init__(f"no {noun} of that name here; each namespace has its own, and a list of them")
        else:
            super().__init__(f"no {noun} {id!r} here; ids come from `recall` or `list`, and each namespace has its own")
        self.noun, self.id = noun, id

    @classmethod
    def by_description(cls) -> "NotFound":
        """Nothing is what a description says; what is merely near is left alone."""
        fault = cls("memory", "by that description")
        fault.args = ("no memory fits that description; `recall` shows what is near, to be named by its id",)
        return fault


class Conflict(CommonplaceError):
    """Someone else wrote a newer version first, or has the name already."""

    def __init__(self, noun: str, id: str, *, expected: int, found: int) -> None:
        if noun in NAMED and expected == 0:
            super().__init__(f"there is a {noun} of that name here already; use it, or choose another name")
        else:
            text = f"{noun} {id!r} is at version {found}, not {expected}; read it again and repeat the change"
            super().__init__(text)
        self.noun, self.id, self.expected, self.found = noun, id, expected, found


class Refused(CommonplaceError, ValueError):
    """The gateway did not let it in."""


class Tombstoned(Refused):
    """The value was rejected or forgotten before; only a person's confirmation lets it back."""

    def __init__(self, reason: str) -> None:
        super().__init__(f"this value was {reason} before and stays so; a person can lift that with `review lift`")
        self.reason = reason


class OverQuota(Refused):
    """The owner keeps as many memories as they may; nothing was written."""

    def __init__(self, kept: int, most: int) -> None:
        super().__init__(
            f"{kept:,} of at most {most:,} memories are kept and there is no room for this; "
            "archive or forget some, or have `quota_memories` raised"
        )
        self.kept, self.most = kept, most


class Ambiguous(CommonplaceError):
    """A description fits several memories."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(f"the description fits {len(ids)} memories; name one by id, or pass all=True or best=True")
        self.ids = tuple(ids)


class Invalid(CommonplaceError, ValueError):
    """An argument is not what the verb takes."""


class NotInPlan(CommonplaceError):
    """The feature belongs to another plan."""

    def __init__(self, feature: str, plan: str, plans: Sequence[str]) -> None:
        super().__init__(f"{feature} is not part of plan {plan!r}; it is part of {', '.join(plans)}")
        self.feature, self.plan, self.plans = feature, plan, tuple(plans)


class NotAllowed(CommonplaceError, PermissionError):
    """The caller's token or door does not reach that far."""


class SettingsError(CommonplaceError, ValueError):
    """A setting is unknown or cannot be read."""


class KeyringError(CommonplaceError):
    """Keys are missing or do not fit the book."""


class StoreError(CommonplaceError):
    """The database failed; the driver's error is ``__cause__``."""


class SchemaTooNew(StoreError):
    """The book was written by a newer release."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"the book has schema {found}, this release knows up to {known}; install the newer release")
        self.found, self.known = found, known


class SchemaTooOld(StoreError):
    """The book was written by an older release and waits for its migration."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"the book has schema {found}, this release writes {known}; run `commonplace migrate`")
        self.found, self.known = found, known


class StoreBusy(StoreError):
    """The book stayed locked for longer than we wait; nothing was written, try again."""

    undone = False
    """Whether the engine undid the write for another's sake, and it may well succeed if it is done anew at once."""


class StoreFull(StoreError):
    """No room is left on the disk; nothing was written."""


class ProviderError(CommonplaceError):
    """An embedder or model failed; its error is ``__cause__``."""


class OverBudget(ProviderError):
    """The day's token cap is reached; raise `llm_daily_tokens` or wait until tomorrow."""
