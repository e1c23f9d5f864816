"""A shared namespace by every tool and route: for a reader, somebody who was a member, and a stranger."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.interfaces.mcp import test_access as tools
from tests.interfaces.mcp.conftest import listening, signed
from tests.interfaces.rest.conftest import Site
from tests.interfaces.rest.conftest import settings as settings  # a fixture
from tests.interfaces.rest.conftest import site as site  # a fixture
from tests.test_shared_verbs import SECRET, TEXT, Ids, state

from commonplace import Commonplace, Settings
from commonplace.interfaces.rest.routes import v1

CALLS: dict[tuple[str, str], Any] = {
    ("POST", "/v1/memories"): {"text": "x"},
    ("POST", "/v1/memories/batch"): {"items": [{"text": "y"}]},
    ("POST", "/v1/memories/bulk"): {"action": "tag", "ids": ["{memory}"], "tags": ["t"]},
    ("POST", "/v1/episodes"): {"messages": [{"role": "user", "text": "I live in Turin"}]},
    ("POST", "/v1/useful"): {"id": "{memory}"},
    ("POST", "/v1/forget"): {"query": "bees"},
    ("POST", "/v1/revise"): {"query": "bees", "text": "x"},
    ("POST", "/v1/recall"): {"query": "launch code"},
    ("POST", "/v1/context"): {"query": "launch code"},
    ("POST", "/v1/context/prompt"): {"query": "launch code"},
    ("PATCH", "/v1/memories/{id}"): {"text": "x"},
    ("POST", "/v1/memories/{id}/confirm"): None,
    ("POST", "/v1/memories/{id}/rollback"): {"to": 1},
    ("POST", "/v1/memories/{id}/reject"): {},
    ("POST", "/v1/memories/{id}/archive"): {},
    ("POST", "/v1/memories/{id}/end"): {},
    ("POST", "/v1/relations"): {"subject": "a", "predicate": "knows", "object": "b"},
    ("PATCH", "/v1/relations/{id}"): {"notes": "x"},
    ("PATCH", "/v1/me/memory/relational/{id}"): {"notes": "y"},
    ("PATCH", "/v1/entities/{id}"): {"label": "Adele"},
    ("POST", "/v1/entities/merge"): {"keep": "{entity}", "absorb": "nobody"},
    ("POST", "/v1/entities/{id}/split"): {"relations": ["{relation}"], "label": "Adele"},
    ("POST", "/v1/predicates"): {"name": "knows_of"},
    ("PUT", "/v1/me/memory/core/{key:path}"): {"value": "Turin"},
    ("POST", "/v1/tags"): {"name": "n"},
    ("PATCH", "/v1/tags/{name:path}"): {"description": "x"},
    ("POST", "/v1/tags/{name:path}/merge"): {"into": "n"},
    ("POST", "/v1/namespaces"): {"name": "another"},
    ("PATCH", "/v1/namespaces/{name:path}"): {"description": "x"},
    ("POST", "/v1/namespaces/{name:path}/move"): {"ids": ["{memory}"], "to": "default"},
    ("POST", "/v1/review/{id}"): {"decision": "approve"},
    ("POST", "/v1/review/lift"): {"text": "x"},
    ("POST", "/v1/directives"): {"title": "t", "goal": "g"},
    ("PATCH", "/v1/directives/{id}"): {"title": "x"},
    ("POST", "/v1/directives/{id}/steps"): {"name": "x"},
    ("PATCH", "/v1/steps/{id}"): {"name": "x"},
    ("POST", "/v1/directives/{id}/memories"): {"text": "x"},
    ("PATCH", "/v1/directives/{id}/memories/{memory}"): {"text": "x"},
    ("POST", "/v1/maintenance/prune"): {"dry_run": False},
    ("POST", "/v1/maintenance/merge"): {"dry_run": False},
    ("POST", "/v1/maintenance/decay"): {"dry_run": False},
    ("PUT", "/v1/notebook/{name:path}"): {"text": "x"},
    ("POST", "/v1/sync/private"): {"name": "diary"},
    ("POST", "/v1/shared"): {"name": "team"},
    ("POST", "/v1/shared/preview"): {"code": "nothing"},
    ("POST", "/v1/shared/join"): {"code": "nothing"},
    ("PATCH", "/v1/shared/{name}/members/{person}"): {"role": "reader"},
    ("POST", "/v1/shared/{name}/transfer"): {"person": "ada"},
    ("POST", "/v1/tokens"): {"name": "x"},
    ("POST", "/v1/sync/hello"): None,
    ("POST", "/v1/sync/changes"): {"cursor": {}},
    ("POST", "/v1/sync/apply"): {"lines": []},
    ("POST", "/v1/sync/finish"): {"record": {}},
    ("POST", "/v1/receipts/{ref}/undo"): None,
    ("POST", "/v1/receipts/{ref}/verify"): None,
    ("POST", "/v1/jobs/{id}/retry"): None,
    ("POST", "/v1/maintenance/run"): None,
    ("POST", "/v1/maintenance/mine"): None,
    ("POST", "/v1/maintenance/reindex"): None,
    ("POST", "/v1/maintenance/rotate-keys"): None,
    ("POST", "/v1/backup"): None,
    ("POST", "/v1/import"): None,
    ("POST", "/v1/import/file"): None,
    ("POST", "/v1/audit/verify"): None,
    ("POST", "/v1/session"): None,
    ("POST", "/v1/owners"): {"owner": "eve"},
    ("PATCH", "/v1/owners/{owner}"): {"plan": "team"},
    ("DELETE", "/v1/hints/{id}"): None,
    ("DELETE", "/v1/tokens/{id}"): None,
    ("DELETE", "/v1/session"): None,
    ("DELETE", "/v1/shared/{name}/invitations/{invitation}"): None,
    ("DELETE", "/v1/shared/{name}/members/{person}"): None,
    ("DELETE", "/v1/shared/{name}"): None,
    ("DELETE", "/v1/namespaces/{name:path}"): None,
    ("DELETE", "/v1/tags/{name:path}"): None,
    ("DELETE", "/v1/me/memory/core/{key:path}"): None,
    ("DELETE", "/v1/directives/{id}/memories/{memory}"): None,
    ("DELETE", "/v1/steps/{id}"): None,
    ("DELETE", "/v1/directives/{id}"): None,
    ("DELETE", "/v1/relations/{id}"): None,
    ("DELETE", "/v1/me/memory/relational/{id}"): None,
    ("DELETE", "/v1/memories/{id}"): None,
}
"""Every route but those that only read, in an order in which each finds something to do; and what is sent."""
OF_THE_ACCOUNT = {("POST", "/v1/me/memory/forget-all"), ("POST", "/v1/shared/{name}/leave")}
"""They end what is asked here; test_sharing.py has them."""
STREAM = ("GET", "/v1/events")
"""It does not end; rest/test_streams.py has it."""
OF_NOBODY = {
    *("/v1/sync/finish", "/v1/notebook", "/v1/notebook/{name:path}", "/v1/import/file", "/v1/owners"),
    *("/v1/owners/{owner}", "/v1/session", "/v1/sync/changes", "/v1/sync/apply"),
}
"""What is no part of a book, or is refused for its form before anybody's book is asked."""
OF_READERS = {
    *("/v1/recall", "/v1/context", "/v1/context/prompt", "/v1/revise", "/v1/forget", "/v1/audit/verify"),
    *("/v1/receipts/{ref}/verify", "/v1/maintenance/prune", "/v1/maintenance/merge", "/v1/maintenance/decay"),
    *("/v1/maintenance/mine", "/v1/import", "/v1/hints/{id}"),
    *("/v1/namespaces", "/v1/namespaces/{name:path}/move", "/v1/tokens", "/v1/tokens/{id}", "/v1/sync/hello"),
    *("/v1/sync/private", "/v1/shared/preview", "/v1/shared/join"),
}
"""What only reads, proposes or finds nothing to do here, and what is the reader's own."""
OF_ADMINS = {
    *("/v1/shared", "/v1/shared/{name}", "/v1/shared/{name}/members/{person}", "/v1/shared/{name}/transfer"),
    *(
        "/v1/namespaces/{name:path}",
        "/v1/shared/{name}/invitations/{invitation}",
        "/v1/backup",
        "/v1/doctor",
        "/v1/settings",
        "/v1/owners",
    ),
}
NOT_HERE = {
    *("/v1/entities/merge", "/v1/namespaces/{name:path}/move", "/v1/sync/private", "/v1/shared/preview"),
    *("/v1/shared/join", "/v1/import", "/v1/receipts/{ref}/verify", "/v1/jobs/{id}/retry", "/v1/tokens/{id}"),
    *("/v1/hints/{id}", "/v1/relations/{id}", "/v1/me/memory/relational/{id}", "/v1/me/memory/core/{key:path}"),
}
"""What a writer is told is not there, or is no export, code or relation any more."""
KINDS = {
    "relations": "relation",
    "relational": "relation",
    "entities": "entity",
    "directives": "directive",
    "steps": "step",
    "review": "waiting",
}
"""Which of the ids a path takes; else a memory's."""


def addressed(path: str, ids: Ids) -> str:
    kind = next((KINDS[part] for part in path.split("/") if part in KINDS), "memory")
    names = {"id": getattr(ids, kind), "memory": ids.note, "ref": ids.receipt, "person": "ada", "key": "city"}
    names |= {"name": "hive" if "/tags" in path else "team", "owner": "ben", "invitation": "nothing"}
    query = "&entity=Ada" if path == "/v1/walk" else ""
    return re.sub(r"\{(\w+)(:path)?\}", lambda name: str(names[name[1]]), path) + f"?namespace=team{query}"


def filled(body: Any, ids: Ids) -> Any:
    if isinstance(body, dict):
        return {name: filled(value, ids) for name, value in body.items()}
    if isinstance(body, list):
        return [filled(value, ids) for value in body]
    return getattr(ids, body[1:-1]) if isinstance(body, str) and body.startswith("{") else body


def found(book: Commonplace) -> tuple[object, ...]:
    memories = [(memory.id, memory.text, memory.status, memory.version) for memory in book.browse()]
    return memories, book.graph.relations(), book.glossary.list(), book.directives.list()


def routes() -> list[tuple[str, str]]:
    return [(method, route.path) for route in v1() for method in sorted(getattr(route, "methods", ()))]


def test_the_table_has_every_route() -> None:
    assert {row for row in routes() if row[0] != "GET"} == CALLS.keys() | OF_THE_ACCOUNT


@pytest.mark.one_engine("a membership is judged above the engine; test_sharing.py has both")
@pytest.mark.parametrize("who", ["writer", "reader", "former", "stranger"])
def test_every_route(site: Site, tmp_path: Path, who: str) -> None:
    ada = Commonplace(site.parts, site.parts.scope("ada", "default"))
    ben = Commonplace(site.parts, site.parts.scope("ben", "default"))
    invitation = ada.sharing.share("team", person="ben", role="reader" if who == "reader" else "writer")
    ids = Ids(ada.within("team"), tmp_path)
    if who != "stranger":
        ben.sharing.join(str(invitation.code))
    if who == "former":
        ada.sharing.remove("team", "ben")
    team, call = ada.within("team"), site.caller("ben", "admin")
    before = state(team)
    for method, path in [row for row in routes() if row[0] == "GET" and row != STREAM] + list(CALLS):
        answer = call(method, addressed(path, ids), filled(CALLS.get((method, path)), ids), X_Confirm="true")
        told = method, path, answer.status_code, answer.text[:200]
        assert answer.status_code < 500, told
        if who == "writer":
            refused = {403: OF_ADMINS, 404: NOT_HERE, 400: NOT_HERE}.get(answer.status_code, set()) | OF_NOBODY
            assert answer.status_code < 400 or path in refused, told
            continue
        if who == "reader":
            assert (
                answer.status_code == 403
                or method == "GET"
                or path in OF_READERS | OF_NOBODY
                or ((method, path) == ("PATCH", "/v1/namespaces/{name:path}"))
            ), told
        else:
            assert SECRET not in answer.text, told
        if who == "former":
            assert answer.status_code == 403 or path in OF_NOBODY, told
        assert method == "GET" or state(team) == before, told
    assert (state(team) == before) == (who != "writer"), "the same calls work for a writer"
    text = call("POST", "/v1/context", {"query": "launch code"}).text
    assert (SECRET in text) == (who in ("reader", "writer")), "what Ada stated, Ben could not take away"


@pytest.mark.anyio
@pytest.mark.one_engine("a membership is judged above the engine; test_sharing.py has both")
@pytest.mark.parametrize("who", ["reader", "former", "stranger"])
async def test_every_tool(tmp_path, sqlite_url, who: str) -> None:
    settings = Settings(home=tmp_path, rate_limit=0)
    with (
        listening(tmp_path, sqlite_url) as (url, accounts),
        Commonplace.open(sqlite_url, owner="ada", settings=settings) as ada,
    ):
        ben = Commonplace(ada._parts, ada._parts.scope("ben", "default"))
        id = ada.within("team").remember(TEXT).id
        if who != "stranger":
            ben.sharing.join(str(ada.sharing.share("team", person="ben", role="reader").code))
        if who == "former":
            ada.sharing.remove("team", "ben")
        team = ada.within("team")
        before = found(team)
        async with signed(f"{url}/all", accounts.issue("ben", scope="admin", person=True).secret, "auto") as client:
            listed = (await client.list_tools()).tools
            for tool in listed:
                name = tool.name.removeprefix("memory_")
                if "namespace" not in tool.input_schema["properties"] or name == "namespaces":
                    continue  # the list of one's own
                arguments = {**tools.arguments(name, id), "namespace": "team"}
                answer = await client.call_tool(tool.name, arguments)
                text = answer.content[0].text
                if who != "reader":
                    assert SECRET not in text, (name, text)
                if who == "former":
                    assert answer.is_error, name
        assert found(team) == before


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"
