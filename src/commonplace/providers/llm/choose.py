"""From the name in the settings to a language model."""

from typing import TYPE_CHECKING

from commonplace.clock import Clock
from commonplace.errors import SettingsError
from commonplace.lazy import LazyModule
from commonplace.providers.llm import LanguageModel

if TYPE_CHECKING:
    from commonplace.providers.llm import anthropic, openai
else:  # loaded when first used
    anthropic = LazyModule("commonplace.providers.llm.anthropic")
    openai = LazyModule("commonplace.providers.llm.openai")

PRESETS = {
    "ollama": "http://localhost:11434/v1",
    "lmstudio": "http://localhost:1234/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
}
"""OpenAI-compatible endpoints by name."""
PROVIDERS = ("openai", "anthropic", *PRESETS)
NAMES = f"one of {', '.join(f'{provider}:<model>' for provider in PROVIDERS)}; openai: is any compatible endpoint"


def language_model(
    name: str, *, base_url: str | None = None, api_key: str | None = None, clock: Clock | None = None
) -> LanguageModel:
    """The model called ``name``: a provider of ``PROVIDERS``, a colon, and the provider's name for the model.

    ``base_url`` ends where ``/chat/completions`` or ``/messages`` begins. Raises ``SettingsError``.
    """
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model:
        raise SettingsError(f"no language model is called {name!r}; it is {NAMES}")
    if provider == "anthropic":
        return anthropic.anthropic_model(model, base_url=base_url, api_key=api_key, clock=clock)
    url = base_url or PRESETS.get(provider)
    return openai.openai_model(model, base_url=url, api_key=api_key, clock=clock, provider=provider)
