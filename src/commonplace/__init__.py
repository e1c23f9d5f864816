"""Commonplace: the memory that AI agents keep between conversations."""

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
    "Query",
    "Receipt",
    "Refused",
    "Settings",
]
