"""Everything we raise on purpose. No message ever carries the text of a memory.

CommonplaceError
├── NotFound          nothing lives at that id in that namespace
├── Conflict          someone else wrote a newer version first, or has the name already
├── Refused           the gateway did not let it in: empty, too long, a secret
│   ├── Tombstoned        the value was rejected or forgotten before
│   └── OverQuota         the owner keeps as many memories as they may
├── Ambiguous         a description may mean several memories; their ids are listed
├── Invalid           an argument is not what the verb takes
├── NotInPlan         the feature belongs to another plan
├── NotAllowed        the caller's token or interface does not allow it
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
    """The root of everything we raise on purpose.

    ``code`` says what exactly is wrong in a word that does not change, and ``values`` the numbers in the sentence: for
    programs, and for the page, which says it in the person's language.
    """

    def __init__(self, *message: object, code: str | None = None, **values: int) -> None:
        super().__init__(*message)
        self.code, self.values = code, values


NAMED = ("namespace", "shared namespace", "tag", "entity", "core value")
"""What is asked for by a name that a person gave."""


LISTED = {
    "namespace": "`namespace list` lists them, `namespace create` makes one",
    "shared namespace": "`namespace list` says which are shared with you",
    "member": "`namespace members` lists who is in a shared namespace",
    "invitation": "`namespace members` lists the open invitations",
    "receipt": "`receipts` lists them",
}
"""Where to look for what is no memory."""


class NotFound(CommonplaceError, LookupError):
    """Nothing lives at that id in that namespace."""

    def __init__(self, noun: str, id: str) -> None:
        # a name is somebody's words, and an error may end up in a log
        if noun in NAMED:
            where = LISTED.get(noun, "each namespace has its own, and a list of them")
            super().__init__(f"no {noun} of that name here; {where}")
        elif noun in LISTED:
            super().__init__(f"no {noun} {id!r} here; {LISTED[noun]}")
        else:
            super().__init__(f"no {noun} {id!r} here; ids come from `recall` or `list`, and each namespace has its own")
        self.noun, self.id = noun, id

    nearest: tuple[str, ...] = ()
    """The ids of the memories that come closest to a description that fits nothing."""

    @classmethod
    def by_description(cls, nearest: Sequence[str] = ()) -> "NotFound":
        """Nothing is what a description says; what is merely near is left alone."""
        fault = cls("memory", "by that description")
        fault.args = ("no memory fits that description; `recall` shows what is near, to be named by its id",)
        fault.nearest = tuple(nearest)
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

    def __init__(self, reason: str, *, person: bool = False) -> None:
        way = "to keep it all the same, say it again with confirm=True (`--again`)"
        if not person:
            way = "only a person can bring it back, with `review lift` or by confirming it"
        super().__init__(f"this value was {reason} before and stays so; {way}")
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
        super().__init__(f"the description fits {len(ids)} memories; name one by its id")
        self.ids = tuple(ids)


class Invalid(CommonplaceError, ValueError):
    """An argument is not what the verb takes."""


class NotInPlan(CommonplaceError):
    """The feature belongs to another plan."""

    def __init__(self, feature: str, plan: str, plans: Sequence[str]) -> None:
        super().__init__(f"{feature} is not part of plan {plan!r}; it is part of {', '.join(plans)}")
        self.feature, self.plan, self.plans = feature, plan, tuple(plans)


class NotAllowed(CommonplaceError, PermissionError):
    """The caller's token or interface does not allow it."""


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
    """Whether the engine rolled the write back in favour of another; a retry at once may succeed."""


class StoreFull(StoreError):
    """No room is left on the disk; nothing was written."""


class ProviderError(CommonplaceError):
    """An embedder or model failed; its error is ``__cause__``."""

    passing = False
    """Whether the same request may succeed later."""


class OverBudget(ProviderError):
    """The day's token cap is reached; raise `llm_daily_tokens` or wait until tomorrow."""

    passing = True
