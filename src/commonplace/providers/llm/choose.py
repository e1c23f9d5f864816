"""From the name in the settings to a language model."""

from commonplace.clock import Clock
from commonplace.errors import SettingsError
from commonplace.providers.llm import LanguageModel

NAMES = "openai:<model> (any OpenAI-compatible endpoint) or anthropic:<model>"


def language_model(
    name: str, *, base_url: str | None = None, api_key: str | None = None, clock: Clock | None = None
) -> LanguageModel:
    """The model called ``name``: ``openai:<model>`` or ``anthropic:<model>``.

    ``base_url`` ends where ``/chat/completions`` or ``/messages`` begins. Raises ``SettingsError``.
    """
    # pydantic and the HTTP client take a quarter of a second: only who asks a model pays for them
    from commonplace.providers.llm.anthropic import anthropic_model
    from commonplace.providers.llm.openai import openai_model

    provider, _, model = name.partition(":")
    makers = {"openai": openai_model, "anthropic": anthropic_model}
    if provider not in makers or not model:
        raise SettingsError(f"no language model is called {name!r}; it is {NAMES}")
    return makers[provider](model, base_url=base_url, api_key=api_key, clock=clock)
