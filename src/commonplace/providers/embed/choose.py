"""From the name in the settings to an embedder."""

from urllib.parse import urlsplit

from commonplace.clock import Clock
from commonplace.errors import SettingsError
from commonplace.providers.embed import Embedder
from commonplace.providers.embed.static import StaticEmbedder

OPENAI_URL = "https://api.openai.com/v1"
NAMES = "static-256, minilm or openai:<model>"


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
    """The embedder called ``name``: ``static-256``, ``minilm`` or ``openai:<model>``.

    The other arguments are for ``openai:`` only. Raises ``SettingsError`` for a name or a dimension that
    cannot be used. ``ready()`` tells whether it is installed; one that is not fails when it is asked.
    """
    if name == "static-256":
        return StaticEmbedder()
    if name == "minilm":
        from commonplace.providers.embed.minilm import MiniLMEmbedder  # numpy: only who embeds pays for it

        return MiniLMEmbedder()
    if name.startswith("openai:") and len(name) > len("openai:"):
        # numpy and the HTTP client: only who embeds elsewhere pays for them
        from commonplace.providers.embed.remote import NATIVE_DIMS, OpenAIEmbedder

        model = name.removeprefix("openai:")
        size = dims or NATIVE_DIMS.get(model)
        if size is None or size < 1:
            raise SettingsError(f"how many dimensions {model!r} has is not known; set embed_dims")
        return OpenAIEmbedder(
            base_url or OPENAI_URL, model, api_key, size, timeout, question_timeout=question_timeout, clock=clock
        )
    raise SettingsError(f"no embedder is called {name!r}; it is {NAMES}")


def sent_to(name: str, base_url: str | None) -> str | None:
    """The host that texts are sent to with these settings; None where they stay on this machine."""
    if not name.startswith("openai:"):
        return None
    # the HTTP client, as above
    from commonplace.providers.http import LOOPBACK

    host = urlsplit(base_url or OPENAI_URL).hostname or "?"
    return None if host in LOOPBACK else host
