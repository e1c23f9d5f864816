"""One owner's encryption and keyed hashes: what is written to a row, and what is read from it."""

import json
import os
from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from commonplace.errors import KeyringError
from commonplace.security.keys import OwnerKeys
from commonplace.store.frozen import Row, changed
from commonplace.store.rows import sealed_as
from commonplace.text.normal import normal
from commonplace.text.recent_cache import RecentCache

FORMAT = 1
HEADER = 3
NONCE = 12
TAG = 16
OVERHEAD = HEADER + NONCE + TAG
"""How many bytes encryption adds to a text."""
CACHED_WORDS = 20_000
CACHED_NAMESPACES = 4
CACHED_LABELS = 200

_compact = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


class Vault:
    """Encrypts, decrypts, hashes and fingerprints for one owner. Holds no connection; thread-safe."""

    def __init__(self, owner: str, keys: OwnerKeys) -> None:
        self.owner = owner
        self.keys = keys
        self._owner_bound = _sized(owner)
        self._ciphers = {number: AESGCM(key) for number, key in keys.seal.items()}
        self._header = bytes([FORMAT]) + keys.current.to_bytes(2)
        self._names = _derived(keys.fingerprint, b"names")
        self._values = _derived(keys.fingerprint, b"values")
        self._digests = _derived(keys.fingerprint, b"digests")
        self._blinds: dict[str, RecentCache[int]] = {}
        self._labels: dict[tuple[str, str], bytes] = {}

    def seal(self, table: str, row: str, plain: bytes) -> bytes:
        """Encrypt ``plain`` with the current key; it opens only as this row of this table of this owner."""
        nonce = os.urandom(NONCE)
        sealed = self._ciphers[self.keys.current].encrypt(nonce, plain, self._bound(self._header, table, row))
        return self._header + nonce + sealed

    def open(self, table: str, row: str, sealed: bytes) -> bytes:
        """Reverse of ``seal``. Raises ``KeyringError`` if the key is gone or the bytes belong to another row."""
        header, number = sealed[:HEADER], sealed_with(sealed)
        cipher = self._ciphers.get(number)
        if cipher is None:
            raise KeyringError(
                f"{table} {row!r} is sealed with key {number}, which owner {self.owner!r} no longer has; it was "
                "destroyed, or the keyring is older than the book"
            )
        nonce, body = sealed[HEADER : HEADER + NONCE], sealed[HEADER + NONCE :]
        try:
            return cipher.decrypt(nonce, body, self._bound(header, table, row))
        except InvalidTag as fault:
            raise KeyringError(
                f"{table} {row!r} of owner {self.owner!r} does not open: changed, moved from another row, or sealed "
                "with other keys; run `commonplace doctor`, or restore a backup with its keyring"
            ) from fault

    def seal_json(self, table: str, row: str, value: Any) -> bytes:
        """Like ``seal``, for any JSON value."""
        return self.seal(table, row, _compact(value).encode("utf-8", "surrogatepass"))

    def open_json(self, table: str, row: str, sealed: bytes) -> Any:
        return json.loads(self.open(table, row, sealed).decode("utf-8", "surrogatepass"))

    def sealed(self, row: Row, value: Any) -> Row:
        """The row with ``value`` as its encrypted part."""
        return changed(row, sealed=self.seal_json(*sealed_as(row), value))

    def open_unproved(self, sealed: bytes) -> str | None:
        """Decrypt a JSON text without verifying that it belongs to its row and is unchanged.

        For repairs only: the caller must find the same words in something verified. None if it is not a text.
        """
        key = self.keys.seal.get(sealed_with(sealed))
        if key is None:
            return None
        counter = sealed[HEADER : HEADER + NONCE] + (2).to_bytes(4)  # where GCM's counter begins
        decryptor = Cipher(algorithms.AES(key), modes.CTR(counter)).decryptor()
        try:
            value = json.loads(decryptor.update(sealed[HEADER + NONCE : -TAG]).decode("utf-8", "surrogatepass"))
        except ValueError:
            return None
        return value if isinstance(value, str) else None

    def stale(self, sealed: bytes) -> bool:
        """Whether a row uses an older encryption key and has to be encrypted again."""
        return sealed_with(sealed) != self.keys.current

    def term(self, namespace_id: str, word: str) -> int:
        """The keyed hash of a word: a signed 64-bit number, equal only for the same owner, namespace and word."""
        return self._blind(namespace_id)[word]

    def terms(self, namespace_id: str, words: Iterable[str]) -> list[int]:
        """``term`` of each word, in order."""
        return list(map(self._blind(namespace_id).__getitem__, words))

    def fingerprint(self, scope: str, value: str) -> bytes:
        """16 bytes that are equal for equal values in one scope; case, spacing and look-alike letters do not count."""
        return _keyed(self._values, scope, normal(value).encode("utf-8", "surrogatepass"))

    def fingerprints(self, scope: str, value: str) -> list[bytes]:
        """The fingerprint, and the value's fingerprints in every book that was imported."""
        data = normal(value).encode("utf-8", "surrogatepass")
        elders = (_keyed(elder.key, elder.source, data) for elder in self.keys.elders if elder.scope == scope)
        return [_keyed(self._values, scope, data), *elders]

    @property
    def values_key(self) -> bytes:
        """The key of fingerprints; an export contains it, encrypted, so that tombstones work elsewhere."""
        return self._values

    def label(self, scope: str, value: str) -> bytes:
        """16 bytes to look up a name (a core key, tag, namespace, speaker …) that is itself stored encrypted."""
        label = self._labels.get((scope, value))
        if label is None:
            label = _keyed(self._names, scope, normal(value).encode("utf-8", "surrogatepass"))
            if len(self._labels) >= CACHED_LABELS:
                self._labels = {}
            self._labels[scope, value] = label
        return label

    def digest(self, data: bytes) -> bytes:
        """32 bytes that prove a row's content without revealing it, for the audit."""
        return blake2b(data, key=self._digests, digest_size=32).digest()

    def _bound(self, header: bytes, table: str, row: str) -> bytes:
        return header + self._owner_bound + _sized(table) + row.encode()

    def _blind(self, namespace_id: str) -> RecentCache[int]:
        blind = self._blinds.get(namespace_id)
        if blind is None:
            # Replaced as a whole, never changed in place: another thread may be reading it.
            recent = list(self._blinds.items())[1 - CACHED_NAMESPACES :]
            blind = _blinded(self.keys.blind, namespace_id)
            self._blinds = {**dict(recent), namespace_id: blind}
        return blind


def _blinded(key: bytes, namespace_id: str) -> RecentCache[int]:
    """The keyed hashes of one namespace's words, with a cache of recent ones."""
    namespace_key = blake2b(namespace_id.encode(), key=key, digest_size=32, person=b"commonplace/term").digest()
    keyed = blake2b(key=namespace_key, digest_size=8)

    def term(word: str) -> int:
        hasher = keyed.copy()
        hasher.update(word.encode("utf-8", "surrogatepass"))
        return int.from_bytes(hasher.digest(), signed=True)

    return RecentCache(term, CACHED_WORDS)


def sealed_with(sealed: bytes) -> int:
    """The number of the key that encrypted some bytes."""
    if len(sealed) < OVERHEAD or sealed[0] != FORMAT:
        raise KeyringError("cannot decrypt: the bytes are truncated, damaged, or from a newer release")
    return int.from_bytes(sealed[1:HEADER])


def _keyed(key: bytes, scope: str, data: bytes) -> bytes:
    return blake2b(_sized(scope) + data, key=key, digest_size=16).digest()


def _derived(key: bytes, use: bytes) -> bytes:
    return blake2b(key=key, digest_size=32, person=b"commonplace", salt=use).digest()


def _sized(text: str) -> bytes:
    data = text.encode("utf-8", "surrogatepass")
    return len(data).to_bytes(4) + data
