"""MiniLM through onnxruntime, from the package's own files."""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

from commonplace import Commonplace
from commonplace.errors import ProviderError
from commonplace.providers.embed.minilm import MiniLMEmbedder, _session


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


def test_without_the_package_the_error_says_how_to_install_it(monkeypatch):
    assert MiniLMEmbedder().ready()
    uninstall(monkeypatch, "onnxruntime")
    assert not MiniLMEmbedder().ready()
    with pytest.raises(ProviderError, match="pip install onnxruntime"):
        MiniLMEmbedder().embed(["hello"])


def test_a_book_without_the_package_keeps_everything_and_finds_it_by_words(book_url, settings, monkeypatch):
    with Commonplace.open(book_url, settings=settings) as book:
        book.remember("The cat is grey")
        with monkeypatch.context() as without, pytest.raises(ProviderError, match="pip install"):
            uninstall(without, "onnxruntime")
            book.reindex(model="minilm")
    with Commonplace.open(book_url, settings=replace(settings, embedder="minilm")) as book:
        with monkeypatch.context() as without:
            uninstall(without, "onnxruntime")
            book.remember("The dog is brown")
            book.observe("I drink green tea")
            assert "meaning" not in book.recall("brown dog", explain=True)[0].why.parts
            assert "green tea" in book.context("What do I drink?")
            assert book.forget(query="the dog is brown", dry_run=True).changes
            (place,) = book.stats().namespaces
            assert place.vectors_missing == place.memories
            assert [one.remedy for one in book.doctor().symptoms if one.check == "embedder"] == [
                "pip install onnxruntime"
            ]
        for job in book.jobs.list():
            book.jobs.replay(job.id)
        book.maintain()
        assert "meaning" in book.recall("brown dog", explain=True)[0].why.parts
        assert not book.stats().namespaces[0].vectors_missing
        assert not [one for one in book.doctor().symptoms if one.check == "embedder"]


def uninstall(monkeypatch, package):
    find_spec, import_module = importlib.util.find_spec, importlib.import_module

    def imported(name, *rest):
        if name == package:
            raise ModuleNotFoundError(name)
        return import_module(name, *rest)

    _session.cache_clear()
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *rest: None if name == package else find_spec(name))
    monkeypatch.setattr(importlib, "import_module", imported)
