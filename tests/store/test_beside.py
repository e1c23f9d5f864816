"""The keyring and the ledger as files."""

import base64
import errno
import json
import os
from pathlib import Path

import pytest

from commonplace.errors import KeyringError, StoreError, StoreFull
from commonplace.store.ledger import chained, to_line
from commonplace.store.rows import LedgerEntry
from commonplace.store.sqlite.keyring_store import FileKeyring
from commonplace.store.sqlite.ledger import FileLedger

SECRET = b"wrapped key of ada, thirty-two!!"


@pytest.fixture
def keyring(tmp_path: Path) -> FileKeyring:
    return FileKeyring(tmp_path / "book.db.keyring")


class TestLedger(FileLedger):
    """A ledger whose book is a dict: what was committed of the marks."""

    __test__ = False

    def __init__(self, path: Path) -> None:
        self.marks: dict[str, str] = {}
        super().__init__(path, self.marks.get)

    def append(self, entries: list[LedgerEntry], *, commits: bool = True) -> None:
        mark: list[str] = []
        with self.recording(entries, mark.append):
            if mark and commits:
                self.marks[entries[0].owner] = mark[0]


@pytest.fixture
def ledger(tmp_path: Path) -> TestLedger:
    return TestLedger(tmp_path / "book.db.ledger")


def entry(number: int) -> LedgerEntry:
    return LedgerEntry(owner="ada", at=number, act="forget", target=f"m{number}", fingerprints=(b"print",))


def test_a_dropped_key_is_in_no_file_and_not_in_the_old_one_either(keyring: FileKeyring, tmp_path: Path) -> None:
    path = tmp_path / "book.db.keyring"
    keyring.put("ada", SECRET, expected=None)
    keyring.put("bob", b"another", expected=None)
    os.link(path, tmp_path / "still-open")
    assert base64.b64encode(SECRET) in (tmp_path / "still-open").read_bytes()
    keyring.drop("ada")
    assert all(base64.b64encode(SECRET) not in one.read_bytes() for one in tmp_path.iterdir())
    assert keyring.get("bob") == b"another"


def test_a_write_that_died_halfway_changes_nothing(keyring: FileKeyring, tmp_path: Path) -> None:
    keyring.put("ada", SECRET, expected=None)
    (tmp_path / "book.db.keyring.part").write_bytes(b'{"owners": {"ada"')
    assert keyring.get("ada") == SECRET
    assert keyring.put("bob", b"key", expected=None)
    assert keyring.owners() == ["ada", "bob"]


@pytest.mark.parametrize("content", [b"", b"{}", b"\xff\xfe", b"[1]"])
def test_a_damaged_keyring_is_never_taken_for_an_empty_one(
    keyring: FileKeyring, tmp_path: Path, content: bytes
) -> None:
    (tmp_path / "book.db.keyring").write_bytes(content)
    with pytest.raises(KeyringError, match="keyring is damaged"):
        keyring.get("ada")
    with pytest.raises(KeyringError, match="keyring is damaged"):
        keyring.put("ada", SECRET, expected=None)
    assert (tmp_path / "book.db.keyring").read_bytes() == content


@pytest.mark.parametrize("torn", [b'{"owner":"ada","at":99', b"\x00\x00\x00"])
def test_a_torn_last_line_is_passed_over_and_repaired(ledger: TestLedger, tmp_path: Path, torn: bytes) -> None:
    ledger.append([entry(1), entry(2)])
    path = tmp_path / "book.db.ledger"
    path.write_bytes(path.read_bytes() + torn)
    assert list(ledger.entries()) == [entry(1), entry(2)]
    ledger.append([entry(3)])
    assert list(ledger.entries()) == [entry(1), entry(2), entry(3)]
    assert torn not in path.read_bytes()


def test_a_line_longer_than_the_tail_is_followed_by_the_next(ledger: TestLedger) -> None:
    long = LedgerEntry(owner="ada", at=1, act="forget", target="m1", fingerprints=(b"x" * 32,) * 3_000)
    for one in (entry(1), long, entry(2), long, entry(3)):
        ledger.append([one])
    assert [found.at for found in ledger.entries()] == [1, 1, 2, 1, 3]


@pytest.mark.parametrize("damage", ["changed", "removed", "inserted", "swapped"])
def test_a_ledger_that_was_tampered_with_is_refused(ledger: TestLedger, tmp_path: Path, damage: str) -> None:
    ledger.append([entry(number) for number in range(1, 5)])
    path = tmp_path / "book.db.ledger"
    lines = path.read_bytes().splitlines(keepends=True)
    if damage == "changed":
        lines[1] = json.dumps({**json.loads(lines[1]), "target": "m9"}).encode() + b"\n"
    elif damage == "removed":
        del lines[1]
    elif damage == "inserted":
        lines.insert(1, lines[1])
    else:
        lines[1], lines[2] = lines[2], lines[1]
    path.write_bytes(b"".join(lines))
    with pytest.raises(StoreError, match=r"was changed at line [23]"):
        list(ledger.entries())


def test_a_ledger_that_is_not_there_is_empty(ledger: TestLedger) -> None:
    assert not ledger.exists()
    assert list(ledger.entries()) == []
    ledger.append([])
    assert not ledger.exists()


def test_a_ledger_holds_no_text_but_ids_and_base64(ledger: TestLedger, tmp_path: Path) -> None:
    ledger.append([entry(1)])
    line, outcome = map(json.loads, (tmp_path / "book.db.ledger").read_text().splitlines())
    assert set(line) == {"owner", "at", "act", "target", "namespace", "fingerprints", "reason", "intent", "hash"}
    assert set(outcome) == {"outcome", "hash"}
    assert line["fingerprints"] == [base64.b64encode(b"print").decode()]


def test_a_ledger_that_cannot_be_read_is_named(ledger: TestLedger, tmp_path: Path) -> None:
    (tmp_path / "book.db.ledger").mkdir()
    with pytest.raises(StoreError, match=r"the ledger .*book\.db\.ledger cannot be read"):
        list(ledger.entries())
    with pytest.raises(StoreError, match=r"the ledger .*book\.db\.ledger cannot be read"):
        ledger.append([entry(1)])


@pytest.mark.parametrize(
    ("number", "kind", "said"),
    [
        (errno.ENOSPC, StoreFull, "no space left for {}; nothing was changed; free some space"),
        (errno.EROFS, StoreError, "{} cannot be written; nothing was changed; make it and its folder writable"),
    ],
)
def test_a_disk_that_takes_no_more_leaves_both_as_they_were(
    keyring: FileKeyring,
    ledger: TestLedger,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    number: int,
    kind: type[StoreError],
    said: str,
) -> None:
    keyring.put("ada", SECRET, expected=None)
    ledger.append([entry(1)])

    def refused(file: int, data: bytes) -> int:
        raise OSError(number, os.strerror(number))

    with monkeypatch.context() as patched:
        patched.setattr(os, "write", refused)
        with pytest.raises(kind) as of_keyring:
            keyring.put("bob", b"key", expected=None)
        with pytest.raises(kind) as of_ledger:
            ledger.append([entry(2)])
    assert said.format(tmp_path / "book.db.keyring") in str(of_keyring.value)
    assert said.format(tmp_path / "book.db.ledger") in str(of_ledger.value)
    assert type(of_ledger.value) is type(of_keyring.value) is kind
    assert keyring.owners() == ["ada"] and list(ledger.entries()) == [entry(1)]
    assert not list(tmp_path.glob("*.part"))
    ledger.append([entry(2)])
    assert list(ledger.entries()) == [entry(1), entry(2)]


def test_an_act_that_was_not_committed_is_void_and_never_read(ledger: TestLedger, tmp_path: Path) -> None:
    ledger.append([entry(1)])
    ledger.append([entry(2)], commits=False)
    ledger.append([entry(3)])
    assert list(ledger.entries()) == [entry(1), entry(3)]
    lines = [json.loads(line) for line in (tmp_path / "book.db.ledger").read_text().splitlines()]
    assert [line["outcome"] for line in lines if "outcome" in line] == ["done", "void", "done"]


@pytest.mark.parametrize("committed", [True, False])
def test_a_write_cut_short_is_decided_by_the_mark_in_the_book(
    ledger: TestLedger, tmp_path: Path, committed: bool
) -> None:
    path = tmp_path / "book.db.ledger"
    ledger.append([entry(1)])
    settled = path.read_bytes()
    ledger.append([entry(2), entry(3)], commits=committed)
    whole = path.read_bytes()
    path.write_bytes(whole[: whole[:-1].rfind(b"\n") + 1])
    expected = [entry(1), *([entry(2), entry(3)] if committed else [])]
    assert list(ledger.entries()) == expected
    assert path.read_bytes() == whole, "the missing outcome was written"
    ledger.append([entry(4)])
    assert list(ledger.entries()) == [*expected, entry(4)]
    assert whole.startswith(settled)


def test_intents_that_were_torn_in_the_middle_are_void(ledger: TestLedger, tmp_path: Path) -> None:
    ledger.append([entry(1)])
    ledger.append([entry(2), entry(3)])
    path = tmp_path / "book.db.ledger"
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:3]) + lines[3][:20])
    ledger.marks["ada"] = f"{len(b''.join(lines[:1]))}:{json.loads(lines[0])['hash']}"
    assert list(ledger.entries()) == [entry(1)]
    ledger.append([entry(4)])
    assert list(ledger.entries()) == [entry(1), entry(4)]


def test_a_ledger_without_phases_is_read_as_it_is(ledger: TestLedger, tmp_path: Path) -> None:
    hash, text = "", ""
    for number in (1, 2):
        line = to_line(entry(number))
        hash = chained(hash, line)
        text += json.dumps({**line, "hash": hash}) + "\n"
    (tmp_path / "book.db.ledger").write_text(text)
    assert list(ledger.entries()) == [entry(1), entry(2)]
    ledger.append([entry(3)])
    assert list(ledger.entries()) == [entry(1), entry(2), entry(3)]


def test_a_ledger_that_was_lost_cut_or_replaced_is_noticed(ledger: TestLedger, tmp_path: Path) -> None:
    path = tmp_path / "book.db.ledger"
    assert ledger.problem(None) is None
    ledger.append([entry(1)])
    ledger.append([entry(2)])
    mark = ledger.marks["ada"]
    assert ledger.problem(mark) is None
    whole = path.read_bytes()
    ledger.append([entry(3)])
    assert ledger.problem(mark) is None, "it only grew"
    path.write_bytes(whole[: whole.find(b"\n") + 1])
    assert "was cut short" in str(ledger.problem(mark))
    path.write_bytes(whole.replace(b"a", b"b"))
    assert "was changed" in str(ledger.problem(mark))
    path.unlink()
    assert "is missing" in str(ledger.problem(mark))
