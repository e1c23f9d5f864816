"""Our values in PostgreSQL's own form. What psycopg has for lists looks at every element several times."""

from struct import Struct
from typing import Any

import numpy as np
import psycopg
from psycopg.abc import AdaptContext, Buffer
from psycopg.adapt import Dumper, PyFormat
from psycopg.pq import Format
from psycopg.types.numeric import Int8BinaryDumper, Int8Dumper

HEADER = Struct(">iiIii")
"""Dimensions, whether there are nulls, the type of an element, how many, and the number of the first."""
SIZE = Struct(">i")
BIGINT = np.dtype([("size", ">i4"), ("value", ">i8")])
KINDS = {int: (20, 1016), str: (25, 1009), bytes: (17, 1001)}
"""By the class of an element: its type and the type of a list of them."""


class Half(bytes):
    """A vector as ``halfvec`` is sent: every int8 is exact in it."""

    @classmethod
    def of(cls, data: bytes) -> "Half":
        axes = np.frombuffer(data, np.int8)
        return cls(len(axes).to_bytes(2) + b"\0\0" + axes.astype(">f2").tobytes())

    def __str__(self) -> str:
        return str(np.frombuffer(self, ">f2", offset=4).astype(np.int8).tolist())


class HalfDumper(Dumper):
    """Of no type by itself: the statement says what it is."""

    format = Format.BINARY

    def dump(self, obj: Any) -> Buffer | None:
        return bytes(obj)


class EmptyDumper(Dumper):
    """A list of nothing is a list of whatever the statement compares it with."""

    def dump(self, obj: Any) -> Buffer | None:
        return b"{}"


class ListDumper(Dumper):
    """A list whose elements are all of one class of ``KINDS``, and none of them None."""

    format = Format.BINARY

    def __init__(self, cls: type, context: AdaptContext | None = None, element: type = str) -> None:
        super().__init__(cls, context)
        self._element, (self._type, self.oid) = element, KINDS[element]

    def get_key(self, obj: Any, format: PyFormat) -> Any:
        return (list, obj[0].__class__ if obj else None)

    def upgrade(self, obj: Any, format: PyFormat) -> Dumper:
        return ListDumper(list, self.connection, obj[0].__class__) if obj else EmptyDumper(list, self.connection)

    def dump(self, obj: Any) -> Buffer | None:
        head = HEADER.pack(1, 0, self._type, len(obj), 1)
        if self._element is int:
            array = np.empty(len(obj), BIGINT)
            array["size"], array["value"] = 8, obj
            return head + array.tobytes()
        data = [text.encode() for text in obj] if self._element is str else obj
        return head + b"".join([SIZE.pack(len(item)) + item for item in data])


def register(raw: "psycopg.Connection[Any]") -> None:
    """One plan for a statement, however large its numbers are."""
    for kind, dumper in ((int, Int8Dumper), (int, Int8BinaryDumper), (list, ListDumper), (Half, HalfDumper)):
        raw.adapters.register_dumper(kind, dumper)
