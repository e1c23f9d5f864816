"""Export and import: an exact round trip, twice is once, and nothing forgotten travels or comes back."""

import base64
import io
import json
import os
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from commonplace import Commonplace, Invalid, Message, NotFound, Settings
from commonplace.copies import import_lines as importing
from commonplace.errors import Tombstoned
from commonplace.memories.gateway import Gateway
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import NewMemory
from commonplace.store.rows import LedgerEntry
from commonplace.testing.clock import StoppedClock

UNLIKE = {"header", "footer", "tombstone"}


@pytest.fixture
def other(book: Commonplace, tmp_path: Path, settings: Settings, clock: StoppedClock) -> Iterator[Commonplace]:
    """Another book under the same master key, with other keys of its own, on SQLite."""
    key = settings.master_key_file.read_text("ascii").strip()
    settings = Settings(home=tmp_path / "elsewhere", master_key=key)
    book = Commonplace.open(f"sqlite:///{tmp_path}/elsewhere/book.db", owner="you", settings=settings, clock=clock)
    yield book
    book.close()


@pytest.fixture
def rich(book: Commonplace, clock: StoppedClock) -> Commonplace:
    """A book with one of everything."""
    at = clock.at - timedelta(days=3)
    book.observe(
        [
            Message("Shall we sail?", speaker="Ada", at=at),
            Message("To Oslo then.", role="assistant", metadata={"n": 1}),
        ],
        session="trip",
    )
    source = book.observe("I live in Oslo. My cat is called Smilla.").id
    with write_transaction(book._scope, "LEARN") as work:
        new = NewMemory(text="Ada lives in Oslo", category="fact", tags=("home",))
        Gateway(book._scope).admit(work, new, evidence=[(source, "I live in Oslo.")])
        work.receipt()
    tea = book.remember("Ada drinks tea", tags=["drinks"], metadata={"cup": {"size": 2}}, pinned=True).id
    clock.advance(hours=1)
    book.revise(tea, "Ada drinks oolong", reason="asked her")
    book.remember("Vienna", kind="core", key="city")
    clock.advance(hours=1)
    book.remember("Oslo", kind="core", key="city")
    book.relate("Giulia", "reports_to", "Marco", object_type="person", notes="since May")
    book.graph.revise_entity(book.graph.entities()[0].id, aliases=["Jules"], tags=["people"])
    book.reject(book.remember("the moon is cheese").id, reason="no")
    book.forget(book.remember("Ada has a scar on her knee").id)
    book.within("work").remember("the budget is tight", valid_from=at, expires_at=clock.at + timedelta(days=9))
    book.glossary.revise("home", description="where one lives", synonyms=["dwelling"])
    return book


def exported(book: Commonplace) -> str:
    stream = io.StringIO()
    book.export(stream)
    return stream.getvalue()


def told(text: str) -> list[dict]:
    """What an export says, without what no two exports can share: document numbers, and when it was made."""

    def plain(line: dict) -> dict:
        line.pop("doc", None), line.pop("docs", None)
        for version in line.get("versions", ()):
            version.get("state", {}).pop("doc", None)
            version.get("plain", {}).pop("doc", None) if isinstance(version.get("plain"), dict) else None
        return line

    return [plain(line) for line in map(json.loads, text.splitlines()) if line["type"] not in UNLIKE]


def test_a_round_trip_is_exact(rich: Commonplace, other: Commonplace) -> None:
    first = exported(rich)
    report = other.import_(io.StringIO(first))
    assert set(report.counts) == {"new"}
    assert told(exported(other)) == told(first) and len(told(first)) >= 15
    for question in ("oolong", "Oslo", "sail", "Giulia", "city"):
        assert {hit.memory.id for hit in rich.recall(question)} == {hit.memory.id for hit in other.recall(question)}
    tea = rich.recall("oolong", limit=1)[0].memory
    assert [(one.version, one.recorded_at, one.reason) for one in other.history(tea.id)] == [
        (one.version, one.recorded_at, one.reason) for one in rich.history(tea.id)
    ]
    assert other.recall("oolong", tags=["drinks"], metadata={"cup": {"size": 2}})[0].memory.id == tea.id
    assert other.recall("tea", known_at=tea.recorded_at)[0].memory.text == "Ada drinks tea"
    assert [one.subject.label for one in other.relations("Jules")] == ["Giulia"]
    assert other.within("work").browse()[0].expires_at == rich.within("work").browse()[0].expires_at
    assert other.audit.verify().ok


def test_importing_twice_changes_nothing(rich: Commonplace, other: Commonplace) -> None:
    text = exported(rich)
    other.import_(io.StringIO(text))
    before = exported(other)
    again = other.import_(io.StringIO(text))
    assert set(again.counts) == {"already here"} and again.receipt is None
    assert told(exported(other)) == told(before)


def test_into_its_own_book_nothing_is_new(rich: Commonplace) -> None:
    assert set(rich.import_(io.StringIO(exported(rich))).counts) == {"already here"}


def test_a_dry_run_says_what_would_happen_and_does_nothing(rich: Commonplace, other: Commonplace) -> None:
    text = exported(rich)
    dry = other.import_(io.StringIO(text), dry_run=True)
    assert other.stats().memories == 0 and dry.dry_run
    assert dry.counts == other.import_(io.StringIO(text)).counts


def test_an_import_cut_short_is_simply_run_again(
    rich: Commonplace, other: Commonplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "BATCH", 2)
    text = exported(rich)
    lines = text.splitlines(keepends=True)

    def broken():
        yield from lines[: len(lines) - 8]
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        importing.import_lines(other._scope, broken())
    assert other.stats().memories > 0
    other.import_(io.StringIO(text))
    assert told(exported(other)) == told(text)


def test_a_whole_import_can_be_undone(rich: Commonplace, other: Commonplace) -> None:
    kept = other.remember("the harbour freezes").id
    report = other.import_(io.StringIO(exported(rich)))
    assert other.recall("oolong")[0].memory.text == "Ada drinks oolong"
    other.undo(report.receipt)
    assert [hit.memory.id for hit in other.recall("oolong Oslo harbour", limit=20)] == [kept]


def test_tombstones_travel_and_hold_with_other_keys(rich: Commonplace, other: Commonplace) -> None:
    text = exported(rich)
    assert "scar on her knee" not in text
    other.import_(io.StringIO(text))
    for value in ("ada has a SCAR on her knee", "the moon is cheese"):
        with pytest.raises(Tombstoned):
            other.remember(value)
    assert other.observe("Ada has a scar on her knee. It rains.").id
    assert "scar" not in other.recall("rains", limit=1)[0].memory.text
    assert other.remember("Ada has a bicycle").action == "ADD"
    assert other.review.lift("the moon is cheese") == 1 and other.remember("the moon is cheese").action == "ADD"
    third = io.StringIO(exported(other))
    assert "scar" not in third.getvalue()


def test_an_export_holds_no_key_to_guess_forgotten_sentences_with(rich: Commonplace) -> None:
    text = exported(rich)
    key = rich._scope.vault.values_key
    assert all(form not in text for form in (key.hex(), base64.b64encode(key).decode()))
    stones = [line for line in map(json.loads, text.splitlines()) if line["type"] == "tombstone"]
    forgotten = base64.b64encode(rich._scope.vault.fingerprint(stones[0]["namespace"], "the moon is cheese")).decode()
    assert forgotten in [line["fingerprint"] for line in stones], "the control: with the key it can be guessed"


def test_under_another_master_key_tombstones_are_left_out_and_the_report_says_so(
    rich: Commonplace, tmp_path: Path
) -> None:
    text = exported(rich)
    stones = text.count('{"type":"tombstone"')
    with Commonplace.open(f"sqlite:///{tmp_path}/far.db", settings=Settings(home=tmp_path / "far")) as far:
        dry, report = (far.import_(io.StringIO(text), dry_run=dry_run) for dry_run in (True, False))
        assert stones and f"{stones} tombstones were left out" in report.notes[0] and dry.notes == report.notes
        assert told(exported(far)) == told(text)
        assert far.remember("Ada has a scar on her knee").action == "ADD"
        assert far.doctor(full=True).sound


def test_an_export_of_an_early_release_with_its_key_in_clear_is_still_read(rich: Commonplace, tmp_path: Path) -> None:
    header, *lines = exported(rich).splitlines(keepends=True)
    plain = json.loads(header)
    key = base64.b64encode(rich._scope.vault.values_key).decode()
    plain["tombstone_keys"] = [
        {"key": key, "source": line["source"], "namespace": line["namespace"]} for line in plain["tombstone_keys"]
    ]
    with Commonplace.open(f"sqlite:///{tmp_path}/far.db", settings=Settings(home=tmp_path / "far")) as far:
        far.import_(io.StringIO("".join([json.dumps(plain) + "\n", *lines])))
        with pytest.raises(Tombstoned):
            far.remember("Ada has a scar on her knee")


def test_what_was_forgotten_in_the_target_does_not_come_back(rich: Commonplace, other: Commonplace) -> None:
    other.forget(other.remember("Ada drinks oolong").id)
    other.forget(other.observe("My cat is called Smilla.").id)
    other.reject(other.remember("Ada lives in Oslo").id)
    report = other.import_(io.StringIO(exported(rich)))
    assert report.counts["forgotten or rejected here"] >= 2
    texts = [one.text for one in other.browse(limit=100, statuses=("candidate", "verified", "stale", "archived"))]
    assert not [text for text in texts if "oolong" in text or "Smilla" in text or text == "Ada lives in Oslo"]
    assert "I live in Oslo. [forgotten]" in texts


def test_the_same_value_is_not_doubled_and_the_later_core_value_holds(rich: Commonplace, other: Commonplace) -> None:
    same = other.remember("Ada drinks oolong").id
    other.remember("Bergen", kind="core", key="city")
    report = other.import_(io.StringIO(exported(rich)))
    assert report.counts["the same value is here"] == 1
    assert [hit.memory.id for hit in other.recall("oolong") if "oolong" in hit.memory.text] == [same]
    assert len([one for one in other.core.list() if one.key == "city"]) == 1


def test_one_namespace_travels_alone(rich: Commonplace, other: Commonplace) -> None:
    stream = io.StringIO()
    rich.export(stream, namespaces=["work"])
    assert "oolong" not in stream.getvalue()
    other.import_(io.StringIO(stream.getvalue()))
    assert [one.text for one in other.within("work").browse()] == ["the budget is tight"] and other.browse() == []


@pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX")
def test_an_exported_file_is_private_and_whole(rich: Commonplace, tmp_path: Path, other: Commonplace) -> None:
    file = tmp_path / "out" / "all.jsonl"
    report = rich.export(file)
    assert file.stat().st_mode & 0o777 == 0o600
    footer = json.loads(file.read_text().splitlines()[-1])
    assert footer["counts"] == report.counts and other.import_(file).counts == {"new": report.count}


@pytest.mark.parametrize(
    "spoil",
    [
        lambda lines: [],
        lambda lines: ["{}"],
        lambda lines: ['{"type": "memory"}'],
        lambda lines: [lines[0].replace('"version":1', '"version":99'), *lines[1:]],
        lambda lines: [*lines[:4], lines[4][:20]],
        lambda lines: [lines[0], *lines[4:]],
        lambda lines: [line.replace('"associative"', '"gossip"') for line in lines],
    ],
)
def test_a_damaged_file_is_refused_with_a_reason(
    rich: Commonplace, other: Commonplace, spoil: Callable[[list[str]], list[str]]
) -> None:
    lines = exported(rich).splitlines()
    with pytest.raises((Invalid, NotFound)):
        importing.import_lines(other._scope, spoil(lines))


def _memory(lines: list[dict], text: str) -> dict:
    return next(line for line in lines if line.get("text") == text)


def _number_of_another_memory(lines: list[dict]) -> None:
    _memory(lines, "Ada drinks oolong")["doc"] = _memory(lines, "Ada lives in Oslo")["doc"]


def _number_of_its_earlier_text(lines: list[dict]) -> None:
    tea = _memory(lines, "Ada drinks oolong")
    tea["doc"] = tea["versions"][0]["state"]["doc"]


def _number_beyond_the_end(lines: list[dict]) -> None:
    _memory(lines, "Ada drinks oolong")["doc"] = lines[0]["docs"]


def _number_before_the_first(lines: list[dict]) -> None:
    _memory(lines, "Ada drinks oolong")["doc"] = 0


def _numbers_cut_short(lines: list[dict]) -> None:
    lines[0]["docs"] = 1


def _numbers_kept_for_turns_are_a_memorys(lines: list[dict]) -> None:
    next(line for line in lines if line["type"] == "session")["docs"][0] = 1


@pytest.mark.parametrize(
    "spoil",
    [
        *(_number_of_another_memory, _number_of_its_earlier_text, _number_beyond_the_end, _number_before_the_first),
        *(_numbers_cut_short, _numbers_kept_for_turns_are_a_memorys),
    ],
)
def test_a_number_of_the_word_index_is_one_texts(
    rich: Commonplace, other: Commonplace, spoil: Callable[[list[dict]], None]
) -> None:
    lines = [json.loads(line) for line in exported(rich).splitlines()]
    whole = "\n".join(map(json.dumps, lines))
    spoil(lines)
    revision = other._scope.store.revision("you")
    with pytest.raises(Invalid, match="document number"):
        other.import_(io.StringIO("\n".join(map(json.dumps, lines))))
    assert other._scope.store.revision("you") == revision
    assert set(other.import_(io.StringIO(whole)).counts) == {"new"}
    assert other.doctor(full=True).sound


@pytest.mark.parametrize(
    "spoil",
    [
        lambda tea: tea["versions"].clear(),
        lambda tea: tea["versions"].pop(),
        lambda tea: tea["versions"].reverse(),
        lambda tea: tea["versions"][-1].update(version=3),
        lambda tea: tea["versions"][0].update(version=2),
        lambda tea: tea["versions"][0].pop("state"),
        lambda tea: tea["versions"][1].update(state=tea["versions"][0]["state"]),
        lambda tea: tea.update(version=1),
        lambda tea: tea.pop("version"),
    ],
)
def test_the_versions_of_a_memory_rise_to_the_present_one(
    rich: Commonplace, other: Commonplace, spoil: Callable[[dict], None]
) -> None:
    lines = [json.loads(line) for line in exported(rich).splitlines()]
    spoil(_memory(lines, "Ada drinks oolong"))
    revision = other._scope.store.revision("you")
    with pytest.raises(Invalid, match="'versions'"):
        other.import_(io.StringIO("\n".join(map(json.dumps, lines))))
    assert other._scope.store.revision("you") == revision


def test_a_file_that_was_cut_short_or_changed_is_told(book: Commonplace, open_book) -> None:
    book.remember_many(["the harbour freezes", "the lighthouse burns"])
    stream = io.StringIO()
    book.export(stream)
    lines = stream.getvalue().splitlines(keepends=True)
    twin = open_book(owner="twin")
    assert "cut short" in twin.import_(io.StringIO("".join(lines[:-1])), dry_run=True).notes[0]
    changed = "".join(lines).replace("burns", "shines")
    assert "digest" in twin.import_(io.StringIO(changed), dry_run=True).notes[0]
    assert twin.import_(io.StringIO("".join(lines))).notes == ()


@pytest.mark.one_engine("a PostgreSQL book is restored by its server")
def test_an_erased_namespace_that_was_imported_again_survives_the_doctor_and_a_restore(
    sqlite_url: str, settings: Settings, tmp_path: Path
) -> None:
    with Commonplace.open(sqlite_url, settings=settings) as book:
        book.within("work").remember("the budget is tight")
        text = exported(book)
        book.erase(confirm=True, namespace="work")
        book.import_(io.StringIO(text))
        book.backup(tmp_path / "one.backup")
        assert book.doctor(fix=True, full=True).sound
        book.restore(tmp_path / "one.backup")
        assert [memory.text for memory in book.within("work").browse()] == ["the budget is tight"]
        assert set(book.import_(io.StringIO(text)).counts) == {"already here"}


@pytest.mark.one_engine("a PostgreSQL book is restored by its server")
def test_a_book_that_was_restored_can_be_exported_and_imported(
    sqlite_url: str, settings: Settings, tmp_path: Path
) -> None:
    with Commonplace.open(sqlite_url, settings=settings) as book:
        id = book.observe("Ada lives in Oslo. Ada has two cats.").id
        book.backup(tmp_path / "one.backup")
        with book._scope.store.write("me") as tx:
            stone = {"namespace": tx.namespaces.all()[0].id, "fingerprints": (b"0" * 16,), "reason": "forgotten"}
            tx.final_acts.append([LedgerEntry(owner="me", at=1, act="forget", target="", **stone)])
        book.restore(tmp_path / "one.backup")
        text = exported(book)
        assert book.get(id) and '"type":"tombstone"' in text
        assert set(book.import_(io.StringIO(text)).counts) == {"already here"}
