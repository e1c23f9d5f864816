"""Each owner's keys: made once, wrapped, rotated, destroyed."""

import json

import pytest

from commonplace.errors import KeyringError
from commonplace.security.keys import Keychain, OwnerKeys

from .ring import MemoryRing

MASTER = bytes(range(32))
OTHER = bytes(range(1, 33))


class Racing(MemoryRing):
    """Lets another process write just before our own write lands."""

    def __init__(self, rival) -> None:
        super().__init__()
        self.rival = rival

    def put(self, owner, record, *, expected, shred=False):
        if self.rival:
            rival, self.rival = self.rival, None
            rival(self)
        return super().put(owner, record, expected=expected)


def test_keys_are_made_once_and_read_back_by_the_next_process():
    ring = MemoryRing()
    made = Keychain(ring, MASTER).of("ada")
    assert Keychain(ring, MASTER).of("ada") == made
    assert len({made.blind, made.fingerprint, made.seal[1]}) == 3


def test_two_owners_have_nothing_in_common():
    chain = Keychain(MemoryRing(), MASTER)
    ada, bob = chain.of("ada"), chain.of("bob")
    assert {ada.blind, ada.fingerprint, *ada.seal.values()}.isdisjoint({bob.blind, bob.fingerprint, *bob.seal.values()})


def test_two_processes_that_start_together_agree():
    ring = Racing(lambda ring: Keychain(ring, MASTER).of("ada"))
    mine = Keychain(ring, MASTER).of("ada")
    assert mine == Keychain(ring, MASTER).of("ada")


def test_no_key_stands_in_the_record_or_in_a_printed_value():
    ring = MemoryRing()
    keys = Keychain(ring, MASTER).of("ada")
    record = ring.records["ada"]
    seen = json.loads(record)
    assert set(seen) == {"v", "check", "nonce", "keys"}
    for key in (keys.blind, keys.fingerprint, keys.seal[1], MASTER):
        assert key not in record
        assert key.hex().encode() not in record
        assert repr(key) not in repr(keys)


def test_a_wrong_master_key_is_recognised_and_the_right_one_still_opens():
    ring = MemoryRing()
    made = Keychain(ring, MASTER).of("ada")
    with pytest.raises(KeyringError, match="master key in use is not the one"):
        Keychain(ring, OTHER).of("ada")
    assert Keychain(ring, MASTER).of("ada") == made


def test_a_wrong_master_key_founds_no_new_owner_beside_the_old_ones():
    ring = MemoryRing()
    Keychain(ring, MASTER).of("ada")
    with pytest.raises(KeyringError, match="master key"):
        Keychain(ring, OTHER).of("bob")
    assert ring.owners() == ["ada"]
    Keychain(ring, MASTER).of("bob")
    assert ring.owners() == ["ada", "bob"]


def test_a_record_moved_to_another_owner_does_not_open():
    ring = MemoryRing()
    Keychain(ring, MASTER).of("ada")
    ring.records["bob"] = ring.records["ada"]
    with pytest.raises(KeyringError, match="damaged or belongs to another owner"):
        Keychain(ring, MASTER).of("bob")


@pytest.mark.parametrize("record", [b"", b"nonsense", b"[]", b'{"v": 2}', b'{"v": 1}'])
def test_a_damaged_record_is_said_to_be_one(record):
    ring = MemoryRing()
    ring.records["ada"] = record
    with pytest.raises(KeyringError):
        Keychain(ring, MASTER).of("ada")


def test_a_master_key_of_another_length_is_refused():
    with pytest.raises(KeyringError, match="32 bytes"):
        Keychain(MemoryRing(), b"short")


def test_rotating_adds_a_generation_and_keeps_the_others():
    chain = Keychain(MemoryRing(), MASTER)
    before = chain.of("ada")
    assert chain.rotate_seal("ada") == 2
    after = chain.of("ada")
    assert after.current == 2
    assert after.seal[1] == before.seal[1] != after.seal[2]
    assert (after.blind, after.fingerprint) == (before.blind, before.fingerprint)


def test_retiring_destroys_an_old_generation_never_the_current_one():
    chain = Keychain(MemoryRing(), MASTER)
    chain.of("ada")
    chain.rotate_seal("ada")
    with pytest.raises(KeyringError, match="in use"):
        chain.retire_seal("ada", 2)
    chain.retire_seal("ada", 1)
    chain.retire_seal("ada", 1)
    assert list(chain.of("ada").seal) == [2]
    assert chain.rotate_seal("ada") == 3


def test_a_rotation_lost_to_another_process_is_done_again_on_top_of_its():
    ring = Racing(None)
    Keychain(ring, MASTER).of("ada")
    ring.rival = lambda ring: Keychain(ring, MASTER).rotate_seal("ada")
    assert Keychain(ring, MASTER).rotate_seal("ada") == 3
    assert sorted(Keychain(ring, MASTER).of("ada").seal) == [1, 2, 3]


def test_the_blind_key_rotates_alone():
    chain = Keychain(MemoryRing(), MASTER)
    before = chain.of("ada")
    assert chain.rotate_blind("ada") == 2
    after = chain.of("ada")
    assert after.blind != before.blind
    assert (after.seal, after.fingerprint) == (before.seal, before.fingerprint)


def test_fresh_sees_what_another_process_rotated_and_of_may_not():
    ring = MemoryRing()
    mine, theirs = Keychain(ring, MASTER), Keychain(ring, MASTER)
    mine.of("ada")
    theirs.rotate_seal("ada")
    assert mine.of("ada").current == 1
    assert mine.fresh("ada").current == 2
    assert mine.of("ada").current == 2


def test_destroyed_keys_are_gone_in_every_process_that_looks():
    ring = MemoryRing()
    mine, theirs = Keychain(ring, MASTER), Keychain(ring, MASTER)
    old = mine.of("ada")
    assert theirs.known("ada")
    theirs.destroy("ada")
    assert not mine.known("ada")
    with pytest.raises(KeyringError, match="no keys in the keyring"):
        mine.fresh("ada")
    assert mine.of("ada") != old


def test_latest_sees_what_others_did_and_makes_new_keys_after_an_erasure():
    ring = MemoryRing()
    mine, theirs = Keychain(ring, MASTER), Keychain(ring, MASTER)
    old = mine.latest("ada")
    assert mine.latest("ada") is old
    theirs.rotate_seal("ada")
    assert mine.latest("ada").current == 2
    theirs.destroy("ada")
    assert mine.latest("ada").fingerprint != old.fingerprint


def test_changing_the_keys_of_nobody_makes_none():
    chain = Keychain(MemoryRing(), MASTER)
    with pytest.raises(KeyringError, match="no keys"):
        chain.rotate_seal("nobody")
    assert not chain.known("nobody")


def test_rewrapping_moves_every_owner_to_the_new_master_key():
    ring = MemoryRing()
    chain = Keychain(ring, MASTER)
    keys = {owner: chain.of(owner) for owner in ("ada", "bob")}
    chain.rewrap(OTHER)
    assert {owner: chain.of(owner) for owner in keys} == keys
    assert {owner: Keychain(ring, OTHER).of(owner) for owner in keys} == keys
    with pytest.raises(KeyringError):
        Keychain(ring, MASTER).of("ada")


def test_a_rewrap_that_was_interrupted_goes_on_where_it_stopped():
    ring = MemoryRing()
    chain = Keychain(ring, MASTER)
    keys = {owner: chain.of(owner) for owner in ("ada", "bob")}
    still_old = ring.records["bob"]
    chain.rewrap(OTHER)
    ring.records["bob"] = still_old
    Keychain(ring, MASTER).rewrap(OTHER)
    assert {owner: Keychain(ring, OTHER).of(owner) for owner in keys} == keys


def test_fresh_keys_are_never_the_same_twice():
    assert OwnerKeys.fresh() != OwnerKeys.fresh()


def test_an_erasure_keeps_the_old_keys_until_it_is_committed_and_destroys_them_then():
    ring, committed = MemoryRing(), []
    mine, theirs = (Keychain(ring, MASTER, erasures=lambda owner: committed) for _ in range(2))
    old = mine.of("ada")
    successor = mine.begin_erasure("ada")
    assert successor != old and mine.latest("ada") == theirs.latest("ada") == old
    mine.finish_erasure("ada")
    assert theirs.latest("ada") == old, "nothing is destroyed before the commit"
    second = mine.begin_erasure("ada")
    assert second != successor, "an erasure that was given up leaves no keys to the next"
    committed.append(second.id)
    assert theirs.latest("ada") == second, "whoever writes after the commit uses the new keys"
    theirs.rotate_seal("ada")
    assert mine.latest("ada").seal[1] == second.seal[1] and sorted(mine.latest("ada").seal) == [1, 2]
    mine.finish_erasure("ada")
    committed.clear()
    assert Keychain(ring, MASTER).of("ada").fingerprint == second.fingerprint


def test_keys_are_rotated_while_an_erasure_waits_for_its_commit():
    ring, committed = MemoryRing(), []
    chain = Keychain(ring, MASTER, erasures=lambda owner: committed)
    chain.of("ada")
    successor = chain.begin_erasure("ada")
    assert chain.rotate_seal("ada") == 2
    committed.append(successor.id)
    assert chain.latest("ada") == successor
