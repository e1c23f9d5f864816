"""MiniLM (all-MiniLM-L6-v2, int8) through onnxruntime, inside the package. No network, no download."""

import importlib.util
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.providers.embed import onnx
from commonplace.providers.embed.static import FOLDER
from commonplace.providers.embed.table import normalised
from commonplace.providers.embed.wordpiece import CLS, SEP, WordPiece

MODEL = "minilm-l6-v2-int8.onnx"
SHA256 = "2d6839923ffad4657552f8cd1ab586ca92ec7b9e96720a82e15c815e0686372a"
MARKS = 2  # begin and end, around every text
LONGEST = 256  # maximum tokens: the model was trained on no more
CHARACTERS = 20_000  # far more than 256 tokens; saves tokenizing a whole book
POOLED, HIDDEN = "embedding", "l5_n2"
"""The graph's own output, and the tensor of the last layer, one row per token."""


class MiniLMEmbedder:
    """Better than static-256 on long messages, about fifty times slower. Only a text's first 256 tokens count.

    Without onnxruntime ``embed`` raises ``ProviderError`` with the install command.
    """

    model = f"minilm-l6-v2@{SHA256[:8]}"
    dims = 384
    remote = False

    def ready(self) -> bool:
        return installed()

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        session, tokenizer = loaded()
        out = np.zeros((len(texts), self.dims), np.float32)
        # One at a time: the graph scales its activations over the whole batch, so a text's vector would depend on the
        # others (cosine down to 0.97). Batches would be about a third faster.
        for row, text in zip(out, texts, strict=True):
            tokens = tokenizer.ids(text[:CHARACTERS])[: LONGEST - MARKS]
            if tokens:
                row[:] = run(session, POOLED, [CLS, *tokens, SEP])
        return normalised(out)


def installed() -> bool:
    return importlib.util.find_spec("onnxruntime") is not None and (FOLDER / MODEL).is_file()


def run(session: Any, output: str, ids: Sequence[int]) -> NDArray[np.float32]:
    """One of the graph's outputs for one text, special tokens included."""
    tokens = np.array([ids], np.int64)
    tensor: NDArray[np.float32] = session.run([output], {"input_ids": tokens, "attention_mask": np.ones_like(tokens)})[
        0
    ][0]
    return tensor


def loaded() -> tuple[Any, WordPiece]:
    """The session and the tokenizer of this process: a session must not be used after a fork."""
    return _session(os.getpid())


@lru_cache(maxsize=1)
def _session(pid: int) -> tuple[Any, WordPiece]:
    return onnx.session("MiniLM", FOLDER / MODEL, SHA256, _further_output(HIDDEN))


def _further_output(name: str) -> bytes:
    """Bytes that, appended to an ONNX file, make a tensor an output of its graph.

    Protobuf merges repeated message fields: this is ``graph { output { name } }`` again.
    """
    text = name.encode()
    for field in (1, 12, 7):  # ValueInfoProto.name, GraphProto.output, ModelProto.graph
        text = bytes([field << 3 | 2, len(text)]) + text
    return text
