"""Texts to what is stored and asked: embedded, rotated by the owner's secret, quantised."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from commonplace.providers.embed import Embedder, Hurried
from commonplace.security.rotation import Rotation
from commonplace.security.vault import Vault

MOST_PREPARED = 10_000


@dataclass(frozen=True, slots=True)
class RotatedEncoder:
    """One embedder under one owner's blind key."""

    embedder: Embedder
    rotation: Rotation
    generation: int
    _prepared: dict[str, bytes] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(cls, embedder: Embedder, vault: Vault) -> "RotatedEncoder":
        keys = vault.keys
        return cls(embedder, Rotation(keys.blind, embedder.dims), keys.blind_generation)

    @property
    def model(self) -> str:
        return f"{self.embedder.model}#{self.generation}"

    @property
    def dims(self) -> int:
        return self.embedder.dims

    @property
    def weight(self) -> float:
        """How much more its cosines count than those of static-256, which the recipes are made for."""
        return float(getattr(self.embedder, "weight", 1.0))

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One stored vector a text. Raises ``ProviderError``."""
        vectors = [self._prepared.pop(text, None) for text in texts]
        if missing := [text for text, row in zip(texts, vectors, strict=True) if row is None]:
            embedded = iter(self._made(missing))
            vectors = [next(embedded) if row is None else row for row in vectors]
        return [row for row in vectors if row is not None]

    def prepare(self, texts: Sequence[str]) -> None:
        """Have at hand what ``encode`` will be asked for next. Raises ``ProviderError``."""
        if len(self._prepared) > MOST_PREPARED:  # of writes that came to nothing
            self._prepared.clear()
        self._prepared.update(zip(texts, self._made(texts), strict=True))

    def _made(self, texts: Sequence[str]) -> list[bytes]:
        return [row.tobytes() for row in self.rotation.quantise(self.embedder.embed(texts))] if texts else []

    def question(self, text: str) -> NDArray[np.int8]:
        """A question as it is multiplied with stored rows; an endpoint is asked once and not waited for long."""
        return self.rotated(self.row(text))

    def row(self, text: str) -> NDArray[np.float32]:
        """A question as the embedder gives it, for whichever owner."""
        embedder = self.embedder
        return embedder.embed_question(text) if _hurries(embedder) else embedder.embed([text])[0]

    def rotated(self, row: NDArray[np.float32]) -> NDArray[np.int8]:
        return self.rotation.as_question(row)

    def cosines(self, products: NDArray[np.int32]) -> NDArray[np.float64]:
        """Inner products of stored rows and a question as cosines."""
        return self.rotation.similarity(products).astype(np.float64)


def _hurries(embedder: Embedder) -> TypeGuard[Hurried]:
    return _is_hurried(type(embedder))


@cache
def _is_hurried(kind: type[Embedder]) -> bool:
    """Asked of the class and once: to go through a protocol takes as long as to embed a question."""
    return issubclass(kind, Hurried)
