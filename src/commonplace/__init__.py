"""Commonplace: the memory that AI agents keep between conversations."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from commonplace.aio import AsyncCommonplace
    from commonplace.book import Commonplace
    from commonplace.errors import CommonplaceError, Conflict, Invalid, NotFound, NotInPlan, Refused
    from commonplace.model import Hit, Memory, Message, Query, Receipt
    from commonplace.settings import Settings

__version__ = "0.1.0"

__all__ = [
    "AsyncCommonplace",
    "Commonplace",
    "CommonplaceError",
    "Conflict",
    "Hit",
    "Invalid",
    "Memory",
    "Message",
    "NotFound",
    "NotInPlan",
    "Proposal",
    "Query",
    "Receipt",
    "Refused",
    "Settings",
]

# A hook imports one small module of ours on every prompt; it must not pay for the whole package.
_HOMES = {
    "commonplace.aio": ("AsyncCommonplace",),
    "commonplace.book": ("Commonplace",),
    "commonplace.describing.proposal": ("Proposal",),
    "commonplace.errors": ("CommonplaceError", "Conflict", "Invalid", "NotFound", "NotInPlan", "Refused"),
    "commonplace.model": ("Hit", "Memory", "Message", "Query", "Receipt"),
    "commonplace.settings": ("Settings",),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
