"""Sends a question to a chat endpoint: metered, retried, and without parameters that the model refuses."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple, Protocol

from commonplace.errors import ProviderError
from commonplace.providers.http import ATTEMPTS, Endpoint, Rejected, Unavailable, retrying
from commonplace.providers.llm import Budget, Completion, Form, Model, ModelPrompt, Structured
from commonplace.providers.llm.ladder import Ladder

BELIEVABLE_TOKENS = 10_000_000


class Dialect(Protocol):
    """How one API formats a question and its answer."""

    @property
    def path(self) -> str: ...

    @property
    def forms(self) -> tuple[Form, ...]:
        """The forms that this API supports, the most reliable first."""

    @property
    def optional(self) -> frozenset[str]:
        """Parameters that newer models refuse, and that can be left out or renamed."""

    def question(
        self,
        prompt: ModelPrompt,
        max_tokens: int,
        form: Form,
        schema: Mapping[str, Any] | None,
        without: frozenset[str],
    ) -> dict[str, Any]:
        """The request's body, leaving out the parameters in ``without``."""

    def answer(self, body: Mapping[str, Any]) -> tuple[str | None, bool]:
        """The text, if there is one, and whether it was cut at ``max_tokens``."""

    @property
    def counts(self) -> tuple[str, str]:
        """The names of the reported input and output tokens."""


class _Limits(NamedTuple):
    """Limits of one question: answer tokens, seconds, budget and attempts."""

    max_tokens: int
    timeout: float
    budget: Budget | None
    attempts: int = ATTEMPTS


class ChatModel:
    """A language model behind an endpoint. Thread-safe, also after a fork."""

    def __init__(self, name: str, endpoint: Endpoint, dialect: Dialect) -> None:
        self.name = name
        self._endpoint, self._dialect = endpoint, dialect
        self._ladder = Ladder(dialect.forms)
        self._without: frozenset[str] = frozenset()

    def complete(
        self,
        prompt: ModelPrompt,
        *,
        max_tokens: int = 1_000,
        timeout: float = 60.0,
        budget: Budget | None = None,
        attempts: int = ATTEMPTS,
    ) -> Completion:
        return self._asked(_Limits(max_tokens, timeout, budget, attempts), prompt, Form.TEXT, None)

    def structured(
        self,
        prompt: ModelPrompt,
        schema: type[Model],
        *,
        max_tokens: int = 1_000,
        timeout: float = 60.0,
        budget: Budget | None = None,
    ) -> Structured[Model]:
        ask = partial(self._asked, _Limits(max_tokens, timeout, budget))
        return self._ladder.structured(ask, prompt, schema)

    def _asked(self, limits: _Limits, prompt: ModelPrompt, form: Form, schema: Mapping[str, Any] | None) -> Completion:
        def once() -> Completion:
            payload = self._dialect.question(prompt, limits.max_tokens, form, schema, self._without)
            expected = estimated(prompt, schema)

            def request() -> Completion:
                body = self._endpoint.post(self._dialect.path, payload, timeout=limits.timeout)
                text, cut = self._dialect.answer(body)
                if text is None:
                    raise ProviderError(f"{self.name} answered without text")
                usage = body.get("usage")
                asked, answered = (
                    usage.get(name) if isinstance(usage, dict) else None for name in self._dialect.counts
                )
                return Completion(text, _believed(asked, expected), _believed(answered, text_tokens(text)), cut)

            return metered(request, expected, limits.max_tokens, limits.budget)

        for _ in self._dialect.optional:
            try:
                return retrying(once, clock=self._endpoint.clock, attempts=limits.attempts)
            except Rejected as error:
                if error.parameter not in self._dialect.optional - self._without:
                    raise
                self._without |= {error.parameter}
        return retrying(once, clock=self._endpoint.clock, attempts=limits.attempts)


def metered(request: Callable[[], Completion], expected: int, max_tokens: int, budget: Budget | None) -> Completion:
    """Reserve the maximum cost of ``request``, send it, and settle; a failure without a count is charged in full."""
    if budget is None:
        return request()
    budget.reserve(expected + max_tokens)
    cost = expected, max_tokens
    try:
        completion = request()
        cost = completion.input_tokens, completion.output_tokens
    except Rejected:
        cost = 0, 0
        raise
    except Unavailable as error:
        cost = cost if error.worked else (0, 0)
        raise
    finally:
        budget.spent(*cost)
    return completion


def text_tokens(text: str) -> int:
    """An estimate that is rarely too low: one token per four bytes, rounded up."""
    return -(-len(text.encode("utf-8", "replace")) // 4)


def estimated(prompt: ModelPrompt, schema: Mapping[str, Any] | None) -> int:
    systems = [prompt.system, prompt.user, *(reply.text for reply in prompt.then)]
    return sum(map(text_tokens, systems)) + (text_tokens(str(schema)) if schema else 0)


def _believed(reported: Any, estimate: int) -> int:
    """The endpoint's count, unless it is missing or absurd: zero would disable the limit."""
    return reported if type(reported) is int and 0 < reported < BELIEVABLE_TOKENS else estimate
