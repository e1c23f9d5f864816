"""Checks that the configured remote model and embedder answer, with one small request each."""

from collections.abc import Iterator
from dataclasses import dataclass

from commonplace.batches.opened_book import OpenedBook
from commonplace.errors import ProviderError, SettingsError
from commonplace.learning.budget import DailyBudget
from commonplace.memories.scope import Scope
from commonplace.providers.embed import Hurried
from commonplace.providers.embed.choose import embedder
from commonplace.providers.llm import ModelPrompt
from commonplace.providers.llm.choose import language_model

TIMEOUT = 5.0
"""Timeout of each request in seconds."""
TOKENS = 16
"""Maximum tokens of the model's answer."""


@dataclass(frozen=True, slots=True)
class ProviderProblem:
    """A problem of a provider, and the settings to check."""

    what: str
    remedy: str
    broken: bool = True
    """False if it may be temporary, or the provider must not be called."""


def provider_problems(book: OpenedBook, scope: Scope) -> Iterator[ProviderProblem]:
    """The request to the model counts against the owner's daily limit; with a limit of zero it is not made."""
    yield from _model(book, scope)
    yield from _embedder(book)


def _model(book: OpenedBook, scope: Scope) -> Iterator[ProviderProblem]:
    settings = book.settings
    if not settings.llm:
        return
    budget = DailyBudget(scope, daily=settings.llm_daily_tokens, operation=settings.llm_operation_tokens)
    try:
        model = language_model(settings.llm, base_url=settings.llm_url, api_key=settings.llm_key, clock=book.clock)
        if settings.llm_daily_tokens == 0:
            what = "the language model is never asked: llm_daily_tokens is 0"
            yield ProviderProblem(what, "set llm_daily_tokens to the tokens it may use in a day", broken=False)
            return
        model.complete(
            ModelPrompt("", "Answer with OK."), max_tokens=TOKENS, timeout=TIMEOUT, budget=budget, attempts=1
        )
    except (ProviderError, SettingsError) as fault:
        what = f"the language model {settings.llm[:60]!r} does not answer: {fault}"
        yield ProviderProblem(what, "check llm, llm_url and llm_key", broken=not getattr(fault, "passing", False))


def _embedder(book: OpenedBook) -> Iterator[ProviderProblem]:
    settings = book.settings
    if settings.embedder == "none":
        return
    try:
        configured = embedder(
            settings.embedder,
            base_url=settings.embed_url,
            api_key=settings.embed_key,
            dims=settings.embed_dims,
            question_timeout=TIMEOUT,
            clock=book.clock,
        )
        if configured.remote and isinstance(configured, Hurried):
            configured.embed_question("OK")
    except (ProviderError, SettingsError) as fault:
        what = f"the embedder {settings.embedder[:60]!r} does not answer: {fault}"
        yield ProviderProblem(
            what, "check embedder, embed_url, embed_key and embed_dims", broken=not getattr(fault, "passing", False)
        )
