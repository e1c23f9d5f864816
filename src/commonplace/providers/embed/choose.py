"""Creates an embedder from its name in the settings."""

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, cast
from urllib.parse import urlsplit

from commonplace.clock import Clock
from commonplace.errors import ProviderError, SettingsError
from commonplace.lazy import LazyModule
from commonplace.providers.embed import Embedder
from commonplace.providers.embed.static import StaticEmbedder

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from commonplace.providers import http
    from commonplace.providers.embed import minilm, remote
else:  # loaded when first used
    minilm = LazyModule("commonplace.providers.embed.minilm")
    remote = LazyModule("commonplace.providers.embed.remote")
    http = LazyModule("commonplace.providers.http")

OPENAI_URL = "https://api.openai.com/v1"
NAMES = "static-256, minilm, openai:<model>, or one that a package brings"
PLUGINS = "commonplace.embedders"
"""The entry point group of packages with embedders."""
PACKAGES = {"multilingual": "commonplace-multilingual"}
"""Our packages by the embedder they contain, for error messages."""


class MissingEmbedder:
    """An embedder whose package is not installed: memories are stored, and found by words only."""

    dims = 256
    remote = False

    def __init__(self, name: str) -> None:
        self.model = name

    def ready(self) -> bool:
        return False

    def embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        raise ProviderError(f"the embedder {self.model} is not installed; run: pip install {PACKAGES[self.model]}")


def embedder(
    name: str = "static-256",
    *,
    base_url: str | None = None,
    api_key: str | None = None,
    dims: int | None = None,
    timeout: float = 30.0,
    question_timeout: float = 2.0,
    clock: Clock | None = None,
) -> Embedder:
    """The embedder ``name``: ``static-256``, ``minilm``, ``openai:<model>``, or one of a package.

    The other arguments are for ``openai:`` only. Raises ``SettingsError`` for an unknown name or dimension. ``ready()``
    tells whether it is installed; otherwise using it fails.
    """
    if name == "static-256":
        return StaticEmbedder()
    if name == "minilm":
        return minilm.MiniLMEmbedder()
    if name.startswith("openai:") and len(name) > len("openai:"):
        model = name.removeprefix("openai:")
        size = dims or remote.NATIVE_DIMS.get(model)
        if size is None or size < 1:
            raise SettingsError(f"the dimensions of {model!r} are unknown; set embed_dims")
        return remote.OpenAIEmbedder(
            base_url or OPENAI_URL, model, api_key, size, timeout, question_timeout=question_timeout, clock=clock
        )
    for plugin in entry_points(group=PLUGINS, name=name):
        return cast(Embedder, plugin.load()())
    if name in PACKAGES:
        return MissingEmbedder(name)
    raise SettingsError(f"unknown embedder {name!r}; pass {NAMES}")


def sent_to(name: str, base_url: str | None) -> str | None:
    """The host that texts are sent to with these settings; None if they stay on this machine."""
    if not name.startswith("openai:"):
        return None
    host = urlsplit(base_url or OPENAI_URL).hostname or "?"
    return None if host in http.LOOPBACK else host
