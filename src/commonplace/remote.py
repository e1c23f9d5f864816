"""A book on a server: the same verbs over REST. The token determines the owner and the actor."""

import builtins
import inspect
import json
import re
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache, cached_property, wraps
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Literal,
    NoReturn,
    ParamSpec,
    Self,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)
from urllib.parse import quote

import httpx2

from commonplace import aio, errors
from commonplace.batches.report import Report
from commonplace.book import Commonplace
from commonplace.clock import Clock, SystemClock
from commonplace.context.render import Page
from commonplace.copies.export import private_file
from commonplace.describing.proposal import Proposal
from commonplace.directives.directives import Directives
from commonplace.errors import CommonplaceError, Invalid, NotAllowed, StoreError
from commonplace.memories.audit import Audit
from commonplace.memories.bulk import Bulk
from commonplace.memories.core import Core
from commonplace.memories.feed import Feed, Signal
from commonplace.memories.ids import takes_ids
from commonplace.memories.jobs import Job, Jobs
from commonplace.memories.namespaces import Namespace, Namespaces
from commonplace.memories.review import Review, Waiting
from commonplace.memories.timeline import Timeline, UsageDay
from commonplace.model import Hit, Memory, Query, Receipt, Source, field_types
from commonplace.model import messages as as_messages
from commonplace.protocol import Book
from commonplace.security.tokens import NotSignedIn
from commonplace.settings import Settings, without_credentials
from commonplace.sharing.sharing import Sharing
from commonplace.sync.incoming import Applied
from commonplace.sync.outgoing import SyncPage
from commonplace.upkeep.doctor import Diagnosis
from commonplace.verbs import COLLECTIONS, RENAMED, VERBS, rest_of

TIMEOUT = 30.0
NO_FILES = "the notebook is made of files on this machine, but this book is on a server"
ON_THE_MACHINE = "this works on files; run it on the machine that has the book"

CONFIRMED = {"X-Confirm": "true"}
OWN = {"source": None}
"""The server takes the source from the token."""

Arguments = dict[str, Any]
T = TypeVar("T")
Verb = TypeVar("Verb", bound=Callable[..., Any])
if TYPE_CHECKING:
    Local = Book
else:
    Local = Commonplace


class _Unreachable(StoreError):
    """The server cannot be reached."""


class ServerConnection:
    """A connection to a server, in one namespace."""

    def __init__(self, client: httpx2.Client, place: str, namespace: str | None, source: Source | None = None) -> None:
        self.client, self.place, self.namespace, self.source = client, place, namespace, source

    def ask(self, method: str, path: str, body: Any = None, *, headers: Any = None, **params: Any) -> Any:
        """Send a request and return the answer's JSON. Raises the server's error as a local one."""
        sent = None if body is None else json.dumps(to_json(body), ensure_ascii=False).encode()
        kind = {"Content-Type": "application/json"} if body is not None else {}
        answer = self._send(method, path, sent, {**kind, **(headers or {})}, params)
        return None if not answer.content else answer.json()

    def get(self, shape: type[T], path: str, **params: Any) -> T:
        return from_json(shape, self.ask("GET", path, **params))

    def items(
        self, shape: type[T], path: str, *, limit: int | None = None, page_size: int = 1000, **params: Any
    ) -> list[T]:
        """At most ``limit`` items of a list, requested in pages of ``page_size``."""
        rows: list[T] = []
        while True:
            page_limit = None if limit is None else min(limit - len(rows), page_size)
            page = self.ask("GET", path, limit=page_limit, **params)
            rows += [from_json(shape, row) for row in page["items"]]
            if limit is None or len(rows) >= limit or page["next"] is None:
                return rows
            params["cursor"] = page["next"]

    def write(self, method: str, path: str, body: Any = None, *, expected: int | None = None, **params: Any) -> Receipt:
        """The receipt of a write. A POST has an idempotency key, so it is retried once if the answer was lost."""
        return from_json(Receipt, self._written(method, path, body, expected, params))

    def described(self, path: str, body: Any, *, expected: int | None = None) -> Receipt | Proposal:
        """The receipt of a verb called with a description, or a proposal if the description is not certain."""
        answer = self._written("POST", path, body, expected, {})
        return from_json(Proposal, answer) if "targets" in answer else from_json(Receipt, answer)

    def _written(self, method: str, path: str, body: Any, expected: int | None, params: Mapping[str, Any]) -> Any:
        headers = {} if expected is None else {"If-Match": f'"{expected}"'}
        sent = {} if body is None else body
        if method != "POST":
            return self.ask(method, path, sent, headers=headers, **params)
        headers["Idempotency-Key"] = SystemClock().new_id()
        try:
            return self.ask(method, path, sent, headers=headers, **params)
        except _Unreachable:
            return self.ask(method, path, sent, headers=headers, **params)

    def call_route(
        self, shape: Any, method: str, path: str, sent: dict[str, Any], *, expected: int | None, headers: dict[str, str]
    ) -> Any:
        """Send one request and parse its answer as ``shape``."""
        if get_origin(shape) in (list, Sequence):
            return self.items(get_args(shape)[0], path, **sent)
        if method == "GET":
            return self.get(shape, path, **sent)
        if method == "DELETE":
            return from_json(shape, self.ask(method, path, headers=headers, **sent))
        if shape is Receipt:
            return self.write(method, path, sent, expected=expected)
        return from_json(shape, self.ask(method, path, sent, headers=headers))

    def lines(self, path: str, **params: Any) -> Iterator[str]:
        """The lines of a streamed answer."""
        try:
            with self.client.stream("GET", path, params=self._params(params)) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise error_from(answer)
                yield from answer.iter_lines()
        except httpx2.TransportError as error:
            raise self._unreachable() from error

    def send_lines(self, path: str, lines: Iterable[str], **params: Any) -> Any:
        pieces = (line.encode("utf-8", "surrogatepass") for line in lines)
        return self._send("POST", path, pieces, {"Content-Type": "application/x-ndjson"}, params).json()

    def within(self, namespace: str) -> "ServerConnection":
        return ServerConnection(self.client, self.place, namespace, self.source)

    def with_source(self, source: Source) -> "ServerConnection":
        return ServerConnection(self.client, self.place, self.namespace, source)

    def _send(self, method: str, path: str, body: Any, headers: Mapping[str, str], params: Any) -> httpx2.Response:
        spoken = {} if self.source is None else {"X-Source": self.source}
        sent = {**spoken, **headers}
        try:
            answer = self.client.request(method, path, content=body, headers=sent, params=self._params(params))
        except httpx2.TransportError as error:
            raise self._unreachable() from error
        if answer.status_code >= 400:
            raise error_from(answer)
        return answer

    def _params(self, params: Mapping[str, Any]) -> dict[str, Any]:
        query = {"namespace": self.namespace, **params}
        return {name: to_json(value) for name, value in query.items() if value is not None and value != ()}

    def _unreachable(self) -> "_Unreachable":
        return _Unreachable(f"cannot reach {self.place}; nothing was written, or the answer was lost: try again")


P = ParamSpec("P")
LOCAL = ("self", "progress")
"""Parameters that are not sent."""
ALWAYS_SENT = ("limit", "dry_run")
"""Parameters that are always sent, because REST may have other defaults."""


def remote_verb(verb: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """Implement a verb as one request: the route comes from the table of verbs, the types from ``verb``.

    Arguments go into the path if it names them, ``expected`` into ``If-Match``, the others into the body, or into the
    query of a GET or DELETE. Of parameters left at their default only ``ALWAYS_SENT`` are sent.
    """
    owner, _, name = verb.__qualname__.rpartition(".")
    collection = "" if owner == "Commonplace" else owner.lower()
    rest = rest_of(collection, name)
    method, _, path = rest.route.partition(" ")
    headers = CONFIRMED if rest.confirm else {}
    parameters = inspect.signature(verb).parameters
    in_path = re.findall(r"{(\w+)}", path)
    names = {**RENAMED, **rest.takes}

    @wraps(verb)
    def ask(self: Any, /, *args: P.args, **kwargs: P.kwargs) -> T:
        bound = inspect.signature(verb).bind(self, *args, **kwargs).arguments
        sent = {key: value for key, value in bound.items() if value != parameters[key].default}
        sent |= sent.pop("fields", {})
        sent = {key: _ref(value) for key, value in sent.items()}
        filled = path.format(**{key: quoted(str(sent.pop(key))) for key in in_path})
        expected = sent.pop("expected", None)
        sent = {name: parameters[name].default for name in ALWAYS_SENT if name in parameters} | sent
        body = {names.get(key, key): value for key, value in sent.items() if key not in LOCAL}
        result: T = self._server.call_route(
            _hints(verb)["return"], method, filled, body, expected=expected, headers=headers
        )
        return result

    return ask


def with_signature_of(verb: Verb) -> Callable[[Callable[[Any, Arguments], Any]], Verb]:
    """Decorator: gives a function the signature of ``verb`` and passes it all arguments as one mapping."""
    signature = inspect.signature(verb)

    def call_route(act: Callable[[Any, Arguments], Any]) -> Verb:
        @wraps(verb)
        def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(self, *args, **kwargs)
            bound.apply_defaults()
            return act(self, {name: value for name, value in bound.arguments.items() if name != "self"})

        return cast("Verb", call)

    return call_route


def unavailable(verb: Verb, why: str) -> Verb:
    """A verb that is not available remotely: it raises ``NotAllowed`` with the reason ``why``."""

    @with_signature_of(verb)
    def refuse(self: Any, arguments: Arguments) -> NoReturn:
        raise NotAllowed(why)

    return refuse


class RemotePeer:
    """A book on a server as a sync peer."""

    def __init__(self, server: ServerConnection) -> None:
        self._server = server

    @classmethod
    def connect(cls, url: str, token: str | None, settings: Settings) -> "RemotePeer":
        return cls(RemoteBook.connect(url, token=token, namespace=None, settings=settings)._server)

    def hello(self) -> dict[str, Any]:
        try:
            answer = self._server.ask("POST", "/v1/sync/hello", {})
        except (ValueError, errors.NotFound) as fault:
            raise Invalid(f"{self._server.place} is not a Commonplace server", code="not_a_book") from fault
        return answer if isinstance(answer, dict) else {}

    def changes(self, cursor: dict[str, Any]) -> SyncPage:
        return from_json(SyncPage, self._server.ask("POST", "/v1/sync/changes", {"cursor": cursor}))

    def apply(self, lines: Sequence[str]) -> Applied:
        return from_json(Applied, self._server.ask("POST", "/v1/sync/apply", {"lines": lines}))

    def finish(self, record: dict[str, Any]) -> None:
        self._server.ask("POST", "/v1/sync/finish", {"record": record})


class RemoteBook(Book):
    """``Commonplace.open("https://…", token=…)``: like ``Commonplace``, except for verbs that work on local files."""

    def __init__(self, connection: ServerConnection, settings: Settings) -> None:
        self._server, self._local = connection, settings
        self._me: dict[str, Any] | None = None
        for name in REMOTE.keys() - vars(RemoteBook).keys():
            setattr(self, name, REMOTE[name](connection))

    @classmethod
    def connect(
        cls, url: str, *, token: str | None, namespace: str | None, settings: Settings, client: Any = None
    ) -> Self:
        """Raises ``NotAllowed`` without a token, or over plain HTTP to another machine, which would expose the
        token.
        """
        if not token:
            raise NotAllowed("a book on a server needs a token: pass token=…, or set COMMONPLACE_TOKEN")
        address = httpx2.URL(url)
        if address.scheme == "http" and address.host not in ("127.0.0.1", "localhost", "::1"):
            raise NotAllowed("a token is sent over https only, except to this machine; use an https:// address")
        session = client or httpx2.Client(
            base_url=url.rstrip("/"), headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT
        )
        return cls(ServerConnection(session, without_credentials(url), namespace), settings)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self.close()

    def close(self) -> None:
        self._server.client.close()

    def within(self, namespace: str) -> "RemoteBook":
        return type(self)(self._server.within(namespace), self._local)

    def acting_as(self, actor: str, *, source: Source, person: bool, agent: str | None = None) -> "RemoteBook":
        """The token decides who acts; with a person's token, ``source`` can be set to an assistant or a tool."""
        return self if person else type(self)(self._server.with_source(source), self._local)

    @property
    def owner(self) -> str:
        return str(self._self["owner"])

    @property
    def person(self) -> str:
        return self.owner

    @property
    def namespace(self) -> str:
        return self._server.namespace or str(self._self["namespace"])

    @property
    def plan(self) -> str:
        return str(self._self["plan"])

    @property
    def settings(self) -> Settings:
        return self._local

    @property
    def clock(self) -> Clock:
        return SystemClock()

    @property
    def _self(self) -> dict[str, Any]:
        if self._me is None:
            self._me = self._server.ask("GET", "/v1/me")
        assert self._me is not None
        return self._me

    # Keep

    @with_signature_of(Local.remember)
    def remember(self, arguments: Arguments) -> Receipt:
        """Like ``Commonplace.remember``; the server takes the source from the token."""
        fields = arguments["fields"]
        tags = {"tags": _names(fields["tags"])} if "tags" in fields else {}
        return self._server.write(
            "POST", "/v1/memories", _present({**fields, **tags, "text": arguments["text"], **OWN})
        )

    @with_signature_of(Local.remember_many)
    def remember_many(self, arguments: Arguments) -> Receipt:
        items = ({"text": item} if isinstance(item, str) else _present({**item, **OWN}) for item in arguments["items"])
        return self._server.write("POST", "/v1/memories/batch", {"items": list(items)})

    @with_signature_of(Local.observe)
    def observe(self, arguments: Arguments) -> Receipt:
        turns = [_present(_fields(message)) for message in as_messages(arguments["messages"])]
        return self._server.write(
            "POST", "/v1/episodes", _present({"messages": turns, "session": arguments["session"]})
        )

    # Find

    @with_signature_of(Local.recall)
    def recall(self, arguments: Arguments) -> list[Hit]:
        query = arguments["query"]
        if isinstance(query, Query):
            body = _fields(query)
            body["query"] = body.pop("text")
        else:
            body = {"query": query, "limit": arguments["limit"], **arguments["filters"]}
        return [from_json(Hit, hit) for hit in self._server.ask("POST", "/v1/recall", _present(body))["items"]]

    @with_signature_of(Local.page)
    def page(self, arguments: Arguments) -> Page:
        answer = self._server.ask("POST", "/v1/context", _present(arguments))
        return Page(answer["text"], tuple(answer["memories"]))

    @with_signature_of(Local.browse)
    def browse(self, arguments: Arguments) -> list[Memory]:
        sort = "importance" if arguments["important"] else "newest" if arguments["newest"] else "oldest"
        params = _present({**arguments["filters"], "cursor": arguments["after"], "sort": sort})
        if "metadata" in params:
            params["metadata"] = json.dumps(to_json(params["metadata"]))
        return self._server.items(Memory, "/v1/memories", limit=arguments["limit"], **params)

    # Correct

    @with_signature_of(Local.revise)
    def revise(self, arguments: Arguments) -> Receipt | Proposal:
        id, query, choose, dry_run = _target(arguments)
        body = {**_present({name: arguments[name] for name in ("text", "reason")}), **arguments["fields"]}
        if query is not None:
            body |= {
                "query": query,
                "dry_run": dry_run,
                "choose": choose if isinstance(choose, str | None) else choose[0],
            }
            return self._server.described("/v1/revise", body, expected=arguments["expected"])
        path = f"/v1/memories/{quoted(str(id))}"
        return self._server.write("PATCH", path, body, expected=arguments["expected"], dry_run=dry_run)

    @with_signature_of(Local.archive)
    def archive(self, arguments: Arguments) -> Receipt:
        return self._server.write("POST", "/v1/memories/bulk", {**arguments, "action": "archive"})

    # Forget

    @with_signature_of(Local.forget)
    def forget(self, arguments: Arguments) -> Receipt | Proposal:
        id, query, choose, dry_run = _target(arguments)
        if query is not None:
            body = {
                "query": query,
                "dry_run": dry_run,
                "all": arguments["all"],
                "yes": arguments["yes"],
                "choose": choose,
            }
            return self._server.described("/v1/forget", body)
        return from_json(Receipt, self._server.ask("DELETE", f"/v1/memories/{quoted(str(id))}", dry_run=dry_run))

    @with_signature_of(Local.erase)
    def erase(self, arguments: Arguments) -> Receipt:
        if arguments["confirm"] is not True:
            raise Invalid("erasing cannot be undone; pass confirm=True")
        if (namespace := arguments["namespace"]) is None:
            answer = self._server.ask("POST", "/v1/me/memory/forget-all", headers=CONFIRMED)
        else:
            answer = self._server.ask("DELETE", f"/v1/namespaces/{quoted(namespace)}", headers=CONFIRMED)
        return from_json(Receipt, answer)

    # Maintain

    @with_signature_of(Local.reindex)
    def reindex(self, arguments: Arguments) -> Report:
        return from_json(Report, self._server.ask("POST", "/v1/maintenance/reindex", model=arguments["model"]))

    @with_signature_of(Local.rotate_keys)
    def rotate_keys(self, arguments: Arguments) -> Report:
        destroy = arguments["destroy_old"]
        headers = CONFIRMED if destroy else {}
        answer = self._server.ask("POST", "/v1/maintenance/rotate-keys", headers=headers, destroy_old=destroy)
        return from_json(Report, answer)

    @with_signature_of(Local.export)
    def export(self, arguments: Arguments) -> Report:
        target, progress = arguments["target"], arguments["progress"]
        if isinstance(target, str | Path):
            with private_file(Path(target)) as stream:
                return self.export(stream, namespaces=arguments["namespaces"], progress=progress)
        count = 0
        for line in self._server.lines("/v1/me/memory/export", namespaces=list(arguments["namespaces"]) or None):
            target.write(line + "\n")
            count += 1
            if progress is not None:
                progress(count, None)
        return Report(action="EXPORT", at=SystemClock().now(), count=count)

    @with_signature_of(Local.import_)
    def import_(self, arguments: Arguments) -> Report:
        source, dry_run = arguments["source"], arguments["dry_run"]
        if isinstance(source, str | Path):
            with Path(source).open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
                return self.import_(lines, dry_run=dry_run)
        return from_json(Report, self._server.send_lines("/v1/import", source, dry_run=dry_run))

    @with_signature_of(Local.doctor)
    def doctor(self, arguments: Arguments) -> Diagnosis:
        if arguments["fix"]:
            raise NotAllowed(ON_THE_MACHINE)
        return self._server.get(Diagnosis, "/v1/doctor", full=arguments["full"])

    backup = unavailable(Local.backup, "a server keeps its backups itself (POST /v1/backup); " + ON_THE_MACHINE)
    restore = unavailable(Local.restore, ON_THE_MACHINE)
    sync = unavailable(Local.sync, "run sync where the local book is, with the address of this server")

    @property
    def notebook(self) -> NoReturn:
        raise NotAllowed(NO_FILES)

    def notebook_at(self, folder: str | Path) -> NoReturn:
        raise NotAllowed(NO_FILES)

    @property
    def sync_key(self) -> str | None:
        raise NotAllowed(ON_THE_MACHINE)

    sync_status = remote_verb(Commonplace.sync_status)
    sync_private = remote_verb(Commonplace.sync_private)

    @property
    def sync_peer(self) -> RemotePeer:
        return RemotePeer(self._server)

    @cached_property
    def directives(self) -> Directives:
        return cast("Directives", REMOTE["directives"](self._server))

    @property
    def sharing(self) -> Sharing:
        return cast("Sharing", REMOTE["sharing"](self._server))


for _name in VERBS.keys() - vars(RemoteBook).keys():
    _verb = getattr(Commonplace, _name)
    setattr(RemoteBook, _name, _verb if _name == "context" else remote_verb(_verb))  # context calls page
# isinstance() accepts it; to a type checker it is abstract, because its collections are set in a loop
Commonplace.register(takes_ids(cast("type", RemoteBook)))


class Remote:
    """A collection of a book on a server. Verbs that a subclass does not define are implemented by ``remote_verb``."""

    def __init__(self, connection: ServerConnection) -> None:
        self._server = connection

    def __init_subclass__(cls) -> None:
        local = cls.__bases__[1]
        for name in COLLECTIONS.get(local.__name__.lower(), {}).keys() - vars(cls).keys():
            setattr(cls, name, remote_verb(getattr(local, name)))
        takes_ids(cls)


class RemoteCore(Remote, Core):
    get = Core.get  # filters list()

    def list(self, *, as_of: datetime | None = None, known_at: datetime | None = None) -> builtins.list[Memory]:
        values = self._server.ask("GET", "/v1/me/memory/core", as_of=as_of, known_at=known_at)["items"]
        return [
            self._server.get(Memory, f"/v1/memories/{quoted(value['id'])}", as_of=as_of, known_at=known_at)
            for value in values
        ]


class RemoteNamespaces(Remote, Namespaces):
    def get(self, name: str) -> Namespace:
        for namespace in self.list():
            if namespace.name == name:
                return namespace
        raise errors.NotFound("namespace", name)

    def move(self, ids: Sequence[str], *, to: str) -> Receipt:
        namespace = self._server.namespace or "default"
        return self._server.write("POST", f"/v1/namespaces/{quoted(namespace)}/move", {"ids": ids, "to": to})


class RemoteReview(Remote, Review):
    def list(self, *, limit: int = 100, after: str | None = None) -> builtins.list[Waiting]:
        rows = self._server.ask("GET", "/v1/review", limit=min(limit, 1000), cursor=after)["items"]
        return [
            Waiting(
                memory=from_json(Memory, row["memory"]),
                quotes=tuple((from_json(Memory, proof["episode"]), proof["quote"]) for proof in row["evidence"]),
                reason=row["reason"],
                conflict=None if row["conflict"] is None else from_json(Memory, row["conflict"]),
            )
            for row in rows
        ]

    def count(self) -> int:
        return int(self._server.ask("GET", "/v1/review", limit=1)["total"])

    def lift(self, text: str) -> int:
        return int(self._server.ask("POST", "/v1/review/lift", {"text": text})["lifted"])


class RemoteAudit(Remote, Audit):
    def record_call(self, tool: str) -> None:
        """Does nothing: the server records calls itself."""


class RemoteJobs(Remote, Jobs):
    def list(
        self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100, newest: bool = False
    ) -> builtins.list[Job]:
        params = {"state": _names(states) or None, "kind": _names(kinds) or None, "newest": newest or None}
        return self._server.items(Job, "/v1/jobs", limit=min(limit, 10_000), page_size=10_000, **params)


class RemoteFeed(Remote, Feed):
    def follow(self) -> Iterator[Signal]:
        """Every change from now on; ends when the server does."""
        for line in self._server.lines("/v1/events"):
            if line.startswith("data: "):
                yield from_json(Signal, json.loads(line.removeprefix("data: ")))


class RemoteBulk(Remote, Bulk):
    def confirm(self, ids: Sequence[str]) -> Receipt:
        return self._server.write("POST", "/v1/memories/bulk", {"ids": ids, "action": "confirm"})

    def reject(self, ids: Sequence[str], *, reason: str | None = None) -> Receipt:
        return self._server.write("POST", "/v1/memories/bulk", {"ids": ids, "action": "reject", "reason": reason})

    def tag(self, ids: Sequence[str], tags: Iterable[str]) -> Receipt:
        return self._server.write("POST", "/v1/memories/bulk", {"ids": ids, "action": "tag", "tags": list(tags)})


class RemoteTimeline(Remote, Timeline):
    def usage(self, *, since: str) -> list[UsageDay]:
        return self._server.items(UsageDay, "/v1/usage", since=f"{since}T00:00:00Z")


class RemoteDirectives(Remote, Directives):
    """Like ``book.directives``; agents run on the server."""

    pause, resume = Directives.pause, Directives.resume  # these call revise()

    def history(self, id: str) -> Sequence[dict[str, Any]]:
        versions = self._server.ask("GET", f"/v1/directives/{quoted(id)}/versions")["items"]
        return [{**version, "recorded_at": from_json(datetime, version["recorded_at"])} for version in versions]


_by_hand = {remote.__bases__[1]: remote for remote in Remote.__subclasses__()}
REMOTE = {
    name: _by_hand.get(local) or type(f"Remote{local.__name__}", (Remote, local), {})
    for name, local in aio.COLLECTIONS.items()
}
"""The book's collections on a server, by the attribute that holds each."""


# JSON


def to_json(value: Any) -> Any:
    """Convert a value to JSON types: times become text, tuples become lists."""
    if isinstance(value, datetime):
        return (value.replace(tzinfo=UTC) if value.tzinfo is None else value).astimezone(UTC).isoformat()
    if isinstance(value, Mapping):
        return {str(name): to_json(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(item) for item in value]
    return value


def from_json(shape: type[T], value: Any) -> T:
    """Parse JSON into ``shape``; unknown fields, from a newer server, are ignored."""
    result: T = _read(shape, value)
    return result


def _read(shape: Any, value: Any) -> Any:
    if value is None or shape is Any:
        return value
    origin, inner = get_origin(shape), get_args(shape)
    if origin in (Union, types.UnionType):
        return _read(next(option for option in inner if option is not type(None)), value)
    if origin is Literal or shape in (str, int, float, bool):
        return value
    if shape is datetime:
        return datetime.fromisoformat(value)
    if is_dataclass(shape) and isinstance(shape, type):
        hints, names = _hints(shape), [field.name for field in fields(shape)]
        return shape(**{name: _read(hints[name], value[name]) for name in names if name in value})
    if origin is tuple:
        shapes = inner[:1] * len(value) if inner[-1] is Ellipsis else inner
        value = value.values() if isinstance(value, dict) else value  # its parts have names in JSON
        return tuple(_read(member, item) for member, item in zip(shapes, value, strict=False))
    if isinstance(value, dict) and inner:
        return {name: _read(inner[1], item) for name, item in value.items()}
    return value


@cache
def _hints(shape: Any) -> dict[str, Any]:
    return field_types(shape) if isinstance(shape, type) else get_type_hints(shape)


def error_from(answer: httpx2.Response) -> CommonplaceError:
    """The error that a problem document describes."""
    try:
        body = answer.json()
    except ValueError:
        body = {}
    detail = str(body.get("detail") or f"the server answered {answer.status_code}")
    if answer.status_code == 401:
        return NotSignedIn()
    if answer.status_code == 422:
        problems = [f"{'.'.join(map(str, row['where']))}: {row['problem']}" for row in body.get("errors", [])]
        return Invalid("; ".join(problems) or detail)
    name = str(body.get("type", "")).rpartition(":")[2]
    if name in _ERROR_BUILDERS:
        return _ERROR_BUILDERS[name](body)
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, CommonplaceError):
        return kind(detail)
    return StoreError(detail) if answer.status_code >= 500 else NotAllowed(detail)


_ERROR_BUILDERS: dict[str, Callable[[Any], CommonplaceError]] = {
    "NotFound": lambda body: (
        errors.NotFound.by_description(body["nearest"])
        if body.get("nearest")
        else errors.NotFound(body["noun"], body["id"])
    ),
    "Conflict": lambda body: errors.Conflict(body["noun"], body["id"], expected=body["expected"], found=body["found"]),
    "Tombstoned": lambda body: errors.Tombstoned(body["reason"]),
    "OverQuota": lambda body: errors.OverQuota(body["kept"], body["most"]),
    "Ambiguous": lambda body: errors.Ambiguous(body["ids"]),
    "NotInPlan": lambda body: errors.NotInPlan(body["feature"], body["plan"], body["plans"]),
}


def quoted(text: str) -> str:
    """Quote a path segment, dots too: a name of only dots would leave the path."""
    return quote(text, safe="").replace(".", "%2E")


def _fields(noun: Any) -> dict[str, Any]:
    return {field.name: getattr(noun, field.name) for field in fields(noun)}


def _target(arguments: Arguments) -> tuple[str | None, str | None, Any, bool]:
    """Of a verb's arguments: id, description, chosen ids, and whether it is a dry run."""
    id: Any = arguments["id"]
    query, choose = arguments["query"], arguments["choose"]
    if (id is None) == (query is None):
        raise Invalid("pass either a memory's id or a description as query=…")
    if isinstance(id, Proposal):
        id, query, choose = None, id.query, choose or id.ids
    return id, query, choose, arguments["dry_run"]


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _names(texts: Iterable[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _ref(argument: Any) -> Any:
    """Replace a receipt by its ref, and a memory or hit by its id."""
    if isinstance(argument, Receipt):
        return argument.ref
    noun = argument.memory if isinstance(argument, Hit) else argument
    return noun.id if isinstance(noun, Memory) else argument
