"""A lost book, keyring or ledger is noticed and named; it is never silently begun anew."""

import logging
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from commonplace import Commonplace, Invalid, Settings
from commonplace.copies import backup as backups
from commonplace.errors import KeyringError, StoreError
from commonplace.runtime import open_parts
from commonplace.store.rows import LedgerEntry
from commonplace.testing.clock import StoppedClock

Opener = Callable[..., Commonplace]


@pytest.fixture
def book_url(sqlite_url: str) -> str:
    return sqlite_url


files = pytest.mark.one_engine("the files beside a SQLite book")


@files
@pytest.mark.parametrize("loss", ["missing", "empty", "no tables"])
def test_a_lost_book_beside_its_keyring_is_an_error_that_names_both(
    open_book: Opener, book_url: str, tmp_path: Path, loss: str
) -> None:
    with open_book() as book:
        book.remember("the harbour freezes")
    path = tmp_path / "book.db"
    path.unlink()
    if loss == "empty":
        path.touch()
    elif loss == "no tables":
        raw = apsw.Connection(str(path))
        raw.execute("create table x (y); drop table x; vacuum")
        raw.close()
    with pytest.raises(StoreError) as raised:
        open_book()
    message = str(raised.value)
    assert str(path) in message and f"{path}.keyring" in message and "commonplace restore" in message
    Path(f"{path}.keyring").rename(tmp_path / "put away")
    assert open_book().stats().memories == 0, "to start anew on purpose"


@files
def test_a_lost_book_is_restored_from_a_backup(open_book: Opener, settings: Settings, tmp_path: Path) -> None:
    with open_book() as book:
        kept = book.remember("the harbour freezes").id
        gone = book.remember("the ferry sinks").id
        book.backup(tmp_path / "one.backup")
        book.forget(gone)
    path = tmp_path / "book.db"
    path.unlink()
    killed = open_parts(f"sqlite:///{path}", settings, to_restore=True)
    with pytest.raises(StoreError, match="cut short"):
        open_book()
    killed.close()
    parts = open_parts(f"sqlite:///{path}", settings, to_restore=True)
    backups.restore(parts, tmp_path / "one.backup")
    parts.close()
    again = open_book()
    assert again.get(kept).text == "the harbour freezes"
    assert [hit.memory.id for hit in again.recall("ferry sinks")] in ([], [kept])
    assert again.doctor(full=True).sound


@files
def test_a_refused_restore_leaves_nothing_behind(open_book: Opener, settings: Settings, tmp_path: Path) -> None:
    with open_book() as book:
        book.remember("the harbour freezes")
        book.backup(tmp_path / "one.backup")
    new = Settings(home=tmp_path / "new")
    with pytest.raises(KeyringError, match="keys restore"):
        open_parts(None, new, to_restore=True)
    assert list(new.home.iterdir()) == []
    (new.home / "master.key").write_bytes((settings.home / "master.key").read_bytes())
    parts = open_parts(None, new, to_restore=True)
    with pytest.raises(Invalid, match="no ledger"):
        backups.restore(parts, tmp_path / "one.backup")
    with pytest.raises(KeyringError, match="has no keys of owner 'me'"):
        backups.restore(parts, tmp_path / "one.backup", without_ledger=True)
    parts.close()
    assert [file.name for file in new.home.iterdir()] == ["master.key"]
    with Commonplace.open(settings=new) as fresh:
        assert fresh.stats().memories == 0


@files
@pytest.mark.parametrize("loss", ["deleted", "cut short", "replaced"])
def test_a_lost_ledger_is_noticed_by_open_doctor_stats_and_restore(
    open_book: Opener, tmp_path: Path, caplog: pytest.LogCaptureFixture, loss: str
) -> None:
    with open_book() as book:
        first, second = (book.remember(text).id for text in ("the ferry sinks", "the crane falls"))
        book.backup(tmp_path / "one.backup")
        book.forget(first)
        book.forget(second)
        assert book.doctor().sound and not book.stats().warnings
    path = tmp_path / "book.db.ledger"
    whole = path.read_bytes()
    if loss == "deleted":
        path.unlink()
    elif loss == "cut short":
        path.write_bytes(whole[: whole.index(b"\n") + 1])
    else:
        path.write_bytes(
            b"".join(line.replace(b'"hash":"', b'"hash":"0')[:-4] + b'"}\n' for line in whole.splitlines())
        )
    with caplog.at_level(logging.WARNING):
        book = open_book()
    assert "ledger" in caplog.text
    assert any("ledger" in line for line in book.stats().warnings)
    assert "ledger" in {symptom.check for symptom in book.doctor().symptoms}
    if loss != "replaced":
        book.forget(book.remember("the winch jams").id)
        assert book.stats().warnings, "the next act does not hide it"
    with pytest.raises(Invalid, match="ledger"):
        book.restore(tmp_path / "one.backup")
    if loss == "replaced":
        path.unlink()
    assert book.doctor(fix=True).sound and book.doctor().sound
    book.restore(tmp_path / "one.backup")
    assert book.stats().memories == 0, "the tombstones in the book were enough to begin the ledger again"


@files
@pytest.mark.parametrize("content", [b"", b"{", b'{"owners": {"me": 5}}', b'{"owners": {"me": "%%%"}}', b"\x00" * 400])
def test_a_damaged_keyring_is_an_error_of_ours(open_book: Opener, tmp_path: Path, content: bytes) -> None:
    with open_book() as book:
        book.remember("the harbour freezes")
    keyring = tmp_path / "book.db.keyring"
    whole = keyring.read_bytes()
    keyring.write_bytes(content)
    with pytest.raises(KeyringError, match="damaged"):
        open_book()
    keyring.write_bytes(whole)
    assert open_book().stats().memories == 1


@files
def test_one_owners_damaged_keys_stop_nobody_else(open_book: Opener, tmp_path: Path) -> None:
    for owner in ("ada", "ben"):
        open_book(owner=owner).remember("the harbour freezes")
    book = open_book(owner="ada")
    book.backup(tmp_path / "one.backup")
    keyrings = book._parts.store.keyrings
    record = keyrings.get("ben")
    assert record is not None
    keyrings.put("ben", b"garbled", expected=record)
    diagnosis = book.doctor(full=True)
    assert {symptom.owner for symptom in diagnosis.symptoms if symptom.check == "keys"} >= {"ben"}
    assert "rows of ada" in diagnosis.checks and "rows of ben" not in diagnosis.checks
    report = book.restore(tmp_path / "one.backup")
    assert any("'ben'" in note for note in report.notes) and report.counts["owners"] == 1
    assert [hit.memory.text for hit in book.recall("harbour")] == ["the harbour freezes"]
    with pytest.raises(KeyringError):
        open_book(owner="ben")
    keyrings.put("ben", record, expected=b"garbled")
    assert [hit.memory.text for hit in open_book(owner="ben").recall("harbour")] == ["the harbour freezes"]


@files
def test_rows_that_an_interrupted_erasure_left_without_keys_are_taken_away(
    open_book: Opener, clock: StoppedClock
) -> None:
    """As releases before two phases could leave them: the ledger says erased, the keys are gone, the rows are not."""
    open_book(owner="ben").remember("the harbour freezes")
    book = open_book(owner="ada")
    store = book._parts.store
    with store.write("ben") as tx:
        tx.final_acts.append([LedgerEntry(owner="ben", at=1, act="erase-owner", target="ben")])
    store.keyrings.drop("ben")
    with pytest.raises(KeyringError):
        open_book(owner="ben")
    diagnosis = open_book(owner="ada").doctor(fix=True)
    assert [symptom.owner for symptom in diagnosis.symptoms if symptom.fixed] == ["ben"]
    assert open_book(owner="ben").stats().memories == 0
