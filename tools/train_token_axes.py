"""Make the axes of the token vectors again: ``python tools/train_token_axes.py OUT.npy``.

MiniLM's token vectors of the judge's training texts (tools/judge/data), each of length one; their 64 principal axes,
the mean not removed: what all tokens share is part of what a question and its answer share. Two minutes on one core.
"""

import json
import lzma
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from commonplace.providers.embed.minilm import HIDDEN, loaded, run
from commonplace.providers.embed.table import normalised
from commonplace.providers.embed.wordpiece import CLS, SEP

DATA = Path(__file__).parent / "judge" / "data"
TEXTS, TOKENS, DIMS = 2_500, 120, 64


def texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value if isinstance(value, list) else value.values():
            yield from texts(part)


def main(out: Path) -> None:
    files = sorted(DATA.glob("*.jsonl.xz"))
    lines = [line for file in files for line in lzma.decompress(file.read_bytes()).decode().splitlines()]
    every = sorted({text for line in lines for text in texts(json.loads(line)) if 15 < len(text) < 600})
    random.Random(1).shuffle(every)
    session, tokenizer = loaded()
    squares = np.zeros((384, 384))
    for text in every[:TEXTS]:
        rows = normalised(run(session, HIDDEN, [CLS, *tokenizer.ids(text)[:TOKENS], SEP])[1:-1])
        squares += rows.T @ rows
    _, vectors = np.linalg.eigh(squares)
    np.save(out, vectors[:, ::-1][:, :DIMS].astype(np.float16))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
