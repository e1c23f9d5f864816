"""Our WordPiece gives the ids of the tokenizer that the model came with, on texts people write and on odd ones."""

import random

import pytest

from commonplace.providers.embed.static import FOLDER, TOKENIZER
from commonplace.providers.embed.wordpiece import WordPiece

ODD = [
    "",
    "   ",
    "Café straße ÀÉÎ naïve, e\u0301 n\u0303",
    "日本語のテスト 漢字 한국어 ไทย",
    "a\u200bb \x00 \x07 \ufeffx\ttab\nline\rback\u00a0hard\u3000wide",
    "[CLS] [MASK]ok [UNK][PAD] [cls] [SEP",
    "x" * 100,
    "x" * 101,
    "foo_bar-baz v1.2.3 'it’s' “quoted” – — … snake_case camelCase a/b.py",
    "\N{GRINNING FACE} family \N{MAN}\u200d\N{WOMAN}",
    "İstanbul ẞ Ǆ ﬁ ½ ² ℵ",
    "مرحبا עברית ελληνικά кириллица हिन्दी",
    "https://example.org/a?b=c&d=[e] nina.k@fir.dev $1,234.56 50%",
]
WORDS = "the a Backup kitten's re-plan Vienna moved 02:00 don't (above) #tag über niño garçon PROJ-123 -- ok?".split()


@pytest.fixture(scope="module")
def ours() -> WordPiece:
    return WordPiece.load(FOLDER / TOKENIZER)


@pytest.fixture(scope="module")
def theirs():
    tokenizer = pytest.importorskip("tokenizers").Tokenizer.from_file(str(FOLDER / TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return lambda text: tokenizer.encode(text, add_special_tokens=False).ids


@pytest.mark.parametrize("text", ODD)
def test_odd_texts(ours: WordPiece, theirs, text: str) -> None:
    assert ours.ids(text) == theirs(text)


def test_made_up_sentences(ours: WordPiece, theirs) -> None:
    chance = random.Random(3)
    for _ in range(500):
        text = " ".join(chance.choices(WORDS, k=chance.randint(1, 25)))
        assert ours.ids(text) == theirs(text)


def test_lone_surrogates_do_not_raise(ours: WordPiece) -> None:
    assert set(ours.ids("a b")) <= set(ours.ids("a \ud800 b"))
