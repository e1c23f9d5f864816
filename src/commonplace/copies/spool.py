"""A stream that is read twice without its words ever being on disk in clear."""

import struct
from collections.abc import Iterable, Iterator
from tempfile import TemporaryFile
from typing import IO, Self

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

BLOCK = 256 * 1024
LENGTH = struct.Struct(">I")


class EncryptedLines:
    """Lines in a temporary file, encrypted with a key that only this object has; iterate as often as needed."""

    def __init__(self) -> None:
        self._cipher = AESGCM(AESGCM.generate_key(bit_length=256))
        self._file: IO[bytes] = TemporaryFile()  # noqa: SIM115  # closed by __exit__
        self._block: list[str] = []
        self._size = self._blocks = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *fault: object) -> None:
        self._file.close()

    def fill(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.write(line if line.endswith("\n") else line + "\n")

    def write(self, text: str) -> None:
        """Add whole lines."""
        self._block.append(text)
        self._size += len(text)
        if self._size >= BLOCK:
            self._flush()

    def __iter__(self) -> Iterator[str]:
        self._flush()
        self._file.seek(0)
        number = 0
        while head := self._file.read(LENGTH.size):
            sealed = self._file.read(LENGTH.unpack(head)[0])
            block = self._cipher.decrypt(_nonce(number), sealed, None).decode("utf-8", "surrogatepass")
            yield from (line + "\n" for line in block.removesuffix("\n").split("\n"))
            number += 1

    def _flush(self) -> None:
        if self._block:
            text = "".join(self._block).encode("utf-8", "surrogatepass")
            sealed = self._cipher.encrypt(_nonce(self._blocks), text, None)
            self._file.write(LENGTH.pack(len(sealed)) + sealed)
            self._block, self._size, self._blocks = [], 0, self._blocks + 1


def _nonce(number: int) -> bytes:
    return number.to_bytes(12, "big")
