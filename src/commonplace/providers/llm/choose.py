"""Creates a language model from its name in the settings."""

from typing import TYPE_CHECKING

from commonplace.clock import Clock
from commonplace.errors import SettingsError
from commonplace.lazy import LazyModule
from commonplace.providers.llm import LanguageModel

if TYPE_CHECKING:
    from commonplace.providers import http
    from commonplace.providers.llm import anthropic, chat, openai
    from commonplace.providers.llm.chat import Dialect
else:  # loaded when first used
    http = LazyModule("commonplace.providers.http")
    chat = LazyModule("commonplace.providers.llm.chat")
    anthropic = LazyModule("commonplace.providers.llm.anthropic")
    openai = LazyModule("commonplace.providers.llm.openai")

PROVIDERS = {
    "openai": "https://api.openai.com/v1",
    "anthropic": "https://api.anthropic.com/v1",
    "ollama": "http://localhost:11434/v1",
    "lmstudio": "http://localhost:1234/v1",
    "openrouter": "https://openrouter.ai/api/v1",
    "gemini": "https://generativelanguage.googleapis.com/v1beta/openai",
}
"""Endpoints by provider; all but Anthropic's are OpenAI-compatible."""
NAMES = f"one of {', '.join(f'{provider}:<model>' for provider in PROVIDERS)}; openai: is any compatible endpoint"


def language_model(
    name: str, *, base_url: str | None = None, api_key: str | None = None, clock: Clock | None = None
) -> LanguageModel:
    """The model ``name``: a provider of ``PROVIDERS``, a colon, and the provider's model name.

    ``base_url`` ends where ``/chat/completions`` or ``/messages`` begins. Raises ``SettingsError``.
    """
    provider, _, model = name.partition(":")
    if provider not in PROVIDERS or not model:
        raise SettingsError(f"unknown language model {name!r}; pass {NAMES}")
    if provider == "anthropic":
        headers = {"anthropic-version": anthropic.VERSION} | ({"x-api-key": api_key} if api_key else {})
        dialect: Dialect = anthropic.Messages(model)
    else:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        dialect = openai.ChatCompletions(model)
    return chat.ChatModel(name, http.Endpoint(base_url or PROVIDERS[provider], headers, clock=clock), dialect)
