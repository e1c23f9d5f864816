"""Revise, reject, forget and erase: done, or not done, in the book, in the ledger and in every restore afterwards."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from commonplace import Commonplace
from commonplace.errors import StoreFull
from commonplace.memories.unit_of_work import Work
from commonplace.store.rows import EvidenceRow, LedgerEntry
from commonplace.store.sqlite.ledger import FileLedger
from commonplace.upkeep.schedule import maintain

Opener = Callable[..., Commonplace]
ACTS: dict[str, Callable[[Commonplace, str], Any]] = {
    "revise": lambda book, id: book.revise(id, "Ada lives in Turin", reason="moved"),
    "reject": lambda book, id: book.reject(id, reason="wrong"),
    "forget": lambda book, id: book.forget(id),
    "erase": lambda book, id: book.erase(confirm=True),
}


@contextmanager
def full_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every write fails at its very end, just before the commit."""
    receipt = Work.receipt

    def failing(self: Work, **options: Any) -> Any:
        receipt(self, **options)
        raise StoreFull("no space left")

    with monkeypatch.context() as patched:
        patched.setattr(Work, "receipt", failing)
        yield


@pytest.mark.parametrize("act", ACTS)
def test_an_act_that_failed_never_happened(open_book: Opener, monkeypatch: pytest.MonkeyPatch, act: str) -> None:
    book = open_book()
    id = book.remember("Ada lives in Oslo").id
    with full_disk(monkeypatch), pytest.raises(StoreFull):
        ACTS[act](book, id)
    again = open_book()
    assert list(again._parts.store.ledger.entries()) == []
    assert again.get(id).text == "Ada lives in Oslo"
    later = again.remember("Ada has a boat").id
    assert again.doctor(fix=True, full=True).sound
    assert [again.get(one).text for one in (id, later)] == ["Ada lives in Oslo", "Ada has a boat"]
    assert again.revise(id, "Ada lives in Turin", reason="moved").action == "REVISE"


@pytest.mark.one_engine("a PostgreSQL book is restored by its server")
@pytest.mark.parametrize("act", ACTS)
def test_a_backup_after_a_failed_act_brings_everything_back(
    open_book: Opener, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, act: str
) -> None:
    book = open_book()
    id = book.remember("Ada lives in Oslo").id
    with full_disk(monkeypatch), pytest.raises(StoreFull):
        ACTS[act](book, id)
    later = book.remember("Ada has a boat").id
    book.backup(tmp_path / "one.backup")
    book.restore(tmp_path / "one.backup")
    assert [book.get(one).text for one in (id, later)] == ["Ada lives in Oslo", "Ada has a boat"]
    ACTS[act](book, id)
    book.restore(tmp_path / "one.backup")
    assert "Ada lives in Oslo" not in [hit.memory.text for hit in book.recall("Where does Ada live?")], "the control"


def test_an_erasure_is_finished_by_whoever_opens_the_book_next(
    open_book: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    book = open_book(owner="ada")
    book.remember("Ada lives in Oslo")
    other = open_book(owner="ben")
    other.remember("Ben lives in Rome")
    keychain = type(book._parts.keychain)
    before = book._parts.store.keyrings.get("ada")

    def killed(self: object, owner: str) -> None:
        raise InterruptedError

    finish = keychain.finish_erasure
    with monkeypatch.context() as patched, pytest.raises(InterruptedError):
        patched.setattr(keychain, "begin_erasure", lambda self, owner: _begun(self, owner, finish, killed, patched))
        book.erase(confirm=True)
    assert other.doctor(full=True).sound
    again = open_book(owner="ada")
    assert again.stats().memories == 0
    record = again._parts.store.keyrings.get("ada")
    assert record != before and again._parts.keychain.latest("ada") == again._parts.keychain.fresh("ada")
    again.remember("Ada lives in Turin")
    assert open_book(owner="ada").recall("Turin")[0].memory.text == "Ada lives in Turin"
    assert open_book(owner="ada").doctor(full=True).sound


@pytest.mark.parametrize("act", ["forget", "erase"])
def test_a_disk_that_is_full_only_after_the_commit_does_not_deny_the_act(
    open_book: Opener, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    book = open_book()
    id = book.remember("Ada lives in Oslo").id

    keyrings = type(book._parts.store.keyrings)
    put = keyrings.put

    def full(*_: object, shred: bool = True, **options: Any) -> Any:
        if shred:
            raise StoreFull("no space left; nothing was changed")
        return put(*_, shred=shred, **options)

    with monkeypatch.context() as patched:
        patched.setattr(type(book._parts.store), "scrub", full)
        patched.setattr(keyrings, "put", full)
        receipt = ACTS[act](book, id)
        assert receipt.state == "scrub pending" and book.browse() == []
    again = open_book()
    assert again.browse() == []
    if again._parts.store.engine == "sqlite":
        maintain(again._parts)
        assert again.verify_receipt(receipt.ref).state == "scrubbed"
    again.remember("Ada lives in Turin")
    assert [memory.text for memory in open_book().browse()] == ["Ada lives in Turin"]


def _begun(self: Any, owner: str, finish: Any, killed: Any, patched: pytest.MonkeyPatch) -> Any:
    """Begin as always; from then on nobody finishes."""
    finish(self, owner)
    patched.undo()
    keys = self.begin_erasure(owner)
    patched.setattr(type(self), "finish_erasure", killed)
    return keys


def test_a_quote_sealed_for_another_memory_is_found_and_mended(book: Commonplace) -> None:
    scope = book._scope
    episode = book.observe([{"text": "We decided to use Postgres for production."}]).ids[0]
    first, second = book.remember("Postgres is our database").id, book.remember("Production runs on Postgres").id
    vault = scope.current_vault()
    with scope.store.write("me") as tx:
        quotes = {first: "use Postgres for production", second: "never said by anybody"}
        rows = [
            EvidenceRow(
                noun="memory",
                id=id,
                episode=episode,
                sealed=vault.seal_json("evidence", f"memory/somebody else/{episode}", quote),
            )
            for id, quote in quotes.items()
        ]
        tx.evidence.put(rows)
    diagnosis = book.doctor(full=True)
    assert [symptom.check for symptom in diagnosis.symptoms if symptom.grade == "problem"] == ["sealed"]
    assert book.doctor(fix=True).sound and book.doctor(full=True).sound
    with scope.store.read("me") as tx:
        found = {row.id: row.sealed for row in tx.evidence.of("memory", [first, second])}
    assert scope.open_json("evidence", f"memory/{first}/{episode}", found[first]) == "use Postgres for production"
    assert found[second] is None, "what nobody said is not believed"


def test_an_intent_whose_commit_failed_is_void(tmp_path: Path) -> None:
    committed: dict[str, str] = {}
    ledger = FileLedger(tmp_path / "book.ledger", committed.get)
    entry = LedgerEntry(owner="me", at=1, act="forget", namespace="n", target="m1")
    with pytest.raises(StoreFull), ledger.recording([entry], lambda mark: None):
        raise StoreFull("no space left")
    assert list(ledger.entries()) == []
    with ledger.recording([entry], lambda mark: committed.update(me=mark)):
        pass
    assert list(ledger.entries()) == [entry], "the control"
