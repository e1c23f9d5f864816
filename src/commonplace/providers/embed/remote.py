"""Embeddings from any OpenAI-compatible endpoint. The text leaves the machine."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.clock import Clock
from commonplace.errors import ProviderError
from commonplace.providers.embed.table import normalised
from commonplace.providers.http import MAX_ANSWER, Endpoint, retrying

CHARACTERS = 8_000
TEXTS_AT_ONCE = 64
BYTES_A_NUMBER = 32  # a float printed at full length, with its comma

# Default dimensions of known models; for others the setting is needed.
NATIVE_DIMS = {
    "text-embedding-3-small": 1536,
    "text-embedding-3-large": 3072,
    "text-embedding-ada-002": 1536,
    "nomic-embed-text": 768,
    "mxbai-embed-large": 1024,
    "bge-m3": 1024,
    "all-minilm": 384,
}


class OpenAIEmbedder:
    """One model behind an endpoint. ``timeout`` is in seconds, for each request of at most 64 texts.

    ``question_timeout`` is how long recall waits for the vector of a question.
    """

    remote = True

    def __init__(
        self,
        base_url: str,
        model: str,
        api_key: str | None,
        dims: int,
        timeout: float = 30.0,
        *,
        question_timeout: float = 2.0,
        clock: Clock | None = None,
    ) -> None:
        headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
        self._endpoint = Endpoint(base_url, headers, clock=clock)
        self._name, self._timeout, self._hurry = model, timeout, question_timeout
        self.dims = dims
        self.model = f"openai:{model}/{dims}"

    def ready(self) -> bool:
        return True

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Try each request up to three times. Blank texts are not sent and give zeros."""
        out = np.zeros((len(texts), self.dims), np.float32)
        full = [index for index, text in enumerate(texts) if text.strip()]
        for start in range(0, len(full), TEXTS_AT_ONCE):
            part = full[start : start + TEXTS_AT_ONCE]
            request = partial(self._vectors, self._payload([texts[index] for index in part]), self._timeout)
            out[part] = retrying(request, clock=self._endpoint.clock)
        return normalised(out)

    def embed_question(self, text: str, timeout: float | None = None) -> NDArray[np.float32]:
        """The vector of one text, tried once within ``timeout``: recall does not wait for an endpoint."""
        timeout = self._hurry if timeout is None else timeout
        if not text.strip():
            return np.zeros(self.dims, np.float32)
        row: NDArray[np.float32] = normalised(self._vectors(self._payload([text]), timeout))[0]
        return row

    def _payload(self, texts: list[str]) -> dict[str, Any]:
        cut = [well_formed(text[:CHARACTERS]) for text in texts]
        payload: dict[str, Any] = {"model": self._name, "input": cut, "encoding_format": "float"}
        if NATIVE_DIMS.get(self._name, self.dims) != self.dims:
            payload["dimensions"] = self.dims
        return payload

    def _vectors(self, payload: dict[str, Any], timeout: float) -> NDArray[np.float32]:
        count = len(payload["input"])
        limit = MAX_ANSWER + count * self.dims * BYTES_A_NUMBER
        answer = self._endpoint.post("/embeddings", payload, timeout=timeout, limit=limit)
        return np.stack([self._vector(numbers) for numbers in _in_order(answer.get("data"), count)])

    def _vector(self, embedding: Any) -> NDArray[np.float32]:
        are_numbers = isinstance(embedding, list) and all(type(number) in (int, float) for number in embedding)
        try:
            with np.errstate(over="ignore"):  # beyond float32 it becomes infinite, which is refused
                numbers = np.array(embedding if are_numbers else [np.nan], np.float64).astype(np.float32)
        except OverflowError:
            numbers = np.array([np.nan], np.float32)
        if not np.isfinite(numbers).all():
            raise ProviderError("the embedding endpoint did not answer with a vector")
        if len(numbers) != self.dims:
            raise ProviderError(
                f"the embedding endpoint answers with {len(numbers)} dimensions, the setting says {self.dims}; "
                "set embed_dims to what the model gives"
            )
        return numbers


def _in_order(data: Any, count: int) -> list[Any]:
    """The vectors by their index: servers may answer in any order, but must answer each text once."""
    rows = data if isinstance(data, list) else []
    indexed = [row for row in rows if isinstance(row, dict) and type(row.get("index")) is int]
    embeddings = {row["index"]: row.get("embedding") for row in indexed}
    if len(rows) != count or sorted(embeddings) != list(range(count)):
        raise ProviderError(f"the embedding endpoint did not answer with one vector for each of {count} texts")
    return [embeddings[index] for index in range(count)]


def well_formed(text: str) -> str:
    """``text`` with lone surrogates replaced: JSON over HTTP takes valid Unicode only."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-8", "replace").decode()
    return text
