"""Commonplace: the memory that AI agents keep between conversations."""

from typing import TYPE_CHECKING, Any

from commonplace.book import Commonplace
from commonplace.errors import CommonplaceError, Conflict, Invalid, NotFound, NotInPlan, Refused
from commonplace.model import Hit, Memory, Message, Query, Receipt
from commonplace.settings import Settings

if TYPE_CHECKING:
    from commonplace.aio import AsyncCommonplace

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
    "Query",
    "Receipt",
    "Refused",
    "Settings",
]


def __getattr__(name: str) -> Any:
    if name == "AsyncCommonplace":
        from commonplace.aio import AsyncCommonplace  # noqa: PLC0415  # asyncio: 20 ms that most programs need not pay

        return AsyncCommonplace
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
