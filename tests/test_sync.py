"""The same book on several machines: what travels, who wins, and what is refused."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.torture_sync import one_round, template

from commonplace import Commonplace, Invalid, NotFound, Settings
from commonplace.errors import CommonplaceError, NotAllowed
from commonplace.interfaces.cli import main
from commonplace.interfaces.rest import app
from commonplace.remote import RemoteBook, RemotePeer
from commonplace.runtime import Parts, open_parts
from commonplace.security.tokens import Accounts, NotSignedIn
from commonplace.sync import exchange, outgoing
from commonplace.sync.exchange import LocalPeer
from commonplace.testing.clock import StoppedClock

KEY = bytes(range(32))


def machine(folder: Path, name: str, ahead: timedelta = timedelta()) -> Commonplace:
    """A book of its own, with its own master key and a clock that may be wrong."""
    clock = StoppedClock(datetime(2026, 5, 1, 12, tzinfo=UTC) + ahead)
    settings = Settings(home=folder / name, embedder="none", judge="off")
    return Commonplace.open(f"sqlite:///{folder / name}.db", settings=settings, clock=clock)


@pytest.fixture
def hub(book_url: str, tmp_path: Path) -> Iterator[Parts]:
    parts = open_parts(book_url, Settings(home=tmp_path / "hub", embedder="none", judge="off", rate_limit=0))
    yield parts
    parts.close()


@pytest.fixture
def laptop(tmp_path: Path) -> Iterator[Commonplace]:
    with machine(tmp_path, "laptop") as book:
        yield book


@pytest.fixture
def desktop(tmp_path: Path) -> Iterator[Commonplace]:
    with machine(tmp_path, "desktop") as book:
        yield book


def sync(hub: Parts, *books: Commonplace, key: bytes | None = None, **options: Any) -> Any:
    report = None
    for book in books:
        book.clock.advance(seconds=1)  # type: ignore[attr-defined]
        report = exchange.sync(book._scope, LocalPeer(hub.scope("ada", "default")), "hub", key=key, **options)
    return report


def texts(book: Commonplace, **filters: Any) -> list[str]:
    return sorted(memory.text for memory in book.browse(limit=100, **filters))


def rejected(book: Commonplace) -> set[bytes]:
    """What may not come back by itself."""
    with book._scope.store.read(book.owner) as tx:
        return {row.fingerprint for row in tx.tombstones.all()}


def test_everything_travels_both_ways_and_once(hub: Parts, laptop: Commonplace, desktop: Commonplace) -> None:
    id = laptop.remember("The launch is on Friday", tags=["work"], pinned=True).id
    laptop.relate("Ada", "works_at", "Acme", object_type="company")
    laptop.observe("My dog is called Rex. I like tea.", session="monday")
    laptop.within("orchard").remember("Apples grow in the orchard")
    desktop.remember("The desk is oak")
    sync(hub, laptop, desktop, laptop)
    assert texts(laptop) == texts(desktop) and len(texts(laptop)) == 6
    assert desktop.get(str(id)).tags == ("work",) and desktop.get(str(id)).pinned
    assert [relation.object.label for relation in desktop.relations("Ada")] == ["Acme"]
    assert desktop.recall("dog")[0].memory.text in ("Owner has a dog called Rex", "My dog is called Rex. I like tea.")
    assert texts(desktop.within("orchard")) == ["Apples grow in the orchard"]
    assert [session.name for session in desktop.sessions.list()] == ["monday"]
    assert sync(hub, laptop, desktop).count == 0, "a second time there is nothing to do"
    assert laptop.audit.verify().ok and desktop.doctor().sound


def test_forgetting_wins_and_a_stale_machine_brings_nothing_back(
    hub: Parts, laptop: Commonplace, desktop: Commonplace, tmp_path: Path
) -> None:
    id = str(laptop.remember("The door code is 4711").id)
    kept = str(laptop.remember("The desk is oak").id)
    with machine(tmp_path, "old", timedelta(days=400)) as old:
        sync(hub, laptop, desktop, old)
        desktop.forget(id)
        old.revise(id, "The door code is 4712")
        old.remember("The door code is 4711", confirm=True)
        sync(hub, desktop, old, laptop, desktop, old)
        for book in (laptop, desktop, old):
            assert texts(book) == ["The desk is oak"] and book.get(kept).id == kept
            with pytest.raises(NotFound):
                book.get(id)
        desktop.remember("The door code is 4711", confirm=True)
        sync(hub, desktop, old, laptop)
        assert "The door code is 4711" in texts(old), "a person who says it again is heard everywhere"


def test_the_later_statement_stands_and_both_are_in_review(
    hub: Parts, laptop: Commonplace, desktop: Commonplace
) -> None:
    id = str(laptop.remember("The launch is on Friday").id)
    sync(hub, laptop, desktop)
    laptop.revise(id, "The launch is on Monday")
    desktop.clock.advance(minutes=5)  # type: ignore[attr-defined]
    desktop.revise(id, "The launch is on Tuesday")
    sync(hub, desktop, laptop, desktop)
    for book in (laptop, desktop):
        assert book.get(id).text == "The launch is on Tuesday"
        assert [version.memory.text.split()[-1] for version in book.history(id)] == ["Friday", "Monday", "Tuesday"]
        assert (book.sync_status().conflicts, book.sync_status().conflicts_in) == (1, ("default",))
    waiting = laptop.review.list()[0]
    assert waiting.conflict is not None
    assert (waiting.memory.text, waiting.conflict.text) == ("The launch is on Monday", "The launch is on Tuesday")
    laptop.review.decide(waiting.memory.id, "approve")
    sync(hub, laptop, desktop)
    assert desktop.get(id).text == "The launch is on Monday"
    assert (desktop.sync_status().conflicts, desktop.sync_status().conflicts_in) == (0, ())


def test_a_person_wins_over_an_agent_whatever_the_clock_says(
    hub: Parts, laptop: Commonplace, desktop: Commonplace
) -> None:
    agent = desktop.acting_as("agent", source="assistant", person=False)
    id = str(agent.remember("The server is in Bern").id)
    sync(hub, desktop, laptop)
    laptop.revise(id, "The server is in Basel")
    desktop.clock.advance(days=3)  # type: ignore[attr-defined]
    agent.revise(id, "The server is in Biel")
    sync(hub, desktop, laptop, desktop)
    assert laptop.get(id).text == desktop.get(id).text == "The server is in Basel"


def test_versions_stand_in_one_order_on_every_machine(hub: Parts, laptop: Commonplace, desktop: Commonplace) -> None:
    """A person's earlier statement stands above an agent's later one; what is done next is appended to that."""
    agent = desktop.acting_as("agent", source="assistant", person=False)
    id = str(agent.remember("The server is in Bern").id)
    sync(hub, desktop, laptop)
    laptop.revise(id, "The server is in Basel")
    desktop.clock.advance(days=3)  # type: ignore[attr-defined]
    agent.revise(id, "The server is in Biel")
    sync(hub, desktop, laptop)
    assert [version.memory.text.split()[-1] for version in laptop.history(id)] == ["Bern", "Biel", "Basel"]
    laptop.clock.advance(days=4)  # type: ignore[attr-defined]
    laptop.revise(id, "The server is in Zug")
    sync(hub, laptop, desktop, laptop)
    for book in (laptop, desktop):
        assert [version.memory.text.split()[-1] for version in book.history(id)] == ["Bern", "Basel", "Biel", "Zug"]
    assert sync(hub, laptop, desktop).count == 0


def test_a_rejection_that_knew_of_a_later_act_comes_after_it_on_a_slow_clock(
    hub: Parts, laptop: Commonplace, tmp_path: Path
) -> None:
    """A value was forgotten and said again by a machine whose clock is ahead; here it is rejected after that."""
    with machine(tmp_path, "desktop", timedelta(days=2)) as desktop:
        desktop.forget(str(desktop.remember("The door code is 4711").id))
        id = str(desktop.remember("The door code is 4711", confirm=True).id)
        sync(hub, desktop, laptop)
        laptop.reject(id)
        sync(hub, laptop, desktop)
        assert rejected(laptop) == rejected(desktop) != set()
        laptop.remember("The door code is 4711", confirm=True)
        sync(hub, laptop, desktop)
        assert "The door code is 4711" in texts(desktop), "lifted after that, it is back"
        assert rejected(laptop) == rejected(desktop) == set()


def test_an_agent_forgets_its_own_and_nothing_of_a_person_on_another_machine(
    hub: Parts, laptop: Commonplace, desktop: Commonplace
) -> None:
    agent = desktop.acting_as("agent", source="assistant", person=False)
    agents = str(agent.remember("The server is in Bern").id)
    laptop.clock.advance(seconds=-5)  # type: ignore[attr-defined]
    persons = str(laptop.remember("The server is in Bern").id)
    assert agent.forget(agents).action == "FORGET"
    sync(hub, desktop, laptop, desktop)
    for book in (laptop, desktop):
        assert book.get(persons).status == "verified"
        with pytest.raises(NotFound):
            book.get(agents)


def test_a_change_that_knew_of_another_comes_after_it_on_a_slow_clock(hub: Parts, tmp_path: Path) -> None:
    with machine(tmp_path, "fast", timedelta(hours=3)) as fast, machine(tmp_path, "slow") as slow:
        id = str(fast.remember("The launch is on Friday").id)
        fast.revise(id, "The launch is on Monday")
        sync(hub, fast, slow)
        slow.revise(id, "The launch is on Tuesday")
        sync(hub, slow, fast, slow)
        assert fast.get(id).text == slow.get(id).text == "The launch is on Tuesday"
        assert fast.sync_status().conflicts == 0
        slow.reject(id)
        sync(hub, slow, fast)
        fast.confirm(id)
        sync(hub, fast, slow, fast)
        assert fast.get(id).status == slow.get(id).status == "verified"


def test_the_same_said_twice_is_one_belief_and_a_key_has_one_value(
    hub: Parts, laptop: Commonplace, desktop: Commonplace
) -> None:
    laptop.remember("Ada prefers trains")
    desktop.remember("Ada prefers trains")
    laptop.core.set("city", "Bern")
    desktop.clock.advance(minutes=1)  # type: ignore[attr-defined]
    desktop.core.set("city", "Rome")
    sync(hub, laptop, desktop, laptop, desktop)
    for book in (laptop, desktop):
        assert len(book.recall("trains")) == 1
        assert [(memory.key, memory.text) for memory in book.core.list()] == [("city", "Rome")]


def test_an_erased_namespace_stays_erased(hub: Parts, laptop: Commonplace, desktop: Commonplace) -> None:
    laptop.within("diary").remember("Slept badly")
    sync(hub, laptop, desktop)
    laptop.erase(confirm=True, namespace="diary")
    desktop.within("diary").remember("Slept well")
    sync(hub, desktop, laptop, desktop)
    for book in (laptop, desktop):
        assert texts(book.within("diary")) == []
    laptop.within("diary").remember("A new beginning")
    sync(hub, laptop, desktop)
    assert texts(desktop.within("diary")) == ["A new beginning"]


def test_a_private_namespace_is_ciphertext_on_the_way(hub: Parts, laptop: Commonplace, desktop: Commonplace) -> None:
    id = laptop.within("diary").remember("Slept badly again").id
    laptop.remember("The desk is oak")
    laptop.sync_private("diary")
    report = sync(hub, laptop)
    assert "sync key" in report.notes[0] and laptop.sync_status().private == ("diary",)
    sync(hub, laptop, key=KEY, restart=True)
    server = Commonplace(hub, hub.scope("ada", "default"))
    assert [place.name for place in server.namespaces.list()] == ["default"] and server.sync_status().sealed
    assert "Slept" not in json.dumps([page_lines(hub), texts(server)]) and "oak" in json.dumps(page_lines(hub))
    sync(hub, desktop, key=bytes(32))
    assert texts(desktop.within("diary")) == [], "another key opens nothing"
    sync(hub, desktop, key=KEY)
    assert texts(desktop.within("diary")) == ["Slept badly again"]
    desktop.within("diary").forget(str(id))
    sync(hub, desktop, laptop, key=KEY)
    assert texts(laptop.within("diary")) == []


def test_what_was_left_out_without_the_key_goes_when_the_key_is_there(
    hub: Parts, laptop: Commonplace, desktop: Commonplace
) -> None:
    diary = laptop.within("diary")
    diary.remember("Slept badly again")
    gone = str(diary.remember("Dreamt of Paula").id)
    laptop.sync_private("diary")
    sync(hub, laptop)
    sync(hub, laptop, desktop, key=KEY)
    assert texts(desktop.within("diary")) == ["Dreamt of Paula", "Slept badly again"]
    diary.forget(gone)
    sync(hub, laptop)
    sync(hub, laptop, desktop, key=KEY)
    assert texts(desktop.within("diary")) == ["Slept badly again"]


def page_lines(hub: Parts) -> list[str]:
    lines: list[str] = []
    cursor: dict[str, Any] = {}
    more = True
    while more:
        page = outgoing.page(hub.scope("ada", "default"), cursor)
        lines, cursor, more = lines + page.lines, page.cursor, page.more
    return lines


def test_pages_are_small_and_an_interrupted_sync_goes_on(
    hub: Parts, laptop: Commonplace, desktop: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(25):
        laptop.remember(f"Note {number} about the garden")
    monkeypatch.setattr(outgoing.page, "__kwdefaults__", {"key": None, "limit": 10})
    sizes: list[int] = []

    class Weak(LocalPeer):
        def apply(self, lines: Any) -> Any:
            sizes.append(len(lines))
            if len(sizes) == 2:
                raise KeyboardInterrupt
            return super().apply(lines)

    with pytest.raises(KeyboardInterrupt):
        exchange.sync(laptop._scope, Weak(hub.scope("ada", "default")), "hub")
    server = Commonplace(hub, hub.scope("ada", "default"))
    first = len(texts(server))
    assert 0 < first < 25 and max(sizes) <= 11
    sync(hub, laptop, desktop)
    assert texts(server) == texts(laptop) == texts(desktop)


def test_it_goes_on_where_the_change_feed_was_trimmed(hub: Parts, laptop: Commonplace, desktop: Commonplace) -> None:
    id = str(laptop.remember("The desk is oak").id)
    laptop.remember("The launch is on Friday")
    with laptop._scope.store.write(laptop.owner) as tx:
        tx.changes.trim(before=2**60)
    laptop.revise(id, "The desk is elm")
    sync(hub, laptop, desktop)
    assert texts(desktop) == ["The desk is elm", "The launch is on Friday"]


# Over REST


@pytest.fixture
def token(hub: Parts) -> str:
    return Accounts(hub.store, hub.keychain, hub.clock).issue("ada", scope="write", person=True).secret


def peer(hub: Parts, secret: str) -> RemotePeer:
    client = TestClient(app(hub, mcp=False), base_url="http://localhost", headers={"Authorization": f"Bearer {secret}"})
    return RemotePeer(
        RemoteBook.connect("http://localhost", token=secret, namespace=None, settings=Settings(), client=client)._server
    )


def test_a_book_on_a_server(hub: Parts, token: str, laptop: Commonplace, desktop: Commonplace) -> None:
    laptop.remember("The launch is on Friday")
    exchange.sync(laptop._scope, peer(hub, token), "http://localhost")
    exchange.sync(desktop._scope, peer(hub, token), "http://localhost")
    assert texts(desktop) == ["The launch is on Friday"]
    with TestClient(app(hub, mcp=False), base_url="http://localhost") as client:
        status = client.get("/v1/sync", headers={"Authorization": f"Bearer {token}"}).json()
    assert set(status["peers"][0]) == {"address", "last_at", "owner", "received", "sent", "waiting"}
    assert len(status["peers"]) == 2 and status["conflicts"] == 0


def test_a_sync_key_is_made_for_the_first_private_namespace_and_can_be_read_again(
    hub: Parts, token: str, laptop: Commonplace, desktop: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RemotePeer, "connect", lambda url, secret, settings: peer(hub, token))
    assert laptop.sync("http://localhost").notes == () and laptop.sync_key is None, "nothing is private yet"
    laptop.within("diary").remember("Slept badly again")
    laptop.sync_private("diary")
    report = laptop.sync("http://localhost")
    assert report.notes == (
        f"A sync key was created. On your other machines set COMMONPLACE_SYNC_KEY={laptop.sync_key}",
    )
    assert report.counts["sent"] and laptop.sync("http://localhost").count == 0
    desktop.within("notes").remember("A second private one")
    desktop.sync_private("notes")
    assert "sync key` there" in desktop.sync("http://localhost").notes[0] and desktop.sync_key is None
    desktop.sync("http://localhost", key=laptop.sync_key)
    assert texts(desktop.within("diary")) == ["Slept badly again"]
    server = Commonplace(hub, hub.scope("ada", "default"))
    assert "diary" not in [place.name for place in server.namespaces.list()]
    with pytest.raises(NotAllowed):
        _ = laptop.acting_as("agent", source="assistant", person=False).sync_key


def test_who_may_not_and_what_is_not_a_book(hub: Parts, token: str, laptop: Commonplace, tmp_path: Path) -> None:
    laptop.remember("The launch is on Friday")
    accounts = Accounts(hub.store, hub.keychain, hub.clock)
    agents = accounts.issue("ada", scope="write", person=False).secret
    readers = accounts.issue("ada", scope="read", person=True).secret
    others = accounts.issue("ben", scope="write", person=True).secret
    exchange.sync(laptop._scope, peer(hub, token), "http://localhost")
    before, state = texts(laptop), laptop.sync_status()

    def refused(kind: type[CommonplaceError], words: str, url: str, **options: Any) -> None:
        with pytest.raises(kind, match=words):
            laptop.sync(url, **options)

    for secret, kind, words in (
        ("nonsense", NotSignedIn, "token"),
        (agents, NotAllowed, "person"),
        (readers, NotAllowed, "write"),
        (others, NotAllowed, "'ada'"),
    ):
        with pytest.raises(kind, match=words):
            laptop.remember("One more")
            exchange.sync(laptop._scope, peer(hub, secret), "http://localhost")
        laptop.undo(laptop.receipts.list()[0].ref)
    with pytest.raises(NotAllowed):
        laptop.acting_as("agent", source="assistant", person=False).sync("file:///tmp")
    here = Path(str(laptop.settings.home) + ".db")
    refused(Invalid, "this same book", here.as_uri())
    refused(Invalid, "Folder not found", (tmp_path / "nothing" / "here").as_uri())
    refused(Invalid, "file:///", "gopher://example.org")
    refused(NotAllowed, "token", "http://localhost:1")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "commonplace.db").write_text("no book")
    refused(Invalid, "sync key", (tmp_path / "empty").as_uri())

    class Newer(LocalPeer):
        def hello(self) -> dict[str, Any]:
            return super().hello() | {"version": 2}

    with pytest.raises(Invalid, match="newer"):
        exchange.sync(laptop._scope, Newer(hub.scope("ada", "default")), "newer")

    class Page(LocalPeer):
        def hello(self) -> dict[str, Any]:
            return {"message": "welcome"}

    with pytest.raises(Invalid, match="not a Commonplace"):
        exchange.sync(laptop._scope, Page(hub.scope("ada", "default")), "web")
    assert texts(laptop) == before
    assert laptop.sync_status().peers[0].received == state.peers[0].received


def test_a_damaged_page_is_refused_whole(hub: Parts, laptop: Commonplace) -> None:
    laptop.remember("The launch is on Friday")
    lines = outgoing.page(laptop._scope, {}).lines
    there = LocalPeer(hub.scope("ada", "default"))
    damaged = [
        "{not json",
        '{"type":"act"}',
        '{"type":"sealed","name":"a"}',
        '{"type":"memory"}',
        "[1]",
        '{"type":"x"}',
    ]
    for line in damaged:
        with pytest.raises(Invalid):
            there.apply([*lines, line])
    with pytest.raises(Invalid):
        there.changes({"sequence": "drop"})
    server = Commonplace(hub, hub.scope("ada", "default"))
    assert texts(server) == []
    there.apply(lines)
    assert texts(server) == ["The launch is on Friday"]


def test_erasing_everything_stops_the_sync_until_somebody_says_what_is_meant(
    hub: Parts, laptop: Commonplace, desktop: Commonplace
) -> None:
    laptop.remember("The launch is on Friday")
    sync(hub, laptop, desktop)
    laptop.erase(confirm=True)
    for _ in range(2):
        with pytest.raises(NotAllowed, match="erased here"):
            sync(hub, laptop)
    assert texts(laptop) == [] and texts(desktop) == ["The launch is on Friday"]
    server = Commonplace(hub, hub.scope("ada", "default"))
    server.erase(confirm=True)
    with pytest.raises(NotAllowed, match="erased there"):
        sync(hub, desktop)
    assert texts(server) == []
    sync(hub, desktop, laptop, restart=True)
    assert texts(laptop) == ["The launch is on Friday"]


@pytest.mark.one_engine("a folder holds a file")
def test_a_shared_folder_and_the_command_line(
    tmp_path: Path, laptop: Commonplace, desktop: Commonplace, capsys: Any, monkeypatch: Any
) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    laptop.remember("The launch is on Friday")
    report = laptop.sync(shared.as_uri())
    key = report.notes[0].partition("KEY=")[2]
    assert b"launch" not in (shared / "commonplace.db").read_bytes()
    with pytest.raises(Invalid, match="sync key"):
        desktop.sync(shared.as_uri())
    desktop.sync(shared.as_uri(), key=key)
    assert texts(desktop) == ["The launch is on Friday"]
    desktop.remember("The desk is oak")
    figures = []
    for book in (laptop, desktop, laptop):
        book.sync(shared.as_uri())
        figures.append((book.sync_status().peers[0].sent, book.sync_status().peers[0].received))
    assert figures == [(1, 0), (1, 1), (1, 1)], "what was new, not what came back"
    monkeypatch.setenv("COMMONPLACE_HOME", str(tmp_path / "third"))
    monkeypatch.setenv("COMMONPLACE_SYNC_KEY", key)
    assert main(["sync", shared.as_uri()]) == 0
    assert main(["sync", "status"]) == 0
    shown = capsys.readouterr().out
    assert main(["sync", "key"]) == 0 and f"COMMONPLACE_SYNC_KEY={key}" in capsys.readouterr().out
    assert "sync: 2  (new: 2)" in shown and shared.as_uri() in shown
    capsys.readouterr()
    assert main(["sync", "private", "diary"]) != 0 and "`namespace create` makes one" in capsys.readouterr().err
    assert main(["sync", "private", "default", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["private"] == ["default"]


@pytest.mark.one_engine("the machines have files")
@pytest.mark.parametrize("seed", [4, 5])
def test_random_work_on_three_machines_ends_in_the_same_book(tmp_path: Path, seed: int) -> None:
    """``python -m tests.torture_sync --rounds 2000`` is the long run; of seed 4 some syncs are killed."""
    template(tmp_path / "template")
    one_round(str(tmp_path / "template"), seed)
