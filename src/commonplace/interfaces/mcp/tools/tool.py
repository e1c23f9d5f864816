"""The tools as ``tools.txt`` has them: schemas from its words and the signatures of verbs, one call, an answer."""

import inspect
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from operator import attrgetter
from types import NoneType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from anyio import from_thread
from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp_types import CallToolResult
from pydantic import Field

from commonplace import aio
from commonplace.book import Commonplace
from commonplace.entries import Argument, Entry, argument, below, read_entries
from commonplace.errors import CommonplaceError, Invalid
from commonplace.interfaces.fields import Parameter, parameters
from commonplace.interfaces.mcp.access import BookAccess
from commonplace.interfaces.mcp.answers import (
    HINTS,
    inert,
    memories_answer,
    receipt_answer,
    receipt_sentence,
    text_answer,
)
from commonplace.interfaces.mcp.tools.consent import Answer, Consent
from commonplace.interfaces.verbs import BUILT, arguments, documentation
from commonplace.model import QueryFilters, Receipt, RevisionFields, field_types
from commonplace.protocol import Book
from commonplace.security.tokens import Scope
from commonplace.store.ports import Progress
from commonplace.verbs import COLLECTIONS, VERBS

PAUSE = 0.1
"""Seconds between two messages."""


def progress_of(context: Context) -> Progress:
    """For a tool that runs in a worker thread. Nothing is sent to a client that did not ask."""
    due = 0.0

    def report(count: int, total: int | None) -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + PAUSE
            from_thread.run(context.report_progress, count, total)

    return report


KEYWORD = inspect.Parameter.KEYWORD_ONLY
ABSENT = inspect.Parameter.empty
NOTES = ("title", "hints", "run", "takes", "book", "sentence", "asks", "says", "line", "of", "none", "plain", "always")
BOUNDS = {"at least": "ge", "at most": "le"}
PROPERTIES = (*(f"{name}:" for name in BOUNDS), "default:", "type:", "rare")
RARE = {"json_schema_extra": {"x-rare": True}}
NAMESPACE = Argument(["namespace"], "Default: this project.", {"rare": ""})
BUILT_WORDS = {"id": "Id from memory_recall.", "reason": "Why."}
BUILT_WORDS["expected"] = "Refuse if another version is current. [at least: 1, rare]"
FIELDS = {
    "@filters": parameters(QueryFilters, ("as_of", "known_at", "explain", "glossary_tag", "recipe")),
    "@revision": parameters(RevisionFields),
}


@dataclass(frozen=True)
class ToolCall:
    """One use of a tool: by whom, in which namespace, and who is told how far it is."""

    access: BookAccess
    namespace: str | None
    context: Context

    def book(self, needed: Scope) -> Book:
        return self.access.book(self.namespace, needed)

    @property
    def progress(self) -> Progress:
        return progress_of(self.context)


class ToolAction:
    """What a tool, or one of its actions, runs."""

    def __init__(self, notes: dict[str, str]) -> None:
        place, *fixed = notes["run"].split()
        self.notes = notes
        self._fixed = {name: _value(value) for name, _, value in (word.partition("=") for word in fixed)}
        self._takes = dict(word.split("=") for word in notes.get("takes", "").split())
        self._verb = place.removeprefix("book.") if place.startswith("book.") else ""
        self._function = _verb(self._verb) if self._verb else function(place)
        kinds = [parameter.kind for parameter in inspect.signature(self._function).parameters.values()]
        self._open = not self._verb and inspect.Parameter.VAR_KEYWORD in kinds

    @cached_property
    def parameters(self) -> dict[str, tuple[Any, Any]]:
        """Type and default of what it takes, by what that is called here."""
        hints = get_type_hints(self._function, include_extras=not self._verb)
        called: dict[str, tuple[Any, Any]] = {}
        for name, parameter in list(inspect.signature(self._function).parameters.items())[1:]:
            if parameter.kind is parameter.VAR_POSITIONAL:
                called[name] = (list.__class_getitem__(hints[name]), ABSENT)
            elif parameter.kind is not parameter.VAR_KEYWORD:
                called[self._takes.get(name, name)] = (hints[name], parameter.default)
            elif self._verb:
                fields = field_types(get_args(hints[name])[0])
                called |= {field: (hint, None) for field, hint in fields.items()}
        return called

    @cached_property
    def _needed(self) -> Scope:
        """The scope the caller needs, as the table of verbs has it."""
        collection, _, verb = self._verb.rpartition(".")
        return COLLECTIONS[collection][verb].needs if collection else VERBS[verb].scope

    def call(self, call: ToolCall, sent: dict[str, Any]) -> CallToolResult:
        values = self._known(sent)
        if not self._verb:
            result: CallToolResult = self._function(call, **values)
            return result
        whole = self.notes.get("book") == "all"
        book = call.access.all_namespaces(self._needed) if whole else call.book(self._needed)
        takes = {called: name for name, called in self._takes.items()}
        keywords = {takes.get(name, name): value for name, value in values.items()} | self._fixed
        if "progress" in self.parameters:
            keywords["progress"] = call.progress
        positional = keywords.pop("ids") if self._verb == "archive" else ()
        return self._answer(book, attrgetter(self._verb)(book)(*positional, **keywords), values)

    def _known(self, sent: dict[str, Any]) -> dict[str, Any]:
        """The sent arguments that this target takes. Raises ``Invalid`` where a required one is missing."""
        for name, (_, default) in self.parameters.items():
            if default is ABSENT and name not in sent and name not in self._fixed:
                raise Invalid(f"this action needs `{name}`; call again with it")
        return sent if self._open else {name: value for name, value in sent.items() if name in self.parameters}

    def _answer(self, book: Book, answer: Any, sent: dict[str, Any]) -> CallToolResult:
        notes, nothing = self.notes, self.notes.get("none", "")
        if isinstance(answer, Receipt):
            if "sentence" in notes:
                return receipt_answer(answer, function(notes["sentence"])(book, answer, sent))
            subject = inert(sent["name"]) if "says" in notes else None
            return receipt_answer(answer, receipt_sentence(answer, subject, notes["says"]) if subject else None)
        if "line" not in notes:
            return text_answer(answer.text or nothing)
        items = getattr(answer, notes["of"]) if "of" in notes else answer
        lines = map(function(notes["line"]), items if isinstance(items, Sequence) else [items])
        return text_answer("\n".join(lines) or nothing) if "plain" in notes else memories_answer(lines, nothing=nothing)


def every() -> dict[str, Entry]:
    """Each tool and action by its name; verbs on one memory that answer with a receipt need no line in the text."""
    entries = read_entries(__file__.removesuffix("tool.py") + "tools.txt", NOTES)
    for verb in BUILT:
        notes = {"title": verb.capitalize(), "hints": "adds" if verb == "confirm" else "changes", "run": f"book.{verb}"}
        lines = [
            f"{name}  {BUILT_WORDS.get(name) or _sentence(words) + ' [at least: 1]' * (kind is int)}"
            for name, kind, _, _, words in arguments(verb)
        ]
        entry = Entry("all", documentation(verb), notes, lines, __file__, 1)
        entries[str(VERBS[verb].mcp).removeprefix("memory_")] = entry
    return entries


def add(server: MCPServer[Any], access: BookAccess, name: str, entries: dict[str, Entry]) -> None:
    """Register one tool."""
    entry = entries[name]
    notes = entry.notes
    targets = {action.rpartition(" ")[2]: ToolAction(notes | entries[action].notes) for action in below(entries, name)}
    targets = targets or {"": ToolAction(notes)}

    def tool(**sent: Any) -> CallToolResult:
        call = ToolCall(access, sent.pop("namespace", None), sent.pop("ctx"))
        target = targets[""] if "" in targets else targets[sent.pop("action")]
        return target.call(call, _present(sent))

    signature = list(_signature(entry, entries, targets))
    if "book" not in notes and "namespace" not in [parameter.name for parameter in signature]:
        signature.append(_parameter(NAMESPACE, targets))
    if "asks" in notes:
        asker = _asker(access, function(notes["asks"]), signature)
        signature.append(inspect.Parameter("consent", KEYWORD, annotation=Annotated[Answer, Resolve(asker)]))
    _sign(tool, [inspect.Parameter("ctx", KEYWORD, annotation=Context), *signature], CallToolResult)
    tool.__name__ = name
    meta = {"anthropic/alwaysLoad": True} if "always" in notes else None
    hints, about = HINTS[notes["hints"]], entry.help
    server.tool(title=notes["title"], annotations=hints, meta=meta, description=about)(tool)


def _signature(entry: Entry, entries: dict[str, Entry], targets: dict[str, ToolAction]) -> Iterator[inspect.Parameter]:
    """The parameters of a schema; ``targets`` are the actions, or what the tool runs by the name of nothing."""
    for line in entry.arguments:
        if line in FIELDS:
            lines = [argument(own, entries[line], ()) for own in entries[line].arguments]
            words = {own.names[0]: own.help for own in lines}
            yield from (_field(field, words.get(field.name, "")) for field in FIELDS[line])
        elif line.startswith("@") and line not in entries:
            raise entry.error(line, f"expected a block of this file, such as `{next(iter(FIELDS))}`")
        elif line.startswith("@"):
            yield from _signature(entries[line], entries, targets)
        else:
            yield _parameter(NAMESPACE if line == "namespace" else argument(line, entry, PROPERTIES), targets)


def _parameter(argument: Argument, targets: dict[str, ToolAction]) -> inspect.Parameter:
    (name,), words, properties, _ = argument
    hint: Any = str
    default: Any = None
    if name == "action" and "" not in targets:
        hint, default = Literal.__getitem__(tuple(targets)), ABSENT
    elif alternatives := [target.parameters[name] for target in targets.values() if name in target.parameters]:
        hint = str if properties.get("type") == "text" else _plain(alternatives[0][0])
        default = alternatives[0][1] if "" in targets and alternatives[0][1] != () else None
    default = _value(properties["default"]) if "default" in properties else default
    options: dict[str, Any] = {"description": words} | (RARE if "rare" in properties else {})
    options |= {side: json.loads(properties[bound]) for bound, side in BOUNDS.items() if bound in properties}
    return _keyword(name, hint | None if default is None else hint, default, options)


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _field(field: Parameter, words: str) -> inspect.Parameter:
    words = words or (_sentence(field.words) if field.words else field.name)
    options: dict[str, Any] = {"description": words} | RARE
    return _keyword(field.name, typed(field), None, options | ({"ge": 0, "le": 1} if field.type is float else {}))


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _keyword(name: str, hint: Any, default: Any, options: dict[str, Any]) -> inspect.Parameter:
    return inspect.Parameter(name, KEYWORD, default=default, annotation=Annotated[hint, Field(**options)])


def typed(field: Parameter) -> Any:
    """The type of a field; all are optional."""
    if field.many:
        return list[field.type] | None  # type: ignore[name-defined]
    return (dict[str, Any] if field.type is dict else field.type) | None


def _plain(hint: Any) -> Any:
    """A verb's type as JSON has it: no null, and lists for all that is read in order."""
    options = [option for option in get_args(hint) if option is not NoneType]
    if NoneType in get_args(hint):
        return _plain(Union[tuple(options)])  # noqa: UP007  # made of a list
    origin = get_origin(hint)
    return list.__class_getitem__(options[0]) if isinstance(origin, type) and issubclass(origin, Sequence) else hint


def _asker(
    access: BookAccess, question: Callable[..., Consent | Elicit[Consent]], signature: Sequence[inspect.Parameter]
) -> Any:
    """Asks the person before a tool runs, as far as the client can; ``question`` says what, or that it need not."""

    def ask(**sent: Any) -> Consent | Elicit[Consent]:
        call = ToolCall(access, sent.pop("namespace", None), sent.pop("ctx"))
        try:
            asked: Consent | Elicit[Consent] = question(call, **_present(sent))
        except CommonplaceError as error:
            raise ToolError(str(error)) from error
        return asked

    _sign(ask, [inspect.Parameter("ctx", KEYWORD, annotation=Context), *signature], Consent | Elicit[Consent])
    return ask


def _present(sent: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in sent.items() if value is not None}


def _sign(made: Any, parameters: list[inspect.Parameter], returns: Any) -> None:
    """A function's signature, for all who read it."""
    made.__signature__ = inspect.Signature(parameters, return_annotation=returns)
    annotations = {**{parameter.name: parameter.annotation for parameter in parameters}, "return": returns}
    made.__annotations__ = annotations
    made.__annotate__ = lambda format: annotations  # Python 3.14 copies this one to a wrapper


def _verb(name: str) -> Callable[..., Any]:
    collection, _, verb = name.rpartition(".")
    named: Callable[..., Any] = getattr(aio.COLLECTIONS[collection] if collection else Commonplace, verb)
    return named


def function(place: str) -> Callable[..., Any]:
    """``module.name`` in this folder or the one above."""
    module, _, name = place.rpartition(".")
    package = str(__package__) if module != "answers" else str(__package__).rpartition(".")[0]
    named: Callable[..., Any] = getattr(import_module(f"{package}.{module}"), name)
    return named
