"""Token vectors for late interaction: MiniLM's last layer in 64 dimensions, per passage, one byte per number.

The axes are the first 64 principal components of token vectors of everyday text, without removing the mean, half
trained to rank answers first (tools/train_token_axes.py). Their SHA-256 is checked when they are loaded.
"""

from functools import lru_cache
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from commonplace.errors import ProviderError
from commonplace.providers.embed.minilm import CHARACTERS, HIDDEN, installed, loaded, run
from commonplace.providers.embed.minilm import SHA256 as ENCODER
from commonplace.providers.embed.static import FOLDER
from commonplace.providers.embed.table import checked, multiplied, normalised
from commonplace.providers.embed.wordpiece import CLS, SEP

AXES = "token-axes-64.npy"
SHA256 = "b40d55378542fc86d7640f0a5dab01de1f7811fbcd997ef2e72d8642b087d815"
DIMS = 64
PASSAGE, MOST_PASSAGES = 60, 4
"""Tokens per passage, and passages per text; the rest is found by words and sentence vectors."""
CONTEXT = 60
"""Tokens before a passage that the encoder sees too."""
LIMIT = 0.525
"""The coordinate that becomes 127: 4.2 standard deviations of a unit vector."""

Rows = NDArray[np.float32]


class TokenEncoder:
    """Encodes texts and questions as unit token vectors. Creating one is free; the first use loads the model."""

    _last: tuple[str, Rows] | None = None
    model = f"tokens-64@{sha256((ENCODER + SHA256).encode()).hexdigest()[:8]}"

    def ready(self) -> bool:
        return installed() and (FOLDER / AXES).is_file()

    def encode(self, text: str, before: str = "") -> bytes:
        """The passages of a text, packed for ``unpack``. ``before`` is what was said just before.

        Raises ``ProviderError``.
        """
        session, tokenizer = loaded()
        axes = _axes()
        ids = tokenizer.ids(text[:CHARACTERS])[: PASSAGE * MOST_PASSAGES]
        context = tokenizer.ids(before[-CHARACTERS:])[-CONTEXT:] if before else []
        lengths, packed = bytearray(), b""
        for start in range(0, len(ids), PASSAGE):
            tokens = ids[start : start + PASSAGE]
            head = [CLS, *context, SEP] if context else [CLS]
            hidden = run(session, HIDDEN, [*head, *tokens, SEP])[len(head) : -1]
            rows = (
                np.rint(normalised(multiplied(hidden, axes)) * np.float32(127 / LIMIT)).clip(-127, 127).astype(np.int8)
            )
            lengths.append(len(tokens))
            packed += rows.tobytes()
            context = ids[max(0, start + PASSAGE - CONTEXT) : start + PASSAGE]
        return bytes([len(lengths)]) + bytes(lengths) + packed

    def question(self, text: str) -> Rows:
        """One row per token of a question; none for a text without tokens. Raises ``ProviderError``."""
        last = self._last
        if last is not None and last[0] == text:  # a recall asks the same in each shared namespace
            return last[1]
        session, tokenizer = loaded()
        ids = tokenizer.ids(text[:CHARACTERS])[:CONTEXT]
        rows = np.zeros((0, DIMS), np.float32)
        if ids:
            rows = normalised(multiplied(run(session, HIDDEN, [CLS, *ids, SEP])[1:-1], _axes()))
        self._last = text, rows
        return rows


def unpack(packed: bytes) -> tuple[list[int], bytes]:
    """The number of tokens of each passage, and the vectors of all of them concatenated."""
    count = packed[0]
    return list(packed[1 : count + 1]), packed[count + 1 :]


@lru_cache(maxsize=1)
def _axes() -> Rows:
    path = FOLDER / AXES
    try:
        checked(path, SHA256)
        axes: Rows = np.load(path, allow_pickle=False).astype(np.float32)
        return axes
    except (OSError, ValueError) as error:
        raise ProviderError(f"the token axes cannot be loaded from {path}; reinstall the package") from error
