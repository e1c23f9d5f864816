"""An owner's three keys, and their encryption under the master key."""

import base64
import json
import os
import threading
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import blake2b
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from commonplace.errors import KeyringError

if TYPE_CHECKING:
    from commonplace.store.ports import Keyrings, Store

KEY_BYTES = 32
NONCE_BYTES = 12
RECORD_VERSION = 1
MOST_GENERATIONS = 0xFFFF
"""An encrypted row names its key in two bytes."""
INVITATION_BYTES = 16
Terms = Mapping[str, Any]
"""Role and permissions of a member or an invitation."""
MOST_TERMS = 10_000
"""Number of members' terms cached in memory."""
ATTEMPTS = 100
"""Lost races in a row after which the cause must be something else."""


@dataclass(frozen=True, slots=True)
class Elder:
    """The fingerprint key of a namespace in the book that an import came from.

    It decrypts nothing: it only tells whether a guessed value is among the tombstones.
    """

    key: bytes = field(repr=False)
    source: str
    """The namespace's id in that book."""
    scope: str
    """The namespace's id in this book."""


@dataclass(frozen=True, slots=True)
class OwnerKeys:
    """The keys that encrypt, hash and fingerprint an owner's rows. Never printed or pickled.

    ``seal`` has every generation that rows may still use; new rows use ``current``. ``blind_generation`` lets an index
    record which hashing key it was built with.
    """

    seal: Mapping[int, bytes] = field(repr=False)
    current: int
    blind: bytes = field(repr=False)
    fingerprint: bytes = field(repr=False)
    blind_generation: int = 1
    elders: tuple[Elder, ...] = ()

    @classmethod
    def fresh(cls) -> "OwnerKeys":
        return cls(seal={1: _random_bytes()}, current=1, blind=_random_bytes(), fingerprint=_random_bytes())

    @property
    def id(self) -> str:
        """An identifier of these keys that reveals nothing about them."""
        return blake2b(self.fingerprint, digest_size=8, person=b"commonplace/id").hexdigest()


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """An owner's record in the keyring. ``successor``: the keys that replace them when a running erasure commits."""

    keys: OwnerKeys
    successor: OwnerKeys | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """Who can open the keys of a shared namespace: its wrapping key, encrypted for each member and invitation."""

    members: Mapping[str, Mapping[str, str]]
    invitations: Mapping[str, Mapping[str, str]]


class Keychain:
    """Every owner's keys, created on first use and stored encrypted in a keyring outside the book.

    One record per owner, replaced only by compare-and-set, so that processes that start together agree on one key.
    Thread-safe.
    """

    def __init__(
        self, keyrings: "Keyrings", master: bytes, *, erasures: Callable[[str], Collection[str]] = lambda owner: ()
    ) -> None:
        """``erasures``: returns from the ledger the ids of the keys that an owner's committed erasures introduced.

        Raises ``KeyringError`` if ``master`` is not 32 bytes.
        """
        if len(master) != KEY_BYTES:
            raise KeyringError(f"a master key has {KEY_BYTES} bytes, this one has {len(master)}")
        self._keyrings = keyrings
        self._erasures = erasures
        self._master = master
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[bytes, OwnerKeys]] = {}
        self._terms_known: dict[tuple[str, str], tuple[bytes | None, bytes | None, Terms | None]] = {}
        """By shared namespace and member: the terms and the two records that they were read from."""
        self._proved = False

    @classmethod
    def of_store(cls, store: "Store", master: bytes) -> "Keychain":
        """The keys of a book's owners."""

        def erasures(owner: str) -> list[str]:
            return [entry.reason or "" for entry in store.ledger.entries(owner) if entry.act == "erase-owner"]

        return cls(store.keyrings, master, erasures=erasures)

    def server_key(self, purpose: str) -> bytes:
        """A key of the whole deployment, the same in each of its processes."""
        return blake2b(purpose.encode(), key=self._master, digest_size=32, person=b"commonplace/srv").digest()

    def of(self, owner: str) -> OwnerKeys:
        """The owner's keys: from memory, else from the keyring, else newly created.

        Another process may have rotated or destroyed them since; use ``fresh`` to check.
        """
        cached = self._cache.get(owner)
        return cached[1] if cached else self._read(owner) or self._make(owner)

    def latest(self, owner: str) -> OwnerKeys:
        """Like ``of``, but always read from the keyring."""
        return self._read(owner) or self._make(owner)

    def fresh(self, owner: str) -> OwnerKeys:
        """The owner's keys, read from the keyring; never creates any.

        Raises ``KeyringError`` if there are none: never created, destroyed, or a keyring that was not restored.
        """
        keys = self._read(owner)
        if keys is None:
            raise KeyringError(
                f"owner {owner!r} has no keys in the keyring; they were destroyed by an erasure, or the keyring that "
                "belongs to this book is not the one in use"
            )
        return keys

    def known(self, owner: str) -> bool:
        """Whether the keyring has a record for ``owner``, damaged or not; creates none."""
        record = self._keyrings.get(owner)
        if record is not None and owner not in self._cache:
            with suppress(KeyringError):  # an error is raised when the keys are needed
                self._cache_keys(owner, record, self._current_keys(owner, self._opened(owner, record)))
        return record is not None

    def rotate_seal(self, owner: str) -> int:
        """Add an encryption key for new rows and return its number; old rows stay readable until ``retire_seal``."""

        return self._change(owner, partial(_with_new_seal, owner)).current

    def retire_seal(self, owner: str, number: int) -> None:
        """Destroy an old encryption key that no row uses any more. Ignored if already destroyed; refused for the
        current one.
        """

        def step(keys: OwnerKeys) -> OwnerKeys:
            if number == keys.current:
                raise KeyringError(f"seal key {number} of owner {owner!r} is in use; rotate first")
            return replace(
                keys, seal={generation: key for generation, key in keys.seal.items() if generation != number}
            )

        self._change(owner, step, shred=True)

    def rotate_blind(self, owner: str) -> int:
        """Replace the hashing key and return its generation; words and vectors must be indexed again."""
        return self._change(owner, _with_new_blind).blind_generation

    def add_elders(self, owner: str, elders: Iterable[Elder]) -> None:
        """Store another book's fingerprint keys, so that its tombstones work here too."""
        earlier_keys = tuple(elders)
        if set(earlier_keys) - set(self.latest(owner).elders):
            self._change(owner, lambda keys: replace(keys, elders=tuple(dict.fromkeys((*keys.elders, *earlier_keys)))))

    def adopt(self, owner: str, keys: OwnerKeys, members: Mapping[str, Terms] | None = None) -> None:
        """Import an owner's keys from another book; ``members`` who exist here share them already.

        Raises ``KeyringError`` if the owner has other keys here.
        """
        record = _wrap(owner, KeyRecord(keys), self._master)
        if members:
            key = _random_bytes()
            shared = {
                name: _share(key, _member_key(self.fresh(name)), owner, terms)
                for name, terms in members.items()
                if self.known(name)
            }
            record = _wrap(owner, KeyRecord(keys), key, shares=Shares(shared, {}))
        if not self._keyrings.put(owner, record, expected=None) and self.fresh(owner) != keys:
            raise KeyringError(f"owner {owner!r} has other keys here; copy into a book without this owner")

    def destroy(self, owner: str) -> None:
        """Destroy the owner's keys: nothing they encrypted, here or in a backup, can be opened again."""
        self._keyrings.drop(owner)
        with self._lock:
            self._cache.pop(owner, None)

    def begin_erasure(self, owner: str) -> OwnerKeys:
        """Create the keys for the state after an erasure, stored beside the present ones until it commits.

        Call it inside the erasing transaction, so that there is one at a time. The ledger's entry names the keys.
        """
        self.finish_erasure(owner)
        self.latest(owner)
        successor = OwnerKeys.fresh()
        self._replace(owner, lambda record: replace(record, successor=successor))
        return successor

    def finish_erasure(self, owner: str) -> None:
        """Destroy the keys from before a committed erasure, if there is one."""
        data = self._keyrings.get(owner)
        if data is None:
            return
        record = self._opened(owner, data)
        if record.successor is not None and self._current_keys(owner, record) is record.successor:
            self._replace(owner, partial(_succeeded, record.successor), shred=True)

    def _current_keys(self, owner: str, record: KeyRecord) -> OwnerKeys:
        """The keys that the owner's rows use now."""
        if record.successor is not None and record.successor.id in self._erasures(owner):
            return record.successor
        return record.keys

    # Shared namespaces

    def found_shared(self, owner: str, member: str, terms: Terms) -> None:
        """Create the keys of a shared namespace. Only its members' keys open them, not the master key."""
        key = _random_bytes()
        shares = Shares({member: _share(key, _member_key(self.latest(member)), owner, terms)}, {})
        if not self._keyrings.put(owner, _wrap(owner, KeyRecord(OwnerKeys.fresh()), key, shares=shares), expected=None):
            raise KeyringError(f"owner {owner!r} has keys already")

    def members(self, owner: str) -> dict[str, Terms]:
        """The members of a shared namespace with their terms; empty if it is not shared."""
        shares = self._shares_of(owner)
        names = [] if shares is None else list(shares.members)
        records = zip(names, self._keyrings.get_all(names), strict=True)
        every = {name: self._terms(owner, shares, name, record) for name, record in records}
        return {name: terms for name, terms in every.items() if terms is not None}

    def member_terms(self, owner: str, member: str) -> Terms | None:
        """The member's terms, read from the keyring; None if their present keys do not open the shared namespace."""
        return self.terms_in(owner, member, *self._keyrings.get_all([owner, member]))

    def terms_in(self, owner: str, member: str, record: bytes | None, member_record: bytes | None) -> Terms | None:
        """Like ``member_terms``, from records that were just read."""
        cache = self._terms_known.get((owner, member))
        if cache is not None and cache[:2] == (record, member_record):
            return cache[2]
        terms = self._terms(owner, None if record is None else _shares(record), member, member_record)
        with self._lock:
            if len(self._terms_known) >= MOST_TERMS:
                self._terms_known.clear()
            cached = self._cache.get(member)
            if cached is not None and cached[0] == member_record:  # no erasure of the member is running
                self._terms_known[owner, member] = record, member_record, terms
        return terms

    def _terms(self, owner: str, shares: Shares | None, member: str, record: bytes | None) -> Terms | None:
        """The terms of a member whose keys, in ``record``, open the shared namespace; else None."""
        keys = None if shares is None or member not in shares.members else self._keys_in(member, record)
        if shares is None or keys is None or _unshare(shares.members[member], _member_key(keys), owner) is None:
            return None
        return dict(json.loads(shares.members[member]["terms"]))

    def set_terms(self, owner: str, member: str, terms: Terms) -> None:
        member_key = _member_key(self.fresh(member))
        share = partial(_share, sharing_key=member_key, owner=owner, terms=terms)
        self._reshare(owner, lambda key, shares: replace(shares, members={**shares.members, member: share(key)}))

    def invite(self, owner: str, terms: Terms) -> tuple[str, bytes]:
        """Create an invitation; returns its id and the secret that admits one person."""
        secret = os.urandom(INVITATION_BYTES)
        name, sharing_key = _invitation(secret)
        share = partial(_share, sharing_key=sharing_key, owner=owner, terms=terms)
        self._reshare(owner, lambda key, shares: replace(shares, invitations={**shares.invitations, name: share(key)}))
        return name, secret

    def invitations(self, owner: str) -> dict[str, Terms]:
        shares = self._shares_of(owner)
        return {} if shares is None else {id: json.loads(offer["terms"]) for id, offer in shares.invitations.items()}

    def withdraw(self, owner: str, id: str) -> bool:
        """Cancel an invitation; returns whether it existed."""
        if id not in self.invitations(owner):
            return False
        self._reshare(owner, lambda key, shares: replace(shares, invitations=_others(shares.invitations, id)))
        return True

    def invitation_terms(self, owner: str, secret: bytes) -> Terms | None:
        """The terms of an invitation; None if it was used, cancelled or never existed."""
        shares = self._shares_of(owner)
        name, sharing_key = _invitation(secret)
        offer = None if shares is None else shares.invitations.get(name)
        if offer is None or _unshare(offer, sharing_key, owner) is None:
            return None
        return dict(json.loads(offer["terms"]))

    def admit(self, owner: str, secret: bytes, member: str, terms: Terms) -> None:
        """Admit the holder of an invitation's secret and use the invitation up. Raises ``KeyringError``."""
        name, sharing_key = _invitation(secret)
        member_key = _member_key(self.latest(member))

        def step(key: bytes, shares: Shares) -> Shares:
            if name not in shares.invitations or _unshare(shares.invitations[name], sharing_key, owner) != key:
                raise KeyringError("this invitation was used, withdrawn or never existed; ask for a new one")
            members = {**shares.members, member: _share(key, member_key, owner, terms)}
            return Shares(members, _others(shares.invitations, name))

        self._reshare(owner, step)

    def expel(self, owner: str, member: str) -> None:
        """Remove a member: encrypt the keys again for the others with a new encryption key; invitations end."""

        def without(data: bytes) -> bytes | None:
            shares = _shares(data)
            if shares is None or member not in shares.members:
                return None
            key = _random_bytes()
            members = {
                other: _share(key, _member_key(self.fresh(other)), owner, terms)
                for other, terms in self.members(owner).items()
                if other != member
            }
            record = self._opened(owner, data)
            record = replace(record, keys=_with_new_seal(owner, record.keys))
            return _wrap(owner, record, key, shares=Shares(members, {}))

        self._update_record(owner, without, shred=True)

    def _reshare(self, owner: str, step: Callable[[bytes, Shares], Shares]) -> None:
        def reshared(data: bytes) -> bytes | None:
            shares, key = _shares(data), self._wrapping_key(owner, data)
            return None if shares is None else _wrap(owner, self._opened(owner, data), key, shares=step(key, shares))

        if self._update_record(owner, reshared) is None:
            raise KeyringError("this namespace is not shared, or its keys are gone")

    def _update_record(self, owner: str, step: Callable[[bytes], bytes | None], *, shred: bool = False) -> bytes | None:
        """Replace the record by the result of ``step``, retrying lost races; None leaves it unchanged."""
        for _ in range(ATTEMPTS):
            data = self._keyrings.get(owner)
            swapped = None if data is None else step(data)
            if data is None or swapped is None:
                return None
            if self._keyrings.put(owner, swapped, expected=data, shred=shred):
                return swapped
        raise KeyringError(f"the keyring changed under every attempt to change the keys of owner {owner!r}; try again")

    def _shares_of(self, owner: str) -> Shares | None:
        data = self._keyrings.get(owner)
        return None if data is None else _shares(data)

    def _opened(self, owner: str, record: bytes) -> KeyRecord:
        return _unwrap(owner, record, self._wrapping_key(owner, record))

    def _wrapping_key(self, owner: str, record: bytes) -> bytes:
        """The master key, or for a shared namespace the key that its members have."""
        shares = _shares(record)
        if shares is None:
            return self._master
        for member in shares.members:
            keys = self._read(member) if member in shares.members else None
            key = None if keys is None else _unshare(shares.members[member], _member_key(keys), owner)
            if key is not None:
                return key
        raise KeyringError("no remaining member of this shared namespace can open it")

    def seal_for_export(self, key: bytes, use: str) -> str:
        """Encrypt a key for an export: readable only with the same master key and for the same ``use``."""
        return _text(encrypt(_derived(self._master, b"expo"), key, _exported(use)))

    def open_from_export(self, text: str, use: str) -> bytes | None:
        """Decrypt the result of ``seal_for_export``; None if it has another master key or is damaged."""
        try:
            return decrypt(_derived(self._master, b"expo"), _bytes(text), _exported(use))
        except (InvalidTag, ValueError):
            return None

    def rewrap(self, new_master: bytes) -> None:
        """Encrypt every owner's keys with ``new_master``. After an interruption both master keys are in use: call it
        again before discarding either.
        """
        target = Keychain(self._keyrings, new_master, erasures=self._erasures)
        while waiting := [owner for owner in self._keyrings.owners() if not self._fits(owner, new_master)]:
            for owner in waiting:
                record = self._keyrings.get(owner)
                if record is not None and not _fits(record, target._master):
                    wrapped = _wrap(owner, _unwrap(owner, record, self._master), target._master)
                    self._keyrings.put(owner, wrapped, expected=record)
        with self._lock:
            self._master = new_master
            self._cache.clear()

    def _fits(self, owner: str, master: bytes) -> bool:
        record = self._keyrings.get(owner)
        return record is None or _fits(record, master)

    def _read(self, owner: str) -> OwnerKeys | None:
        return self._keys_in(owner, self._keyrings.get(owner))

    def _keys_in(self, owner: str, record: bytes | None) -> OwnerKeys | None:
        """The keys in a record that was just read, cached while it is unchanged."""
        with self._lock:
            cached = self._cache.get(owner)
            if record is None:
                self._cache.pop(owner, None)
                return None
            if cached and cached[0] == record:
                return cached[1]
        opened = self._opened(owner, record)
        keys = self._current_keys(owner, opened)
        return keys if opened.successor is not None else self._cache_keys(owner, record, keys)

    def _make(self, owner: str) -> OwnerKeys:
        # With a wrong master key no new owner must be created beside those it cannot open.
        if not self._proved:
            owners = self._keyrings.owners()
            if owners and not self._fits(owners[0], self._master):
                raise _wrong_master(owners[0])
            self._proved = True
        keys = OwnerKeys.fresh()
        record = _wrap(owner, KeyRecord(keys), self._master)
        if self._keyrings.put(owner, record, expected=None):
            return self._cache_keys(owner, record, keys)
        return self.fresh(owner)

    def _change(self, owner: str, step: Callable[[OwnerKeys], OwnerKeys], *, shred: bool = False) -> OwnerKeys:
        self.finish_erasure(owner)
        return self._replace(owner, lambda record: replace(record, keys=step(record.keys)), shred=shred)

    def _replace(self, owner: str, step: Callable[[KeyRecord], KeyRecord], *, shred: bool = False) -> OwnerKeys:
        records: list[KeyRecord] = []

        def stepped(data: bytes) -> bytes:
            records[:] = [step(self._opened(owner, data))]
            return _wrap(owner, records[0], self._wrapping_key(owner, data), shares=_shares(data))

        wrapped = self._update_record(owner, stepped, shred=shred)
        if wrapped is None:
            return self.fresh(owner)
        keys = records[0].keys
        return keys if records[0].successor is not None else self._cache_keys(owner, wrapped, keys)

    def _cache_keys(self, owner: str, record: bytes, keys: OwnerKeys) -> OwnerKeys:
        with self._lock:
            self._cache[owner] = (record, keys)
            self._proved = True
        return keys


def encrypt(key: bytes, plain: bytes, bound: bytes) -> bytes:
    """Authenticated encryption: readable only with ``key`` and the same ``bound``."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, bound)


def decrypt(key: bytes, data: bytes, bound: bytes) -> bytes:
    """Reverse of ``encrypt``. Raises ``InvalidTag``."""
    return AESGCM(key).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], bound)


def _others(shares: Mapping[str, Mapping[str, str]], name: str) -> dict[str, Mapping[str, str]]:
    return {other: share for other, share in shares.items() if other != name}


def _with_new_seal(owner: str, keys: OwnerKeys) -> OwnerKeys:
    number = max(keys.seal) + 1
    if number > MOST_GENERATIONS:
        raise KeyringError(f"owner {owner!r} has used all {MOST_GENERATIONS} seal key numbers")
    return replace(keys, seal={**keys.seal, number: _random_bytes()}, current=number)


def _with_new_blind(keys: OwnerKeys) -> OwnerKeys:
    return replace(keys, blind=_random_bytes(), blind_generation=keys.blind_generation + 1)


def _succeeded(successor: OwnerKeys, record: KeyRecord) -> KeyRecord:
    """The record after an erasure; unchanged if another process was faster."""
    return KeyRecord(successor) if record.successor == successor else record


def _wrap(owner: str, record: KeyRecord, master: bytes, *, shares: "Shares | None" = None) -> bytes:
    plain = _plain(record.keys)
    if record.successor is not None:
        plain["successor"] = _plain(record.successor)
    sealed = encrypt(_derived(master, b"wrap"), json.dumps(plain).encode(), _bound(owner))
    nonce, body = _text(sealed[:NONCE_BYTES]), _text(sealed[NONCE_BYTES:])
    outer: dict[str, Any] = {"v": RECORD_VERSION, "check": _check(master), "nonce": nonce, "keys": body}
    if shares is not None:
        outer |= {"members": dict(shares.members), "invitations": dict(shares.invitations)}
    return json.dumps(outer).encode()


def _plain(keys: OwnerKeys) -> dict[str, Any]:
    return {
        "seal": {str(number): _text(key) for number, key in keys.seal.items()},
        "current": keys.current,
        "blind": _text(keys.blind),
        "blind_generation": keys.blind_generation,
        "fingerprint": _text(keys.fingerprint),
        "elders": [[_text(elder.key), elder.source, elder.scope] for elder in keys.elders],
    }


def _unwrap(owner: str, record: bytes, master: bytes) -> KeyRecord:
    outer = _outer(record)
    if not compare_digest(str(outer.get("check")), _check(master)):
        raise _wrong_master(owner)
    try:
        sealed = _bytes(outer["nonce"]) + _bytes(outer["keys"])
        inner = json.loads(decrypt(_derived(master, b"wrap"), sealed, _bound(owner)))
        successor = inner.get("successor")
        return KeyRecord(_from_plain(inner), None if successor is None else _from_plain(successor))
    except (InvalidTag, KeyError, ValueError, TypeError, AttributeError) as fault:
        raise KeyringError(
            f"the keyring's record for owner {owner!r} is damaged or belongs to another owner; put back a copy of the "
            "keyring"
        ) from fault


def _from_plain(plain: dict[str, Any]) -> OwnerKeys:
    return OwnerKeys(
        seal={int(number): _bytes(key) for number, key in plain["seal"].items()},
        current=plain["current"],
        blind=_bytes(plain["blind"]),
        blind_generation=plain["blind_generation"],
        fingerprint=_bytes(plain["fingerprint"]),
        elders=tuple(Elder(_bytes(key), source, scope) for key, source, scope in plain.get("elders", ())),
    )


def _outer(record: bytes) -> dict[str, Any]:
    try:
        outer = json.loads(record)
    except (ValueError, RecursionError) as fault:
        raise KeyringError("a record of the keyring is damaged; restore a copy of the keyring") from fault
    if not isinstance(outer, dict) or outer.get("v") != RECORD_VERSION:
        raise KeyringError("the keyring was written by a newer release, or is not a keyring; install the newer release")
    return outer


def _fits(record: bytes, master: bytes) -> bool:
    """Whether ``master`` opens the record; a record that members share needs no master key."""
    return _shares(record) is not None or compare_digest(str(_outer(record).get("check")), _check(master))


def _shares(record: bytes) -> Shares | None:
    outer = _outer(record)
    return Shares(outer["members"], outer["invitations"]) if "members" in outer else None


def _share(key: bytes, sharing_key: bytes, owner: str, terms: Terms) -> dict[str, str]:
    """A shared key, encrypted for a member or an invitation together with the terms, which cannot be changed
    unnoticed.
    """
    text = json.dumps(dict(terms), sort_keys=True)
    return {"terms": text, "key": _text(encrypt(sharing_key, key, _bound(owner) + text.encode()))}


def _unshare(share: Mapping[str, str], sharing_key: bytes, owner: str) -> bytes | None:
    try:
        return decrypt(sharing_key, _bytes(share["key"]), _bound(owner) + share["terms"].encode())
    except (InvalidTag, ValueError, KeyError):
        return None


def _member_key(keys: OwnerKeys) -> bytes:
    """The key that opens what is shared with a member; it is destroyed with the member's own keys."""
    return _derived(keys.fingerprint, b"shar")


def _invitation(secret: bytes) -> tuple[str, bytes]:
    """The public id of an invitation, and its key."""
    return _derived(secret, b"name")[:12].hex(), _derived(secret, b"invi")


def invitation_id(secret: bytes) -> str:
    """The id of an invitation for lists, which must not contain its secret."""
    return _invitation(secret)[0]


def _wrong_master(owner: str) -> KeyringError:
    return KeyringError(
        f"the master key in use is not the one that wrapped the keys of owner {owner!r}; give the right one by "
        "environment, command or key file, or enter the recovery copy with `commonplace keys restore`"
    )


def _check(master: bytes) -> str:
    return _derived(master, b"check")[:12].hex()


def _derived(master: bytes, use: bytes) -> bytes:
    return blake2b(key=master, digest_size=KEY_BYTES, person=b"commonplace/" + use[:4]).digest()


def _exported(use: str) -> bytes:
    return b"commonplace export\x00" + use.encode("utf-8", "surrogatepass")


def _bound(owner: str) -> bytes:
    return b"commonplace keyring\x00" + owner.encode()


def _random_bytes() -> bytes:
    return os.urandom(KEY_BYTES)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
