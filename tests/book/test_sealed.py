"""What lies on the disk: no word that anybody typed, no byte of what was forgotten, nothing two owners share."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import apsw
import pytest

from commonplace import Commonplace, Message, Settings
from commonplace.errors import KeyringError
from commonplace.memories import jobs
from commonplace.security.keys import Keychain
from commonplace.store.rows import Filter
from commonplace.text.words import words

WORDS = {
    "text": "zanzibarquartz",
    "metadata name": "metaflamingo",
    "metadata value": "pelicanvalue",
    "core key": "corekeywombat",
    "core value": "corevalueibis",
    "speaker": "Speakerlynx",
    "session": "sessionbadger",
    "tag": "taggazelle",
    "tag description": "describedmoose",
    "entity": "Entityotter",
    "notes": "noteswalrus",
    "namespace": "namespacepuffin",
    "reason": "reasonjackal",
    "job": "payloadcondor",
}


INSERTED = (
    "insert into audit select owner, 1000 + sequence, at, actor, action, noun, target, before, after, hash, reason, "
    "reason_digest from audit where sequence = 2"
)


def written(book: Commonplace) -> None:
    """Every field that a person can fill, each with a word of its own."""
    w = WORDS
    kept = book.remember(
        f"the {w['text']} is here", tags=[w["tag"]], metadata={w["metadata name"]: w["metadata value"]}
    )
    book.core.set(w["core key"], w["core value"])
    book.observe([Message(f"I saw a {w['text']}", speaker=w["speaker"])], session=w["session"])
    book.glossary.create("birds", description=w["tag description"])
    book.relate(w["entity"], "knows", "Someone", object_type="person", notes=w["notes"])
    book.namespaces.create(w["namespace"])
    book.revise(kept.id, f"the {w['text']} is there", reason=w["reason"])
    with book._scope.store.write(book.owner) as tx:
        jobs.enqueue(book._scope, tx, "nothing", {"word": w["job"]})


def raw(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def spellings(word: str) -> list[bytes]:
    forms = {word, word.lower(), word.upper(), *words(word)}
    return [form.encode(code) for form in forms for code in ("utf-8", "utf-16-le", "utf-32-le")]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "place").mkdir()
    return tmp_path / "place"


@pytest.fixture
def sqlite_book(folder: Path) -> Commonplace:
    return Commonplace.open(f"sqlite:///{folder}/book.db", settings=Settings(home=folder))


@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_no_word_that_anybody_typed_lies_on_the_disk(sqlite_book: Commonplace, folder: Path) -> None:
    written(sqlite_book)
    found = {hit.memory.text for hit in sqlite_book.recall(WORDS["text"])}
    assert f"the {WORDS['text']} is there" in found, "the control: the words are in the book"
    for moment in ("open", "closed"):
        everything = raw(folder)
        assert len(everything) > 50_000
        leaked = [name for name, word in WORDS.items() if any(form in everything for form in spellings(word))]
        assert leaked == [], moment
        sqlite_book.close()


def test_the_grep_would_find_a_word_that_was_left_in_the_open(folder: Path) -> None:
    (folder / "leak.log").write_text(f"saw {WORDS['text']}")
    assert any(form in raw(folder) for form in spellings(WORDS["text"]))


@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_forgetting_leaves_no_byte_behind(sqlite_book: Commonplace, folder: Path) -> None:
    """Sealed bytes and blinded terms are not readable, but they must go all the same."""
    gone = sqlite_book.remember("the reactor password phrase is heliotrope umbrella")
    sqlite_book.remember("the canteen opens at noon")
    store, owner = sqlite_book._scope.store, sqlite_book.owner
    with store.read(owner) as tx:
        row = tx.memories.get([gone.id])[0]
        terms = sqlite_book._scope.vault.terms(row.namespace, words("heliotrope umbrella"))
        vector = next(iter(tx.vectors.load(row.namespace, tx.vectors.counts()[0][1], docs=[row.doc])))[0].data
    assert row.sealed in raw(folder) and vector in raw(folder), "the control: it was there"
    receipt = sqlite_book.forget(gone.id)
    assert receipt.state == "scrubbed"
    everything = raw(folder)
    assert row.sealed not in everything and vector not in everything
    assert gone.id.encode() in everything, "the ledger and the receipt know that something was forgotten"
    with store.read(owner) as tx:
        assert tx.words.fetch(row.namespace, terms) == {} or not any(tx.words.fetch(row.namespace, terms).values())
    assert [hit.memory.text for hit in sqlite_book.recall("canteen", limit=1)] == ["the canteen opens at noon"]
    assert sqlite_book.verify_receipt(receipt).gone


@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_a_reader_that_holds_the_log_makes_the_scrub_pending_and_says_so(sqlite_book: Commonplace) -> None:
    gone = sqlite_book.remember("the vault code is in the atlas")
    store = sqlite_book._scope.store
    reader = apsw.Connection(store.place)
    reader.execute("begin")
    reader.execute("select count(*) from memory").fetchall()
    receipt = sqlite_book.forget(gone.id)
    assert receipt.state == "scrub pending"
    assert not sqlite_book.verify_receipt(receipt).gone
    reader.execute("commit")
    reader.close()
    assert sqlite_book.verify_receipt(receipt).gone


@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_two_owners_identical_texts_share_no_bytes(folder: Path) -> None:
    text = "the very same sentence for both of them"
    url, settings = f"sqlite:///{folder}/book.db", Settings(home=folder)
    rows = []
    for owner in ("ada", "bob"):
        with Commonplace.open(url, owner=owner, settings=settings) as book:
            book.remember(text, tags=["same"])
            with book._scope.store.read(owner) as tx:
                rows.append(tx.memories.find(Filter())[0])
    ada, bob = rows
    assert ada.fingerprint != bob.fingerprint
    pieces = {ada.sealed[n : n + 4] for n in range(len(ada.sealed) - 3)} - {ada.sealed[:4]}
    shared = [n for n in range(4, len(bob.sealed) - 3) if bob.sealed[n : n + 4] in pieces]
    assert len(shared) <= 1, "more than chance"


@pytest.mark.damages_book("keys are lost")
@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_a_copy_of_an_erased_owner_cannot_be_read_with_the_master_key_at_hand(folder: Path, tmp_path: Path) -> None:
    url, settings = f"sqlite:///{folder}/book.db", Settings(home=folder)
    with Commonplace.open(url, owner="ada", settings=settings) as book:
        book.remember("the lighthouse is painted red")
        book._scope.store.backup(tmp_path / "old.db")
        control = Commonplace.open(url, owner="bob", settings=settings)
        control.remember("the pier is painted green")
        control.close()
        book.erase(confirm=True)
        assert book.recall("lighthouse") == []
        book.remember("the lighthouse is painted white")
    old = folder / "old.db"
    old.write_bytes((tmp_path / "old.db").read_bytes())
    (folder / "old.db.keyring").write_bytes((folder / "book.db.keyring").read_bytes())
    with Commonplace.open(f"sqlite:///{old}", owner="ada", settings=settings) as book:
        assert book.recall("lighthouse") == []
        with book._scope.store.read("ada") as tx:
            rows = tx.memories.find(Filter())
        assert len(rows) == 1, "the old row is there"
        with pytest.raises(KeyringError):
            book._scope.open_json("memory", rows[0].id, rows[0].sealed)
    with Commonplace.open(url, owner="bob", settings=settings) as book:
        assert len(book.recall("pier")) == 1


@pytest.mark.damages_book("lines of the audit are changed")
@pytest.mark.parametrize(
    "tampering",
    [
        "drop trigger audit_append_only; update audit set actor = 'nobody' where sequence = 3",
        "update audit set reason = x'00' where reason is not null",
        "update audit set reason = (select reason from audit where reason is not null) where sequence = 3",
        "delete from audit where sequence = 3",
        "delete from audit where sequence >= (select max(sequence) from audit)",
        INSERTED,
    ],
    ids=["changed", "given another reason", "given a reason", "removed", "cut off", "inserted"],
)
@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_the_audit_finds_a_line_that_was(sqlite_book: Commonplace, tampering: str) -> None:
    for n in range(5):
        sqlite_book.remember(f"fact number {n}")
    sqlite_book.archive(sqlite_book.recall("fact")[0].memory.id, reason="old")
    assert sqlite_book.audit.verify().ok
    other = apsw.Connection(sqlite_book._scope.store.place)
    other.execute(tampering)
    other.close()
    assert not sqlite_book.audit.verify().ok


def test_valid_times_are_utc_whatever_zone_they_came_in(book: Commonplace) -> None:
    receipt = book.remember("the moon was full", valid_from=datetime.fromisoformat("2026-05-01T02:00+02:00"))
    assert book.get(receipt.id).valid_from == datetime(2026, 5, 1, tzinfo=UTC)


@pytest.mark.damages_book("keys are lost")
@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_a_lost_keyring_is_said_to_be_lost_and_nothing_is_written(sqlite_book: Commonplace, folder: Path) -> None:
    kept = sqlite_book.remember("the ferry leaves at nine")
    place = sqlite_book._scope.store.place
    sqlite_book.close()
    keyring = Path(f"{place}.keyring")
    saved = keyring.read_bytes()
    keyring.unlink()
    with pytest.raises(KeyringError):
        Commonplace.open(f"sqlite:///{place}", settings=Settings(home=folder))
    keyring.write_bytes(saved)
    with Commonplace.open(f"sqlite:///{place}", settings=Settings(home=folder)) as book:
        assert book.get(kept.id).text == "the ferry leaves at nine"


@pytest.mark.damages_book("keys are lost")
@pytest.mark.one_engine("looks into the file, or at the key beside it")
def test_a_lost_master_key_is_not_replaced(sqlite_book: Commonplace, folder: Path) -> None:
    sqlite_book.remember("the ferry leaves at nine")
    place = sqlite_book._scope.store.place
    sqlite_book.close()
    (folder / "master.key").unlink()
    with pytest.raises(KeyringError):
        Commonplace.open(f"sqlite:///{place}", settings=Settings(home=folder))
    assert not (folder / "master.key").exists()


def test_an_owner_founded_by_another_while_a_book_is_opened_has_its_keys(
    open_book: Callable[..., Commonplace], monkeypatch: pytest.MonkeyPatch
) -> None:
    known, asked = Keychain.known, []

    def slowly(keychain: Keychain, owner: str) -> bool:
        found = known(keychain, owner)
        asked.append(found)
        if len(asked) == 1:
            open_book().remember("the pier is old")
        return found

    monkeypatch.setattr(Keychain, "known", slowly)
    assert [hit.memory.text for hit in open_book().recall("pier")] == ["the pier is old"]
    assert not asked[0]
