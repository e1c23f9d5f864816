"""Packed postings: little-endian records (doc u32, tf u8, length u8), sorted by doc. Pure."""

from array import array
from collections.abc import Collection, Iterable, Iterator
from itertools import repeat, starmap
from operator import itemgetter
from struct import Struct

RECORD = Struct("<IBB")
BLOCK = 700
"""Records a block holds at most."""
SIZE = BLOCK * RECORD.size
LARGEST = 255

Posting = tuple[int, int, int]
Row = tuple[int, int, int, int]
"""(term, doc, tf, length)."""


class Columns:
    """Postings of several terms, in any order, a column for each part: no object for each of thousands."""

    def __init__(self) -> None:
        self._terms, self._docs = array("q"), array("I")
        self._tfs, self._lengths = bytearray(), bytearray()

    @classmethod
    def of(cls, rows: Collection[Row]) -> "Columns":
        """Frequencies and lengths above 255 are kept as 255: a record has a byte for each."""
        columns = cls()
        if rows:
            terms, docs, tfs, lengths = zip(*rows, strict=True)
            columns._terms.extend(terms)
            columns._docs.extend(docs)
            columns._tfs.extend(min(tf, LARGEST) for tf in tfs)
            columns._lengths.extend(min(length, LARGEST) for length in lengths)
        return columns

    def __len__(self) -> int:
        return len(self._terms)

    def add(self, doc: int, terms: Collection[int], tfs: Iterable[int], length: int) -> None:
        """What one document has under several terms."""
        self._terms.extend(terms)
        self._docs.extend(repeat(doc, len(terms)))
        self._tfs.extend(tfs)
        self._lengths.extend(repeat(length, len(terms)))

    def rows(self) -> list[Row]:
        """By term, then by document; of the same both in the order in which they came."""
        return sorted(zip(self._terms, self._docs, self._tfs, self._lengths, strict=True), key=itemgetter(0, 1))

    def by_term(self) -> list[tuple[int, bytes]]:
        """The postings of each term, packed; the terms in order."""
        import numpy as np  # noqa: PLC0415  # only a batch pays for it

        order = np.lexsort((self._docs, self._terms))
        records = np.empty(len(order), [("doc", "<u4"), ("tf", "u1"), ("length", "u1")])
        records["doc"] = np.asarray(self._docs)[order]
        records["tf"] = np.frombuffer(self._tfs, np.uint8)[order]
        records["length"] = np.frombuffer(self._lengths, np.uint8)[order]
        terms, data = np.asarray(self._terms)[order], records.tobytes()
        starts = np.flatnonzero(np.concatenate(([True], terms[1:] != terms[:-1])))
        places = (starts * RECORD.size).tolist()
        ends = [*places[1:], len(data)]
        return [(term, data[start:end]) for term, start, end in zip(terms[starts].tolist(), places, ends, strict=True)]


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
