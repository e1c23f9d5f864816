"""A restore older than the forgetting of a part: the part stays gone, and the rest stays."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.upkeep.test_forgetting import older_copy

from commonplace import Commonplace, Message, Settings
from commonplace.copies.replay import PARTS, WHOLE
from commonplace.memories.residue import cut_out, put_together
from commonplace.store.sqlite.store import ActsToRecord
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import prune

COMPOUND = "Ada lives in Oslo, works at Acme and has two cats"
ALL = ("candidate", "verified", "rejected", "stale", "archived")
REST = "Ada lives in Oslo and has two cats"


@pytest.mark.parametrize(
    ("whole", "rest"),
    [
        (COMPOUND, REST),
        (COMPOUND, "Ada lives in Oslo."),
        ("Ada and Bob live in Oslo", "Bob lives in Oslo"),
        ("it rained. we stayed", "We stayed"),
        ("abc", ""),
    ],
)
def test_the_rest_is_made_again_from_places_alone(whole: str, rest: str) -> None:
    note = cut_out(whole, rest)
    assert note is not None and put_together(whole, note) == rest
    assert not any(letter.isalpha() for letter in note)


@given(st.text(max_size=60), st.text(max_size=30))
def test_a_note_tells_the_rest_or_there_is_none(whole: str, rest: str) -> None:
    note = cut_out(whole, rest)
    assert note is None or (put_together(whole, note) == rest and not any(one.isalpha() for one in note))


@pytest.mark.parametrize("note", ["", "6 0-5", "5 0-99", "5 x", "5 5", "5 ~99", "5 +99", "5 3-1", "5 -1-2"])
def test_a_note_that_does_not_fit_says_so(note: str) -> None:
    assert put_together("short", note) is None


def texts(book: Commonplace) -> list[str]:
    return sorted(one.text for one in book.browse(limit=100))


def test_a_part_stays_forgotten_and_the_rest_stays(book: Commonplace, tmp_path: Path) -> None:
    id = book.remember(COMPOUND, tags=["family"]).id
    bring_back = older_copy(book, tmp_path)
    book.forget(query="Ada works at Acme")
    bring_back(book)
    assert book.get(id).text == REST and book.get(id).tags == ("family",)
    assert [one.memory.text for one in book.history(id)] == [REST, REST]
    assert [hit.memory.id for hit in book.recall("cats Oslo")] == [id]
    assert not [hit for hit in book.recall("Acme") if "Acme" in hit.memory.text]
    bring_back(book)
    assert texts(book) == [REST]


def test_parts_that_went_one_after_the_other_all_stay_gone(book: Commonplace, tmp_path: Path) -> None:
    id = book.remember("Ada lives in Rome, works at Acme and has two cats").id
    book.revise(id, COMPOUND, reason="she moved")
    bring_back = older_copy(book, tmp_path)
    book.forget(query="Ada works at Acme")
    book.forget(query="Ada lives in Oslo")
    wanted = {one.memory.text for one in book.history(id)}
    assert wanted == {"Ada lives in Rome and has two cats", "Ada has two cats"}
    bring_back(book)
    assert {one.memory.text for one in book.history(id)} == wanted
    assert book.get(id).text == "Ada has two cats"


def test_what_was_said_loses_the_part_and_what_was_concluded_from_the_rest_stays(open_book, tmp_path: Path) -> None:
    book = open_book(owner="ada")
    book.observe([Message("I live in Oslo, work at Acme and have two cats.")])
    bring_back = older_copy(book, tmp_path)
    book.forget(query="I work at Acme")
    after = texts(book)
    assert any("Oslo" in one for one in after)
    bring_back(book)
    assert texts(book) == after
    assert not any("Acme" in (quote or "") for one in book.browse() for _, quote in book.evidence(one.id))


def test_forgotten_whole_afterwards_it_stays_gone(book: Commonplace, tmp_path: Path) -> None:
    id = book.remember(COMPOUND).id
    neighbour = book.remember("Ada plays the cello").id
    bring_back = older_copy(book, tmp_path)
    book.forget(query="Ada works at Acme")
    book.forget(id)
    bring_back(book)
    assert [one.id for one in book.browse()] == [neighbour]


def test_moved_since_the_copy_was_made_it_loses_the_part_all_the_same(open_book, tmp_path: Path) -> None:
    book = open_book()
    id = book.remember(COMPOUND).id
    bring_back = older_copy(book, tmp_path)
    book.namespaces.move([id], to="home")
    book.within("home").forget(query="Ada works at Acme")
    assert book.within("home").get(id).text == REST
    bring_back(book)
    assert book.get(id).text == REST


def test_moved_since_the_copy_was_made_it_stays_forgotten_or_rejected(open_book, tmp_path: Path) -> None:
    book = open_book()
    ids = book.remember_many(["the safe is behind the painting", "the moon is cheese", "the sea is salt"]).ids
    bring_back = older_copy(book, tmp_path)
    book.namespaces.move(ids, to="home")
    home = book.within("home")
    home.forget(ids[0])
    home.reject(ids[1])
    bring_back(book)
    assert [(one.id, one.status) for one in book.browse(limit=10, statuses=ALL)] == [
        (ids[2], "verified"),
        (ids[1], "rejected"),
    ]


@pytest.mark.one_engine("the ledger as a file is cut short")
def test_a_ledger_that_does_not_tell_the_rest_takes_the_whole_and_the_report_says_so(
    sqlite_url: str, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = Commonplace.open(sqlite_url, settings=settings)
    id = book.remember(COMPOUND).id
    book.backup(tmp_path / "old.backup")
    append = ActsToRecord.append
    monkeypatch.setattr(
        ActsToRecord, "append", lambda self, entries: append(self, [entry for entry in entries if entry.act != "cut"])
    )
    book.forget(query="Ada works at Acme")
    assert book.get(id).text == REST
    report = book.restore(tmp_path / "old.backup")
    assert report.counts[WHOLE] == 1 and PARTS not in report.counts and "left out whole" in report.notes[0]
    assert texts(book) == []
    book.close()


def purged(book: Commonplace, clock: StoppedClock, id: str) -> None:
    """Away without a word that it may not return."""
    book.archive(id)
    clock.advance(days=31)
    assert prune.purge(book._scope).count == 1


@pytest.mark.parametrize("what", ["nothing", "a part", "all"])
def test_an_import_older_than_the_forgetting_of_a_part_brings_the_rest(
    book: Commonplace, clock: StoppedClock, tmp_path: Path, what: str
) -> None:
    id = book.remember(COMPOUND, tags=["family"]).id
    book.export(tmp_path / "old.jsonl")
    if what == "all":
        book.forget(id)
    else:
        if what == "a part":
            book.forget(query="Ada works at Acme")
            assert book.get(id).text == REST
        purged(book, clock, id)
    assert texts(book) == []
    told = book.import_(tmp_path / "old.jsonl", dry_run=True).counts
    assert book.import_(tmp_path / "old.jsonl").counts == told
    assert texts(book) == {"nothing": [COMPOUND], "a part": [REST], "all": []}[what]
    if what == "a part":
        assert book.get(id).tags == ("family",) and [one.memory.text for one in book.history(id)] == [REST]
        assert [hit.memory.id for hit in book.recall("cats Oslo")] == [id]
    assert book.import_(tmp_path / "old.jsonl").receipt is None


@pytest.mark.parametrize("forgotten", [True, False])
def test_a_turn_that_comes_from_elsewhere_loses_what_was_forgotten_here(
    open_book, tmp_path: Path, forgotten: bool
) -> None:
    said = Message("It rains again. I live in Oslo, work at Acme and have two cats.")
    book = open_book(owner="ada")
    book.observe([said])
    if forgotten:
        book.forget(query="I work at Acme")
    settings = Settings(home=tmp_path / "elsewhere", embedder="none")
    with Commonplace.open(f"sqlite:///{tmp_path}/elsewhere.db", owner="ada", settings=settings) as other:
        turn = other.observe([said]).id
        other.export(tmp_path / "other.jsonl")
    book.import_(tmp_path / "other.jsonl")
    came = book.get(turn).text
    assert came.startswith("It rains again.") and "Oslo" in came and "two cats" in came
    assert ("Acme" in came) is not forgotten
    assert any("Acme" in one for one in texts(book)) is not forgotten
    quotes = [quote or "" for one in book.browse(limit=100) for _, quote in book.evidence(one.id)]
    assert any("Acme" in one for one in quotes) is not forgotten


def test_the_rest_of_another_books_sentence_joins_the_rest_that_is_here(book: Commonplace, tmp_path: Path) -> None:
    id = book.remember(COMPOUND).id
    book.forget(query="Ada works at Acme")
    settings = Settings(home=tmp_path / "elsewhere", embedder="none")
    with Commonplace.open(f"sqlite:///{tmp_path}/elsewhere.db", settings=settings) as other:
        other.remember(COMPOUND)
        other.remember("Ada plays the cello")
        other.export(tmp_path / "other.jsonl")
    report = book.import_(tmp_path / "other.jsonl")
    assert texts(book) == sorted([REST, "Ada plays the cello"]) and book.get(id).text == REST
    assert report.counts["the same value is here"] == 1
