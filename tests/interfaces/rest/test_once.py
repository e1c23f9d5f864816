"""A write with an Idempotency-Key happens once: asked again, asked twice at once, and whatever kills the server."""

import re
import subprocess
import sys
import threading
from contextlib import contextmanager

import httpx2
import pytest

from commonplace import Commonplace
from commonplace.interfaces.rest.serving import first_token
from commonplace.runtime import open_parts
from commonplace.settings import Settings

DIES = {
    "before the commit": """
from commonplace.memories.unit_of_work import Work
real = Work.receipt
def receipt(self, **options):
    made = real(self, **options)
    if self.scope.settle is not None:
        os._exit(9)
    return made
Work.receipt = receipt
""",
    "after the commit": """
from commonplace.interfaces.rest import call
real = call.once
def once(*given):
    real(*given)
    os._exit(9)
call.once = once
""",
    "while it learns": """
from commonplace.learning import queue
queue.ObservedLearning.finish = lambda self, receipt: os._exit(9)
""",
    "never": "",
}
START = """
import os, sys
from pathlib import Path
from commonplace.settings import Settings
{dies}
from commonplace.interfaces.rest import serve
serve(Settings(home=Path(sys.argv[1]), url=sys.argv[2], maintenance=False), port=0)
"""


@contextmanager
def server(home, url, dies="never"):
    """A server process that dies at that point: its address and a token."""
    command = [sys.executable, "-c", START.format(dies=DIES[dies]), str(home), url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as running:
        try:
            found = re.search(r"http://\S+", running.stdout.readline())
            assert found
            signed = {"Authorization": f"Bearer {(home / 'server.token').read_text().strip()}"}
            with httpx2.Client(base_url=found.group(), headers=signed, timeout=60) as client:
                yield client, running
        finally:
            running.kill()


def asked(client, path, body):
    return client.post(path, json=body, headers={"Idempotency-Key": "the same"})


@pytest.mark.slow
@pytest.mark.parametrize("dies", ["before the commit", "after the commit", "while it learns"])
def test_a_server_that_dies_has_written_once_or_not_at_all(tmp_path, book_url, dies):
    path, body = "/v1/episodes", {"messages": [{"text": "I moved to Bern and I work at Acme."}], "session": "s"}
    with server(tmp_path, book_url, dies) as (client, running):
        with pytest.raises(httpx2.TransportError):
            asked(client, path, body)
        assert running.wait(30) == 9, "it died there, and not elsewhere"
    with server(tmp_path, book_url) as (client, _):
        before = len(client.get("/v1/episodes").json()["items"])
        assert before == (0 if dies == "before the commit" else 1)
        again = asked(client, path, body)
        assert again.status_code == 201, again.text
        assert ("idempotent-replay" in again.headers) == bool(before)
        assert asked(client, path, body).json() == again.json()
        assert [one["id"] for one in client.get("/v1/episodes").json()["items"]] == again.json()["ids"]
        assert client.post(path, json=body).status_code == 201
        assert len(client.get("/v1/episodes").json()["items"]) == 2, "without a key it is said again"


def test_two_at_once_with_the_same_key_are_one(site, monkeypatch):
    ada = site.caller("ada")
    ada.remember("Ada plays chess")
    directive = {"title": "Release", "goal": "Version 2 is out"}
    together, answers = threading.Barrier(2), []

    def ask():
        together.wait()
        answers.append(ada("POST", "/v1/directives", directive, Idempotency_Key="k"))

    for turn in range(5):
        directive["title"] = f"Release {turn}"
        ada.headers["X-Turn"] = str(turn)
        threads = [threading.Thread(target=ask) for _ in range(2)]
        answers.clear()
        for one in threads:
            one.start()
        for one in threads:
            one.join()
        if turn == 0:
            assert [one.status_code for one in answers] == [201, 201]
            assert answers[0].json() == answers[1].json()
        else:
            assert [one.status_code for one in answers] == [400, 400], "the key stands for the first request"
    assert len(ada("GET", "/v1/directives").json()["items"]) == 1


def test_the_slower_of_two_takes_back_what_it_wrote(site, monkeypatch):
    from commonplace.memories.gateway import Gateway

    ada = site.caller("ada")
    real, faster = Gateway.observe, []

    def overtaken(self, *given, **options):
        if not faster:
            faster.append(None)
            faster.append(ada("POST", "/v1/episodes", body, Idempotency_Key="k"))
        return real(self, *given, **options)

    body = {"messages": [{"text": "The bridge is closed."}], "session": "s"}
    monkeypatch.setattr(Gateway, "observe", overtaken)
    slower = ada("POST", "/v1/episodes", body, Idempotency_Key="k")
    assert slower.json() == faster[1].json() and slower.headers["idempotent-replay"] == "true"
    assert len(ada("GET", "/v1/episodes").json()["items"]) == 1
    assert len(ada("GET", "/v1/receipts").json()["items"]) == 1


def writes(ada):
    """Every route that takes a key, with a request that does something."""
    things = "anchor bicycle canoe drum easel ferret guitar harp igloo jacket kettle ladder mandolin notebook organ"
    kept = {thing[0]: ada.remember(f"Ada keeps one {thing}") for thing in things.split()}
    goal = ada("POST", "/v1/directives", {"title": "T", "goal": "G", "memory_enabled": True}).json()["id"]
    for subject in ("Giulia", "Julia", "Marco"):
        ada("POST", "/v1/relations", {"subject": subject, "predicate": "knows", "object": "Nora"})
    people = {one["label"]: one["id"] for one in ada("GET", "/v1/entities?limit=100").json()["items"]}
    for tag in ("travel", "trips"):
        ada("POST", "/v1/tags", {"name": tag})
    archived = ada("POST", f"/v1/memories/{kept['a']}/archive").json()["ref"]
    ada("PATCH", f"/v1/memories/{kept['b']}", {"importance": 0.9})
    ada("POST", "/v1/namespaces", {"name": "elsewhere"})
    yield "/v1/memories", {"text": "one"}
    yield "/v1/memories/batch", {"items": [{"text": "two"}, {"text": "three"}]}
    yield "/v1/episodes", {"messages": [{"text": "I live in Bern."}]}
    yield "/v1/useful", {"id": kept["c"]}
    yield f"/v1/memories/{kept['d']}/confirm", None
    yield f"/v1/memories/{kept['e']}/reject", {}
    yield f"/v1/memories/{kept['f']}/archive", None
    yield f"/v1/memories/{kept['g']}/end", {}
    yield f"/v1/memories/{kept['b']}/rollback", {"to": 1}
    for letter, action in zip("hijk", ("archive", "confirm", "reject", "tag"), strict=True):
        yield "/v1/memories/bulk", {"ids": [kept[letter]], "action": action, "tags": ["travel"]}
    yield "/v1/forget", {"query": "Ada keeps one ladder"}
    yield "/v1/revise", {"query": "Ada keeps one mandolin", "text": "Ada keeps two mandolins"}
    yield f"/v1/receipts/{archived}/undo", None
    yield f"/v1/review/{kept['n']}", {"decision": "approve"}
    yield "/v1/relations", {"subject": "Giulia", "predicate": "reports_to", "object": "Marco"}
    yield "/v1/entities/merge", {"keep": people["Giulia"], "absorb": people["Julia"]}
    yield f"/v1/entities/{people['Nora']}/split", {"label": "Nora B", "relations": []}
    yield "/v1/predicates", {"name": "teaches"}
    yield "/v1/tags", {"name": "food"}
    yield "/v1/tags/trips/merge", {"into": "travel"}
    yield "/v1/namespaces", {"name": "work"}
    yield "/v1/namespaces/default/move", {"ids": [kept["o"]], "to": "elsewhere"}
    yield "/v1/directives", {"title": "Other", "goal": "G"}
    yield f"/v1/directives/{goal}/steps", {"name": "first"}
    yield f"/v1/directives/{goal}/memories", {"text": "the cache is cold"}


def test_every_route_that_takes_a_key_keeps_it(site, ada):
    seen = set()
    for number, (path, body) in enumerate(writes(ada)):
        first = ada("POST", path, body, Idempotency_Key=f"key {number}")
        assert first.status_code in (200, 201), (path, first.text)
        receipts = len(ada("GET", "/v1/receipts?limit=1000").json()["items"])
        again = ada("POST", path, body, Idempotency_Key=f"key {number}")
        assert again.json() == first.json() and "idempotent-replay" in again.headers, path
        assert len(ada("GET", "/v1/receipts?limit=1000").json()["items"]) == receipts, path
        seen.add(re.sub(r"[0-9a-f]{8}-[0-9a-f-]{27}", "{id}", path))
    assert len(seen) == 25


def test_what_only_looks_leaves_the_key_free(site, ada):
    ada.remember("Ada keeps bees")
    looked = ada("POST", "/v1/forget", {"query": "Ada keeps bees", "dry_run": True}, Idempotency_Key="k")
    assert looked.json()["state"] == "dry run"
    with site.parts.store.read("ada") as tx:
        assert tx.traces.page("idempotency") == []
    assert ada("POST", "/v1/memories", {"text": "Ada has a cat"}, Idempotency_Key="k").status_code == 201
    with site.parts.store.read("ada") as tx:
        assert len(tx.traces.page("idempotency")) == 1


def test_a_key_holds_for_what_is_written_in_a_shared_namespace(site):
    """The key is kept there, sealed with its keys, and is each member's own."""
    ada, ben = (Commonplace(site.parts, site.parts.scope(name, "default")) for name in ("ada", "ben"))
    ben.sharing.join(str(ada.sharing.share("team").code))
    team = ada.within("team")
    id = team.remember("The launch is on Friday").id
    for name in ("ada", "ben"):
        call = site.caller(name)
        first, again = (call("POST", "/v1/useful", {"id": id}, Idempotency_Key="k") for _ in range(2))
        assert first.status_code == 200 and first.json() == again.json(), again.text
        assert "idempotent-replay" in again.headers and "idempotent-replay" not in first.headers
        other = call("POST", "/v1/useful", {"id": id, "yes": False}, Idempotency_Key="k")
        assert other.status_code == 400, "the key was used for another request"
    assert len(team.history(id)) == 3
    ada.sharing.remove("team", "ben")
    assert team.get(id).text == "The launch is on Friday" and ada.doctor(full=True).sound


@pytest.mark.one_engine("about a file beside the book")
def test_the_token_is_there_before_the_server_says_where_it_is(tmp_path):
    """What `server` above rests on."""
    parts = open_parts(None, Settings(home=tmp_path))
    try:
        assert first_token(parts) == (tmp_path / "server.token").read_text().strip()
    finally:
        parts.close()
