"""Tools of the verbs that are built from their signature."""

import inspect
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import ADDS, CHANGES, receipt_answer
from commonplace.interfaces.mcp.tools.parameters import KEYWORD, MemoryId, Namespace, Reason, Version
from commonplace.interfaces.verbs import BUILT, Argument, arguments, documentation
from commonplace.verbs import VERBS

SHARED: dict[str, Any] = {"id": MemoryId, "reason": Reason, "expected": Version}


def add(server: MCPServer[Any], access: BookAccess) -> None:
    for verb in BUILT:
        _add(server, access, verb)


def _add(server: MCPServer[Any], access: BookAccess, verb: str) -> None:
    entry = VERBS[verb]

    def tool(namespace: Namespace = None, **given: Any) -> CallToolResult:
        id = given.pop("id")
        return receipt_answer(getattr(access.book(namespace, entry.scope), verb)(id, **given))

    parameters = [_parameter(argument) for argument in arguments(verb)]
    parameters.append(inspect.Parameter("namespace", KEYWORD, default=None, annotation=Namespace))
    tool.__signature__ = inspect.Signature(parameters, return_annotation=CallToolResult)  # type: ignore[attr-defined]
    tool.__name__ = str(entry.mcp).removeprefix("memory_")
    annotations = ADDS if verb == "confirm" else CHANGES
    server.tool(title=verb.capitalize(), annotations=annotations, description=documentation(verb))(tool)


def _parameter(argument: Argument) -> inspect.Parameter:
    bounds: dict[str, Any] = {"ge": 1} if argument.type is int else {}
    words = f"{argument.words[:1].upper()}{argument.words[1:]}."
    hint: Any = argument.type if argument.required or argument.default is not None else argument.type | None
    annotation = SHARED.get(argument.name) or Annotated[hint, Field(description=words, **bounds)]
    default = inspect.Parameter.empty if argument.required else argument.default
    return inspect.Parameter(argument.name, KEYWORD, default=default, annotation=annotation)
