"""Hosts, origins, limits, headers and logs: what holds for every request."""

import json
import logging
import socket
import time
from multiprocessing import get_context

import httpx2
import pytest

from commonplace.interfaces.rest import limiting, timeouts
from commonplace.interfaces.rest.gate import MOST_BYTES, JsonLines
from commonplace.interfaces.rest.limiting import BUCKETS, WAYS, Counters, OwnLimiter, SharedLimiter
from commonplace.runtime import open_parts
from commonplace.security.tokens import Accounts
from commonplace.settings import Settings

from .conftest import Site, listening


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.nip.io",
        "localhost:80@evil.example",
        "[::1]evil.example",
        "",
    ],
)
def test_only_our_own_names_are_answered(site, ada, host):
    assert ada("GET", "/v1/me", Host="[::1]:8765").status_code == ada("GET", "/v1/me", Host="[::1]").status_code == 200
    assert ada("GET", "/v1/me", Host=host).status_code == 421
    assert ada("GET", "/v1/me", Host="localhost:8765").status_code == 200
    assert ada("GET", "/", Host=host).status_code == 421


def test_pages_of_other_sites_may_not_call(ada):
    refused = ada("GET", "/v1/me", Origin="http://evil.example")
    assert refused.status_code == 403 and "access-control-allow-origin" not in refused.headers
    assert ada("GET", "/v1/me", Origin="http://localhost").status_code == 200
    assert ada("GET", "/v1/me", Origin="null").status_code == 403


def test_a_site_that_the_settings_name_may_call(book_url, tmp_path):
    settings = Settings(home=tmp_path, cors_origins=("https://app.example",), allowed_hosts=("book.example",))
    parts = open_parts(book_url, settings)
    ada = Site(parts).caller()
    answer = ada("GET", "/v1/me", Origin="https://app.example", Host="book.example")
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == "https://app.example"
    preflight = ada.client.options(
        "/v1/me", headers={"Origin": "https://app.example", "Access-Control-Request-Method": "GET"}
    )
    assert preflight.status_code == 200 and "access-control-allow-credentials" not in preflight.headers
    parts.close()


def test_a_caller_who_asks_too_often_is_told_when_to_come_back(book_url, tmp_path):
    parts = open_parts(book_url, Settings(home=tmp_path, rate_limit=3))
    site = Site(parts)
    ada, bob = site.caller("ada"), site.caller("bob")
    assert [ada("GET", "/v1/me").status_code for _ in range(5)] == [200, 200, 200, 429, 429]
    answer = ada("GET", "/v1/me")
    assert 1 <= int(answer.headers["retry-after"]) <= 20
    assert bob("GET", "/v1/me").status_code == 200, "each token has its own bucket"
    guesses = [site.client.get("/v1/me", headers={"Authorization": "Bearer x"}).status_code for _ in range(5)]
    assert guesses == [401, 401, 401, 429, 429]
    parts.close()


def test_the_bucket_fills_again():
    limiter = OwnLimiter(60)
    assert [limiter.take("a", 0.0) for _ in range(60)] == [0.0] * 60
    assert limiter.take("a", 0.0) == pytest.approx(1.0)
    assert limiter.take("a", 1.0) == 0.0
    assert OwnLimiter(0).take("a", 0.0) == 0.0


def test_workers_count_together_and_each_caller_apart():
    counters = Counters(get_context("spawn"))
    one, two = (SharedLimiter(60, counters, "callers") for _ in range(2))
    assert [worker.take("a", 5.0) for _ in range(30) for worker in (one, two)] == [0.0] * 60
    assert one.take("a", 5.0) == two.take("a", 5.0) == pytest.approx(1.0)
    assert two.take("b", 5.0) == 0.0 == SharedLimiter(60, counters, "strangers").take("a", 5.0)
    assert (two.take("a", 6.0), one.take("a", 6.0)) == (0.0, pytest.approx(1.0))


def test_more_callers_than_places_take_those_of_the_longest_silent():
    limiter = SharedLimiter(1, Counters(get_context("spawn")), "callers")
    many = BUCKETS * WAYS * 2
    assert all(limiter.take(f"caller {number}", float(number)) == 0.0 for number in range(many))
    assert limiter.take(f"caller {many - 1}", float(many)) > 0, "who asked just now is known"


def test_a_worker_that_dies_while_it_counts_holds_nobody_up(monkeypatch):
    monkeypatch.setattr(limiting, "PATIENCE", 0.05)
    counters = Counters(get_context("spawn"))
    limiter = SharedLimiter(60, counters, "callers")
    assert counters.lock.acquire(timeout=1)
    assert limiter.take("a", 5.0) == 0.0
    assert counters.lock.acquire(timeout=1), "it was given back for the one who died"


def test_a_request_that_is_too_large_is_refused(ada):
    assert ada("POST", "/v1/memories", {"text": "a" * (MOST_BYTES + 1)}).status_code == 413

    def pieces():
        for _ in range(17):
            yield b" " * 1024 * 1024

    headers = {"Authorization": f"Bearer {ada.secret}", "Content-Type": "application/json"}
    assert ada.client.post("/v1/memories", content=pieces(), headers=headers).status_code == 413
    assert ada("POST", "/v1/memories", {"text": "short"}).status_code == 201


def test_long_answers_are_compressed_and_short_ones_are_not(ada):
    for number in range(20):
        ada.remember(f"Fact number {number} about trains")
    assert ada("GET", "/v1/memories", Accept_Encoding="gzip").headers["content-encoding"] == "gzip"
    assert "content-encoding" not in ada("GET", "/v1/me/memory/core", Accept_Encoding="gzip").headers


def test_every_answer_is_hardened(site, ada):
    for answer in (ada("GET", "/v1/me"), ada("GET", "/v1/nothing"), site.client.get("/healthz"), site.client.get("/")):
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["x-frame-options"] == "DENY"
        assert answer.headers["referrer-policy"] == "no-referrer"
        policy = answer.headers["content-security-policy"]
        assert "unsafe" not in policy and "default-src 'none'" in policy and "frame-ancestors 'none'" in policy
        assert "server" not in answer.headers
    assert ada("GET", "/v1/me").headers["cache-control"] == "no-store"
    assert "set-cookie" not in ada("GET", "/v1/me").headers


def test_a_fault_of_ours_shows_no_text_and_the_log_says_where(site, ada, monkeypatch, caplog):
    def broken(*_args, **_kwargs):
        raise RuntimeError("MARKED TEXT")

    monkeypatch.setattr("commonplace.book.Commonplace.browse", broken)
    with caplog.at_level(logging.INFO):
        answer = ada("GET", "/v1/memories")
    assert answer.status_code == 500 and "MARKED" not in answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    lines = [JsonLines().format(record) for record in caplog.records]
    assert any('"fault": "RuntimeError"' in line and "broken" in line for line in lines)
    assert "MARKED" not in "".join(lines)


def test_the_log_says_what_was_asked_without_a_word_of_content(site, ada, caplog):
    with caplog.at_level(logging.DEBUG):
        id = ada.remember("MARKED TEXT about trains")
        ada("POST", "/v1/recall", {"query": "MARKED TEXT"})
        ada("GET", "/v1/memories/MARKED TEXT")
        ada("GET", f"/v1/memories/{id}?tags=MARKED")
        ada("POST", "/v1/memories", {"text": "\x00MARKED"})
        ada("PUT", "/v1/me/memory/core/MARKED", {"value": "MARKED"})
    lines = [JsonLines().format(record) for record in caplog.records]
    ours = [json.loads(line) for line in lines if '"what": "request"' in line]
    assert {one["route"] for one in ours} >= {"/v1/memories", "/v1/recall", "/v1/memories/{id}"}
    assert all(one["token"] and one["ms"] >= 0 for one in ours)
    assert "MARKED" not in "\n".join(lines)
    assert ada.secret not in "\n".join(lines)


def test_errors_never_repeat_what_was_sent(ada):
    marked = "MARKED TEXT"
    for method, path, body in (
        ("POST", "/v1/memories", {"text": marked, "kind": marked}),
        ("POST", "/v1/memories", {"text": "\x00" + marked}),
        ("POST", "/v1/memories", {marked: marked}),
        ("POST", "/v1/memories", {"text": [marked]}),
        ("POST", "/v1/memories", {"text": "ok", "valid_from": marked}),
        ("POST", "/v1/recall", {"query": {"a": marked}}),
        ("POST", "/v1/episodes", {"messages": [{"text": marked, "role": marked}]}),
    ):
        answer = ada(method, path, body)
        assert 400 <= answer.status_code < 500
        assert marked not in answer.text, (body, answer.text)


@pytest.fixture
def wire(live, monkeypatch):
    """Bytes to a live server, and what it answers until it closes the connection."""
    monkeypatch.setattr(timeouts, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(timeouts, "IDLE_SECONDS", 0.5)
    url, parts = live()
    secret = Accounts(parts.store, parts.keychain, parts.clock).issue("ada", person=True).secret
    host, _, port = url.removeprefix("http://").partition(":")

    def send(*pieces: bytes, pause: float = 0.0) -> bytes:
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            for piece in pieces:
                connection.sendall(piece.replace(b"SECRET", secret.encode()))
                time.sleep(pause)
            connection.settimeout(20)
            answer = b""
            while more := connection.recv(65536):
                answer += more
            return answer

    return send


HEAD = b"POST /v1/memories HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer SECRET\r\n"
HEAD += b"Content-Type: application/json\r\n"


def test_a_caller_who_stops_sending_is_disconnected(wire):
    assert wire(b"") == b"HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-length: 0\r\n\r\n"
    assert wire(b"GET /v1/me HTTP/1.1\r\nHost: loc").startswith(b"HTTP/1.1 408")
    assert wire(HEAD + b"Content-Length: 100\r\n\r\n", b'{"text":').startswith(b"HTTP/1.1 408")
    whole = wire(HEAD + b'Connection: close\r\nContent-Length: 12\r\n\r\n{"text":"x"}')
    assert whole.startswith(b"HTTP/1.1 201")


def test_a_body_of_two_lengths_is_refused(wire):
    both = HEAD + b"Content-Length: 12\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert wire(both + b'c\r\n{"text":"x"}\r\n0\r\n\r\n').startswith(b"HTTP/1.1 400")
    chunked = HEAD + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
    assert wire(chunked + b'c\r\n{"text":"x"}\r\n0\r\n\r\n').startswith(b"HTTP/1.1 201")


@pytest.mark.parametrize(("trusted", "answers"), [((), {401, 429}), (("127.0.0.1",), {401})])
def test_a_forwarded_address_is_believed_of_a_trusted_proxy_alone(book_url, tmp_path, trusted, answers):
    settings = Settings(home=tmp_path, rate_limit=600)
    parts = open_parts(book_url, settings)
    with listening(parts, proxies=trusted) as url, httpx2.Client(base_url=url) as client:
        codes = {
            client.get("/v1/me", headers={"X-Forwarded-For": f"10.0.0.{number}"}).status_code for number in range(70)
        }
    parts.close()
    assert codes == answers
