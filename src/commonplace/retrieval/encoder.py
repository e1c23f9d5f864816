"""Texts to what is stored and asked: embedded, rotated by the owner's secret, quantised."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import TypeGuard

import numpy as np
from numpy.typing import NDArray

from commonplace.providers.embed import Embedder, Hurried
from commonplace.security.rotation import Rotation
from commonplace.security.vault import Vault


@dataclass(frozen=True, slots=True)
class RotatedEncoder:
    """One embedder under one owner's blind key."""

    embedder: Embedder
    rotation: Rotation
    generation: int

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

    def encode(self, texts: Sequence[str]) -> list[bytes]:
        """One stored vector a text. Raises ``ProviderError``."""
        if not texts:
            return []
        return [row.tobytes() for row in self.rotation.quantise(self.embedder.embed(texts))]

    def question(self, text: str) -> NDArray[np.int8]:
        """A question as it is multiplied with stored rows; an endpoint is asked once and not waited for long."""
        embedder = self.embedder
        row = embedder.embed_question(text) if _hurries(embedder) else embedder.embed([text])[0]
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
