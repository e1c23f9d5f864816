"""The multilingual encoder, an extra: what is asked in another language's own words finds its memory."""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

from commonplace import Commonplace
from commonplace.errors import ProviderError
from commonplace.providers.embed import multilingual
from commonplace.providers.embed.choose import embedder


@pytest.fixture(scope="module")
def encoder():
    return embedder("multilingual")


def test_rows_have_length_one_and_are_the_same_alone_and_in_company(encoder):
    texts = ["Mein Reisepass läuft im März ab", "Der Drucker brummt", " "]
    rows = encoder.embed(texts)
    assert rows.shape == (3, encoder.dims)
    assert np.allclose(np.linalg.norm(rows, axis=1), [1, 1, 0], atol=1e-5)
    assert np.array_equal(rows, np.concatenate([encoder.embed([text]) for text in texts]))


def test_synonyms_in_other_languages_are_near(encoder):
    facts = encoder.embed(["Mein Reisepass läuft im März ab", "La stampante fa rumore", "Ma sœur joue du violon"])
    questions = encoder.embed(["Bis wann gilt mein Pass?", "Cosa c'è che non va in ufficio?", "Which instrument?"])
    assert (questions @ facts.T).argmax(axis=1).tolist() == [0, 1, 2]


def test_a_book_finds_by_it(book_url, settings):
    settings = replace(settings, language="de", embedder="multilingual", late_interaction="off")
    with Commonplace.open(book_url, settings=settings) as book:
        book.remember_many(["Mein Reisepass läuft im März ab", "Der Drucker brummt", "Ich trinke Tee"])
        assert book.recall("Bis wann gilt mein Pass?", limit=1)[0].memory.text.startswith("Mein Reisepass")


def test_without_the_extra_the_error_says_how_to_install_it(monkeypatch):
    assert embedder("multilingual").ready()
    multilingual._loaded.cache_clear()
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == multilingual.PACKAGE else find(name))
    assert not embedder("multilingual").ready()
    with pytest.raises(ProviderError, match=r"commonplace-memory\[multilingual\]"):
        embedder("multilingual").embed(["hello"])
    multilingual._loaded.cache_clear()
