"""Everything we raise on purpose. No message ever contains the text of a memory.

CommonplaceError
├── NotFound          no such id in that namespace
├── Conflict          somebody wrote a newer version first, or the name is taken
├── Refused           not stored: empty, too long, only a secret
│   ├── Tombstoned        the value was rejected or forgotten before
│   └── OverQuota         the owner has reached the maximum number of memories
├── Ambiguous         a description matches several memories; their ids are listed
├── Invalid           an argument has a wrong type or value
├── NotInPlan         the owner's plan does not include the feature
├── NotAllowed        the caller's token or role does not allow it
├── SettingsError     a setting is unknown or cannot be read
├── KeyringError      keys are missing or belong to another book
├── StoreError        the database failed; the driver's error is __cause__
│   ├── SchemaTooNew      written by a newer release
│   ├── SchemaTooOld      needs `commonplace migrate`
│   ├── StoreBusy         locked for too long; try again
│   └── StoreFull         the disk is full
└── ProviderError     an embedder or model failed; its error is __cause__
    └── OverBudget        the daily token limit is reached
"""

from collections.abc import Sequence


class CommonplaceError(Exception):
    """The root of everything we raise on purpose.

    ``code`` is a stable identifier of the problem and ``values`` the numbers in the message: for programs, and for the
    web page, which translates the message.
    """

    def __init__(self, *message: object, code: str | None = None, **values: int) -> None:
        super().__init__(*message)
        self.code, self.values = code, values


LOOKED_UP_BY_NAME = ("namespace", "shared namespace", "tag", "entity", "core value")
"""Things that are looked up by a name that a person chose."""


LISTED_BY = {
    "namespace": "`namespace list` lists them, `namespace create` makes one",
    "shared namespace": "`namespace list` says which are shared with you",
    "member": "`namespace members` lists who is in a shared namespace",
    "invitation": "`namespace members` lists the open invitations",
    "receipt": "`receipts` lists them",
}
"""Which command lists the ids of things other than memories."""


class NotFound(CommonplaceError, LookupError):
    """There is no such id in that namespace."""

    def __init__(self, noun: str, id: str) -> None:
        # a name is a person's text, and an error may end up in a log: so it is not repeated
        if noun in LOOKED_UP_BY_NAME:
            where = LISTED_BY.get(noun, "each namespace has its own, and a list of them")
            super().__init__(f"no {noun} of that name here; {where}")
        elif noun in LISTED_BY:
            super().__init__(f"no {noun} {id!r} here; {LISTED_BY[noun]}")
        else:
            super().__init__(f"no {noun} {id!r} here; ids come from `recall` or `list`, and each namespace has its own")
        self.noun, self.id = noun, id

    nearest: tuple[str, ...] = ()
    """The ids of the closest memories, if no memory matches a description."""

    @classmethod
    def by_description(cls, nearest: Sequence[str] = ()) -> "NotFound":
        """No memory matches a description; ``nearest`` are the ids of the closest ones."""
        fault = cls("memory", "by that description")
        fault.args = ("no memory matches that description; find the memory with `recall` and pass its id",)
        fault.nearest = tuple(nearest)
        return fault


class Conflict(CommonplaceError):
    """Somebody wrote a newer version first, or the name is taken."""

    def __init__(self, noun: str, id: str, *, expected: int, found: int) -> None:
        if noun in LOOKED_UP_BY_NAME and expected == 0:
            super().__init__(f"a {noun} of that name exists already; use it or choose another name")
        else:
            text = f"{noun} {id!r} is at version {found}, not {expected}; read it again and repeat the change"
            super().__init__(text)
        self.noun, self.id, self.expected, self.found = noun, id, expected, found


class Refused(CommonplaceError, ValueError):
    """The memory was not stored: it is empty, too long or only a secret."""


class Tombstoned(Refused):
    """The value was rejected or forgotten before; only a person's confirmation brings it back."""

    def __init__(self, reason: str, *, person: bool = False) -> None:
        way = "to store it anyway, repeat the call with confirm=True (`--again`)"
        if not person:
            way = "only a person can bring it back, with `review lift` or by confirming it"
        super().__init__(f"this value was {reason} before and stays so; {way}")
        self.reason = reason


class OverQuota(Refused):
    """The owner has reached the maximum number of memories; nothing was written."""

    def __init__(self, kept: int, most: int) -> None:
        super().__init__(
            f"the quota is reached: {kept:,} of {most:,} memories; archive or forget some, or raise `quota_memories`"
        )
        self.kept, self.most = kept, most


class Ambiguous(CommonplaceError):
    """A description matches several memories."""

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__(f"the description matches {len(ids)} memories; pass the id of one")
        self.ids = tuple(ids)


class Invalid(CommonplaceError, ValueError):
    """An argument has a wrong type or value."""


class NotInPlan(CommonplaceError):
    """The owner's plan does not include the feature."""

    def __init__(self, feature: str, plan: str, plans: Sequence[str]) -> None:
        super().__init__(f"{feature} is not part of plan {plan!r}; it is part of {', '.join(plans)}")
        self.feature, self.plan, self.plans = feature, plan, tuple(plans)


class NotAllowed(CommonplaceError, PermissionError):
    """The caller's token or role does not allow it."""


class SettingsError(CommonplaceError, ValueError):
    """A setting is unknown or cannot be read."""


class KeyringError(CommonplaceError):
    """Keys are missing or belong to another book."""


class StoreError(CommonplaceError):
    """The database failed; the driver's error is ``__cause__``."""


class SchemaTooNew(StoreError):
    """The book was written by a newer release."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"the book has schema {found}, this release knows up to {known}; install the newer release")
        self.found, self.known = found, known


class SchemaTooOld(StoreError):
    """The book was written by an older release; run `commonplace migrate`."""

    def __init__(self, found: int, known: int) -> None:
        super().__init__(f"the book has schema {found}, this release writes {known}; run `commonplace migrate`")
        self.found, self.known = found, known


class StoreBusy(StoreError):
    """The book stayed locked for too long; nothing was written. Try again."""

    undone = False
    """Whether the engine rolled the write back in favour of another one; an immediate retry may succeed."""


class StoreFull(StoreError):
    """The disk is full; nothing was written."""


class ProviderError(CommonplaceError):
    """An embedder or model failed; its error is ``__cause__``."""

    passing = False
    """Whether the same request may succeed later."""


class OverBudget(ProviderError):
    """The daily token limit is reached; raise `llm_daily_tokens` or wait until tomorrow."""

    passing = True
