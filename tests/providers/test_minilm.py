"""MiniLM through onnxruntime, from the companion package's files."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest

from commonplace.errors import ProviderError

pytest.importorskip("onnxruntime", reason="the extra [neural] is not installed")
sys.path.append(str(Path(__file__).parents[2] / "packages" / "commonplace-minilm" / "src"))

from commonplace.providers.embed.minilm import MiniLMEmbedder
from commonplace.providers.embed.wordpiece import WordPiece


@pytest.fixture(scope="module")
def minilm():
    return MiniLMEmbedder()


def test_questions_find_their_documents(minilm):
    documents = minilm.embed(["We moved the nightly backup to 02:00.", "My sister adopted a grey kitten last spring."])
    found = minilm.embed(["when does the backup job run?", "who got a new cat?"]) @ documents.T
    assert found[0, 0] > found[0, 1] + 0.3
    assert found[1, 1] > found[1, 0] + 0.3
    assert np.allclose(np.linalg.norm(documents, axis=1), 1, atol=1e-5)
    assert documents.shape == (2, minilm.dims)
    assert documents.dtype == np.float32


def test_a_text_has_the_same_vector_alone_and_in_company(minilm):
    texts = ["short", "a somewhat longer sentence about trains", "word " * 300, "short again"]
    together = minilm.embed(texts)
    assert np.array_equal(together, np.concatenate([minilm.embed([text]) for text in texts]))
    assert (together @ together.T)[0, 2] < 0.9


def test_a_text_without_tokens_gives_zeros(minilm):
    rows = minilm.embed(["", "trains", "  "])
    assert not rows[0].any()
    assert rows[1].any()
    assert not rows[2].any()


def test_a_very_long_text_counts_by_its_beginning(minilm):
    begin = "the ferry to the island leaves at noon " * 40
    rows = minilm.embed([begin + "x " * 500_000, begin])
    assert rows[0] @ rows[1] > 0.99


def test_the_companion_carries_the_tokenizer_of_the_static_model():
    companion = importlib.import_module("commonplace_minilm")
    assert WordPiece.load(companion.tokenizer_path()).ids("hello [MASK]") == [7592, 103]
    assert companion.model_path().stat().st_size == 22_811_169


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    assert MiniLMEmbedder().ready()
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util,
        "find_spec",
        lambda name, *rest: None if name == "commonplace_minilm" else find_spec(name, *rest),
    )
    with pytest.raises(ProviderError, match=r"pip install 'commonplace\[neural\]'"):
        MiniLMEmbedder()
