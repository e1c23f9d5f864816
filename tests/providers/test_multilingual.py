"""The multilingual encoder, a package of its own: what is asked in another language's own words finds its memory."""

from dataclasses import replace

import numpy as np
import pytest

from commonplace import Commonplace
from commonplace.errors import ProviderError
from commonplace.providers.embed import choose
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


def test_recall_counts_its_cosines_for_more_unless_weights_are_set(book_url, settings):
    settings = replace(settings, embedder="multilingual", late_interaction="off")
    with Commonplace.open(book_url, settings=settings) as book:
        book.remember("Mein Reisepass läuft im März ab")
        more = book.recall("Bis wann gilt mein Pass?", explain=True)[0]
    with Commonplace.open(book_url, settings=replace(settings, weights={"meaning": 0.5})) as book:
        less = book.recall("Bis wann gilt mein Pass?", explain=True)[0]
    assert more.why.parts["meaning"] == pytest.approx(3 * less.why.parts["meaning"], abs=1e-3)


def test_without_the_package_all_is_kept_and_the_doctor_says_what_to_install(book_url, settings, monkeypatch):
    assert embedder("multilingual").ready()
    monkeypatch.setattr(choose, "entry_points", lambda **which: ())
    assert not embedder("multilingual").ready()
    with pytest.raises(ProviderError, match="pip install commonplace-multilingual"):
        embedder("multilingual").embed(["hello"])
    with Commonplace.open(book_url, settings=replace(settings, embedder="multilingual")) as book:
        book.remember("Mein Reisepass läuft im März ab")
        assert book.recall("Reisepass")[0].memory.text.startswith("Mein Reisepass")
        (symptom,) = [one for one in book.doctor().symptoms if one.check == "embedder"]
    assert symptom.remedy == "pip install commonplace-multilingual"


def test_a_package_may_bring_an_embedder_of_another_name(monkeypatch):
    class Plugin:
        def load(self):
            return lambda: "an embedder"

    monkeypatch.setattr(choose, "entry_points", lambda **which: (Plugin(),) if which["name"] == "mine" else ())
    assert embedder("mine") == "an embedder"
