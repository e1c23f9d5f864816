"""Token vectors in int8 and the sum over a text's tokens."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

# A whole book as one text would otherwise unfold to a gigabyte of float32 rows at once.
TOKENS_AT_ONCE = 4_096
CHARACTERS_AT_ONCE = 100_000


def checked(path: Path, expected: str) -> None:
    """Raise ``ValueError`` unless the file's SHA-256 is ``expected``."""
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise ValueError(f"{path.name} has SHA-256 {found}, expected {expected}")


def load_tokenizer(path: Path, *, longest: int | None = None) -> Tokenizer:
    """The tokenizer of ``path`` without padding, cutting at ``longest`` tokens or not at all."""
    tokenizer = Tokenizer.from_str(path.read_text(encoding="utf-8"))
    tokenizer.no_padding()
    if longest is None:
        tokenizer.no_truncation()
    else:
        tokenizer.enable_truncation(longest)
    return tokenizer


def well_formed(text: str) -> str:
    """``text`` with lone surrogates replaced: the tokenizer takes valid Unicode only."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text


def normalised(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Each row at length one; a row of zeros stays."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    lengths[lengths == 0] = 1
    unit: NDArray[np.float32] = (rows / lengths).astype(np.float32, copy=False)
    return unit


@dataclass(frozen=True, slots=True)
class TokenTable:
    vectors: NDArray[np.int8]
    scales: NDArray[np.float32]
    tokenizer: Tokenizer

    @classmethod
    def load(cls, vectors: Path, scales: Path, tokenizer: Path) -> "TokenTable":
        # mapped, so that processes share the pages; as a plain array, because memmap's indexing is slow
        rows = np.asarray(np.load(vectors, mmap_mode="r", allow_pickle=False))
        return cls(rows, np.load(scales, allow_pickle=False), load_tokenizer(tokenizer))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        out = np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        for row, text in zip(out, texts, strict=True):
            for ids in self._ids(well_formed(text)):
                row += self.scales[ids] @ self.vectors[ids].astype(np.float32)
        return normalised(out)

    def _ids(self, text: str) -> Iterator[list[int]]:
        # one text at a time: encode_batch starts threads of its own, which a fork would lose
        for piece in pieces(text, CHARACTERS_AT_ONCE):
            ids = self.tokenizer.encode(piece, add_special_tokens=False).ids
            for start in range(0, len(ids), TOKENS_AT_ONCE):
                yield ids[start : start + TOKENS_AT_ONCE]


def pieces(text: str, size: int) -> Iterator[str]:
    """Cut at white space, where no token crosses; where there is none for ``size`` characters, cut anyway."""
    start = 0
    while len(text) - start > size:
        space = max(text.rfind(" ", start, start + size), text.rfind("\n", start, start + size))
        end = space if space > start else start + size
        yield text[start:end]
        start = end
    yield text[start:]
