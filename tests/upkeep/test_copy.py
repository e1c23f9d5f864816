"""A book moves from one engine to the other and back with everything, and says so by a digest."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from commonplace import Commonplace, Invalid, Settings
from commonplace.copies import copy as copying
from commonplace.copies.copy import copy, digest
from commonplace.errors import StoreError
from commonplace.store.tables.all_tables import TABLES
from commonplace.testing.clock import StoppedClock

pytestmark = pytest.mark.postgres


@pytest.fixture
def pair(sqlite_url: str, postgres_url: str, tmp_path: Path, clock: StoppedClock) -> Iterator[list[Commonplace]]:
    settings = Settings(home=tmp_path / "home")
    books = [Commonplace.open(url, settings=settings, clock=clock) for url in (sqlite_url, postgres_url)]
    yield books
    for book in books:
        book.close()


def fill(book: Commonplace, many: int = 40) -> None:
    book.remember_many([{"text": f"the harbour of town {n} freezes", "tags": ["sea"]} for n in range(many)])
    book.observe(["shall we sail?", "to Oslo then"], session="trip")
    book.relate("Giulia", "reports_to", "Marco", object_type="person", notes="since May")
    book.forget(book.remember("Ada has a scar").id)
    book.revise(book.remember("Ada drinks tea", metadata={"a": 1}).id, "Ada drinks oolong")
    book.reject(book.remember("the moon is cheese").id)


def asked(book: Commonplace) -> list[list[str]]:
    return [[hit.memory.id for hit in book.recall(text)] for text in ("harbour 7", "oolong", "sail", "Giulia")]


def test_there_and_back_again(pair: list[Commonplace], tmp_path: Path, clock: StoppedClock) -> None:
    source, target = pair
    fill(source)
    report = copy(source._parts, target._parts)
    assert report.counts["owners"] == 1 and report.count > 200
    assert digest(source._parts.store, "me") == digest(target._parts.store, "me")
    assert asked(target) == asked(source) and target.audit.verify().ok
    with pytest.raises(ValueError, match="rejected"):
        target.remember("the moon is cheese")
    assert [one.act for one in target._parts.store.ledger.entries("me")] == [
        one.act for one in source._parts.store.ledger.entries("me")
    ]
    target.remember("written on the other side")
    url = f"sqlite:///{tmp_path}/third.db"
    with Commonplace.open(url, settings=source.settings, clock=clock) as third:
        copy(target._parts, third._parts)
        assert asked(third) == asked(target) and third.recall("other side")[0].memory.text.startswith("written")
        third.remember("and goes on")
        assert third.audit.verify().ok


def test_broken_off_it_goes_on(pair: list[Commonplace], monkeypatch: pytest.MonkeyPatch) -> None:
    source, target = pair
    fill(source)
    monkeypatch.setattr(copying, "PAGE", 20)
    seen = []

    def dies(done: int, total: int | None) -> None:
        seen.append(done)
        if len(seen) == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy(source._parts, target._parts, progress=dies)
    copy(source._parts, target._parts)
    assert asked(target) == asked(source)


@pytest.mark.parametrize("source_went_on", [False, True])
def test_a_target_that_holds_something_else_is_refused(pair: list[Commonplace], source_went_on: bool) -> None:
    source, target = pair
    fill(source, 3)
    copy(source._parts, target._parts)
    copy(source._parts, target._parts)  # holding what the source holds is no reason
    own = target.remember("something of its own")
    if source_went_on:
        source.remember_many(["one more", "and another", "and a third"])
    before = digest(target._parts.store, "me")
    with pytest.raises(StoreError, match="nothing was changed"):
        copy(source._parts, target._parts)
    assert digest(target._parts.store, "me") == before
    later = target.remember("written after the refusal")
    assert [target.get(memory.id).text for memory in (own, later)] == [
        "something of its own",
        "written after the refusal",
    ]
    with pytest.raises(Invalid):
        copy(source._parts, source._parts)


def test_every_column_of_every_table_travels(pair: list[Commonplace]) -> None:
    """The list of columns is the schema's own, but for what an engine keeps for itself."""
    source, _ = pair
    import apsw

    raw = apsw.Connection(source._parts.store.place)
    tables = {
        name
        for (name,) in raw.execute("select name from sqlite_schema where type = 'table' and name not like 'sqlite%'")
    }
    assert tables - {"owner", "lease", "schema_version"} == set(TABLES)
    for table, columns in TABLES.items():
        there = {name for _, name, *_ in raw.execute(f"pragma table_info({table})")}
        assert there == {"owner", *columns.all}, table
    raw.close()
