"""What every tool needs: the caller's book, errors in words a model can act on, and answers that are short."""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from datetime import datetime
from functools import wraps
from typing import Annotated, Any, ParamSpec, Protocol

from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from typing_extensions import TypedDict

from commonplace.book import Commonplace
from commonplace.context.render import CLOSE, LABEL, OPEN, ROUND
from commonplace.errors import CommonplaceError
from commonplace.interfaces.json import to_json
from commonplace.model import Change, Memory, Receipt
from commonplace.security.fence import escape
from commonplace.security.tokens import Scope, Token

P = ParamSpec("P")

CALLER: ContextVar[Token | None] = ContextVar("caller", default=None)
"""Who calls over HTTP; None over stdio, where the process itself is the caller's."""


class Written(TypedDict):
    """A receipt, as structure. The SDK makes no schema of a class with slots, so its fields stand here again."""

    id: str | None
    ref: str
    action: str
    at: datetime
    actor: str
    ids: list[str]
    changes: list[Change]
    state: str
    trace: str | None
    notes: list[str]


Done = Annotated[CallToolResult, Written]
"""The answer of a tool that only ever writes."""

READS = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
ADDS = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
CHANGES = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=False)
DESTROYS = ToolAnnotations(read_only_hint=False, destructive_hint=True, idempotent_hint=True, open_world_hint=False)

LINE = 600
"""Characters of one memory in a list; `get` shows it whole."""


class Desk(Protocol):
    """Hands out books."""

    @property
    def beside_files(self) -> bool:
        """Whether the caller works on this machine, so that the project's files are theirs to write."""

    def book(self, namespace: str | None, needed: Scope) -> Commonplace:
        """The caller's book. Raises ``NotAllowed`` if they may not do that there."""

    def whole(self, needed: Scope) -> Commonplace:
        """The caller's book, for what concerns all of their namespaces at once."""

    def house(self) -> Commonplace:
        """The caller's book, for what concerns the whole store. Raises ``NotAllowed`` unless it is theirs to tend."""


def telling(work: Callable[P, CallToolResult]) -> Callable[P, CallToolResult]:
    """Our errors as the tool's answer: what went wrong and what to do, never anybody's text."""

    @wraps(work)
    def told(*args: P.args, **kwargs: P.kwargs) -> CallToolResult:
        try:
            return work(*args, **kwargs)
        except CommonplaceError as error:
            raise ToolError(str(error)) from error

    return told


def answer(text: str, value: Any) -> CallToolResult:
    """A short text for the model, and everything as structure for programs."""
    structure = to_json(value)
    if not isinstance(structure, dict):
        structure = {"result": structure}
    return CallToolResult(content=[TextContent(type="text", text=text)], structured_content=structure)


def done(receipt: Receipt) -> CallToolResult:
    """A write in one line: what was done to which ids, and the reference that `undo` takes."""
    changes = "; ".join(f"{one.action} {one.id} ({one.reason})" for one in receipt.changes[:10]) or "nothing changed"
    notes = "".join(f" Note: {note}." for note in receipt.notes[:5])
    state = "" if receipt.state == "done" else f" State: {receipt.state}."
    return answer(f"{receipt.action}: {changes}.{state}{notes} Receipt {receipt.ref}.", receipt)


def fenced(lines: Iterable[str], *, nothing: str) -> str:
    """Recalled text as data. Each line is already inert."""
    body = list(lines)
    return "\n".join([OPEN, LABEL, *body, CLOSE]) if body else nothing


def line(memory: Memory, *, whole: bool = False) -> str:
    """A memory in one line: id, kind, status, date, tags, text."""
    turn = memory.turn
    when = turn.said_at if turn else memory.valid_from or memory.recorded_at
    about = [f"id {memory.id}", memory.kind, memory.category, memory.status, f"{when:%Y-%m-%d}"]
    if turn is not None:
        about.append(f"said by {inert(turn.speaker or turn.role)}")
    if memory.valid_to is not None:
        about.append(f"until {memory.valid_to:%Y-%m-%d}")
    if memory.directive:
        about.append(f"of directive {memory.directive}")
    if memory.tags:
        about.append("tags: " + ", ".join(inert(tag) for tag in memory.tags))
    key = f"{inert(memory.key)}: " if memory.key else ""
    return f"- [{'; '.join(about).translate(ROUND)}] {key}{inert(memory.text, None if whole else LINE)}"


def inert(text: str, most: int | None = 120) -> str:
    """One line that can neither close the fence nor open another."""
    plain = " ".join(text.split())
    if most is not None and len(plain) > most:
        plain = plain[:most] + " …"
    return escape(plain)
