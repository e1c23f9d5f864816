"""What an engine that multiplies by itself says of every row: no vector leaves it."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from commonplace.retrieval.lexical import best
from commonplace.retrieval.matrices import places
from commonplace.retrieval.scores import Docs


class Multiplied(NamedTuple):
    """The inner product of each row with one question, in order of document; a long document has several."""

    docs: Docs
    products: NDArray[np.int32]

    @classmethod
    def read(cls, packed: bytes) -> "Multiplied":
        """Of what ``Vectors.multiplied`` says."""
        cells = np.frombuffer(packed, ">u4").astype(np.uint32).reshape(-1, 2)
        docs, products = cells[:, 0], cells[:, 1].view(np.int32)
        if (docs[1:] >= docs[:-1]).all():
            return cls(docs, products)
        order = np.argsort(docs, kind="stable")
        return cls(docs[order], products[order])

    def nearest(self, count: int, allowed: Docs | None) -> "Multiplied":
        """As `vector.scan` would find them: best first, the earlier row first where they are equal."""
        rows = self if allowed is None else self.of(allowed)
        chosen = best(rows.products, count)
        return Multiplied(rows.docs[chosen], rows.products[chosen])

    def of(self, docs: Docs) -> "Multiplied":
        """Those of some documents."""
        rows = places(self.docs, docs)
        return Multiplied(self.docs[rows], self.products[rows])
