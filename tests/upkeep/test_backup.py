"""Backup and restore: the copy is whole, and nothing that was forgotten, rejected or erased comes back with it."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from commonplace import Commonplace, Invalid, Message, NotFound, Settings
from commonplace.copies import backup as backups
from commonplace.errors import KeyringError, StoreError
from commonplace.memories.gateway import Gateway
from commonplace.memories.unit_of_work import write_transaction
from commonplace.model import NewMemory
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import schedule

pytestmark = pytest.mark.one_engine("a PostgreSQL book is backed up by its server: tests/store/test_dump_restore.py")

posix = pytest.mark.skipif(os.name != "posix", reason="file modes are a matter of POSIX")


@pytest.fixture
def book_url(sqlite_url: str) -> str:
    return sqlite_url


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return tmp_path / "copies" / "one.backup"


def found(book: Commonplace, text: str) -> list[str]:
    return [hit.memory.text for hit in book.recall(text, limit=20)]


@posix
def test_a_backup_is_private_whole_and_without_keys(book: Commonplace, copy: Path) -> None:
    book.remember("the harbour freezes")
    book.backup(copy)
    assert copy.stat().st_mode & 0o777 == 0o600 and copy.parent.stat().st_mode & 0o777 == 0o700
    assert [path.name for path in copy.parent.iterdir()] == [copy.name]
    book.backup(copy, with_keys=True)
    assert copy.with_name(copy.name + ".keyring").stat().st_mode & 0o777 == 0o600


def test_only_the_newest_copies_are_kept(book: Commonplace, clock: StoppedClock, tmp_path: Path) -> None:
    for _ in range(4):
        book.backup(tmp_path / "copies", keep=2)
        clock.advance(hours=1)
    assert len(backups.copies(tmp_path / "copies")) == 2
    newest = backups.copies(tmp_path / "copies")[0]
    assert newest.name == f"commonplace-{(clock.at).strftime('%Y%m%dT')}{clock.at.hour - 1:02}0000Z.backup"


def test_a_restore_brings_back_what_was_lost(book: Commonplace, copy: Path) -> None:
    kept = book.remember("the harbour freezes").id
    book.backup(copy)
    book.revise(kept, importance=0.9)
    later = book.remember("a ship came in").id
    book.restore(copy)
    assert book.get(kept).version == 1 and found(book, "harbour") == ["the harbour freezes"]
    with pytest.raises(NotFound):
        book.get(later)
    assert book.remember("a ship came in").action == "ADD"
    assert found(book, "ship")[0] == "a ship came in" and book.audit.verify().ok


def test_what_was_forgotten_since_stays_forgotten_and_its_neighbour_stays(book: Commonplace, copy: Path) -> None:
    secret = book.remember("Ada has a scar on her knee").id
    neighbour = book.remember("Ada has a bicycle").id
    book.observe(["My sister is called Zelda. She sails."], session="talk")
    turn = book.recall("Zelda")[0].memory.id
    book.backup(copy)
    book.forget(secret)
    book.forget(turn)
    book.restore(copy)
    assert [text for text in found(book, "scar knee bicycle Zelda") if "scar" in text or "Zelda" in text] == []
    assert "Ada has a bicycle" in found(book, "bicycle") and book.get(neighbour).version == 1
    for id in (secret, turn):
        with pytest.raises(NotFound):
            book.history(id)
    from commonplace.errors import Tombstoned

    with pytest.raises(Tombstoned):
        book.remember("ada has a scar on her KNEE")


def test_a_forgotten_quote_is_redacted_in_a_turn_that_the_copy_brings_back(book: Commonplace, copy: Path) -> None:
    episode = book.observe("I sold the old boat to Henrik. The weather was fine.").id
    book.backup(copy)
    with write_transaction(book._scope, "LEARN") as work:
        gateway = Gateway(book._scope)
        new = NewMemory(text="The owner sold a boat to Henrik")
        learned = gateway.admit(work, new, evidence=[(episode, "I sold the old boat to Henrik.")]).id
        work.receipt()
    book.forget(learned)
    assert "Henrik" not in book.get(episode).text
    book.restore(copy)
    assert "Henrik" not in book.get(episode).text and "weather was fine" in book.get(episode).text
    assert all("Henrik" not in one.memory.text for one in book.history(episode))
    assert not [text for text in found(book, "Henrik boat") if "Henrik" in text]


def test_a_forgotten_belief_from_two_sentences_leaves_the_third_in_a_turn_of_an_older_copy(
    book: Commonplace, copy: Path
) -> None:
    text = "What do you think? I sold the old boat to Henrik. He paid for it in silver."
    episode = book.observe(Message(role="assistant", text=text)).id
    book.backup(copy)
    with write_transaction(book._scope, "LEARN") as work:
        quote = "I sold the old boat to Henrik. He paid for it in silver."
        learned = Gateway(book._scope).admit(work, NewMemory(text="A boat was sold"), evidence=[(episode, quote)]).id
        work.receipt()
    book.forget(learned)
    assert book.get(episode).text == "What do you think? [forgotten]"
    book.restore(copy)
    assert book.get(episode).text == "What do you think? [forgotten]"


def test_a_sentence_that_stayed_is_there_after_a_restore(book: Commonplace, copy: Path) -> None:
    text = "I sold the old boat to Henrik. The weather was fine."
    episode = book.observe(Message(role="assistant", text=text)).id
    book.backup(copy)
    with write_transaction(book._scope, "LEARN") as work:
        gateway = Gateway(book._scope)
        gateway.admit(work, NewMemory(text="The boat was sold on a fine day"), evidence=[(episode, text)])
        quote = "I sold the old boat to Henrik."
        sale = gateway.admit(work, NewMemory(text="Henrik has the boat"), evidence=[(episode, quote)]).id
        work.receipt()
    assert len(book.forget(sale).changes) > 1, "the conclusion from both sentences goes too"
    assert book.get(episode).text == "[forgotten] The weather was fine."
    book.restore(copy)
    assert book.get(episode).text == "[forgotten] The weather was fine."


def test_rejected_and_corrected_values_do_not_come_back_as_beliefs(book: Commonplace, copy: Path) -> None:
    wrong = book.remember("the moon is cheese").id
    old = book.remember("the moon is near").id
    lifted = book.remember("the moon is round").id
    book.backup(copy)
    book.reject(wrong)
    book.revise(old, "the moon is far")
    book.reject(lifted)
    book.confirm(lifted)
    book.restore(copy)
    assert (book.get(wrong).status, book.get(old).status, book.get(lifted).status) == (
        "rejected",
        "rejected",
        "verified",
    )
    assert found(book, "moon") == ["the moon is round"]


def test_erased_namespaces_and_owners_stay_erased(open_book, copy: Path) -> None:
    book, other = open_book(), open_book(owner="eve")
    book.within("work").remember("the budget is tight")
    book.remember("the harbour freezes")
    other.remember("eve keeps bees")
    book.backup(copy, with_keys=True)
    book.erase(confirm=True, namespace="work")
    other.erase(confirm=True)
    other.remember("a new life")
    book.restore(copy)
    assert found(book, "harbour") == ["the harbour freezes"]
    assert book.within("work").recall("budget") == [] or all(
        "budget" not in hit.memory.text for hit in book.within("work").recall("budget")
    )
    fresh = open_book(owner="eve")
    assert [hit.memory.text for hit in fresh.recall("bees")] == [] and fresh.stats().memories == 0
    second = copy.with_name("two.backup")
    fresh.remember("a second life")
    fresh.backup(second)
    fresh.restore(second)
    assert [hit.memory.text for hit in open_book(owner="eve").recall("second")] == ["a second life"]


def test_a_restore_without_ledger_is_refused_unless_told(
    open_book, copy: Path, settings: Settings, tmp_path: Path, clock: StoppedClock
) -> None:
    book = open_book()
    book.remember("the harbour freezes")
    book.backup(copy, with_keys=True)
    url = f"sqlite:///{tmp_path}/other.db"
    with Commonplace.open(url, settings=settings, clock=clock) as fresh:
        with pytest.raises(Invalid, match="ledger"):
            fresh.restore(copy)
        fresh.restore(copy, without_ledger=True)
        assert found(fresh, "harbour") == ["the harbour freezes"]
    copy.with_name(copy.name + ".keyring").unlink()
    with Commonplace.open(f"sqlite:///{tmp_path}/third.db", settings=settings, clock=clock) as bare:
        with pytest.raises(KeyringError):
            bare.restore(copy, without_ledger=True)
        assert bare.remember("unharmed").action == "ADD"


def test_a_damaged_copy_changes_nothing(book: Commonplace, copy: Path) -> None:
    book.remember_many([f"harbour {n} freezes" for n in range(300)])
    book.backup(copy)
    data = bytearray(copy.read_bytes())
    data[len(data) // 2 : len(data) // 2 + 9000] = os.urandom(9000)
    copy.write_bytes(bytes(data))
    with pytest.raises(StoreError):
        book.restore(copy)
    assert book.stats().memories == 300 and found(book, "harbour 7")
    assert not list(Path(book._parts.store.place).parent.glob("*.restoring*"))


def test_another_open_process_sees_the_restored_book(open_book, copy: Path) -> None:
    one, other = open_book(), open_book()
    one.remember("the harbour freezes")
    one.backup(copy)
    one.remember("a ship came in")
    assert found(other, "ship") and found(other, "harbour")
    one.restore(copy)
    one.remember("a barge came in")
    assert found(other, "barge")[0] == "a barge came in" and "a ship came in" not in found(other, "ship barge")


def test_revoked_tokens_and_spent_budgets_are_not_turned_back(book: Commonplace, copy: Path) -> None:
    store = book._parts.store
    book.remember("something")
    from commonplace.store.rows import TokenRow

    row = TokenRow(
        id="t1", owner="me", hash=b"h" * 32, scope="all", created_at=1, expires_at=None, revoked_at=None, namespaces=(),
        sealed=book._scope.vault.seal_json("token", "t1", "door"),
    )  # fmt: skip
    store.accounts.put_token(row)
    book.backup(copy)
    store.accounts.put_token(replace(row, revoked_at=5))
    with store.write("me") as tx:
        tx.usage.add("2026-05-01", "llm", calls=1, tokens=700)
    book.restore(copy)
    assert store.accounts.tokens("me")[0].revoked_at == 5 and book.stats().tokens_today == 700


def test_scheduled_backups_are_made_practised_and_thinned(open_book, settings: Settings, clock: StoppedClock) -> None:
    book = open_book(settings=replace(settings, backup_schedule="daily", backup_keep=2))
    book.remember("the harbour freezes")
    for _ in range(4):
        made = [one for one in schedule.maintain(book._parts).reports if one.action == "BACKUP"]
        assert len(made) == 1 and made[0].counts["rows read"] == 1
        assert not [one for one in schedule.maintain(book._parts).reports if one.action == "BACKUP"]
        clock.advance(hours=25)
    assert len(backups.copies(settings.home / "backups")) == 2


@pytest.mark.damages_book("keys are replaced")
def test_a_drill_finds_a_copy_that_cannot_be_read(book: Commonplace, copy: Path, tmp_path: Path) -> None:
    book.remember("the harbour freezes")
    book.backup(copy)
    assert backups.drill(book._parts, copy).count == 0
    book._parts.keychain.destroy("me")
    book._parts.keychain.of("me")
    assert backups.drill(book._parts, copy).count == 1


def test_a_copy_from_before_a_key_rotation_opens_unless_the_old_key_was_destroyed(
    book: Commonplace, copy: Path
) -> None:
    id = book.remember("the harbour freezes").id
    book.backup(copy)
    book.rotate_keys()
    book.restore(copy)
    assert book.get(id).text == "the harbour freezes"
    assert book.rotate_keys(destroy_old=True).counts["keys destroyed"] == 2
    with pytest.raises(KeyringError):
        book.restore(copy)
    assert book.get(id).text == "the harbour freezes" and book.doctor().sound


def test_a_file_that_is_no_copy_is_named_as_it_was_given(book: Commonplace, tmp_path: Path) -> None:
    book.remember("something")
    if book._parts.store.engine != "sqlite":
        pytest.skip("a PostgreSQL book is restored by its server")
    wrong = tmp_path / "letter.txt"
    wrong.write_text("Dear Ada")
    with pytest.raises(StoreError, match=r"letter\.txt is not a backup of a book"):
        book.restore(wrong)
    assert [one.text for one in book.browse()] == ["something"]
