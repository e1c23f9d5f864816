"""A shared namespace by every tool and route: for a reader, somebody who was a member, and a stranger."""

import re

import pytest
from tests.interfaces.mcp import test_access as tools
from tests.interfaces.mcp.conftest import listening, signed
from tests.interfaces.rest.conftest import Site
from tests.interfaces.rest.conftest import settings as settings  # a fixture
from tests.interfaces.rest.conftest import site as site  # a fixture

from commonplace import Commonplace, Settings
from commonplace.interfaces.rest.routes import v1

TEXT = "The launch code name is bees"
WORD, SECRET = "bees", "code name is bees"
WRITES = {
    ("POST", "/v1/memories"): {"text": "x"},
    ("POST", "/v1/memories/batch"): {"items": [{"text": "x"}]},
    ("POST", "/v1/episodes"): {"messages": [{"role": "user", "text": "I live in Turin"}]},
    ("POST", "/v1/useful"): {"id": "{id}"},
    ("POST", "/v1/forget"): {"query": WORD},
    ("POST", "/v1/revise"): {"query": WORD, "text": "x"},
    ("PATCH", "/v1/memories/{id}"): {"text": "x"},
    ("DELETE", "/v1/memories/{id}"): None,
    ("POST", "/v1/memories/{id}/confirm"): None,
    ("POST", "/v1/memories/{id}/reject"): {},
    ("POST", "/v1/memories/{id}/archive"): {},
    ("POST", "/v1/memories/{id}/end"): {},
    ("POST", "/v1/relations"): {"subject": "a", "predicate": "knows", "object": "b"},
    ("PUT", "/v1/me/memory/core/city"): {"value": "Turin"},
    ("POST", "/v1/tags"): {"name": "n"},
    ("POST", "/v1/review/{id}"): {"decision": "reject"},
    ("POST", "/v1/directives"): {"title": "t", "goal": "g"},
    ("POST", "/v1/maintenance/prune"): {"dry_run": False},
    ("POST", "/v1/maintenance/merge"): {"dry_run": False},
}
OF_THE_ACCOUNT = {("POST", "/v1/me/memory/forget-all"), ("POST", "/v1/shared/{name}/leave")}
"""They end what is asked here; test_sharing.py has them."""
NOTHING_DONE = ("/v1/forget", "/v1/revise", "/v1/maintenance/prune", "/v1/maintenance/merge")
"""By description they only answer what they would do; there is nothing to prune or merge."""


def found(book: Commonplace) -> tuple[object, ...]:
    memories = [(memory.id, memory.text, memory.status, memory.version) for memory in book.browse()]
    return memories, book.graph.relations(), book.glossary.list(), book.directives.list()


@pytest.mark.parametrize("who", ["reader", "former", "stranger", "writer"])
def test_every_route(site: Site, who: str) -> None:
    ada = Commonplace(site.parts, site.parts.scope("ada", "default"))
    ben = Commonplace(site.parts, site.parts.scope("ben", "default"))
    id = ada.within("team").remember(TEXT).id
    if who != "stranger":
        role = "writer" if who == "writer" else "reader"
        ben.sharing.join(str(ada.sharing.share("team", person="ben", role=role).code))
    if who == "former":
        ada.sharing.remove("team", "ben")
    team, call = ada.within("team"), site.caller("ben", "admin")
    before = found(team)
    for (method, path), body in WRITES.items():
        sent = {name: id if value == "{id}" else value for name, value in body.items()} if body is not None else None
        answer = call(method, f"{path.replace('{id}', id)}?namespace=team", sent)
        if who == "former" or (who == "reader" and path not in NOTHING_DONE):
            assert answer.status_code == 403, (path, answer.status_code, answer.text)
        assert who in ("reader", "writer") or SECRET not in answer.text, path
    if who != "writer":
        assert found(team) == before, "nothing changed"
    else:
        assert found(team) != before, "the same calls work for a writer"
    before = found(team)
    for route in v1():
        for method in getattr(route, "methods", ()):
            if "events" in route.path or (method, route.path) in OF_THE_ACCOUNT:
                continue
            path = re.sub(
                r"\{(\w+)(:path)?\}", lambda name: {"name": "team", "person": "ada"}.get(name[1], id), route.path
            )
            answer = call(method, f"{path}?namespace=team", None if method == "GET" else WRITES.get((method, path), {}))
            assert answer.status_code < 500, (method, path, answer.text)
            if who in ("former", "stranger"):
                assert SECRET not in answer.text, (method, path)
    assert who == "writer" or found(team) == before, "nothing changed"
    if who != "stranger":
        assert ada.sharing.get("team").role == "admin"
    answer = call("POST", "/v1/recall?namespace=team", {"query": "launch code"})
    assert (SECRET in answer.text) == (who in ("reader", "writer"))
    assert (SECRET in call("POST", "/v1/context", {"query": "launch code"}).text) == (who in ("reader", "writer"))


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
