"""A book on a server: the same verbs, carried over REST. The token says whose it is and who acts."""

import json
import types
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from typing import IO, Any, Literal, Self, TypeVar, Union, get_args, get_origin, get_type_hints
from urllib.parse import quote

import httpx2

from commonplace import errors
from commonplace.book import Commonplace
from commonplace.clock import Clock, SystemClock
from commonplace.context.render import Page
from commonplace.context.uses import Use
from commonplace.directives.values import Attempt, Directive, Prompt, Step
from commonplace.errors import CommonplaceError, Invalid, NotAllowed, StoreError
from commonplace.extraction.trace import Trace
from commonplace.maintenance.doctor import Diagnosis
from commonplace.maintenance.exporting import private_file
from commonplace.maintenance.report import Report, Stats
from commonplace.maintenance.schedule import Round
from commonplace.memories.audit import AuditCheck, AuditLine
from commonplace.memories.feed import Signal
from commonplace.memories.forgetting import Verification
from commonplace.memories.glossary import Tag
from commonplace.memories.graph import Walk
from commonplace.memories.jobs import Job
from commonplace.memories.namespaces import Namespace
from commonplace.memories.review import Waiting
from commonplace.memories.sessions import Session
from commonplace.memories.timeline import Day, UsageDay
from commonplace.model import Entity, Hit, Memory, Message, Query, Receipt, Relation, Source, Version
from commonplace.model import messages as as_messages
from commonplace.security.tokens import NotSignedIn
from commonplace.settings import Settings, without_credentials
from commonplace.store.ports import Progress

TIMEOUT = 30.0
ON_THE_MACHINE = "this works on the files of the machine; run it where the book is"

T = TypeVar("T")


class _Away(StoreError):
    """Nobody answered."""


class Line:
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

    def items(self, shape: type[T], path: str, *, limit: int | None = None, most: int = 1000, **params: Any) -> list[T]:
        """At most ``limit`` of a list, ``most`` in each answer."""
        found: list[T] = []
        while True:
            wanted = None if limit is None else min(limit - len(found), most)
            page = self.ask("GET", path, limit=wanted, **params)
            found += [noun(shape, one) for one in page["items"]]
            if limit is None or len(found) >= limit or page["next"] is None:
                return found
            params["cursor"] = page["next"]

    def write(self, method: str, path: str, body: Any = None, *, expected: int | None = None, **params: Any) -> Receipt:
        """The receipt of a write. A POST carries a key, so that it is asked once more if the answer was lost."""
        headers = {} if expected is None else {"If-Match": f'"{expected}"'}
        sent = {} if body is None else body
        if method != "POST":
            return noun(Receipt, self.ask(method, path, sent, headers=headers, **params))
        headers["Idempotency-Key"] = SystemClock().new_id()
        try:
            return noun(Receipt, self.ask(method, path, sent, headers=headers, **params))
        except _Away:
            return noun(Receipt, self.ask(method, path, sent, headers=headers, **params))

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

    def within(self, namespace: str) -> "Line":
        return Line(self.client, self.place, namespace, self.source)

    def speaking_as(self, source: Source) -> "Line":
        return Line(self.client, self.place, self.namespace, source)

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

    def _params(self, given: Mapping[str, Any]) -> dict[str, Any]:
        named = {"namespace": self.namespace, **given}
        return {name: plain(value) for name, value in named.items() if value is not None and value != ()}

    def _away(self) -> "_Away":
        return _Away(f"{self.place} cannot be reached; nothing was written, or the answer was lost: try again")


class RemoteBook(Commonplace):
    """``Commonplace.open("https://…", token=…)``. Everything as in ``Commonplace``, but for files of the machine."""

    def __init__(self, line: Line, settings: Settings) -> None:
        self._line, self._local = line, settings
        self._me: dict[str, Any] | None = None
        self.core = RemoteCore(line)  # type: ignore[assignment]
        self.glossary = RemoteGlossary(line)  # type: ignore[assignment]
        self.namespaces = RemoteNamespaces(line)  # type: ignore[assignment]
        self.graph = RemoteGraph(line)  # type: ignore[assignment]
        self.review = RemoteReview(line)  # type: ignore[assignment]
        self.audit = RemoteAudit(line)  # type: ignore[assignment]
        self.jobs = RemoteJobs(line)  # type: ignore[assignment]
        self.receipts = RemoteReceipts(line)  # type: ignore[assignment]
        self.sessions = RemoteSessions(line)  # type: ignore[assignment]
        self.feed = RemoteFeed(line)  # type: ignore[assignment]
        self.bulk = RemoteBulk(line)  # type: ignore[assignment]
        self.timeline = RemoteTimeline(line)  # type: ignore[assignment]

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
        made = client or httpx2.Client(
            base_url=url.rstrip("/"), headers={"Authorization": f"Bearer {token}"}, timeout=TIMEOUT
        )
        return cls(Line(made, without_credentials(url), namespace), settings)

    def close(self) -> None:
        self._line.client.close()

    def within(self, namespace: str) -> "RemoteBook":
        return RemoteBook(self._line.within(namespace), self._local)

    def acting_as(self, actor: str, *, source: Source, person: bool) -> "RemoteBook":
        """The server goes by the token; one that is a person's can be made to speak for an assistant or a tool."""
        return self if person else RemoteBook(self._line.speaking_as(source), self._local)

    @property
    def owner(self) -> str:
        return str(self._self["owner"])

    @property
    def namespace(self) -> str:
        return self._line.namespace or str(self._self["namespace"])

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
            self._me = self._line.ask("GET", "/v1/me")
        assert self._me is not None
        return self._me

    # Keep

    def remember(self, text: str, *, source: Source | None = None, **given: Any) -> Receipt:
        """As everywhere. The source is the token's."""
        return self._line.write("POST", "/v1/memories", {"text": text, **_present(given)})

    def remember_many(self, items: Iterable[str | Mapping[str, Any]]) -> Receipt:
        made = [{"text": one} if isinstance(one, str) else _present({**one, "source": None}) for one in items]
        return self._line.write("POST", "/v1/memories/batch", {"items": made})

    def observe(
        self, messages: Sequence[Message | str | Mapping[str, Any]] | Message | str, *, session: str | None = None
    ) -> Receipt:
        said = [
            _present({one.name: getattr(message, one.name) for one in fields(message)})
            for message in as_messages(messages)
        ]
        return self._line.write("POST", "/v1/episodes", _present({"messages": said, "session": session}))

    # Find

    def recall(self, query: str | Query = "", *, limit: int | None = None, **given: Any) -> list[Hit]:
        if isinstance(query, Query):
            given = {one.name: getattr(query, one.name) for one in fields(query)}
            query, limit = given.pop("text"), given.pop("limit")
        body = _present({"query": query, "limit": limit, **given})
        return [noun(Hit, one) for one in self._line.ask("POST", "/v1/recall", body)["items"]]

    def page(self, query: str | None = None, *, tokens: int = 2000, limit: int = 8, **options: Any) -> Page:
        body = _present({"query": query, "tokens": tokens, "limit": limit, **options})
        found = self._line.ask("POST", "/v1/context", body)
        return Page(found["text"], tuple(found["memories"]))

    def useful(self, hit: Hit | Memory | str, *, yes: bool = True) -> Receipt:
        id = hit if isinstance(hit, str) else hit.memory.id if isinstance(hit, Hit) else hit.id
        return self._line.write("POST", "/v1/useful", {"id": id, "yes": yes})

    def get(self, id: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        return self._line.get(Memory, f"/v1/memories/{part(id)}", as_of=as_of, known_at=known_at)

    def browse(
        self,
        *,
        after: str | None = None,
        newest: bool = True,
        important: bool = False,
        limit: int = 100,
        **given: Any,
    ) -> list[Memory]:
        order = "importance" if important else "newest" if newest else "oldest"
        if given.get("metadata") is not None:
            given["metadata"] = json.dumps(plain(given["metadata"]))
        return self._line.items(Memory, "/v1/memories", cursor=after, sort=order, limit=limit, **_present(given))

    def why(self, id: str) -> list[Trace]:
        return self._line.items(Trace, f"/v1/memories/{part(id)}/why")

    def evidence(self, id: str) -> list[tuple[Memory, str | None]]:
        found = self._line.ask("GET", f"/v1/memories/{part(id)}/evidence")["items"]
        return [(noun(Memory, one["episode"]), one["quote"]) for one in found]

    def uses(self, id: str, *, before: str | None = None, limit: int = 100) -> list[Use]:
        return self._line.items(Use, f"/v1/memories/{part(id)}/uses", cursor=before, limit=limit)

    # Correct

    def revise(
        self,
        id: str | None = None,
        text: str | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        best: bool = False,
        reason: str | None = None,
        expected: int | None = None,
        **given: Any,
    ) -> Receipt:
        if (id is None) == (query is None):
            raise Invalid("name a memory by its id, or describe what is meant with query=…")
        body = {**_present({"text": text, "reason": reason}), **given}
        if query is not None:
            body |= {"query": query, "dry_run": dry_run, "best": best}
            return self._line.write("POST", "/v1/revise", body, expected=expected)
        return self._line.write("PATCH", f"/v1/memories/{part(str(id))}", body, expected=expected, dry_run=dry_run)

    def confirm(self, id: str, *, expected: int | None = None) -> Receipt:
        return self._line.write("POST", f"/v1/memories/{part(id)}/confirm", expected=expected)

    def reject(self, id: str, *, reason: str | None = None, expected: int | None = None) -> Receipt:
        return self._line.write("POST", f"/v1/memories/{part(id)}/reject", {"reason": reason}, expected=expected)

    def archive(self, *ids: str, reason: str | None = None) -> Receipt:
        return self._line.write("POST", "/v1/memories/bulk", {"ids": ids, "action": "archive", "reason": reason})

    def end(self, id: str, *, at: datetime | None = None, reason: str | None = None) -> Receipt:
        return self._line.write("POST", f"/v1/memories/{part(id)}/end", {"at": at, "reason": reason})

    def history(self, id: str) -> list[Version]:
        return self._line.items(Version, f"/v1/memories/{part(id)}/versions")

    def rollback(self, id: str, *, to: int, expected: int | None = None) -> Receipt:
        return self._line.write("POST", f"/v1/memories/{part(id)}/rollback", {"to": to}, expected=expected)

    def undo(self, receipt: Receipt | str, *, progress: Progress | None = None) -> Receipt:
        return self._line.write("POST", f"/v1/receipts/{part(_ref(receipt))}/undo")

    # Forget

    def forget(
        self,
        id: str | None = None,
        *,
        query: str | None = None,
        dry_run: bool = False,
        all: bool = False,
        best: bool = False,
    ) -> Receipt:
        if (id is None) == (query is None):
            raise Invalid("name a memory by its id, or describe what is meant with query=…")
        if query is not None:
            body = {"query": query, "dry_run": dry_run, "all": all, "best": best}
            return self._line.write("POST", "/v1/forget", body)
        return noun(Receipt, self._line.ask("DELETE", f"/v1/memories/{part(str(id))}", dry_run=dry_run))

    def erase(self, *, confirm: bool, namespace: str | None = None) -> Receipt:
        if confirm is not True:
            raise Invalid("erasing cannot be undone; pass confirm=True")
        path = "/v1/me/memory/forget-all" if namespace is None else f"/v1/namespaces/{part(namespace)}"
        method = "POST" if namespace is None else "DELETE"
        return noun(Receipt, self._line.ask(method, path, headers={"X-Confirm": "true"}))

    def verify_receipt(self, receipt: Receipt | str) -> Verification:
        return noun(Verification, self._line.ask("POST", f"/v1/receipts/{part(_ref(receipt))}/verify"))

    # Relate

    def relate(self, subject: str, predicate: str, object: str, **given: Any) -> Receipt:
        body = {"subject": subject, "predicate": predicate, "object": object, **_present(given)}
        return self._line.write("POST", "/v1/relations", body)

    def relations(
        self, subject: str | None = None, predicate: str | None = None, object: str | None = None, **given: Any
    ) -> list[Relation]:
        return self.graph.relations(subject, predicate, object, **given)

    def walk(self, entity: str, *, depth: int = 2, as_of: datetime | None = None) -> Walk:
        return self._line.get(Walk, "/v1/walk", entity=entity, depth=depth, as_of=as_of)

    # Noticed

    def hints(self) -> list[Memory]:
        return self._line.items(Memory, "/v1/hints")

    def dismiss(self, id: str) -> Receipt:
        return noun(Receipt, self._line.ask("DELETE", f"/v1/hints/{part(id)}"))

    # Tidy

    def stats(self) -> Stats:
        return self._line.get(Stats, "/v1/stats")

    def prune(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
        return noun(Report, self._line.ask("POST", "/v1/maintenance/prune", {"dry_run": dry_run}))

    def merge(self, *, dry_run: bool = False, progress: Progress | None = None) -> Report:
        return noun(Report, self._line.ask("POST", "/v1/maintenance/merge", {"dry_run": dry_run}))

    def maintain(self) -> Round:
        return noun(Round, self._line.ask("POST", "/v1/maintenance/run"))

    def reindex(self, *, model: str | None = None, progress: Progress | None = None) -> Report:
        return noun(Report, self._line.ask("POST", "/v1/maintenance/reindex", model=model))

    def rotate_keys(self, *, destroy_old: bool = False, progress: Progress | None = None) -> Report:
        return noun(Report, self._line.ask("POST", "/v1/maintenance/rotate-keys", destroy_old=destroy_old))

    def export(
        self, target: IO[str] | str | Path, *, namespaces: Sequence[str] = (), progress: Progress | None = None
    ) -> Report:
        if isinstance(target, str | Path):
            with private_file(Path(target)) as stream:
                return self.export(stream, namespaces=namespaces, progress=progress)
        count = 0
        for line in self._line.lines("/v1/me/memory/export", namespaces=list(namespaces) or None):
            target.write(line + "\n")
            count += 1
            if progress is not None:
                progress(count, None)
        return Report(action="EXPORT", at=SystemClock().now(), count=count)

    def import_(
        self, source: IO[str] | str | Path, *, dry_run: bool = False, progress: Progress | None = None
    ) -> Report:
        if isinstance(source, str | Path):
            with Path(source).open(encoding="utf-8", errors="surrogatepass", newline="\n") as lines:
                return self.import_(lines, dry_run=dry_run, progress=progress)
        return noun(Report, self._line.send_lines("/v1/import", source, dry_run=dry_run))

    def doctor(self, *, fix: bool = False, full: bool = False, **_options: Any) -> Diagnosis:
        if fix:
            raise NotAllowed(ON_THE_MACHINE)
        return self._line.get(Diagnosis, "/v1/doctor", full=full)

    def backup(self, *_args: Any, **_options: Any) -> Report:
        raise NotAllowed("a server keeps its backups itself (POST /v1/backup); " + ON_THE_MACHINE)

    def restore(self, *_args: Any, **_options: Any) -> Report:
        raise NotAllowed(ON_THE_MACHINE)

    @cached_property
    def directives(self) -> Any:
        return RemoteDirectives(self._line)

    @property
    def notebook(self) -> Any:
        raise NotAllowed("the notebook is files of this machine, and this book is on a server")

    def notebook_at(self, folder: str | Path) -> Any:
        return self.notebook


class Room:
    """One of the book's small objects."""

    def __init__(self, line: Line) -> None:
        self._line = line


class RemoteCore(Room):
    def set(self, key: str, value: str, *, category: str = "preference") -> Receipt:
        body = {"value": value, "category": category}
        return self._line.write("PUT", f"/v1/me/memory/core/{part(key)}", body)

    def get(self, key: str, *, as_of: datetime | None = None, known_at: datetime | None = None) -> Memory:
        wanted = " ".join(key.split()).casefold()
        for memory in self.list(as_of=as_of, known_at=known_at):
            if (memory.key or "").casefold() == wanted:
                return memory
        raise errors.NotFound("core value", key)

    def list(self, *, as_of: datetime | None = None, known_at: datetime | None = None) -> list[Memory]:
        found = self._line.ask("GET", "/v1/me/memory/core", as_of=as_of, known_at=known_at)["items"]
        return [
            self._line.get(Memory, f"/v1/memories/{part(one['id'])}", as_of=as_of, known_at=known_at) for one in found
        ]

    def forget(self, key: str) -> Receipt:
        return noun(Receipt, self._line.ask("DELETE", f"/v1/me/memory/core/{part(key)}"))


class RemoteGlossary(Room):
    def list(self) -> list[Tag]:
        return self._line.items(Tag, "/v1/tags")

    def get(self, name: str) -> Tag:
        return self._line.get(Tag, f"/v1/tags/{part(name)}")

    def create(self, name: str, *, description: str | None = None, synonyms: Sequence[str] = ()) -> Receipt:
        return self._line.write("POST", "/v1/tags", {"name": name, "description": description, "synonyms": synonyms})

    def revise(self, name: str, *, rename: str | None = None, **given: Any) -> Receipt:
        return self._line.write("PATCH", f"/v1/tags/{part(name)}", _present({"name": rename, **given}))

    def merge(self, name: str, *, into: str) -> Receipt:
        return self._line.write("POST", f"/v1/tags/{part(name)}/merge", {"into": into})

    def delete(self, name: str) -> Receipt:
        return noun(Receipt, self._line.ask("DELETE", f"/v1/tags/{part(name)}"))


class RemoteNamespaces(Room):
    def list(self) -> list[Namespace]:
        return self._line.items(Namespace, "/v1/namespaces")

    def get(self, name: str) -> Namespace:
        for one in self.list():
            if one.name == name:
                return one
        raise errors.NotFound("namespace", name)

    def create(self, name: str, *, description: str | None = None) -> Receipt:
        return self._line.write("POST", "/v1/namespaces", {"name": name, "description": description})

    def revise(self, name: str, *, rename: str | None = None, **given: Any) -> Receipt:
        return self._line.write("PATCH", f"/v1/namespaces/{part(name)}", _present({"name": rename, **given}))

    def move(self, ids: Sequence[str], *, to: str) -> Receipt:
        here = self._line.namespace or "default"
        return self._line.write("POST", f"/v1/namespaces/{part(here)}/move", {"ids": ids, "to": to})

    def delete(self, name: str) -> Receipt:
        path = f"/v1/namespaces/{part(name)}"
        return noun(Receipt, self._line.ask("DELETE", path, headers={"X-Confirm": "true"}))


class RemoteGraph(Room):
    def relate(self, subject: str, predicate: str, object: str, **given: Any) -> Receipt:
        body = {"subject": subject, "predicate": predicate, "object": object, **_present(given)}
        return self._line.write("POST", "/v1/relations", body)

    def revise(self, id: str, *, expected: int | None = None, **given: Any) -> Receipt:
        return self._line.write("PATCH", f"/v1/relations/{part(id)}", given, expected=expected)

    def get(self, id: str) -> Relation:
        return self._line.get(Relation, f"/v1/relations/{part(id)}")

    def relations(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        after: str | None = None,
        limit: int = 20,
        **given: Any,
    ) -> list[Relation]:
        parts: dict[str, Any] = {"subject": subject, "predicate": predicate, "object": object}
        return self._line.items(Relation, "/v1/relations", cursor=after, limit=limit, **parts, **given)

    def walk(self, entity: str, *, depth: int = 2, as_of: datetime | None = None) -> Walk:
        return self._line.get(Walk, "/v1/walk", entity=entity, depth=depth, as_of=as_of)

    def entities(
        self, *, type: str | None = None, query: str | None = None, limit: int = 100, after: str | None = None
    ) -> list[Entity]:
        return self._line.items(Entity, "/v1/entities", type=type, query=query, limit=limit, cursor=after)

    def entity(self, label_or_id: str) -> Entity:
        return self._line.get(Entity, f"/v1/entities/{part(label_or_id)}")

    def revise_entity(self, id: str, **given: Any) -> Receipt:
        return self._line.write("PATCH", f"/v1/entities/{part(id)}", _present(given))

    def merge(self, keep: str, absorb: str) -> Receipt:
        return self._line.write("POST", "/v1/entities/merge", {"keep": keep, "absorb": absorb})

    def split(self, id: str, *, label: str, relations: Sequence[str], aliases: Sequence[str] = ()) -> Receipt:
        body = {"label": label, "relations": relations, "aliases": aliases}
        return self._line.write("POST", f"/v1/entities/{part(id)}/split", body)

    def predicates(self) -> list[tuple[str, bool]]:
        return [(one["name"], one["builtin"]) for one in self._line.ask("GET", "/v1/predicates")["items"]]

    def declare(self, predicate: str) -> Receipt:
        return self._line.write("POST", "/v1/predicates", {"name": predicate})


class RemoteReview(Room):
    def list(self, *, limit: int = 100, after: str | None = None) -> list[Waiting]:
        found = self._line.ask("GET", "/v1/review", limit=min(limit, 1000), cursor=after)["items"]
        return [
            Waiting(
                memory=noun(Memory, one["memory"]),
                quotes=tuple((noun(Memory, proof["episode"]), proof["quote"]) for proof in one["evidence"]),
                reason=one["reason"],
                conflict=None if one["conflict"] is None else noun(Memory, one["conflict"]),
            )
            for one in found
        ]

    def decide(self, id: str, decision: str, *, text: str | None = None, reason: str | None = None) -> Receipt:
        return self._line.write(
            "POST", f"/v1/review/{part(id)}", {"decision": decision, "text": text, "reason": reason}
        )

    def lift(self, text: str) -> int:
        return int(self._line.ask("POST", "/v1/review/lift", {"text": text})["lifted"])


class RemoteAudit(Room):
    def list(self, *, after: int = 0, limit: int = 100) -> list[AuditLine]:
        return self._line.items(AuditLine, "/v1/audit", cursor=after, limit=limit)

    def verify(self) -> AuditCheck:
        return noun(AuditCheck, self._line.ask("POST", "/v1/audit/verify"))


class RemoteJobs(Room):
    def list(self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100) -> list[Job]:
        named = {"state": list(states) or None, "kind": list(kinds) or None}
        return self._line.items(Job, "/v1/jobs", limit=min(limit, 10_000), most=10_000, **named)

    def counts(self) -> dict[str, dict[str, int]]:
        counted: dict[str, dict[str, int]] = self._line.ask("GET", "/v1/jobs/counts")
        return counted

    def replay(self, id: str) -> Job:
        return noun(Job, self._line.ask("POST", f"/v1/jobs/{part(id)}/retry"))


class RemoteReceipts(Room):
    def list(self, *, actions: Sequence[str] = (), before: str | None = None, limit: int = 100) -> list[Receipt]:
        return self._line.items(Receipt, "/v1/receipts", actions=list(actions) or None, cursor=before, limit=limit)

    def get(self, ref: str) -> Receipt:
        return self._line.get(Receipt, f"/v1/receipts/{part(ref)}")


class RemoteSessions(Room):
    def list(self, *, limit: int = 100) -> list[Session]:
        return self._line.items(Session, "/v1/sessions", limit=limit)


class RemoteFeed(Room):
    def follow(self) -> Iterator[Signal]:
        """Every change from now on; ends when the server does."""
        for line in self._line.lines("/v1/events"):
            if line.startswith("data: "):
                yield noun(Signal, json.loads(line.removeprefix("data: ")))


class RemoteBulk(Room):
    def confirm(self, ids: Sequence[str]) -> Receipt:
        return self._line.write("POST", "/v1/memories/bulk", {"ids": ids, "action": "confirm"})

    def reject(self, ids: Sequence[str], *, reason: str | None = None) -> Receipt:
        return self._line.write("POST", "/v1/memories/bulk", {"ids": ids, "action": "reject", "reason": reason})

    def tag(self, ids: Sequence[str], tags: Iterable[str]) -> Receipt:
        return self._line.write("POST", "/v1/memories/bulk", {"ids": ids, "action": "tag", "tags": list(tags)})


class RemoteTimeline(Room):
    def days(self, *, before: str | None = None, limit: int = 60, **given: Any) -> list[Day]:
        return self._line.items(Day, "/v1/timeline", cursor=before, limit=limit, **given)

    def usage(self, *, since: str) -> list[UsageDay]:
        return self._line.items(UsageDay, "/v1/usage", since=f"{since}T00:00:00Z")


# JSON


def plain(value: Any) -> Any:
    """What JSON can say: times as text, tuples as lists."""
    if isinstance(value, datetime):
        return (value.replace(tzinfo=UTC) if value.tzinfo is None else value).astimezone(UTC).isoformat()
    if isinstance(value, Mapping):
        return {str(name): plain(one) for name, one in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [plain(one) for one in value]
    return value


class RemoteDirectives(Room):
    """As ``book.directives``; agents are run where the book is."""

    def create(self, title: str, goal: str, **given: Any) -> Receipt:
        return self._line.write("POST", "/v1/directives", {"title": title, "goal": goal, **_present(given)})

    def get(self, id: str) -> Directive:
        return self._line.get(Directive, f"/v1/directives/{part(id)}")

    def list(self, *, status: str | None = None) -> Sequence[Directive]:
        return self._line.items(Directive, "/v1/directives", status=status)

    def revise(self, id: str, *, expected: int | None = None, **fields: Any) -> Receipt:
        return self._line.write("PATCH", f"/v1/directives/{part(id)}", fields, expected=expected)

    def delete(self, id: str) -> Receipt:
        return noun(Receipt, self._line.ask("DELETE", f"/v1/directives/{part(id)}", headers={"X-Confirm": "true"}))

    def steps(self, id: str) -> Sequence[Step]:
        return self._line.items(Step, f"/v1/directives/{part(id)}/steps")

    def step(self, id: str) -> Step:
        return self._line.get(Step, f"/v1/steps/{part(id)}")

    def add_step(self, directive: str, name: str, **given: Any) -> Receipt:
        return self._line.write("POST", f"/v1/directives/{part(directive)}/steps", {"name": name, **_present(given)})

    def revise_step(self, id: str, *, expected: int | None = None, **fields: Any) -> Receipt:
        return self._line.write("PATCH", f"/v1/steps/{part(id)}", fields, expected=expected)

    def delete_step(self, id: str) -> Receipt:
        return noun(Receipt, self._line.ask("DELETE", f"/v1/steps/{part(id)}"))

    def memories(
        self,
        id: str,
        *,
        category: str | None = None,
        step: str | None = None,
        after: str | None = None,
        limit: int = 100,
        newest: bool = False,
    ) -> Sequence[Memory]:
        path = f"/v1/directives/{part(id)}/memories"
        filters: dict[str, Any] = {"category": category, "step": step, "newest": newest}
        return self._line.items(Memory, path, cursor=after, limit=limit, **filters)

    def remember(self, id: str, text: str, **given: Any) -> Receipt:
        return self._line.write("POST", f"/v1/directives/{part(id)}/memories", {"text": text, **_present(given)})

    def correct(
        self, id: str, memory: str, text: str | None = None, *, expected: int | None = None, **given: Any
    ) -> Receipt:
        path = f"/v1/directives/{part(id)}/memories/{part(memory)}"
        return self._line.write("PATCH", path, _present({"text": text, **given}), expected=expected)

    def forget(self, id: str, memory: str) -> Receipt:
        return noun(Receipt, self._line.ask("DELETE", f"/v1/directives/{part(id)}/memories/{part(memory)}"))

    def prompt(self, id: str, *, step: str | None = None, tokens: int | None = None) -> Prompt:
        return self._line.get(Prompt, f"/v1/directives/{part(id)}/prompt", step=step, tokens=tokens)

    def explain(self, id: str) -> Sequence[Attempt]:
        return self._line.items(Attempt, f"/v1/directives/{part(id)}/attempts")

    def history(self, id: str) -> Sequence[dict[str, Any]]:
        found = self._line.ask("GET", f"/v1/directives/{part(id)}/versions")["items"]
        return [{**one, "recorded_at": noun(datetime, one["recorded_at"])} for one in found]


def noun(shape: type[T], found: Any) -> T:
    """JSON as the noun it came from; what a newer server says beyond that is passed over."""
    made: T = _read(shape, found)
    return made


def _read(shape: Any, found: Any) -> Any:
    if found is None or shape is Any:
        return found
    origin, inner = get_origin(shape), get_args(shape)
    if origin in (Union, types.UnionType):
        return _read(next(one for one in inner if one is not type(None)), found)
    if origin is Literal or shape in (str, int, float, bool):
        return found
    if shape is datetime:
        return datetime.fromisoformat(found)
    if is_dataclass(shape) and isinstance(shape, type):
        hints = _hints(shape)
        return shape(
            **{one.name: _read(hints[one.name], found[one.name]) for one in fields(shape) if one.name in found}
        )
    if origin is tuple:
        each = inner[:1] * len(found) if inner[-1] is Ellipsis else inner
        return tuple(_read(one, value) for one, value in zip(each, found, strict=False))
    if isinstance(found, dict) and inner:
        return {name: _read(inner[1], value) for name, value in found.items()}
    return found


@cache
def _hints(shape: type) -> dict[str, Any]:
    return get_type_hints(shape)


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
        places = "; ".join(".".join(map(str, one["where"])) + ": " + one["problem"] for one in body.get("errors", []))
        return Invalid(places or detail)
    name = str(body.get("type", "")).rpartition(":")[2]
    if name in _MADE:
        return _MADE[name](body)
    kind = getattr(errors, name, None)
    if isinstance(kind, type) and issubclass(kind, CommonplaceError):
        return kind(detail)
    return StoreError(detail) if answer.status_code >= 500 else NotAllowed(detail)


_MADE: dict[str, Callable[[Any], CommonplaceError]] = {
    "NotFound": lambda body: errors.NotFound(body["noun"], body["id"]),
    "Conflict": lambda body: errors.Conflict(body["noun"], body["id"], expected=body["expected"], found=body["found"]),
    "Tombstoned": lambda body: errors.Tombstoned(body["reason"]),
    "OverQuota": lambda body: errors.OverQuota(body["kept"], body["most"]),
    "Ambiguous": lambda body: errors.Ambiguous(body["ids"]),
    "NotInPlan": lambda body: errors.NotInPlan(body["feature"], body["plan"], body["plans"]),
}


def part(text: str) -> str:
    """A piece of a path. Dots too: a name that is nothing but dots would climb."""
    return quote(text, safe="").replace(".", "%2E")


def _present(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in given.items() if value is not None}


def _ref(receipt: Receipt | str) -> str:
    return receipt.ref if isinstance(receipt, Receipt) else receipt
