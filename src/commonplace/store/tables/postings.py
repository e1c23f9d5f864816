"""Packed postings: little-endian records (doc u32, tf u8, length u8), sorted by doc. Pure."""

from collections.abc import Iterable, Iterator
from itertools import starmap
from struct import Struct

RECORD = Struct("<IBB")
BLOCK = 700
"""Records a block holds at most."""
SIZE = BLOCK * RECORD.size
LARGEST = 255

Posting = tuple[int, int, int]


def pack(postings: Iterable[Posting]) -> bytes:
    return b"".join(starmap(RECORD.pack, postings))


def unpack(data: bytes) -> Iterator[Posting]:
    return RECORD.iter_unpack(data)


def split(data: bytes) -> list[bytes]:
    """Pieces of at most one block each."""
    return [data[start : start + SIZE] for start in range(0, len(data), SIZE)]


def first(data: bytes) -> int:
    return int.from_bytes(data[:4], "little")


def last(data: bytes) -> int:
    return int.from_bytes(data[-RECORD.size :][:4], "little")


def merge(data: bytes, added: bytes) -> bytes:
    """``data`` with ``added`` (at least one record) too; of the same document the added one stands."""
    if not data or first(added) > last(data):
        return data + added  # the usual case: newer documents have higher numbers
    by_doc = {posting[0]: posting for posting in (*unpack(data), *unpack(added))}
    return pack(by_doc[doc] for doc in sorted(by_doc))


def without(data: bytes, docs: frozenset[int]) -> bytes:
    return pack(posting for posting in unpack(data) if posting[0] not in docs)


def holds(data: bytes, docs: Iterable[int]) -> bool:
    return any(_find(data, doc.to_bytes(4, "little")) for doc in docs)


def _find(data: bytes, needle: bytes) -> bool:
    place = data.find(needle)
    while place >= 0:
        if place % RECORD.size == 0:
            return True
        place = data.find(needle, place + 1)
    return False
