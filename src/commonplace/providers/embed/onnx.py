"""Runs graphs through onnxruntime, with a shared tokenizer."""

import importlib
from pathlib import Path
from typing import Any

from commonplace.errors import ProviderError
from commonplace.providers.embed.static import FOLDER, TOKENIZER
from commonplace.providers.embed.table import checked
from commonplace.providers.embed.wordpiece import WordPiece


def session(name: str, path: Path, sha256: str, more: bytes = b"") -> tuple[Any, WordPiece]:
    """A session of the graph at ``path``, with ``more`` appended, and the tokenizer. Raises ``ProviderError``.

    A session must not be used after a fork.
    """
    try:
        onnxruntime = importlib.import_module("onnxruntime")  # takes a tenth of a second
    except ImportError as error:
        raise ProviderError(f"{name} needs onnxruntime; run: pip install onnxruntime") from error
    try:
        checked(path, sha256)
        options = onnxruntime.SessionOptions()
        # more threads are slower for one text, and busy-wait
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        graph = path.read_bytes() + more if more else str(path)
        made = onnxruntime.InferenceSession(graph, options, providers=["CPUExecutionProvider"])
        return made, WordPiece.load(FOLDER / TOKENIZER)
    except (OSError, ValueError, RuntimeError) as error:
        raise ProviderError(f"{name} cannot be loaded from {path}; reinstall the package") from error
