"""What turns a text into a vector.

static.py   static-256, inside the package: the default, never leaves the machine
lexicon.py  words of four more languages for it
minilm.py   MiniLM through onnxruntime, inside the package; slower, and better on long messages
tokens.py   MiniLM's token vectors, for late interaction
remote.py   any OpenAI-compatible endpoint: the text leaves the machine
choose.py   from the name in the settings to one of them, or to one that another package brings
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """One model. Vectors of different models are never compared: ``model`` is stored beside each vector.

    It may have a number ``weight``: how much more its cosines count in recall than those of static-256.
    """

    @property
    def model(self) -> str:
        """Name and short hash of the file, such as ``static-256@f2c878ba``; changes whenever the vectors would."""

    @property
    def dims(self) -> int: ...

    @property
    def remote(self) -> bool:
        """Whether the text leaves the machine."""

    def ready(self) -> bool:
        """Whether ``embed`` can be called: the files exist, or an endpoint is set. Makes no request."""

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """One row per text, L2-normalised; a text without tokens gives zeros. Raises ``ProviderError``."""


@runtime_checkable
class Hurried(Protocol):
    """An embedder that may be slow, with a method for one quick attempt: recall does not wait for an endpoint."""

    def embed_question(self, text: str, timeout: float | None = None) -> "NDArray[np.float32]":
        """The vector of one text, tried once. Raises ``ProviderError``."""
