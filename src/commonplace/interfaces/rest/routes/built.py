"""Routes that are made from the table of verbs and each verb's signature, types and docstring.

What the path names goes there, ``expected`` comes in ``If-Match``, the rest in the query of a GET or DELETE and in the
body of the others. A list with a ``limit`` comes in pages.
"""

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import attrgetter
from types import NoneType
from typing import Any, NamedTuple, Union, get_args, get_origin, get_type_hints

from fastapi import APIRouter, Query
from starlette.responses import Response

from commonplace import aio
from commonplace.book import Commonplace
from commonplace.describing.proposal import Proposal
from commonplace.interfaces.json import core_value, tie
from commonplace.interfaces.rest import shapes
from commonplace.interfaces.rest.answers import Json, listed, versioned
from commonplace.interfaces.rest.call import Admin, ApiCall, Read, Write, require_server_admin
from commonplace.interfaces.verbs import BUILT
from commonplace.memories.audit import AuditLine
from commonplace.memories.timeline import Day
from commonplace.model import Receipt, field_types
from commonplace.protocol import Book
from commonplace.verbs import COLLECTIONS, FURTHER, RENAMED, VERBS, Rest, rest_of

router = APIRouter()
CALLS: dict[str, Any] = {"read": Read, "write": Write, "admin": Admin}
NOT_SENT = ("self", "expected", "progress")
IN_PATH = {"label_or_id": "id", "directive": "id", "receipt": "ref", "namespace": "name"}
"""Parameters of paths that REST calls otherwise."""
ENDS = {Receipt: "ref", AuditLine: "sequence", Day: "day"}
"""The field of a page's last item that the next page begins after, where it is not the id."""
SHORT: dict[str, Callable[[Any], Any]] = {"CoreValue": core_value, "RelationSummary": tie}
"""Answers that show less of an item than there is, by the name of their model."""
NOT_TOLD = re.compile(r"\s*Raises [^.]*\.|\n\n``fields``:.*", re.DOTALL)
"""What a docstring says of errors and of keywords: the document has statuses and a schema for them."""
BODIES: dict[str, Any] = {}
TAGS = {"": "memories", "core": "me", "sessions": "episodes", "timeline": "maintenance"}
TAGS |= dict.fromkeys(("audit", "jobs", "receipts"), "records")


class RouteParameter(NamedTuple):
    """A parameter of a verb, as it is called and typed on REST."""

    name: str
    type: Any
    default: Any
    """`inspect.Parameter.empty`: it must be given."""


def arguments(
    verb: Callable[..., Any], in_path: Sequence[str], names: Mapping[str, str], *, body: bool
) -> Iterator[tuple[str, RouteParameter]]:
    """The parameters of a verb beyond its path, by their name in Python; ``names`` are others on REST."""
    hints = get_type_hints(verb, include_extras=True)
    for name, parameter in inspect.signature(verb).parameters.items():
        if parameter.kind is parameter.VAR_KEYWORD:
            for field, hint in field_types(get_args(hints[name])[0]).items():
                yield field, RouteParameter(field, _hint(field, hint, body=body), shapes.ABSENT)
        elif name not in (*NOT_SENT, *in_path):
            yield name, RouteParameter(names.get(name, name), _hint(name, hints[name], body=body), parameter.default)


def _hint(name: str, hint: Any, *, body: bool) -> Any:
    options = [part for part in get_args(hint) if part is not NoneType]
    if NoneType in get_args(hint):
        return _hint(name, Union[tuple(options)], body=body) | None  # noqa: UP007  # made of a list
    if get_origin(hint) in (Sequence, list, tuple):
        return shapes.Names
    if hint is str and name in shapes.TEXTS:
        return shapes.TEXTS[name]
    if name in shapes.SIZES:
        return shapes.SIZES[name]
    return shapes.Limit if hint is int and not body and name != "after" else shapes.SCALARS.get(hint, hint)


class VerbRoute:
    """The route of one verb."""

    def __init__(self, collection: str, verb: str, rest: Rest) -> None:
        self.collection, self.verb, self.rest = collection, verb, rest
        self.function = getattr(aio.COLLECTIONS[collection] if collection else Commonplace, verb)
        self.method, _, path = rest.route.partition(" ")
        self.in_path = [name.partition("}")[0] for name in path.split("{")[1:]]
        self.in_body = self.method in ("POST", "PUT", "PATCH")
        taken = arguments(self.function, self.in_path, {**RENAMED, **rest.takes}, body=self.in_body)
        self.arguments = {name: to for name, to in taken if rest.sends is None or name in rest.sends}
        returns = get_type_hints(self.function)["return"]
        self.returns = Receipt if returns == Receipt | Proposal else returns  # a proposal answers only a description
        for name in self.in_path:
            path = path.replace(f"{{{name}}}", f"{{{IN_PATH.get(name, name)}{':path' if rest.slashes else ''}}}")
        self.path = path

    @property
    def pages(self) -> bool:
        return "limit" in self.arguments and "cursor" in [argument.name for argument in self.arguments.values()]

    def add(self) -> None:
        router.add_api_route(
            self.path,
            self._endpoint(),
            methods=[self.method],
            name=self.rest.name,
            status_code=self.rest.status,
            response_model=self._answer(),
            description=self._words(),
            tags=[self.rest.tag or TAGS.get(self.collection, self.collection)],
        )

    def _words(self) -> str | None:
        words = self.rest.words or NOT_TOLD.sub("", inspect.getdoc(self.function) or "").replace("``", "`")
        words += " Only for the administrator of the server." if self.rest.administrator else ""
        needs = " Needs a person's token." if self.rest.act else ""
        return words + (" Needs a person's token and `X-Confirm: true`." if self.rest.confirm else needs) or None

    def _answer(self) -> Any:
        if get_origin(self.returns) in (list, Sequence):
            (noun,) = get_args(self.returns)
            answer = getattr(shapes, self.rest.answer, None) or shapes.answer_to(noun)
            return shapes.page_of(answer, self.rest.answer or shapes.NAMES.get(noun, noun.__name__))
        return self.returns if get_origin(self.returns) is dict else shapes.answer_to(self.returns)

    def _endpoint(self) -> Callable[..., Response]:
        def endpoint(call: ApiCall, body: Any = None, **parameters: Any) -> Response:
            values = {name: parameters.pop(IN_PATH.get(name, name)) for name in self.in_path}
            sent = parameters if body is None else body.model_dump(exclude_unset=self.method == "PATCH")
            values |= {name: sent[to.name] for name, to in self.arguments.items() if to.name in sent}
            return self._answered(call, values)

        keyword = inspect.Parameter.KEYWORD_ONLY
        parameters = [inspect.Parameter(IN_PATH.get(name, name), keyword, annotation=str) for name in self.in_path]
        if self.in_body and self.arguments:
            parameters.append(inspect.Parameter("body", keyword, annotation=self._body()))
        elif not self.in_body:
            parameters += [self._in_query(argument) for argument in self.arguments.values()]
        parameters.append(inspect.Parameter("call", keyword, annotation=CALLS[self.rest.needs]))
        endpoint.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
        return endpoint

    def _body(self) -> Any:
        """What is sent; verbs that take the same share its name. Some have defaults and bounds of their own."""
        name = self.rest.body or f"{self.verb.capitalize()}Request"
        return getattr(shapes, name, None) or BODIES.get(name) or BODIES.setdefault(name, self._new_body(name))

    def _new_body(self, name: str) -> Any:
        fields: dict[str, Any] = {}
        for argument in self.arguments.values():
            default = [] if argument.default == () else argument.default
            fields[argument.name] = (argument.type, ... if default is inspect.Parameter.empty else default)
        return shapes.body(name, fields)

    def _in_query(self, argument: RouteParameter) -> inspect.Parameter:
        default = self.rest.limit or argument.default if argument.name == "limit" else argument.default
        many = argument.type == shapes.Names
        return inspect.Parameter(
            argument.name,
            inspect.Parameter.KEYWORD_ONLY,
            default=Query(default_factory=list) if many else default,
            annotation=argument.type,
        )

    def _answered(self, call: ApiCall, values: dict[str, Any]) -> Response:
        rest, parameters = self.rest, inspect.signature(self.function).parameters
        if rest.administrator:
            require_server_admin(call)
        if rest.confirm:
            call.confirm(rest.act)
        elif rest.act:
            call.need_person(rest.act)
        if rest.reaches == "all":
            call.need_whole()
        call.reach([values[rest.reaches]] if rest.reaches in values else values.get("namespaces"))
        if rest.looks_up:
            attrgetter(rest.looks_up)(call.book)(values["id"])
        if "expected" in parameters:
            values["expected"] = call.expected
        if rest.confirm and "confirm" in parameters:
            values["confirm"] = True
        if self.method == "POST" and self.returns is Receipt and not rest.whole:
            return call.write(lambda book: self._asked(book, values), status=rest.status)
        book = call.whole if rest.whole else call.book
        if self.pages:
            items = self._asked(book, {**values, "limit": values["limit"] + 1})
            end = ENDS.get(get_args(self.returns)[0], "id")
            return listed(items, limit=values["limit"], end=end, shown=SHORT.get(rest.answer))
        answer = self._asked(book, values)
        if get_origin(self.returns) in (list, Sequence):
            return listed(answer, shown=SHORT.get(rest.answer) or self._named_parts())
        if self.method == "GET" and self.in_path and "version" in getattr(self.returns, "__dataclass_fields__", ()):
            return versioned(answer, answer.version, call.request)
        return Json(answer, rest.status)

    def _named_parts(self) -> Callable[[Any], Any] | None:
        """Of tuples, what calls their parts as the answer's model does."""
        if get_origin(get_args(self.returns)[0]) is not tuple:
            return None
        names = list(getattr(shapes, self.rest.answer).model_fields)
        return lambda parts: dict(zip(names, parts, strict=True))

    def _asked(self, book: Book, values: dict[str, Any]) -> Any:
        holder = getattr(book, self.collection) if self.collection else book
        return getattr(holder, self.verb)(**values)


for _name in BUILT:
    VerbRoute("", _name, Rest(str(VERBS[_name].route), _name, scope=VERBS[_name].scope)).add()
for _name, _verb in VERBS.items():
    if _verb.rest is not None and _verb.rest.name:
        VerbRoute("", _name, rest_of("", _name)._replace(scope=_verb.scope)).add()
for _collection, _verbs in COLLECTIONS.items():
    for _name, _rest in _verbs.items():
        if _rest.name:
            VerbRoute(_collection, _name, _rest).add()
for _collection, _name, _rest in FURTHER:
    VerbRoute(_collection, _name, _rest).add()
