"""static-256: a text's vector is the mean of its tokens' vectors. Part of the package; needs no network or training.

The vectors know English; the lexicon maps words of four other languages to English ones.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from commonplace.errors import ProviderError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.providers.embed.lexicon import Lexicon
    from commonplace.providers.embed.table import TokenTable

FOLDER = Path(__file__).parent / "models"
VECTORS, SCALES, TOKENIZER = "static-256-vectors.npy", "static-256-scales.npy", "tokenizer.json"
LEXICON = "lexicon-keys.npy", "lexicon-tokens.npy", "lexicon-weights.npy"

SHA256 = {
    VECTORS: "f2c8963c95ef496c604db0cc146355875ca6dcfbaf3c737d4e2c9cc7dfbfe3ae",
    SCALES: "778e3dc53ddbc0376bc9c2c01e79d18ead8927fbda63c3a6660ed1742eb93a72",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    LEXICON[0]: "d51be945463adc0599c58abd4927232a92613a4a16410aa647660cda8a52c773",
    LEXICON[1]: "78ba8f6f5638a0e7279de0c6730430f3025b46acaf449b119dcbdd7e01a2c246",
    LEXICON[2]: "446ceb80e099c087fea61555f1d29c0c757c52039082fac6fd6d085cceb7440f",
}


class StaticEmbedder:
    """The default embedder. Creating one is free; the first ``embed`` loads the table, once per process.

    Safe in threads and across a fork: the table is read-only and no thread is started.
    """

    model = f"static-256@{SHA256[VECTORS][:4]}{SHA256[LEXICON[1]][:4]}"
    dims = 256
    remote = False

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder

    def ready(self) -> bool:
        return all((self._folder / name).is_file() for name in SHA256)

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        return _table(self._folder).embed(texts)


@lru_cache(maxsize=2)
def _table(folder: Path) -> "TokenTable":
    # importing numpy takes longer than a lexical recall, so only embedding does it
    from commonplace.providers.embed.table import TokenTable

    with _checked(folder, VECTORS, SCALES, TOKENIZER) as (vectors, scales, tokenizer):
        return TokenTable.load(vectors, scales, tokenizer, lexicon(folder))


@lru_cache(maxsize=2)
def lexicon(folder: Path) -> "Lexicon":
    """The lexicon of a folder, loaded once per process. Raises ``ProviderError``."""
    from commonplace.providers.embed.lexicon import Lexicon

    with _checked(folder, *LEXICON) as (keys, tokens, weights):
        return Lexicon.load(keys, tokens, weights)


@contextmanager
def _checked(folder: Path, *names: str) -> Iterator[list[Path]]:
    """Files to load; raises ``ProviderError`` unless each has the hash that ``model`` names."""
    from commonplace.providers.embed.table import checked

    try:
        for name in names:
            checked(folder / name, SHA256[name])
        yield [folder / name for name in names]
    except (OSError, ValueError) as error:
        raise ProviderError(f"static-256 cannot be loaded from {folder}; reinstall the package") from error
