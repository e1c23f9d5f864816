"""What answers a prompt, with the cost of every request counted.

chat.py        one request, retried and metered, in the words of either API
openai.py      any OpenAI-compatible endpoint (Ollama, vLLM, LM Studio, a proxy)
anthropic.py   Anthropic's Messages API
ladder.py      an answer as a Pydantic model, from json_schema down to fenced text
choose.py      from the name in the settings to one of them
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING, Generic, Literal, Protocol, TypeVar

if TYPE_CHECKING:
    from pydantic import BaseModel

Model = TypeVar("Model", bound="BaseModel")


class Form(StrEnum):
    """How the answer's structure is requested, the most reliable first."""

    SCHEMA = "json_schema"
    OBJECT = "json_object"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Said:
    role: Literal["user", "assistant"]
    text: str


@dataclass(frozen=True, slots=True)
class ModelPrompt:
    """``system`` is our instruction; ``user`` is the task with its data; ``then`` are later messages."""

    system: str
    user: str
    then: tuple[Said, ...] = ()

    def instructed(self, instruction: str) -> "ModelPrompt":
        return replace(self, system=f"{self.system}\n\n{instruction}".strip())

    def answered(self, answer: str, reply: str) -> "ModelPrompt":
        return replace(self, then=(*self.then, Said("assistant", answer), Said("user", reply)))


@dataclass(frozen=True, slots=True)
class TokenUsage:
    input_tokens: int = 0
    output_tokens: int = 0
    requests: int = 0

    def __add__(self, usage: "TokenUsage") -> "TokenUsage":
        return TokenUsage(
            self.input_tokens + usage.input_tokens,
            self.output_tokens + usage.output_tokens,
            self.requests + usage.requests,
        )


@dataclass(frozen=True, slots=True)
class Completion:
    """One answer. Token counts are the endpoint's, or ``ceil(bytes / 4)`` if it gives none."""

    text: str
    input_tokens: int
    output_tokens: int
    cut: bool = False
    """Whether the answer was cut at ``max_tokens``."""

    @property
    def usage(self) -> TokenUsage:
        return TokenUsage(self.input_tokens, self.output_tokens, 1)


@dataclass(frozen=True, slots=True)
class Structured(Generic[Model]):
    """A valid answer with its total cost, including earlier attempts."""

    value: Model
    usage: TokenUsage


class Budget(Protocol):
    """A hard token limit. Each request calls ``reserve`` before and ``spent`` exactly once after it, also on
    failure.
    """

    def reserve(self, tokens: int) -> None:
        """Reserve the maximum cost of the next request. Raises ``OverBudget``; the request is then not sent."""

    def spent(self, input: int, output: int) -> None:
        """Settle the reservation. A lost answer counts in full, as it may have been charged."""


class LanguageModel(Protocol):
    @property
    def name(self) -> str:
        """Provider and model, such as ``openai:llama3.2``."""

    def complete(
        self,
        prompt: ModelPrompt,
        *,
        max_tokens: int = 1_000,
        timeout: float = 60.0,
        budget: Budget | None = None,
        attempts: int = 3,
    ) -> Completion:
        """The answer as text, at temperature 0. Raises ``ProviderError``, or ``OverBudget`` at the limit.

        ``timeout`` is per request; ``attempts`` limits retries while the endpoint is busy or broken.
        """

    def structured(
        self,
        prompt: ModelPrompt,
        schema: type[Model],
        *,
        max_tokens: int = 1_000,
        timeout: float = 60.0,
        budget: Budget | None = None,
    ) -> Structured[Model]:
        """The answer as a valid ``schema``. Raises ``ProviderError``. See ``ladder.py``."""
