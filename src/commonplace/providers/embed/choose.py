"""From the name in the settings to an embedder."""

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from commonplace.clock import Clock
from commonplace.errors import SettingsError
from commonplace.lazy import LazyModule
from commonplace.providers.embed import Embedder
from commonplace.providers.embed.static import StaticEmbedder

if TYPE_CHECKING:
    from commonplace.providers import http
    from commonplace.providers.embed import minilm, multilingual, remote
else:  # loaded when first used
    minilm = LazyModule("commonplace.providers.embed.minilm")
    multilingual = LazyModule("commonplace.providers.embed.multilingual")
    remote = LazyModule("commonplace.providers.embed.remote")
    http = LazyModule("commonplace.providers.http")

OPENAI_URL = "https://api.openai.com/v1"
NAMES = "static-256, minilm, multilingual or openai:<model>"


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
    """The embedder called ``name``: ``static-256``, ``minilm``, ``multilingual`` or ``openai:<model>``.

    The other arguments are for ``openai:`` only. Raises ``SettingsError`` for a name or a dimension that
    cannot be used. ``ready()`` tells whether it is installed; one that is not fails when it is asked.
    """
    if name == "static-256":
        return StaticEmbedder()
    if name == "minilm":
        return minilm.MiniLMEmbedder()
    if name == "multilingual":
        return multilingual.MultilingualEmbedder()
    if name.startswith("openai:") and len(name) > len("openai:"):
        model = name.removeprefix("openai:")
        size = dims or remote.NATIVE_DIMS.get(model)
        if size is None or size < 1:
            raise SettingsError(f"how many dimensions {model!r} has is not known; set embed_dims")
        return remote.OpenAIEmbedder(
            base_url or OPENAI_URL, model, api_key, size, timeout, question_timeout=question_timeout, clock=clock
        )
    raise SettingsError(f"no embedder is called {name!r}; it is {NAMES}")


def sent_to(name: str, base_url: str | None) -> str | None:
    """The host that texts are sent to with these settings; None where they stay on this machine."""
    if not name.startswith("openai:"):
        return None
    host = urlsplit(base_url or OPENAI_URL).hostname or "?"
    return None if host in http.LOOPBACK else host
