"""Sealing and blinding for one owner."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commonplace.errors import KeyringError
from commonplace.security import vault as collection
from commonplace.security.keys import Keychain, OwnerKeys
from commonplace.security.vault import OVERHEAD, Vault, sealed_with

from .ring import MemoryRing

MASTER = bytes(range(32))
TEXT = b"Ada prefers trains to planes"


@pytest.fixture
def vault():
    return Vault("ada", OwnerKeys.fresh())


def test_what_is_sealed_opens_and_shows_nothing(vault):
    sealed = vault.seal("memory", "m1", TEXT)
    assert vault.open("memory", "m1", sealed) == TEXT
    assert len(sealed) == len(TEXT) + OVERHEAD
    assert not any(word in sealed for word in TEXT.split())


@given(plain=st.binary(max_size=300), table=st.text(max_size=10), row=st.text(max_size=10))
@settings(max_examples=50, deadline=None)
def test_any_bytes_come_back(plain, table, row):
    vault = Vault("ada", OwnerKeys.fresh())
    assert vault.open(table, row, vault.seal(table, row, plain)) == plain


def test_the_same_text_sealed_twice_differs(vault):
    assert vault.seal("memory", "m1", TEXT) != vault.seal("memory", "m1", TEXT)


@pytest.mark.parametrize(("table", "row"), [("memory", "m2"), ("version", "m1"), ("memor", "ym1"), ("", "memorym1")])
def test_a_row_moved_elsewhere_does_not_open(vault, table, row):
    sealed = vault.seal("memory", "m1", TEXT)
    with pytest.raises(KeyringError, match="does not open"):
        vault.open(table, row, sealed)
    assert vault.open("memory", "m1", sealed) == TEXT


def test_another_owner_with_the_very_same_keys_cannot_open_it(vault):
    with pytest.raises(KeyringError):
        Vault("bob", vault.keys).open("memory", "m1", vault.seal("memory", "m1", TEXT))


def test_every_changed_bit_and_every_cut_is_noticed(vault):
    sealed = vault.seal("memory", "m1", b"short")
    for at in range(len(sealed)):
        changed = bytes([*sealed[:at], sealed[at] ^ 1, *sealed[at + 1 :]])
        with pytest.raises(KeyringError):
            vault.open("memory", "m1", changed)
        with pytest.raises(KeyringError):
            vault.open("memory", "m1", sealed[:at])
    assert vault.open("memory", "m1", sealed) == b"short"


def test_no_error_carries_the_text(vault):
    sealed = vault.seal("memory", "m1", TEXT)
    with pytest.raises(KeyringError) as caught:
        vault.open("memory", "m2", sealed)
    assert "trains" not in str(caught.value)
    assert "m2" in str(caught.value)


def test_old_rows_open_through_a_rotation_until_their_key_is_retired():
    chain = Keychain(MemoryRing(), MASTER)
    old = Vault("ada", chain.of("ada")).seal("memory", "m1", TEXT)
    chain.rotate_seal("ada")
    vault = Vault("ada", chain.of("ada"))
    new = vault.seal("memory", "m1", vault.open("memory", "m1", old))
    assert (sealed_with(old), sealed_with(new)) == (1, 2)
    assert (vault.stale(old), vault.stale(new)) == (True, False)
    chain.retire_seal("ada", 1)
    vault = Vault("ada", chain.of("ada"))
    assert vault.open("memory", "m1", new) == TEXT
    with pytest.raises(KeyringError, match="sealed with key 1"):
        vault.open("memory", "m1", old)


def test_a_destroyed_owner_cannot_be_read_with_new_keys():
    chain = Keychain(MemoryRing(), MASTER)
    sealed = Vault("ada", chain.of("ada")).seal("memory", "m1", TEXT)
    assert Vault("ada", chain.of("ada")).open("memory", "m1", sealed) == TEXT
    chain.destroy("ada")
    with pytest.raises(KeyringError):
        Vault("ada", chain.of("ada")).open("memory", "m1", sealed)


def test_json_comes_back_with_every_script_and_lone_surrogates(vault):
    value = {"名": ["Zürich", None, 1.5, True, "\ud800"], "deep": {"a": [{}]}}
    assert vault.open_json("memory", "m1", vault.seal_json("memory", "m1", value)) == value


def test_terms_are_the_same_here_and_in_another_process_but_nowhere_else(vault):
    words = ["train", "zürich", "東京", "train", ""]
    terms = vault.terms("n1", words)
    assert terms == [vault.term("n1", word) for word in words] == Vault("ada", vault.keys).terms("n1", words)
    assert terms[0] == terms[3]
    assert all(-(2**63) <= term < 2**63 for term in terms)
    assert set(terms).isdisjoint(vault.terms("n2", words))
    assert set(terms).isdisjoint(Vault("ada", OwnerKeys.fresh()).terms("n1", words))


def test_terms_stay_right_when_the_cache_overflows(vault, monkeypatch):
    monkeypatch.setattr(collection, "CACHED_WORDS", 8)
    monkeypatch.setattr(collection, "CACHED_NAMESPACES", 2)
    words = [f"word{n}" for n in range(50)]
    wanted = [Vault("ada", vault.keys).term("n1", word) for word in words]
    for namespace in ("n1", "n2", "n3", "n1"):
        vault.terms(namespace, words)
    assert vault.terms("n1", words) == wanted
    assert len(vault._blinds) == 2
    assert all(len(blind) <= 8 for blind in vault._blinds.values())


def test_terms_spread_over_all_64_bits(vault):
    terms = vault.terms("n1", [f"word{n}" for n in range(2000)])
    assert len(set(terms)) == 2000
    for bit in range(64):
        assert 800 < sum(term >> bit & 1 for term in terms) < 1200


def test_a_fingerprint_holds_against_another_spelling_and_tells_values_apart(vault):
    one = vault.fingerprint("n1", "Ada lives in Zürich")
    assert one == vault.fingerprint("n1", "  ada LIVES in\u200b Zürich ")
    assert len(one) == 16
    assert one != vault.fingerprint("n1", "Ada lives in Bern")
    assert one != vault.fingerprint("n2", "Ada lives in Zürich")
    assert one != Vault("ada", OwnerKeys.fresh()).fingerprint("n1", "Ada lives in Zürich")


def test_a_fingerprint_outlives_both_rotations():
    chain = Keychain(MemoryRing(), MASTER)
    before = Vault("ada", chain.of("ada"))
    chain.rotate_seal("ada")
    chain.rotate_blind("ada")
    after = Vault("ada", chain.of("ada"))
    assert after.fingerprint("n1", "x") == before.fingerprint("n1", "x")
    assert after.label("tag", "x") == before.label("tag", "x")
    assert after.digest(b"x") == before.digest(b"x")
    assert after.term("n1", "x") != before.term("n1", "x")


def test_labels_fingerprints_and_digests_never_meet(vault):
    same = {vault.label("s", "v"), vault.fingerprint("s", "v"), vault.label("sv", ""), vault.label("", "sv")}
    assert len(same) == 4
    assert vault.label("tag", "Travel") == vault.label("tag", "travel")
    assert len(vault.digest(b"v")) == 32
    assert vault.digest(b"v") != vault.digest(b"w")


def test_two_owners_identical_texts_share_no_bytes():
    def stored(owner: str) -> bytes:
        vault = Vault(owner, OwnerKeys.fresh())
        terms = b"".join(term.to_bytes(8, signed=True) for term in vault.terms("n1", TEXT.decode().split()))
        names = vault.fingerprint("n1", TEXT.decode()) + vault.label("tag", "travel") + vault.digest(TEXT)
        return vault.seal("memory", "m1", TEXT * 4)[3:] + terms + names

    def pieces(data: bytes) -> set[bytes]:
        return {data[at : at + 6] for at in range(len(data) - 5)}

    ada, bob = stored("ada"), stored("bob")
    assert pieces(ada).isdisjoint(pieces(bob))
    assert pieces(ada) & pieces(ada[10:])
