"""The MCP server: its tools, what it says of itself, resources, prompts and completion."""

from collections.abc import Callable, Iterable
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from mcp import MCPError
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp_types import CallToolResult, InputRequiredResult, Tool
from pydantic import AnyUrl, ValidationError

from commonplace import __version__
from commonplace.interfaces.mcp import resources
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import reports_errors
from commonplace.interfaces.mcp.tools import Tools
from commonplace.interfaces.mcp.tools import add as add_tools

PREFIX = "memory_"
UNLISTED = ("memory_directive",)
"""Tools of the default set that can be called, and are listed only among all tools."""
INSTRUCTIONS = Path(__file__).with_name("instructions.md").read_text("utf-8")
"""What a model is told of the memory when it connects."""


class MemoryServer(MCPServer[Any]):
    """Tools named ``memory_…`` with small schemas, which refuse arguments that they do not know."""

    listed: Tools = "default"
    """With ``default``, parameters that are seldom needed are taken but not listed."""
    on_first_call: Callable[[str, str | None], None] | None = None
    """Called once, with the name of the first tool that is used and that of the program that uses it."""

    def tool(self, name: str | None = None, **options: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:  # type: ignore[override]
        def add(function: Callable[..., Any]) -> Callable[..., Any]:
            full = PREFIX + (name or function.__name__)
            register = super(MemoryServer, self).tool(name=full, structured_output=False, **options)
            return register(reports_errors(function))

        return add

    async def list_tools(self) -> list[Tool]:
        tools = [tool for tool in await super().list_tools() if self.listed == "all" or tool.name not in UNLISTED]
        return [tool.model_copy(update={"input_schema": _small(tool.input_schema, self.listed)}) for tool in tools]

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Also takes a tool's name without the prefix. Raises ``ToolError`` for an argument that it does not take."""
        schemas = {tool.name: tool.input_schema for tool in await super().list_tools()}
        if name not in schemas and PREFIX + name in schemas:
            name = PREFIX + name
        if name not in schemas:
            raise ToolError(_no_tool(name, list(schemas)))
        names = list(schemas[name].get("properties", {}))
        for argument in arguments:
            if argument not in names:
                takes = ", ".join(names)
                raise ToolError(f"{name} takes no argument {argument!r}{_nearest(argument, names)}; it takes {takes}")
        if self.on_first_call is not None:
            first_call, self.on_first_call = self.on_first_call, None
            first_call(name, _client(context))
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            cause = error.__cause__
            if isinstance(cause, ValidationError):
                raise ToolError(f"{name}: {_faults(cause)}") from error
            raise ToolError(str(cause)) if type(cause) is ToolError else error from cause

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[Any, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """An address that nothing answers to has the code of a resource that does not exist."""
        try:
            return await super().read_resource(uri, context)
        except ResourceNotFoundError as error:
            raise MCPError(code=resources.NOT_FOUND, message=str(error), data={"uri": str(uri)}) from error


def _client(context: Context[Any, Any] | None) -> str | None:
    """What the program at the other end calls itself."""
    params = None if context is None else context.session.client_params
    return None if params is None else " ".join(params.client_info.name.split())[:80] or None


def server(access: BookAccess, tools: Tools = "default") -> MemoryServer:
    """An MCP server whose every tool works on the book that ``access`` gives it."""
    memory = MemoryServer(
        "commonplace", title="Commonplace", instructions=INSTRUCTIONS, version=__version__, log_level="WARNING"
    )
    memory.listed = tools
    add_tools(memory, access, tools)
    resources.add(memory, access)
    resources.add_prompts(memory, access)
    resources.add_completion(memory, access)
    return memory


def _faults(error: ValidationError) -> str:
    """What is wrong with which argument, without the library's own addresses and the value."""
    return "; ".join(
        f"{'.'.join(map(str, fault['loc']))}: {fault['msg'][:1].lower()}{fault['msg'][1:]}" for fault in error.errors()
    )


def _no_tool(name: str, names: list[str]) -> str:
    short = [tool.removeprefix(PREFIX) for tool in names]  # all begin alike, and would all be near
    near = get_close_matches(name.removeprefix(PREFIX), short, n=1, cutoff=0.7)
    hint = f"did you mean {PREFIX}{near[0]}?" if near else f"there are {', '.join(names)}"
    return f"there is no tool {name!r}; {hint}"


def _nearest(word: str, names: list[str]) -> str:
    matches = get_close_matches(word, names, n=1, cutoff=0.5)
    return f"; did you mean {matches[0]}?" if matches else ""


def _small(schema: Any, listed: Tools) -> Any:
    """A schema without titles, null alternatives and null defaults: a model pays for every word."""
    if isinstance(schema, list):
        return [_small(part, listed) for part in schema]
    if not isinstance(schema, dict):
        return schema
    small: dict[str, Any] = {}
    for name, value in schema.items():
        if name == "properties":
            shown = {key: part for key, part in value.items() if listed == "all" or not part.get("x-rare")}
            small[name] = {key: _small(part, listed) for key, part in shown.items()}
        elif name == "$defs":
            small[name] = {key: _small(part, listed) for key, part in value.items()}
        elif name not in ("title", "x-rare", "format") and not (name == "default" and value is None):
            small[name] = _small(value, listed)
    choices = [choice for choice in small.get("anyOf", ()) if choice != {"type": "null"}]
    if "anyOf" in small and len(choices) == 1:
        del small["anyOf"]
        small = {**choices[0], **small}
    if small.get("type") == "object" and "properties" in small:
        small["additionalProperties"] = False
    return small
