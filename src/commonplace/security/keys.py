"""The three keys of an owner, and the chain that wraps them under the master key."""

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
"""A sealed row names its key in two bytes."""
INVITATION_BYTES = 16
Terms = Mapping[str, Any]
"""Role and rule of a member, or of an invitation."""
MOST_TERMS = 10_000
"""Of members, kept in memory."""
ATTEMPTS = 100
"""Lost races in a row after which something else is wrong than a race."""


@dataclass(frozen=True, slots=True)
class Elder:
    """How the values of a namespace were fingerprinted in the book that an import came from.

    It opens nothing: with it one can only tell whether a guessed value is among the tombstones.
    """

    key: bytes = field(repr=False)
    source: str
    """The namespace's id there."""
    scope: str
    """The namespace's id here."""


@dataclass(frozen=True, slots=True)
class OwnerKeys:
    """What an owner's rows are sealed, blinded and fingerprinted with. Never printed, never pickled on purpose.

    ``seal`` holds every generation that rows may still carry; new rows take ``current``. ``blind_generation`` lets
    an index remember which blind key it was built with.
    """

    seal: Mapping[int, bytes] = field(repr=False)
    current: int
    blind: bytes = field(repr=False)
    fingerprint: bytes = field(repr=False)
    blind_generation: int = 1
    elders: tuple[Elder, ...] = ()

    @classmethod
    def fresh(cls) -> "OwnerKeys":
        return cls(seal={1: _chance()}, current=1, blind=_chance(), fingerprint=_chance())

    @property
    def id(self) -> str:
        """Names these keys without telling anything about them."""
        return blake2b(self.fingerprint, digest_size=8, person=b"commonplace/id").hexdigest()


@dataclass(frozen=True, slots=True)
class KeyRecord:
    """What the keyring holds for an owner. ``successor``: the keys that an erasure under way will leave."""

    keys: OwnerKeys
    successor: OwnerKeys | None = None


@dataclass(frozen=True, slots=True)
class Shares:
    """Who can open the keys of a shared namespace: its wrapping key, wrapped for each member and invitation."""

    members: Mapping[str, Mapping[str, str]]
    invitations: Mapping[str, Mapping[str, str]]


class Keychain:
    """Every owner's keys, made on first use and kept wrapped in a keyring outside the book.

    One record per owner, replaced only by compare-and-set, so that processes starting together agree on one key.
    Safe to share between threads.
    """

    def __init__(
        self, keyrings: "Keyrings", master: bytes, *, erasures: Callable[[str], Collection[str]] = lambda owner: ()
    ) -> None:
        """``erasures``: the ids of the keys that an owner's committed erasures left, from the ledger.

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
        """By shared namespace and member, the terms and the two records that they were read from."""
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
        """The owner's keys: from memory, else from the keyring, else made now.

        Another process may have rotated or destroyed them since; ``fresh`` looks.
        """
        cached = self._cache.get(owner)
        return cached[1] if cached else self._read(owner) or self._make(owner)

    def latest(self, owner: str) -> OwnerKeys:
        """As ``of``, but always as the keyring has them now."""
        return self._read(owner) or self._make(owner)

    def fresh(self, owner: str) -> OwnerKeys:
        """The owner's keys as the keyring has them now; never makes any.

        Raises ``KeyringError`` if there are none: never made, destroyed, or a keyring that was not restored.
        """
        keys = self._read(owner)
        if keys is None:
            raise KeyringError(
                f"owner {owner!r} has no keys in the keyring; they were destroyed by an erasure, or the keyring that "
                "belongs to this book is not the one in use"
            )
        return keys

    def known(self, owner: str) -> bool:
        """Whether the keyring has keys for ``owner``, whole or not; none are made."""
        record = self._keyrings.get(owner)
        if record is not None and owner not in self._cache:
            with suppress(KeyringError):  # whoever needs them is told
                self._keep(owner, record, self._present(owner, self._opened(owner, record)))
        return record is not None

    def rotate_seal(self, owner: str) -> int:
        """Add a seal key for new rows and return its number; old rows stay readable until ``retire_seal``."""

        return self._change(owner, partial(_with_new_seal, owner)).current

    def retire_seal(self, owner: str, number: int) -> None:
        """Destroy one old seal key, once no row carries it. Already gone is fine; the current one is refused."""

        def step(keys: OwnerKeys) -> OwnerKeys:
            if number == keys.current:
                raise KeyringError(f"seal key {number} of owner {owner!r} is in use; rotate first")
            return replace(
                keys, seal={generation: key for generation, key in keys.seal.items() if generation != number}
            )

        self._change(owner, step, shred=True)

    def rotate_blind(self, owner: str) -> int:
        """Replace the blind key and return its generation; every word and vector must be indexed again after it."""
        return self._change(owner, _with_new_blind).blind_generation

    def add_elders(self, owner: str, elders: Iterable[Elder]) -> None:
        """Remember how another book fingerprinted its values, so that its tombstones hold here too."""
        earlier_keys = tuple(elders)
        if set(earlier_keys) - set(self.latest(owner).elders):
            self._change(owner, lambda keys: replace(keys, elders=tuple(dict.fromkeys((*keys.elders, *earlier_keys)))))

    def adopt(self, owner: str, keys: OwnerKeys, members: Mapping[str, Terms] | None = None) -> None:
        """Take over an owner's keys from another book; ``members`` who are here already share them.

        Raises ``KeyringError`` if other keys are here already.
        """
        record = _wrap(owner, KeyRecord(keys), self._master)
        if members:
            key = _chance()
            shared = {
                name: _share(key, _member_key(self.fresh(name)), owner, terms)
                for name, terms in members.items()
                if self.known(name)
            }
            record = _wrap(owner, KeyRecord(keys), key, shares=Shares(shared, {}))
        if not self._keyrings.put(owner, record, expected=None) and self.fresh(owner) != keys:
            raise KeyringError(f"owner {owner!r} has other keys here; copy into a book that does not know them")

    def destroy(self, owner: str) -> None:
        """Forget the owner's keys for good: what they sealed, here and in every backup, cannot be opened again."""
        self._keyrings.drop(owner)
        with self._lock:
            self._cache.pop(owner, None)

    def begin_erasure(self, owner: str) -> OwnerKeys:
        """Keys for what an erasure will leave, kept beside the present ones until it is committed.

        Call it inside the transaction that erases, so that there is one at a time. The ledger's entry names the keys.
        """
        self.finish_erasure(owner)
        self.latest(owner)
        successor = OwnerKeys.fresh()
        self._replace(owner, lambda record: replace(record, successor=successor))
        return successor

    def finish_erasure(self, owner: str) -> None:
        """Destroy the keys from before an erasure that was committed. Where there is none, nothing happens."""
        data = self._keyrings.get(owner)
        if data is None:
            return
        record = self._opened(owner, data)
        if record.successor is not None and self._present(owner, record) is record.successor:
            self._replace(owner, partial(_succeeded, record.successor), shred=True)

    def _present(self, owner: str, record: KeyRecord) -> OwnerKeys:
        """The keys that the owner's rows are sealed with now."""
        if record.successor is not None and record.successor.id in self._erasures(owner):
            return record.successor
        return record.keys

    # Shared namespaces

    def found_shared(self, owner: str, member: str, terms: Terms) -> None:
        """Make the keys of a shared namespace. Only its members' own keys open them, not the master key."""
        key = _chance()
        shares = Shares({member: _share(key, _member_key(self.latest(member)), owner, terms)}, {})
        if not self._keyrings.put(owner, _wrap(owner, KeyRecord(OwnerKeys.fresh()), key, shares=shares), expected=None):
            raise KeyringError(f"owner {owner!r} has keys already")

    def members(self, owner: str) -> dict[str, Terms]:
        """Who can open a shared namespace, and on which terms; empty where nothing is shared."""
        shares = self._shares_of(owner)
        names = [] if shares is None else list(shares.members)
        records = zip(names, self._keyrings.get_all(names), strict=True)
        every = {name: self._terms(owner, shares, name, record) for name, record in records}
        return {name: terms for name, terms in every.items() if terms is not None}

    def member_terms(self, owner: str, member: str) -> Terms | None:
        """The terms of a member whose present keys open the shared namespace, as the keyring has it now."""
        return self.terms_in(owner, member, *self._keyrings.get_all([owner, member]))

    def terms_in(self, owner: str, member: str, record: bytes | None, member_record: bytes | None) -> Terms | None:
        """The same, by the records of both that were read just now."""
        cache = self._terms_known.get((owner, member))
        if cache is not None and cache[:2] == (record, member_record):
            return cache[2]
        terms = self._terms(owner, None if record is None else _shares(record), member, member_record)
        with self._lock:
            if len(self._terms_known) >= MOST_TERMS:
                self._terms_known.clear()
            cached = self._cache.get(member)
            if cached is not None and cached[0] == member_record:  # no erasure of the member is under way
                self._terms_known[owner, member] = record, member_record, terms
        return terms

    def _terms(self, owner: str, shares: Shares | None, member: str, record: bytes | None) -> Terms | None:
        """The terms of a member whose keys, in ``record``, open the shared namespace."""
        keys = None if shares is None or member not in shares.members else self._keys_in(member, record)
        if shares is None or keys is None or _unshare(shares.members[member], _member_key(keys), owner) is None:
            return None
        return dict(json.loads(shares.members[member]["terms"]))

    def set_terms(self, owner: str, member: str, terms: Terms) -> None:
        member_key = _member_key(self.fresh(member))
        share = partial(_share, sharing_key=member_key, owner=owner, terms=terms)
        self._reshare(owner, lambda key, shares: replace(shares, members={**shares.members, member: share(key)}))

    def invite(self, owner: str, terms: Terms) -> tuple[str, bytes]:
        """The id of a new invitation, and the secret that admits one person to a shared namespace."""
        secret = os.urandom(INVITATION_BYTES)
        name, sharing_key = _invitation(secret)
        share = partial(_share, sharing_key=sharing_key, owner=owner, terms=terms)
        self._reshare(owner, lambda key, shares: replace(shares, invitations={**shares.invitations, name: share(key)}))
        return name, secret

    def invitations(self, owner: str) -> dict[str, Terms]:
        shares = self._shares_of(owner)
        return {} if shares is None else {id: json.loads(offer["terms"]) for id, offer in shares.invitations.items()}

    def withdraw(self, owner: str, id: str) -> bool:
        """End an invitation; whether there was one."""
        if id not in self.invitations(owner):
            return False
        self._reshare(owner, lambda key, shares: replace(shares, invitations=_others(shares.invitations, id)))
        return True

    def invitation_terms(self, owner: str, secret: bytes) -> Terms | None:
        """What an invitation offers; None if it was used, withdrawn or never made."""
        shares = self._shares_of(owner)
        name, sharing_key = _invitation(secret)
        offer = None if shares is None else shares.invitations.get(name)
        if offer is None or _unshare(offer, sharing_key, owner) is None:
            return None
        return dict(json.loads(offer["terms"]))

    def admit(self, owner: str, secret: bytes, member: str, terms: Terms) -> None:
        """Let a person in who has the secret of an invitation, which is used up. Raises ``KeyringError``."""
        name, sharing_key = _invitation(secret)
        member_key = _member_key(self.latest(member))

        def step(key: bytes, shares: Shares) -> Shares:
            if name not in shares.invitations or _unshare(shares.invitations[name], sharing_key, owner) != key:
                raise KeyringError("this invitation was used, withdrawn or never made")
            members = {**shares.members, member: _share(key, member_key, owner, terms)}
            return Shares(members, _others(shares.invitations, name))

        self._reshare(owner, step)

    def expel(self, owner: str, member: str) -> None:
        """Remove a member: wrap the keys again for the others with a new seal key; invitations end."""

        def without(data: bytes) -> bytes | None:
            shares = _shares(data)
            if shares is None or member not in shares.members:
                return None
            key = _chance()
            members = {
                other: _share(key, _member_key(self.fresh(other)), owner, terms)
                for other, terms in self.members(owner).items()
                if other != member
            }
            record = self._opened(owner, data)
            record = replace(record, keys=_with_new_seal(owner, record.keys))
            return _wrap(owner, record, key, shares=Shares(members, {}))

        self._swap(owner, without, shred=True)

    def _reshare(self, owner: str, step: Callable[[bytes, Shares], Shares]) -> None:
        def reshared(data: bytes) -> bytes | None:
            shares, key = _shares(data), self._wrapping_key(owner, data)
            return None if shares is None else _wrap(owner, self._opened(owner, data), key, shares=step(key, shares))

        if self._swap(owner, reshared) is None:
            raise KeyringError("this namespace is not shared, or its keys are gone")

    def _swap(self, owner: str, step: Callable[[bytes], bytes | None], *, shred: bool = False) -> bytes | None:
        """Put what ``step`` makes of the record in its place, however often others are faster; None: it stays."""
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
        """The master key; of a shared namespace the key that its members hold."""
        shares = _shares(record)
        if shares is None:
            return self._master
        for member in shares.members:
            keys = self._read(member) if member in shares.members else None
            key = None if keys is None else _unshare(shares.members[member], _member_key(keys), owner)
            if key is not None:
                return key
        raise KeyringError("no member of this shared namespace is left who can open it")

    def seal_for_export(self, key: bytes, use: str) -> str:
        """A key that travels in an export: readable with the same master key alone, and only for the same ``use``."""
        return _text(encrypt(_derived(self._master, b"expo"), key, _exported(use)))

    def open_from_export(self, text: str, use: str) -> bytes | None:
        """What ``seal_for_export`` was given; None if it was sealed under another master key, or is damaged."""
        try:
            return decrypt(_derived(self._master, b"expo"), _bytes(text), _exported(use))
        except (InvalidTag, ValueError):
            return None

    def rewrap(self, new_master: bytes) -> None:
        """Wrap every owner's keys under ``new_master``. Can be interrupted and called again; then both masters
        are in use, and the call must be finished before either is thrown away.
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
        """The keys in a record that was read just now, from memory where it is still the same."""
        with self._lock:
            cached = self._cache.get(owner)
            if record is None:
                self._cache.pop(owner, None)
                return None
            if cached and cached[0] == record:
                return cached[1]
        opened = self._opened(owner, record)
        keys = self._present(owner, opened)
        return keys if opened.successor is not None else self._keep(owner, record, keys)

    def _make(self, owner: str) -> OwnerKeys:
        # A wrong master must not found a new owner beside those it cannot open.
        if not self._proved:
            owners = self._keyrings.owners()
            if owners and not self._fits(owners[0], self._master):
                raise _wrong_master(owners[0])
            self._proved = True
        keys = OwnerKeys.fresh()
        record = _wrap(owner, KeyRecord(keys), self._master)
        if self._keyrings.put(owner, record, expected=None):
            return self._keep(owner, record, keys)
        return self.fresh(owner)

    def _change(self, owner: str, step: Callable[[OwnerKeys], OwnerKeys], *, shred: bool = False) -> OwnerKeys:
        self.finish_erasure(owner)
        return self._replace(owner, lambda record: replace(record, keys=step(record.keys)), shred=shred)

    def _replace(self, owner: str, step: Callable[[KeyRecord], KeyRecord], *, shred: bool = False) -> OwnerKeys:
        records: list[KeyRecord] = []

        def stepped(data: bytes) -> bytes:
            records[:] = [step(self._opened(owner, data))]
            return _wrap(owner, records[0], self._wrapping_key(owner, data), shares=_shares(data))

        wrapped = self._swap(owner, stepped, shred=shred)
        if wrapped is None:
            return self.fresh(owner)
        keys = records[0].keys
        return keys if records[0].successor is not None else self._keep(owner, wrapped, keys)

    def _keep(self, owner: str, record: bytes, keys: OwnerKeys) -> OwnerKeys:
        with self._lock:
            self._cache[owner] = (record, keys)
            self._proved = True
        return keys


def encrypt(key: bytes, plain: bytes, bound: bytes) -> bytes:
    """Readable with ``key``, and only together with ``bound``."""
    nonce = os.urandom(NONCE_BYTES)
    return nonce + AESGCM(key).encrypt(nonce, plain, bound)


def decrypt(key: bytes, data: bytes, bound: bytes) -> bytes:
    """What ``encrypt`` was given. Raises ``InvalidTag``."""
    return AESGCM(key).decrypt(data[:NONCE_BYTES], data[NONCE_BYTES:], bound)


def _others(shares: Mapping[str, Mapping[str, str]], name: str) -> dict[str, Mapping[str, str]]:
    return {other: share for other, share in shares.items() if other != name}


def _with_new_seal(owner: str, keys: OwnerKeys) -> OwnerKeys:
    number = max(keys.seal) + 1
    if number > MOST_GENERATIONS:
        raise KeyringError(f"owner {owner!r} has used all {MOST_GENERATIONS} seal key numbers")
    return replace(keys, seal={**keys.seal, number: _chance()}, current=number)


def _with_new_blind(keys: OwnerKeys) -> OwnerKeys:
    return replace(keys, blind=_chance(), blind_generation=keys.blind_generation + 1)


def _succeeded(successor: OwnerKeys, record: KeyRecord) -> KeyRecord:
    """The record after an erasure; as it is, where another process was faster."""
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
        raise KeyringError("a record of the keyring is damaged; put back a copy of the keyring") from fault
    if not isinstance(outer, dict) or outer.get("v") != RECORD_VERSION:
        raise KeyringError("the keyring was written by a newer release, or is not a keyring; install the newer release")
    return outer


def _fits(record: bytes, master: bytes) -> bool:
    """Whether a record needs no other master key; one that members share needs none."""
    return _shares(record) is not None or compare_digest(str(_outer(record).get("check")), _check(master))


def _shares(record: bytes) -> Shares | None:
    outer = _outer(record)
    return Shares(outer["members"], outer["invitations"]) if "members" in outer else None


def _share(key: bytes, sharing_key: bytes, owner: str, terms: Terms) -> dict[str, str]:
    """A shared key, wrapped under the key of a member or of an invitation; nobody changes the terms unnoticed."""
    text = json.dumps(dict(terms), sort_keys=True)
    return {"terms": text, "key": _text(encrypt(sharing_key, key, _bound(owner) + text.encode()))}


def _unshare(share: Mapping[str, str], sharing_key: bytes, owner: str) -> bytes | None:
    try:
        return decrypt(sharing_key, _bytes(share["key"]), _bound(owner) + share["terms"].encode())
    except (InvalidTag, ValueError, KeyError):
        return None


def _member_key(keys: OwnerKeys) -> bytes:
    """By which a member opens what is shared; it goes with the member's own keys when they are erased."""
    return _derived(keys.fingerprint, b"shar")


def _invitation(secret: bytes) -> tuple[str, bytes]:
    """The public name of an invitation, and the key it carries."""
    return _derived(secret, b"name")[:12].hex(), _derived(secret, b"invi")


def invitation_id(secret: bytes) -> str:
    """What an invitation is called in lists, where its secret is not."""
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


def _chance() -> bytes:
    return os.urandom(KEY_BYTES)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
