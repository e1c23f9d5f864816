"""A real server process: its first token, its probes, its end."""

import math
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import timedelta

import httpx2
import pytest
from tests.interfaces.rest.rolling import roll

from commonplace import Commonplace
from commonplace.errors import Invalid, SettingsError, StoreFull
from commonplace.interfaces.rest import serve
from commonplace.interfaces.rest.service import Writes
from commonplace.interfaces.rest.serving import bound, first_token, oidc
from commonplace.memories.unit_of_work import Work
from commonplace.runtime import open_parts
from commonplace.settings import Settings

from .conftest import Site

START = """
import sys
from pathlib import Path
from commonplace.interfaces import web
from commonplace.interfaces.rest import serve
from commonplace.settings import Settings
web.is_built = lambda: sys.argv[5] == "page"
settings = Settings(home=Path(sys.argv[1]), url=sys.argv[2] or None, rate_limit=int(sys.argv[4]))
serve(settings, port=0, workers=int(sys.argv[3]))
"""


@contextmanager
def process(home, url="", workers=1, limit=600, page=True):
    """A server in a process of its own: its address, and the process."""
    command = [sys.executable, "-c", START, str(home), url, str(workers), str(limit), "page" if page else ""]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            line = running.stdout.readline()
            found = re.search(r"http://\S+", line)
            assert found, line + running.stderr.read()
            yield found.group(), running
        finally:
            running.kill()


def ready(url: str) -> dict:
    for _ in range(200):
        try:
            return httpx2.get(f"{url}/readyz").json()
        except httpx2.TransportError:
            time.sleep(0.05)
    raise AssertionError("the server did not come up")


def test_without_the_page_no_link_is_promised(tmp_path):
    with process(tmp_path, page=False) as (url, running):
        assert ready(url)["status"] == "ready"
        assert "install Node" in httpx2.get(url).text
        assert "no web page" in running.stdout.readline()
        assert f"{tmp_path / 'server.token'}, for the API under {url}/v1" in running.stdout.readline()


def test_the_first_start_makes_a_token_that_only_the_person_can_read(tmp_path):
    with process(tmp_path) as (url, running):
        assert ready(url)["status"] == "ready"
        path = tmp_path / "server.token"
        if sys.platform != "win32":
            assert stat.S_IMODE(path.stat().st_mode) == 0o600
        secret = path.read_text().strip()
        signed = {"Authorization": f"Bearer {secret}"}
        assert httpx2.get(f"{url}/v1/me", headers=signed).json()["scopes"] == ["read", "write", "admin"]
        assert httpx2.get(f"{url}/v1/me").status_code == 401
        link = running.stdout.readline().partition("#token=")[2].strip()
        linked = {"Authorization": f"Bearer {link}"}
        assert httpx2.get(f"{url}/v1/me", headers=linked).json()["person"], "the link works"
        assert str(path) in running.stdout.readline(), "where the lasting token is"
        running.terminate()
        said = running.communicate(timeout=30)
    assert secret not in "".join(said), "the lasting token is never printed"
    with process(tmp_path) as (url, _):
        ready(url)
        assert path.read_text().strip() == secret, "the next start finds it"
        assert httpx2.get(f"{url}/v1/me", headers=signed).status_code == 200


def test_a_signal_ends_it_though_somebody_still_listens(tmp_path):
    with process(tmp_path) as (url, running):
        ready(url)
        signed = {"Authorization": f"Bearer {(tmp_path / 'server.token').read_text().strip()}"}
        with httpx2.stream("GET", f"{url}/v1/events", headers=signed, timeout=30) as stream:
            lines = stream.iter_lines()
            assert next(lines) == ": connected"
            running.send_signal(signal.SIGTERM)
            assert [line for line in lines if line and not line.startswith((":", "id:"))] == []
        running.wait(timeout=30)
        # uvicorn hands the signal on once everything has ended
        assert running.returncode in (0, -signal.SIGTERM)


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_a_signal_amid_learning_leaves_no_job_in_anybodys_hands(tmp_path, book_url):
    with process(tmp_path, book_url) as (url, running):
        ready(url)
        signed = {"Authorization": f"Bearer {(tmp_path / 'server.token').read_text().strip()}"}
        for number in range(40):
            said = {"messages": [{"role": "user", "text": f"I moved to Town{number}. My dog is called Rex{number}."}]}
            assert httpx2.post(f"{url}/v1/episodes", json=said, headers=signed).is_success
        running.send_signal(signal.SIGTERM)
        running.wait(timeout=40)
    with Commonplace.open(book_url, settings=Settings(home=tmp_path)) as book:
        left = book.jobs.counts()
        assert left, "there were jobs"
        assert not [state for states in left.values() for state in states if state in ("leased", "dead")], left
        book.maintain()
        assert any("Town39" in one.text for one in book.browse(kinds=["associative"])), "what was left is done later"


@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_several_workers_share_one_postgresql_book(tmp_path, postgres_url):
    with process(tmp_path, postgres_url, workers=2) as (url, running):
        ready(url)
        signed = {"Authorization": f"Bearer {(tmp_path / 'server.token').read_text().strip()}"}
        ids = [
            httpx2.post(f"{url}/v1/memories", json={"text": f"Fact {n}"}, headers=signed).json()["id"] for n in range(6)
        ]
        found = httpx2.get(f"{url}/v1/memories?sort=oldest", headers=signed).json()["items"]
        assert [one["id"] for one in found] == ids
        shown = httpx2.get(f"{url}/metrics", headers=signed).text
        assert 'commonplace_requests_total{method="POST",route="/v1/memories",status="201"} 6.0' in shown
        running.send_signal(signal.SIGTERM)
        running.wait(timeout=40)
        assert running.returncode == 0


@pytest.mark.one_engine("a file is for one process")
@pytest.mark.postgres
@pytest.mark.slow
def test_workers_end_when_the_process_that_started_them_is_killed(tmp_path, postgres_url):
    with process(tmp_path, postgres_url, workers=2) as (url, running):
        assert ready(url)["status"] == "ready"
        running.kill()
        running.wait(timeout=30)
        until = time.monotonic() + 60
        with pytest.raises(httpx2.TransportError):
            while time.monotonic() < until:
                httpx2.get(f"{url}/readyz")
                time.sleep(0.1)


@pytest.mark.one_engine("a file is for one process")
@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_servers_restarted_one_by_one_lose_nothing_acknowledged(tmp_path, postgres_url):
    """A slice of ``python -m tests.interfaces.rest.rolling``."""
    result = roll(postgres_url, tmp_path, servers=2, clients=2, restarts=1)
    assert result["acknowledged"] > 0 and result["retried"] > 0, "there was load, and a server was away"
    assert (result["lost"], result["twice"], result["failed"], result["exit_codes"]) == (0, 0, [], [0])


@pytest.mark.one_engine("a file is for one process")
@pytest.mark.postgres
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_several_workers_hold_a_caller_to_one_limit(tmp_path, postgres_url):
    with process(tmp_path, postgres_url, workers=2, limit=3) as (url, _):
        ready(url)
        signed = {"Authorization": f"Bearer {(tmp_path / 'server.token').read_text().strip()}"}
        began = time.monotonic()
        answers = [httpx2.get(f"{url}/v1/me", headers=signed).status_code for _ in range(12)]
        refilled = math.ceil((time.monotonic() - began) * 3 / 60)
        assert 3 <= answers.count(200) <= 3 + refilled
        assert answers.count(200) + answers.count(429) == 12


@pytest.mark.one_engine("about SQLite itself")
def test_sqlite_is_served_by_one_process(tmp_path):
    with pytest.raises(Invalid, match="PostgreSQL"):
        serve(Settings(home=tmp_path), port=0, workers=2)


def test_an_address_that_is_taken_is_said_so(book_url, tmp_path):
    with bound("127.0.0.1", 0) as taken, pytest.raises(Invalid, match="cannot listen"):
        serve(Settings(home=tmp_path, url=book_url), port=taken.getsockname()[1])


def test_answers_are_not_held_back():
    """asyncio switches Nagle's delay off only where the socket says that it is TCP."""
    with bound("127.0.0.1", 0) as made:
        assert made.proto == socket.IPPROTO_TCP


def test_a_revoked_first_token_is_replaced(book_url, tmp_path):
    parts = open_parts(book_url, Settings(home=tmp_path))
    first = first_token(parts)
    assert first_token(parts) == first
    (tmp_path / "server.token").write_text("cpl_something_else")
    second = first_token(parts)
    assert second != first
    parts.close()


def test_readiness_is_red_while_nothing_can_be_written(site, monkeypatch):
    assert site.client.get("/readyz").json()["status"] == "ready"

    def full(*_args, **_kwargs):
        raise StoreFull("no room left")

    monkeypatch.setattr(type(site.parts.store.accounts), "release", full)
    answer = site.client.get("/readyz")
    assert answer.status_code == 503
    writable = answer.json()["checks"]["writable"]
    assert not writable["ok"] and writable["problem"] == "No room left on the disk"
    assert site.client.get("/healthz").status_code == 200


@pytest.mark.one_engine("looks at the bytes of a SQLite file")
def test_asking_for_readiness_writes_nothing(tmp_path):
    parts = open_parts(None, Settings(home=tmp_path, rate_limit=600))
    site = Site(parts)
    site.caller("ada").remember("Ada plays chess")

    def stored():
        return [path.read_bytes() for path in (tmp_path / "book.db", tmp_path / "book.db-wal")]

    before = stored()
    assert {site.client.get("/readyz").status_code for _ in range(60)} == {200}
    assert stored() == before
    assert {site.client.get("/readyz").status_code for _ in range(100)} == {200, 429}, "and not as often as one likes"
    site.caller("ada").remember("Ada plays go")
    assert stored() != before
    parts.close()


def test_readiness_is_red_after_a_callers_write_failed_and_green_after_one_that_did_not(site, monkeypatch):
    ada = site.caller("ada")
    ada.remember("Ada plays chess")
    before = site.client.get("/readyz").json()["checks"]["writes"]
    assert before["ok"] and before["last_receipt"] and before["last_failure"] is None
    with monkeypatch.context() as patch:
        patch.setattr(Work, "receipt", lambda *_given, **_options: (_ for _ in ()).throw(StoreFull("no room left")))
        assert ada("POST", "/v1/memories", {"text": "Ada plays go"}).status_code == 507
        ada("POST", "/v1/recall", {"query": "chess"})
        answer = site.client.get("/readyz")
    assert answer.status_code == 503, "reading well does not make up for it"
    assert answer.json()["checks"]["writes"]["problem"] == "No room left on the disk"
    assert answer.json()["checks"]["writable"]["ok"]
    ada.remember("Ada plays go")
    assert site.client.get("/readyz").status_code == 200


def test_a_failure_long_ago_is_not_held_against_it(site):
    now = site.parts.clock.now()
    writes = Writes(failed=now, fault="The book is busy")
    assert writes.failing(now + timedelta(seconds=59)) and not writes.failing(now + timedelta(seconds=61))


@pytest.mark.damages_book("it has the schema of a newer release")
def test_readiness_is_red_on_a_book_that_a_newer_release_has_taken_over(either_site):
    shown = either_site.client.get("/readyz").json()["checks"]["schema"]
    assert shown["ok"] and shown["schema"] >= 2
    store = either_site.parts.store
    if store.engine == "sqlite":  # elsewhere only the owner of the tables could
        with store.accounts._opens("") as db:
            db.run("insert into schema_version (number, applied_at) values (99, 0)")
        answer = either_site.client.get("/readyz")
        assert answer.status_code == 503 and "99" in answer.json()["checks"]["schema"]["problem"]


@pytest.mark.skipif(sys.platform == "win32" or os.getuid() == 0, reason="root writes everywhere")
def test_readiness_is_red_on_a_read_only_disk(site, settings):
    path = settings.home / "book.db"
    path.chmod(0o400)
    assert site.client.get("/readyz").status_code == 503


def test_metrics_count_requests_for_administrators(site):
    pytest.importorskip("prometheus_client")
    admin, ada = site.caller("root", "admin"), site.caller("ada")
    ada.remember("A fact")
    assert site.client.get("/metrics").status_code == 401
    assert ada("GET", "/metrics").status_code == 403
    root = Commonplace(site.parts, site.parts.scope("root", "work"))
    root.remember("x")
    narrow = site.caller("root", "admin", namespaces=[root.namespaces.get("work").id])
    assert narrow("GET", "/metrics").status_code == 403
    assert narrow("PATCH", "/v1/owners/root", {"timezone": "Europe/Rome"}).status_code == 403
    shown = admin("GET", "/metrics").text
    assert 'commonplace_requests_total{method="POST",route="/v1/memories",status="201"} 1.0' in shown
    assert "A fact" not in shown and "ada" not in shown


def test_an_issuer_without_an_audience_is_refused():
    with pytest.raises(SettingsError, match="oidc_audience"):
        oidc(Settings(oidc_issuer="https://login.example"))
    assert oidc(Settings()) is None
