"""A book on a server: the same verbs, carried over REST. The token says whose it is and who acts."""

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

from commonplace import errors
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
from commonplace.memories.glossary import Glossary
from commonplace.memories.graph import Graph
from commonplace.memories.ids import takes_ids
from commonplace.memories.jobs import Job, Jobs
from commonplace.memories.namespaces import Namespace, Namespaces
from commonplace.memories.receipts import Receipts
from commonplace.memories.review import Review, Waiting
from commonplace.memories.sessions import Sessions
from commonplace.memories.timeline import Timeline, UsageDay
from commonplace.model import (
    Hit,
    Memory,
    Query,
    Receipt,
    Source,
    field_types,
)
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
NO_FILES = "the notebook is files of this machine, and this book is on a server"
ON_THE_MACHINE = "this works on the files of the machine; run it where the book is"

CONFIRMED = {"X-Confirm": "true"}
OWN = {"source": None}
"""The source of what is written is the token's."""

Given = dict[str, Any]
T = TypeVar("T")
Verb = TypeVar("Verb", bound=Callable[..., Any])
if TYPE_CHECKING:
    Local = Book  # whose verbs a book on a server has
else:
    Local = Commonplace


class _Away(StoreError):
    """The server cannot be reached."""


class ServerConnection:
    """One connection to a server, in one namespace."""

    def __init__(self, client: httpx2.Client, place: str, namespace: str | None, source: Source | None = None) -> None:
        self.client, self.place, self.namespace, self.source = client, place, namespace, source

    def ask(self, method: str, path: str, body: Any = None, *, headers: Any = None, **params: Any) -> Any:
        """The answer's JSON. Raises the error that the server met, as if it had happened here."""
        sent = None if body is None else json.dumps(plain(body), ensure_ascii=False).encode()
        kind = {"Content-Type": "application/json"} if body is not None else {}
        answer = self._send(method, path, sent, {**kind, **(headers or {})}, params)
        return None if not answer.content else answer.json()

    def get(self, shape: type[T], path: str, **params: Any) -> T:
        return noun(shape, self.ask("GET", path, **params))

    def items(
        self, shape: type[T], path: str, *, limit: int | None = None, page_size: int = 1000, **params: Any
    ) -> list[T]:
        """At most ``limit`` of a list, ``page_size`` in each answer."""
        rows: list[T] = []
        while True:
            page_limit = None if limit is None else min(limit - len(rows), page_size)
            page = self.ask("GET", path, limit=page_limit, **params)
            rows += [noun(shape, row) for row in page["items"]]
            if limit is None or len(rows) >= limit or page["next"] is None:
                return rows
            params["cursor"] = page["next"]

    def write(self, method: str, path: str, body: Any = None, *, expected: int | None = None, **params: Any) -> Receipt:
        """The receipt of a write. A POST carries a key, so that it is asked once more if the answer was lost."""
        return noun(Receipt, self._written(method, path, body, expected, params))

    def described(self, path: str, body: Any, *, expected: int | None = None) -> Receipt | Proposal:
        """The receipt of what a description means, or the proposal where that is not certain."""
        answer = self._written("POST", path, body, expected, {})
        return noun(Proposal, answer) if "targets" in answer else noun(Receipt, answer)

    def _written(self, method: str, path: str, body: Any, expected: int | None, params: Mapping[str, Any]) -> Any:
        headers = {} if expected is None else {"If-Match": f'"{expected}"'}
        sent = {} if body is None else body
        if method != "POST":
            return self.ask(method, path, sent, headers=headers, **params)
        headers["Idempotency-Key"] = SystemClock().new_id()
        try:
            return self.ask(method, path, sent, headers=headers, **params)
        except _Away:
            return self.ask(method, path, sent, headers=headers, **params)

    def carry(
        self, shape: Any, method: str, path: str, sent: dict[str, Any], *, expected: int | None, headers: dict[str, str]
    ) -> Any:
        """One request whose answer is a ``shape``: a list of nouns, a receipt, or another noun."""
        if get_origin(shape) in (list, Sequence):
            return self.items(get_args(shape)[0], path, **sent)
        if method == "GET":
            return self.get(shape, path, **sent)
        if method == "DELETE":
            return noun(shape, self.ask(method, path, headers=headers, **sent))
        if shape is Receipt:
            return self.write(method, path, sent, expected=expected)
        return noun(shape, self.ask(method, path, sent, headers=headers))

    def lines(self, path: str, **params: Any) -> Iterator[str]:
        """The lines of a long answer, as they come."""
        try:
            with self.client.stream("GET", path, params=self._params(params)) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise fault(answer)
                yield from answer.iter_lines()
        except httpx2.TransportError as error:
            raise self._away() from error

    def send_lines(self, path: str, lines: Iterable[str], **params: Any) -> Any:
        pieces = (line.encode("utf-8", "surrogatepass") for line in lines)
        return self._send("POST", path, pieces, {"Content-Type": "application/x-ndjson"}, params).json()

    def within(self, namespace: str) -> "ServerConnection":
        return ServerConnection(self.client, self.place, namespace, self.source)

    def speaking_as(self, source: Source) -> "ServerConnection":
        return ServerConnection(self.client, self.place, self.namespace, source)

    def _send(self, method: str, path: str, body: Any, headers: Mapping[str, str], params: Any) -> httpx2.Response:
        spoken = {} if self.source is None else {"X-Source": self.source}
        sent = {**spoken, **headers}
        try:
            answer = self.client.request(method, path, content=body, headers=sent, params=self._params(params))
        except httpx2.TransportError as error:
            raise self._away() from error
        if answer.status_code >= 400:
            raise fault(answer)
        return answer

    def _params(self, params: Mapping[str, Any]) -> dict[str, Any]:
        query = {"namespace": self.namespace, **params}
        return {name: plain(value) for name, value in query.items() if value is not None and value != ()}

    def _away(self) -> "_Away":
        return _Away(f"{self.place} cannot be reached; nothing was written, or the answer was lost: try again")


P = ParamSpec("P")
LOCAL = ("self", "progress")
"""Parameters that do not travel."""
ALWAYS_SENT = ("limit", "dry_run")
"""Parameters whose defaults may be others on REST."""


def carried(verb: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """A verb that is one request: where it goes stands in the table of verbs, what it takes and returns in ``verb``.

    Arguments that the path names go there, ``expected`` into ``If-Match``, the others into the body, or into the query
    of a GET or DELETE. Of parameters left at their default only ``ALWAYS_SENT`` are sent.
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
        filled = path.format(**{key: part(str(sent.pop(key))) for key in in_path})
        expected = sent.pop("expected", None)
        sent = {name: parameters[name].default for name in ALWAYS_SENT if name in parameters} | sent
        body = {names.get(key, key): value for key, value in sent.items() if key not in LOCAL}
        result: T = self._server.carry(_hints(verb)["return"], method, filled, body, expected=expected, headers=headers)
        return result

    return ask


def as_in(verb: Verb) -> Callable[[Callable[[Any, Given], Any]], Verb]:
    """A verb with the signature that it has in a local book; what carries it over is given every argument by name."""
    signature = inspect.signature(verb)

    def carry(act: Callable[[Any, Given], Any]) -> Verb:
        @wraps(verb)
        def call(self: Any, /, *args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(self, *args, **kwargs)
            bound.apply_defaults()
            return act(self, {name: value for name, value in bound.arguments.items() if name != "self"})

        return cast("Verb", call)

    return carry


def refused(verb: Verb, why: str) -> Verb:
    """A verb that works only where the book is; it raises ``NotAllowed`` with the reason ``why``."""

    @as_in(verb)
    def refuse(self: Any, arguments: Given) -> NoReturn:
        raise NotAllowed(why)

    return refuse


class RemotePeer:
    """A book on a server, as one that changes are exchanged with."""

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
        return noun(SyncPage, self._server.ask("POST", "/v1/sync/changes", {"cursor": cursor}))

    def apply(self, lines: Sequence[str]) -> Applied:
        return noun(Applied, self._server.ask("POST", "/v1/sync/apply", {"lines": lines}))

    def finish(self, record: dict[str, Any]) -> None:
        self._server.ask("POST", "/v1/sync/finish", {"record": record})


class RemoteBook(Book):
    """``Commonplace.open("https://…", token=…)``. Everything as in ``Commonplace``, but for files of the machine."""

    def __init__(self, connection: ServerConnection, settings: Settings) -> None:
        self._server, self._local = connection, settings
        self._me: dict[str, Any] | None = None
        self.core = RemoteCore(connection)
        self.glossary = RemoteGlossary(connection)
        self.namespaces = RemoteNamespaces(connection)
        self.graph = RemoteGraph(connection)
        self.review = RemoteReview(connection)
        self.audit = RemoteAudit(connection)
        self.jobs = RemoteJobs(connection)
        self.receipts = RemoteReceipts(connection)
        self.sessions = RemoteSessions(connection)
        self.feed = RemoteFeed(connection)
        self.bulk = RemoteBulk(connection)
        self.timeline = RemoteTimeline(connection)

    @classmethod
    def connect(
        cls, url: str, *, token: str | None, namespace: str | None, settings: Settings, client: Any = None
    ) -> Self:
        """Raises ``NotAllowed`` without a token, and over plain HTTP to another machine: the token would be seen."""
        if not token:
            raise NotAllowed("a book on a server needs a token: pass token=…, or set COMMONPLACE_TOKEN")
        address = httpx2.URL(url)
        if address.scheme == "http" and address.host not in ("127.0.0.1", "localhost", "::1"):
            raise NotAllowed("a token is sent over https only, except to this very machine")
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
        """The server goes by the token; one that is a person's can be made to speak for an assistant or a tool."""
        return self if person else type(self)(self._server.speaking_as(source), self._local)

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

    @as_in(Local.remember)
    def remember(self, arguments: Given) -> Receipt:
        """As everywhere. The source is the token's."""
        fields = arguments["fields"]
        tags = {"tags": _names(fields["tags"])} if "tags" in fields else {}
        return self._server.write(
            "POST", "/v1/memories", _present({**fields, **tags, "text": arguments["text"], **OWN})
        )

    @as_in(Local.remember_many)
    def remember_many(self, arguments: Given) -> Receipt:
        items = ({"text": item} if isinstance(item, str) else _present({**item, **OWN}) for item in arguments["items"])
        return self._server.write("POST", "/v1/memories/batch", {"items": list(items)})

    @as_in(Local.observe)
    def observe(self, arguments: Given) -> Receipt:
        turns = [_present(_fields(message)) for message in as_messages(arguments["messages"])]
        return self._server.write(
            "POST", "/v1/episodes", _present({"messages": turns, "session": arguments["session"]})
        )

    # Find

    @as_in(Local.recall)
    def recall(self, arguments: Given) -> list[Hit]:
        query = arguments["query"]
        if isinstance(query, Query):
            body = _fields(query)
            body["query"] = body.pop("text")
        else:
            body = {"query": query, "limit": arguments["limit"], **arguments["filters"]}
        return [noun(Hit, hit) for hit in self._server.ask("POST", "/v1/recall", _present(body))["items"]]

    @as_in(Local.page)
    def page(self, arguments: Given) -> Page:
        answer = self._server.ask("POST", "/v1/context", _present(arguments))
        return Page(answer["text"], tuple(answer["memories"]))

    @as_in(Local.browse)
    def browse(self, arguments: Given) -> list[Memory]:
        sort = "importance" if arguments["important"] else "newest" if arguments["newest"] else "oldest"
        params = _present({**arguments["filters"], "cursor": arguments["after"], "sort": sort})
        if "metadata" in params:
            params["metadata"] = json.dumps(plain(params["metadata"]))
        return self._server.items(Memory, "/v1/memories", limit=arguments["limit"], **params)

    # Correct

    @as_in(Local.revise)
    def revise(self, arguments: Given) -> Receipt | Proposal:
        id, query, choose, dry_run = _described(arguments)
        body = {**_present({name: arguments[name] for name in ("text", "reason")}), **arguments["fields"]}
        if query is not None:
            body |= {
                "query": query,
                "dry_run": dry_run,
                "choose": choose if isinstance(choose, str | None) else choose[0],
            }
            return self._server.described("/v1/revise", body, expected=arguments["expected"])
        path = f"/v1/memories/{part(str(id))}"
        return self._server.write("PATCH", path, body, expected=arguments["expected"], dry_run=dry_run)

    @as_in(Local.archive)
    def archive(self, arguments: Given) -> Receipt:
        return self._server.write("POST", "/v1/memories/bulk", {**arguments, "action": "archive"})

    # Forget

    @as_in(Local.forget)
    def forget(self, arguments: Given) -> Receipt | Proposal:
        id, query, choose, dry_run = _described(arguments)
        if query is not None:
            body = {
                "query": query,
                "dry_run": dry_run,
                "all": arguments["all"],
                "yes": arguments["yes"],
                "choose": choose,
            }
            return self._server.described("/v1/forget", body)
        return noun(Receipt, self._server.ask("DELETE", f"/v1/memories/{part(str(id))}", dry_run=dry_run))

    @as_in(Local.erase)
    def erase(self, arguments: Given) -> Receipt:
        if arguments["confirm"] is not True:
            raise Invalid("erasing cannot be undone; pass confirm=True")
        if (namespace := arguments["namespace"]) is None:
            answer = self._server.ask("POST", "/v1/me/memory/forget-all", headers=CONFIRMED)
        else:
            answer = self._server.ask("DELETE", f"/v1/namespaces/{part(namespace)}", headers=CONFIRMED)
        return noun(Receipt, answer)

    # Tidy

    @as_in(Local.reindex)
    def reindex(self, arguments: Given) -> Report:
        return noun(Report, self._server.ask("POST", "/v1/maintenance/reindex", model=arguments["model"]))

    @as_in(Local.rotate_keys)
    def rotate_keys(self, arguments: Given) -> Report:
        destroy = arguments["destroy_old"]
        headers = CONFIRMED if destroy else {}
        answer = self._server.ask("POST", "/v1/maintenance/rotate-keys", headers=headers, destroy_old=destroy)
        return noun(Report, answer)

    @as_in(Local.export)
    def export(self, arguments: Given) -> Report:
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

    @as_in(Local.import_)
    def import_(self, arguments: Given) -> Report:
        source, dry_run = arguments["source"], arguments["dry_run"]
        if isinstance(source, str | Path):
            with Path(source).open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
                return self.import_(lines, dry_run=dry_run)
        return noun(Report, self._server.send_lines("/v1/import", source, dry_run=dry_run))

    @as_in(Local.doctor)
    def doctor(self, arguments: Given) -> Diagnosis:
        if arguments["fix"]:
            raise NotAllowed(ON_THE_MACHINE)
        return self._server.get(Diagnosis, "/v1/doctor", full=arguments["full"])

    backup = refused(Local.backup, "a server keeps its backups itself (POST /v1/backup); " + ON_THE_MACHINE)
    restore = refused(Local.restore, ON_THE_MACHINE)
    sync = refused(Local.sync, "run sync where the local book is, with the address of this server")

    @property
    def notebook(self) -> NoReturn:
        raise NotAllowed(NO_FILES)

    def notebook_at(self, folder: str | Path) -> NoReturn:
        raise NotAllowed(NO_FILES)

    @property
    def sync_key(self) -> str | None:
        raise NotAllowed(ON_THE_MACHINE)

    sync_status = carried(Commonplace.sync_status)
    sync_private = carried(Commonplace.sync_private)

    @property
    def sync_peer(self) -> RemotePeer:
        return RemotePeer(self._server)

    @cached_property
    def directives(self) -> "RemoteDirectives":
        return RemoteDirectives(self._server)

    @property
    def sharing(self) -> "RemoteSharing":
        return RemoteSharing(self._server)


for _name in VERBS.keys() - vars(RemoteBook).keys():
    _verb = getattr(Commonplace, _name)
    setattr(RemoteBook, _name, _verb if _name == "context" else carried(_verb))  # context asks for its page
takes_ids(RemoteBook)
Commonplace.register(RemoteBook)  # who asks whether it is a book is told that it is


class Remote:
    """One of the book's collections, on a server: what a class does not define itself is carried as it stands."""

    def __init__(self, connection: ServerConnection) -> None:
        self._server = connection

    def __init_subclass__(cls) -> None:
        local = cls.__bases__[1]
        for name in COLLECTIONS.get(local.__name__.lower(), {}).keys() - vars(cls).keys():
            setattr(cls, name, carried(getattr(local, name)))
        takes_ids(cls)


class RemoteCore(Remote, Core):
    get = Core.get  # by the list

    def list(self, *, as_of: datetime | None = None, known_at: datetime | None = None) -> builtins.list[Memory]:
        values = self._server.ask("GET", "/v1/me/memory/core", as_of=as_of, known_at=known_at)["items"]
        return [
            self._server.get(Memory, f"/v1/memories/{part(value['id'])}", as_of=as_of, known_at=known_at)
            for value in values
        ]


class RemoteGlossary(Remote, Glossary): ...


class RemoteNamespaces(Remote, Namespaces):
    def get(self, name: str) -> Namespace:
        for namespace in self.list():
            if namespace.name == name:
                return namespace
        raise errors.NotFound("namespace", name)

    def move(self, ids: Sequence[str], *, to: str) -> Receipt:
        namespace = self._server.namespace or "default"
        return self._server.write("POST", f"/v1/namespaces/{part(namespace)}/move", {"ids": ids, "to": to})


class RemoteSharing(Remote, Sharing): ...


class RemoteGraph(Remote, Graph): ...


class RemoteReview(Remote, Review):
    def list(self, *, limit: int = 100, after: str | None = None) -> builtins.list[Waiting]:
        rows = self._server.ask("GET", "/v1/review", limit=min(limit, 1000), cursor=after)["items"]
        return [
            Waiting(
                memory=noun(Memory, row["memory"]),
                quotes=tuple((noun(Memory, proof["episode"]), proof["quote"]) for proof in row["evidence"]),
                reason=row["reason"],
                conflict=None if row["conflict"] is None else noun(Memory, row["conflict"]),
            )
            for row in rows
        ]

    def count(self) -> int:
        return int(self._server.ask("GET", "/v1/review", limit=1)["total"])

    def lift(self, text: str) -> int:
        return int(self._server.ask("POST", "/v1/review/lift", {"text": text})["lifted"])


class RemoteAudit(Remote, Audit):
    def record_call(self, tool: str) -> None:
        """The server knows itself when a token was last used."""


class RemoteJobs(Remote, Jobs):
    def list(
        self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100, newest: bool = False
    ) -> builtins.list[Job]:
        params = {"state": _names(states) or None, "kind": _names(kinds) or None, "newest": newest or None}
        return self._server.items(Job, "/v1/jobs", limit=min(limit, 10_000), page_size=10_000, **params)


class RemoteReceipts(Remote, Receipts): ...


class RemoteSessions(Remote, Sessions): ...


class RemoteFeed(Remote, Feed):
    def follow(self) -> Iterator[Signal]:
        """Every change from now on; ends when the server does."""
        for line in self._server.lines("/v1/events"):
            if line.startswith("data: "):
                yield noun(Signal, json.loads(line.removeprefix("data: ")))


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
    """As ``book.directives``; agents are run where the book is."""

    pause, resume = Directives.pause, Directives.resume  # by a revision

    def history(self, id: str) -> Sequence[dict[str, Any]]:
        versions = self._server.ask("GET", f"/v1/directives/{part(id)}/versions")["items"]
        return [{**version, "recorded_at": noun(datetime, version["recorded_at"])} for version in versions]


# JSON


def plain(value: Any) -> Any:
    """The value in JSON types: times as text, tuples as lists."""
    if isinstance(value, datetime):
        return (value.replace(tzinfo=UTC) if value.tzinfo is None else value).astimezone(UTC).isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(item) for item in value]
    return value


def noun(shape: type[T], value: Any) -> T:
    """Parse JSON into a noun; fields that only a newer server knows are ignored."""
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


def fault(answer: httpx2.Response) -> CommonplaceError:
    """The error behind a problem document."""
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
    if name in _MADE:
        return _MADE[name](body)
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, CommonplaceError):
        return kind(detail)
    return StoreError(detail) if answer.status_code >= 500 else NotAllowed(detail)


_MADE: dict[str, Callable[[Any], CommonplaceError]] = {
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


def part(text: str) -> str:
    """A piece of a path. Dots too: a name that is nothing but dots would climb."""
    return quote(text, safe="").replace(".", "%2E")


def _fields(noun: Any) -> dict[str, Any]:
    return {field.name: getattr(noun, field.name) for field in fields(noun)}


def _described(arguments: Given) -> tuple[str | None, str | None, Any, bool]:
    """The id or the description that a verb was given, what was chosen of it, and whether it only shows."""
    id: Any = arguments["id"]
    query, choose = arguments["query"], arguments["choose"]
    if (id is None) == (query is None):
        raise Invalid("name a memory by its id, or describe what is meant with query=…")
    if isinstance(id, Proposal):
        id, query, choose = None, id.query, choose or id.ids
    return id, query, choose, arguments["dry_run"]


def _present(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _names(texts: Iterable[str]) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts)


def _ref(argument: Any) -> Any:
    """An argument as it is sent: the ref of a receipt, the id of a memory or a hit, anything else as it is."""
    if isinstance(argument, Receipt):
        return argument.ref
    noun = argument.memory if isinstance(argument, Hit) else argument
    return noun.id if isinstance(noun, Memory) else argument
