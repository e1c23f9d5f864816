"""Parameters that several tools share, each with its description."""

import inspect
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import wraps
from typing import Annotated, Any

from mcp_types import CallToolResult
from pydantic import Field

from commonplace.interfaces.fields import Parameter, parameters
from commonplace.model import QueryFilters


def rare(description: str, **bounds: Any) -> Any:
    """A parameter that the default set takes but does not list: a model pays for every word."""
    return Field(description=description, json_schema_extra={"x-rare": True}, **bounds)


MemoryId = Annotated[str, Field(description="Id from memory_recall.")]
OptionalId = Annotated[str | None, Field(description="Id from memory_recall.")]
Namespace = Annotated[str | None, rare("Default: this project.")]
AsOf = Annotated[datetime | None, Field(description="What was true then (ISO date).")]
KnownAt = Annotated[datetime | None, Field(description="What was known then (ISO date).")]
ValidFrom = Annotated[datetime | None, rare("True since.")]
ValidTo = Annotated[datetime | None, rare("True until.")]
Reason = Annotated[str | None, Field(description="Why.")]
Tags = Annotated[list[str] | None, Field(description="Tags.")]
Share = Annotated[float | None, rare("0 to 1.", ge=0, le=1)]
Version = Annotated[int | None, rare("Refuse if another version is current.", ge=1)]
Limit = Annotated[int, Field(ge=1, le=50, description="Maximum.")]
PageSize = Annotated[int, Field(ge=1, le=100, description="Maximum.")]
After = Annotated[str | None, Field(description="Last id of the page before.")]
Confirm = Annotated[bool, Field(description="The person agreed.")]
DryRun = Annotated[bool, Field(description="Only show what would happen.")]


KEYWORD = inspect.Parameter.KEYWORD_ONLY
FILTERS = parameters(QueryFilters, ("as_of", "known_at", "explain", "glossary_tag"))
FILTER_WORDS = {
    "tags": "With all of these tags.",
    "categories": "Of these categories.",
    "kinds": "Of these kinds.",
    "statuses": "Default: candidate and verified.",
    "sources": "Written by.",
    "namespaces": "Search these instead.",
    "since": "Recorded or said at or after.",
    "until": "Recorded or said before.",
    "metadata": "With these values.",
    "directive": "Of this directive (id).",
    "session": "Of this conversation.",
    "recipe": "Named mix of the parts of a score.",
}


def typed(field: Parameter) -> Any:
    """The type of a field; all are optional."""
    if field.many:
        return list[field.type] | None  # type: ignore[name-defined]
    return (dict[str, Any] if field.type is dict else field.type) | None


def taking(fields: Iterable[Parameter], descriptions: Any) -> Callable[[Callable[..., CallToolResult]], Any]:
    """A tool whose ``**fields`` are these, listed in its schema; ``descriptions`` are their words where they differ."""

    def add(tool: Callable[..., CallToolResult]) -> Callable[..., CallToolResult]:
        signature = inspect.signature(tool)
        own = [parameter for parameter in signature.parameters.values() if parameter.kind is not parameter.VAR_KEYWORD]
        extra = [
            inspect.Parameter(field.name, KEYWORD, default=None, annotation=_annotated(field, descriptions))
            for field in fields
        ]

        @wraps(tool)
        def call(**arguments: Any) -> CallToolResult:
            return tool(**{name: value for name, value in arguments.items() if value is not None})

        call.__signature__ = signature.replace(parameters=[*own, *extra])  # type: ignore[attr-defined]
        return call

    return add


def _annotated(field: Parameter, descriptions: Any) -> Any:
    bounds = {"ge": 0, "le": 1} if field.type is float else {}
    words = descriptions.get(field.name) or (field.words[:1].upper() + field.words[1:] + "." if field.words else "")
    return Annotated[typed(field), rare(words or field.name, **bounds)]
