"""Made-up texts with the word frequencies of real ones: the same for everybody who is measured."""

import random
from bisect import bisect
from collections.abc import Iterator
from itertools import accumulate

VOCABULARY = 30_000
SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qui ro sa te vi wo xa ze bra cle dri flo gra".split()


def words(seed: int = 1) -> list[str]:
    chance = random.Random(seed)
    made: dict[str, None] = {}
    while len(made) < VOCABULARY:
        made["".join(chance.choices(SYLLABLES, k=chance.choice((2, 2, 3, 3, 4))))] = None
    return list(made)


def texts(count: int, *, length: int = 14, seed: int = 2) -> Iterator[str]:
    """``count`` texts of about ``length`` words, by Zipf and Mandelbrot's law."""
    chance, known = random.Random(seed), words()
    weights = list(accumulate(1 / (rank + 2.7) for rank in range(len(known))))
    for number in range(count):
        size = max(3, round(chance.gauss(length, length / 4)))
        drawn = [known[bisect(weights, chance.random() * weights[-1])] for _ in range(size)]
        yield f"{' '.join(drawn)} {number}"


def questions(count: int, *, seed: int = 3) -> list[str]:
    return [text.rpartition(" ")[0] for text in texts(count, length=6, seed=seed)]
