"""What flows: the change feed, exports, imports."""

import json

import httpx2
import pytest

from commonplace import Commonplace
from commonplace.interfaces.rest.routes import events as events_route
from commonplace.interfaces.rest.streaming import pulled
from commonplace.security.tokens import Accounts

from .conftest import events


def signed(parts, owner="ada", scope="write", **options):
    issued = Accounts(parts.store, parts.keychain, parts.clock).issue(owner, scope=scope, person=True, **options)
    return issued, {"Authorization": f"Bearer {issued.secret}"}


def test_the_feed_tells_of_ones_own_changes_and_resumes_where_it_stopped(live):
    url, parts = live()
    _, ada = signed(parts)
    _, bob = signed(parts, "bob")
    with httpx2.Client(base_url=url, timeout=20) as client:
        with client.stream("GET", "/v1/events", headers=ada) as stream:
            assert stream.headers["content-type"].startswith("text/event-stream")
            lines = stream.iter_lines()
            assert next(lines) == ": connected"
            client.post("/v1/memories", json={"text": "Bob's secret"}, headers=bob)
            id = client.post("/v1/memories", json={"text": "Ada's fact"}, headers=ada).json()["id"]
            seen = events(lines, 2)
        assert [one["noun"] for one in seen] == ["namespace", "memory"]
        assert seen[1]["id"] == id and "fact" not in json.dumps(seen)
        later = client.post("/v1/memories", json={"text": "Another fact"}, headers=ada).json()["id"]
        again = {**ada, "Last-Event-ID": str(seen[-1]["sequence"])}
        with client.stream("GET", "/v1/events", headers=again) as stream:
            assert [one["id"] for one in events(stream.iter_lines(), 1)] == [later]
        assert client.get("/v1/events", headers={**ada, "Last-Event-ID": "x"}).status_code == 400
        assert client.get("/v1/events").status_code == 401


def test_a_stream_ends_when_its_token_is_revoked(live, monkeypatch):
    monkeypatch.setattr(events_route, "OFTEN", 4)
    url, parts = live()
    issued, ada = signed(parts)
    with httpx2.Client(base_url=url, timeout=20) as client, client.stream("GET", "/v1/events", headers=ada) as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": connected"
        Accounts(parts.store, parts.keychain, parts.clock).revoke("ada", issued.token.id)
        assert next(lines) == "id: 0"
        assert set(lines) <= {"", ": still here"}


def test_a_stream_of_a_shared_namespace_ends_for_who_is_removed(live):
    url, parts = live()
    ada = Commonplace(parts, parts.scope("ada", "default"))
    _, ben = signed(parts, "ben")
    Commonplace(parts, parts.scope("ben", "default")).sharing.join(str(ada.sharing.share("team").code))
    with (
        httpx2.Client(base_url=url, timeout=20) as client,
        client.stream("GET", "/v1/events?namespace=team", headers=ben) as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == ": connected"
        seen = ada.within("team").remember("The launch is on Friday").id
        assert [event["id"] for event in events(lines, 1)] == [seen]
        ada.sharing.remove("team", "ben")
        ada.within("team").remember("The venue is the old mill")
        assert "event: change" not in list(lines)


def test_a_stream_says_that_something_shared_changed_and_that_a_membership_ended(live):
    url, parts = live()
    ada = Commonplace(parts, parts.scope("ada", "default"))
    _, ben = signed(parts, "ben")
    Commonplace(parts, parts.scope("ben", "default")).sharing.join(str(ada.sharing.share("team").code))
    with (
        httpx2.Client(base_url=url, timeout=20) as client,
        client.stream("GET", "/v1/events", headers=ben) as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == ": connected"
        ada.within("team").remember("The launch is on Friday")
        assert "event: shared" in lines
        ada.sharing.remove("team", "ben")
        assert "event: shared" in lines


def test_an_export_streams_and_an_import_brings_it_back(live):
    url, parts = live()
    _, ada = signed(parts)
    _, eve = signed(parts, "eve")
    with httpx2.Client(base_url=url, timeout=60) as client:
        items = [{"text": f"Fact {number} about trains"} for number in range(300)]
        client.post("/v1/memories/batch", json={"items": items}, headers=ada)
        with client.stream("GET", "/v1/me/memory/export", headers=ada) as stream:
            assert stream.headers["content-type"].startswith("application/x-ndjson")
            exported = "".join(stream.iter_text())
        assert sum(json.loads(line).get("type") == "memory" for line in exported.splitlines()) == 300

        trial = client.post("/v1/import?dry_run=true", content=exported.encode(), headers=eve)
        assert trial.json()["count"] >= 300 and client.get("/v1/memories", headers=eve).json()["items"] == []

        def pieces():
            data = exported.encode()
            for start in range(0, len(data), 7_001):
                yield data[start : start + 7_001]

        taken = client.post("/v1/import", content=pieces(), headers=eve)
        assert taken.status_code == 200 and taken.json()["count"] >= 300
        assert client.get("/v1/stats", headers=eve).json()["memories"] == 300
        assert client.post("/v1/import", content=b"not an export", headers=eve).status_code == 400
        assert client.post("/v1/import", content=b"\xff\xfe\n", headers=eve).status_code == 400


def test_a_fault_before_the_first_line_is_raised_and_not_streamed():
    def broken(_out):
        raise LookupError("early")

    with pytest.raises(LookupError):
        pulled(broken)

    def two(out):
        out.write("a" * 70_000)
        out.write("b")

    assert [len(piece) for piece in pulled(two)] == [70_000, 1]


def test_a_reader_who_leaves_ends_the_writer():
    ended = []

    def endless(out):
        try:
            while True:
                out.write("x" * 70_000)
        finally:
            ended.append(True)

    reading = pulled(endless)
    assert next(reading)
    reading.close()
    import threading

    for thread in threading.enumerate():
        if thread.name == "export":
            thread.join(10)
    assert ended == [True]
