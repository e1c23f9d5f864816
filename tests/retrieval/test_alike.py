"""Other words for a word of a question."""

import numpy as np
import pytest

from commonplace.retrieval.alike import MOST, alike
from commonplace.retrieval.concepts import _tellings, told_by
from commonplace.retrieval.lexical import Postings, instead


def postings(*docs: int) -> Postings:
    return Postings(np.array(docs, np.uint32), np.array(docs, np.uint16))


@pytest.mark.parametrize("language", ["en", "de"])
def test_they_are_those_by_which_it_is_told(language):
    for term in _tellings(language):
        assert told_by(term, language).issuperset(alike(term, language)), term
    full = [term for term, others in _tellings("en").items() if 0 < len(others) < MOST]
    assert sum(set(alike(term, "en")) == told_by(term, "en") for term in full) > 0.9 * len(full) > 500


def test_a_word_that_the_tables_do_not_know_has_none():
    assert "manag" in alike("boss", "en") and alike("zebrafish", "en") == ()


def test_documents_that_hold_another_word_and_not_the_word_itself():
    found = instead(postings(2, 5), [postings(1, 5, 9), postings(2, 9, 10)])
    assert found.docs.tolist() == [1, 9, 10] and found.codes.tolist() == [1, 9, 10]
    assert instead(postings(), [postings(3)]).docs.tolist() == [3]
    assert len(instead(postings(3), [postings(3)])) == 0


def test_a_fact_in_other_words_comes_before_what_shares_none(open_book):
    book = open_book()
    book.remember_many([*(f"The archive holds shelf {n}" for n in range(12)), "Priyanka is my manager"])
    hits = book.recall("boss", explain=True)
    assert hits[0].memory.text == "Priyanka is my manager" and hits[0].why.parts["words"] > 0
    exact = book.recall("boss", recipe="exact", explain=True)
    assert all("words" not in hit.why.parts for hit in exact)
    assert book.recall("manager", recipe="exact", explain=True)[0].why.parts["words"] > 0


def test_the_word_itself_comes_before_another_for_it(open_book):
    book = open_book()
    book.remember_many(["The manager came by tram", "The boss came by tram"])
    book.remember_many([f"Shelf {n} is full" for n in range(12)])
    assert [hit.memory.text for hit in book.recall("boss", limit=2)] == [
        "The boss came by tram",
        "The manager came by tram",
    ]
