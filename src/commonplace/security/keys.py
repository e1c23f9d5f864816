"""The three keys of an owner, and the chain that wraps them under the master key."""

import base64
import json
import os
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from hmac import compare_digest
from typing import TYPE_CHECKING, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from commonplace.errors import KeyringError

if TYPE_CHECKING:
    from commonplace.store.ports import Keyrings

KEY_BYTES = 32
RECORD_VERSION = 1
MOST_GENERATIONS = 0xFFFF
"""A sealed row names its key in two bytes."""
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


class Keychain:
    """Every owner's keys, made on first use and kept wrapped in a keyring outside the book.

    One record per owner, replaced only by compare-and-set, so that processes starting together agree on one key.
    Safe to share between threads.
    """

    def __init__(self, keyrings: "Keyrings", master: bytes) -> None:
        """Raises ``KeyringError`` if ``master`` is not 32 bytes."""
        if len(master) != KEY_BYTES:
            raise KeyringError(f"a master key has {KEY_BYTES} bytes, this one has {len(master)}")
        self._keyrings = keyrings
        self._master = master
        self._lock = threading.Lock()
        self._cache: dict[str, tuple[bytes, OwnerKeys]] = {}
        self._proved = False

    def of(self, owner: str) -> OwnerKeys:
        """The owner's keys: from memory, else from the keyring, else made now.

        Another process may have rotated or destroyed them since; ``fresh`` looks.
        """
        known = self._cache.get(owner)
        return known[1] if known else self._read(owner) or self._make(owner)

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
                self._keep(owner, record, _unwrap(owner, record, self._master))
        return record is not None

    def rotate_seal(self, owner: str) -> int:
        """Add a seal key for new rows and return its number; old rows stay readable until ``retire_seal``."""

        def step(keys: OwnerKeys) -> OwnerKeys:
            number = max(keys.seal) + 1
            if number > MOST_GENERATIONS:
                raise KeyringError(f"owner {owner!r} has used all {MOST_GENERATIONS} seal key numbers")
            return replace(keys, seal={**keys.seal, number: _chance()}, current=number)

        return self._change(owner, step).current

    def retire_seal(self, owner: str, number: int) -> None:
        """Destroy one old seal key, once no row carries it. Already gone is fine; the current one is refused."""

        def step(keys: OwnerKeys) -> OwnerKeys:
            if number == keys.current:
                raise KeyringError(f"seal key {number} of owner {owner!r} is in use; rotate first")
            return replace(keys, seal={kept: key for kept, key in keys.seal.items() if kept != number})

        self._change(owner, step)

    def rotate_blind(self, owner: str) -> int:
        """Replace the blind key and return its generation; every word and vector must be indexed again after it."""
        return self._change(owner, _with_new_blind).blind_generation

    def add_elders(self, owner: str, elders: Iterable[Elder]) -> None:
        """Remember how another book fingerprinted its values, so that its tombstones hold here too."""
        given = tuple(elders)
        if set(given) - set(self.latest(owner).elders):
            self._change(owner, lambda keys: replace(keys, elders=tuple(dict.fromkeys((*keys.elders, *given)))))

    def adopt(self, owner: str, keys: OwnerKeys) -> None:
        """Take over an owner's keys from another book. Raises ``KeyringError`` if other ones are here already."""
        if not self._keyrings.put(owner, _wrap(owner, keys, self._master), expected=None) and self.fresh(owner) != keys:
            raise KeyringError(f"owner {owner!r} has other keys here; copy into a book that does not know them")

    def destroy(self, owner: str) -> None:
        """Forget the owner's keys for good: what they sealed, here and in every backup, cannot be opened again."""
        self._keyrings.drop(owner)
        with self._lock:
            self._cache.pop(owner, None)

    def rewrap(self, new_master: bytes) -> None:
        """Wrap every owner's keys under ``new_master``. Can be interrupted and called again; then both masters
        are in use, and the call must be finished before either is thrown away.
        """
        target = Keychain(self._keyrings, new_master)
        while waiting := [owner for owner in self._keyrings.owners() if not self._fits(owner, new_master)]:
            for owner in waiting:
                self._rewrap_one(owner, target)
        with self._lock:
            self._master = new_master
            self._cache.clear()

    def _rewrap_one(self, owner: str, target: "Keychain") -> None:
        record = self._keyrings.get(owner)
        if record is not None and not _fits(record, target._master):
            wrapped = _wrap(owner, _unwrap(owner, record, self._master), target._master)
            self._keyrings.put(owner, wrapped, expected=record)

    def _fits(self, owner: str, master: bytes) -> bool:
        record = self._keyrings.get(owner)
        return record is None or _fits(record, master)

    def _read(self, owner: str) -> OwnerKeys | None:
        record = self._keyrings.get(owner)
        with self._lock:
            known = self._cache.get(owner)
            if record is None:
                self._cache.pop(owner, None)
                return None
            if known and known[0] == record:
                return known[1]
        return self._keep(owner, record, _unwrap(owner, record, self._master))

    def _make(self, owner: str) -> OwnerKeys:
        self._prove_master()
        keys = OwnerKeys.fresh()
        record = _wrap(owner, keys, self._master)
        if self._keyrings.put(owner, record, expected=None):
            return self._keep(owner, record, keys)
        return self.fresh(owner)

    def _prove_master(self) -> None:
        """A wrong master must not found a new owner beside those it cannot open."""
        if not self._proved:
            others = self._keyrings.owners()
            if others and not self._fits(others[0], self._master):
                raise _wrong_master(others[0])
            self._proved = True

    def _change(self, owner: str, step: Callable[[OwnerKeys], OwnerKeys]) -> OwnerKeys:
        for _ in range(ATTEMPTS):
            record = self._keyrings.get(owner)
            if record is None:
                return self.fresh(owner)
            keys = step(_unwrap(owner, record, self._master))
            wrapped = _wrap(owner, keys, self._master)
            if self._keyrings.put(owner, wrapped, expected=record):
                return self._keep(owner, wrapped, keys)
        raise KeyringError(f"the keyring changed under every attempt to change the keys of owner {owner!r}; try again")

    def _keep(self, owner: str, record: bytes, keys: OwnerKeys) -> OwnerKeys:
        with self._lock:
            self._cache[owner] = (record, keys)
            self._proved = True
        return keys


def _with_new_blind(keys: OwnerKeys) -> OwnerKeys:
    return replace(keys, blind=_chance(), blind_generation=keys.blind_generation + 1)


def _wrap(owner: str, keys: OwnerKeys, master: bytes) -> bytes:
    plain = {
        "seal": {str(number): _text(key) for number, key in keys.seal.items()},
        "current": keys.current,
        "blind": _text(keys.blind),
        "blind_generation": keys.blind_generation,
        "fingerprint": _text(keys.fingerprint),
        "elders": [[_text(one.key), one.source, one.scope] for one in keys.elders],
    }
    nonce = os.urandom(12)
    sealed = AESGCM(_derived(master, b"wrap")).encrypt(nonce, json.dumps(plain).encode(), _bound(owner))
    record = {"v": RECORD_VERSION, "check": _check(master), "nonce": _text(nonce), "keys": _text(sealed)}
    return json.dumps(record).encode()


def _unwrap(owner: str, record: bytes, master: bytes) -> OwnerKeys:
    outer = _outer(record)
    if not compare_digest(str(outer.get("check")), _check(master)):
        raise _wrong_master(owner)
    try:
        nonce, sealed = _bytes(outer["nonce"]), _bytes(outer["keys"])
        inner = json.loads(AESGCM(_derived(master, b"wrap")).decrypt(nonce, sealed, _bound(owner)))
    except (InvalidTag, KeyError, ValueError) as fault:
        raise KeyringError(
            f"the keyring's record for owner {owner!r} is damaged or belongs to another owner; put back a copy of the "
            "keyring"
        ) from fault
    return OwnerKeys(
        seal={int(number): _bytes(key) for number, key in inner["seal"].items()},
        current=inner["current"],
        blind=_bytes(inner["blind"]),
        blind_generation=inner["blind_generation"],
        fingerprint=_bytes(inner["fingerprint"]),
        elders=tuple(Elder(_bytes(key), source, scope) for key, source, scope in inner.get("elders", ())),
    )


def _outer(record: bytes) -> dict[str, Any]:
    try:
        outer = json.loads(record)
    except ValueError as fault:
        raise KeyringError("a record of the keyring is damaged; put back a copy of the keyring") from fault
    if not isinstance(outer, dict) or outer.get("v") != RECORD_VERSION:
        raise KeyringError("the keyring was written by a newer release, or is no keyring; install the newer release")
    return outer


def _fits(record: bytes, master: bytes) -> bool:
    return compare_digest(str(_outer(record).get("check")), _check(master))


def _wrong_master(owner: str) -> KeyringError:
    return KeyringError(
        f"the master key in use is not the one that wrapped the keys of owner {owner!r}; give the right one by "
        "environment, command or key file, or enter the recovery copy with `commonplace keys restore`"
    )


def _check(master: bytes) -> str:
    return _derived(master, b"check")[:12].hex()


def _derived(master: bytes, use: bytes) -> bytes:
    return blake2b(key=master, digest_size=KEY_BYTES, person=b"commonplace/" + use[:4]).digest()


def _bound(owner: str) -> bytes:
    return b"commonplace keyring\x00" + owner.encode()


def _chance() -> bytes:
    return os.urandom(KEY_BYTES)


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
