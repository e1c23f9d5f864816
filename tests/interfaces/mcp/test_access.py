"""Every tool with a token that is another owner's, reads only, reaches one namespace, is over, or is none."""

import re
from datetime import timedelta

import httpx2
import pytest

from commonplace.settings import Settings

from .conftest import listening, refused, said, signed

pytestmark = [pytest.mark.anyio, pytest.mark.one_engine("a token is judged before any engine is asked")]
WORD = "bees"

NAMED = {
    "revise": {"text": "x"},
    "forget": {"confirm": True},
    "get": {},
    "history": {},
    "evidence": {},
    "why": {},
    "uses": {},
    "confirm": {},
    "reject": {},
    "end": {},
    "rollback": {"to": 1},
    "useful": {},
    "revise_relation": {"notes": "x"},
    "hints": {"action": "dismiss"},
    "review": {"action": "approve"},
    "jobs": {"action": "retry"},
    "directive": {"action": "show"},
    "consolidate": {"action": "rollback", "to": 1},
}
"""Tools that take somebody's ``id``, with whatever else they need."""
OTHERS = {
    "memorize": {"text": "x"},
    "recall": {"query": WORD},
    "context": {"query": WORD},
    "relate": {"subject": "a", "predicate": "knows", "object": "b"},
    "archive": {"ids": ["{id}"]},
    "remember_many": {"items": ["x"]},
    "observe": {"messages": [{"text": "x"}]},
    "agenda": {},
    "browse": {},
    "relations": {},
    "walk": {"entity": "{id}"},
    "entities": {},
    "merge_entities": {"keep": "{id}", "absorb": "nobody"},
    "core": {"action": "set", "key": "k", "value": "v"},
    "glossary": {"action": "create", "name": "n"},
    "namespaces": {"action": "create", "name": "n"},
    "undo": {"receipt": "{id}"},
    "verify_receipt": {"receipt": "{id}"},
    "receipts": {},
    "sessions": {},
    "audit": {},
    "maintain": {},
}
READING = {
    "agenda",
    *("recall", "context", "get", "history", "evidence", "why", "uses", "browse", "relations", "walk", "entities"),
    *("verify_receipt", "receipts", "sessions", "audit"),
}
BY_ID = {*NAMED, "archive", "walk", "merge_entities", "undo", "verify_receipt"}


def arguments(tool: str, id: str) -> dict:
    given = {"id": id, **NAMED[tool]} if tool in NAMED else OTHERS[tool]
    put = {"{id}": id}
    return {
        name: put.get(one, one) if isinstance(one, str) else [id] if one == ["{id}"] else one
        for name, one in given.items()
    }


@pytest.fixture
def shared_server(tmp_path, sqlite_url):
    with listening(tmp_path, sqlite_url) as (url, accounts):
        yield f"{url}/all", accounts


async def written(url, accounts) -> dict[str, str]:
    """Something of Bob's under each kind of id."""
    async with signed(url, accounts.issue("bob", scope="admin", person=True).secret, "auto") as bob:
        memory = await bob.call_tool("memorize", {"text": f"Bob keeps {WORD}", "tags": [WORD]})
        relation = await bob.call_tool("relate", {"subject": "Bob", "predicate": "knows", "object": WORD})
        goal = await bob.call_tool("directive", {"action": "create", "title": WORD, "goal": WORD})
        entities = await said(bob, "entities")
    return {
        "memory": memory.structured_content["id"],
        "receipt": memory.structured_content["ref"],
        "relation": relation.structured_content["id"],
        "goal": goal.structured_content["id"],
        "entity": re.search(r"id (\S+);", entities)[1],
    }


async def test_no_tool_is_missing_here(shared_server):
    url, accounts = shared_server
    async with signed(url, accounts.issue("ada").secret, "auto") as client:
        tools = (await client.list_tools()).tools
    assert {tool.name for tool in tools} == {f"memory_{name}" for name in (*NAMED, *OTHERS)}
    reading = {tool.name.removeprefix("memory_") for tool in tools if tool.annotations.read_only_hint}
    assert reading == READING


async def test_the_id_of_another_owner_is_not_found_by_any_tool(shared_server):
    url, accounts = shared_server
    theirs = await written(url, accounts)
    async with signed(url, accounts.issue("ada", scope="admin", person=True).secret, "auto") as ada:
        for tool in sorted(BY_ID):
            for kind, id in theirs.items():
                told = await refused(ada, tool, **arguments(tool, id))
                assert WORD not in told and ("no " in told or "none" in told), (tool, kind, told)
        for tool in ("recall", "context", "browse", "relations", "entities", "receipts", "audit", "sessions"):
            told = await said(ada, tool, **arguments(tool, ""))
            assert not any(id in told for id in theirs.values()) and f"keeps {WORD}" not in told, tool
    async with signed(url, accounts.issue("bob").secret, "auto") as bob:
        assert WORD in await said(bob, "get", id=theirs["memory"]), "it is all still there"
        assert WORD in await said(bob, "directive", action="show", id=theirs["goal"])


async def test_a_reader_changes_nothing_by_any_tool(shared_server):
    url, accounts = shared_server
    theirs = await written(url, accounts)
    async with signed(url, accounts.issue("bob", scope="read").secret, "auto") as reader:
        for tool in sorted({*NAMED, *OTHERS} - READING - {"directive"}):
            told = await refused(reader, tool, **arguments(tool, theirs["memory"]))
            assert "needs scope" in told, (tool, told)
        told = await refused(reader, "directive", action="revise", id=theirs["goal"], title="x")
        assert "needs scope" in told
        for tool in sorted(READING - BY_ID - {"walk"}):
            await said(reader, tool, **arguments(tool, theirs["memory"]))
    async with signed(url, accounts.issue("bob", scope="write").secret, "auto") as writer:
        for tool, more in (
            ("maintain", {"action": "rotate_keys"}),
            ("maintain", {"action": "reindex"}),
            ("maintain", {"action": "doctor"}),
        ):
            assert "needs scope" in await refused(writer, tool, **{**arguments(tool, ""), **more})


async def test_only_the_administrator_looks_the_whole_book_over(shared_server):
    url, accounts = shared_server
    async with signed(url, accounts.issue("bob", scope="admin", person=True).secret, "auto") as bob:
        for more in ({"action": "doctor"}, {"action": "reindex", "model": "static-256"}):
            assert "administrator of this server" in await refused(bob, "maintain", **more)
        await said(bob, "maintain", action="reindex")
    async with signed(url, accounts.issue(Settings().owner, scope="admin", person=True).secret, "auto") as me:
        await said(me, "maintain", action="doctor")


async def test_a_token_of_one_namespace_reaches_no_other_by_any_tool(shared_server):
    url, accounts = shared_server
    theirs = await written(url, accounts)
    admin = {"Authorization": f"Bearer {accounts.issue('bob', scope='admin', person=True).secret}"}
    base = url.removesuffix("/mcp/all")
    made = httpx2.post(f"{base}/v1/tokens", json={"namespaces": ["work"], "scopes": ["admin"]}, headers=admin).json()
    async with signed(url, made["secret"], "auto") as narrow:
        await said(narrow, "memorize", text="The build is green")
        for tool in sorted({*NAMED, *OTHERS}):
            for more in ({}, {"namespace": "default"}):
                if more and tool in ("undo", "receipts", "verify_receipt", "audit", "maintain", "jobs"):
                    continue  # they take none
                given = {**arguments(tool, theirs["memory"]), **more}
                answer = await narrow.call_tool(tool, given)
                assert f"keeps {WORD}" not in str(answer), (tool, more)
                if more or tool in BY_ID:
                    assert answer.is_error, (tool, more)
        assert "reach" in await refused(narrow, "recall", query=WORD, namespaces=["default"])
    async with signed(url, accounts.issue("bob").secret, "auto") as bob:
        assert WORD in await said(bob, "get", id=theirs["memory"])


async def test_a_token_that_is_over_opens_nothing(shared_server):
    url, accounts = shared_server
    clock = accounts._clock
    short = accounts.issue("ada", expires_at=clock.now() + timedelta(milliseconds=300))
    ended = accounts.issue("ada")
    accounts.revoke("ada", ended.token.id)
    while clock.now() < short.token.expires_at:
        pass
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    for secret in (short.secret, ended.secret, "cpl_x"):
        headers = {"Accept": "application/json, text/event-stream", "Authorization": f"Bearer {secret}"}
        assert httpx2.post(url, json=body, headers=headers).status_code == 401
    good = {**headers, "Authorization": f"Bearer {accounts.issue('ada').secret}"}
    assert httpx2.post(url, json=body, headers=good).status_code != 401


async def test_a_model_is_an_agent_whatever_token_it_holds(shared_server):
    url, accounts = shared_server
    async with signed(
        url.removesuffix("/all"), accounts.issue("bob", scope="admin", person=True).secret, "auto"
    ) as bob:
        assert len((await bob.list_tools()).tools) < 10, "the same small set as over stdio"
        kept = await bob.call_tool("memory_memorize", {"text": "Bob is the king"})
        assert kept.content[0].text.startswith("Stored as a candidate")
    async with signed(url, accounts.issue("bob", scope="admin", person=True).secret, "auto") as bob:
        await said(bob, "memory_confirm", id=kept.structured_content["id"])
        assert "candidate" in await said(bob, "memory_get", id=kept.structured_content["id"])
