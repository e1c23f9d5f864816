"""The lexical score: lent words, equal twins, and the same best whatever is left out."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import commonplace
from commonplace.retrieval import bm25 as plain
from commonplace.retrieval import lexical
from commonplace.retrieval.bm25 import Bm25, Statistics, Term
from commonplace.retrieval.lexical import QuestionTerms
from commonplace.text.index import ASKS, LENGTHS, RECORD, TF, TURN, length_code

TEN = Statistics(documents=1000, length=10_000)
TEA = [Term("tea")]


def packed(*records: tuple[int, int, int]) -> bytes:
    return b"".join(RECORD.pack(*record) for record in records)


def scores(*records: tuple[int, int, int], term: Term = TEA[0], weights: Bm25 = plain.BM25) -> dict[int, float]:
    found = lexical.score(QuestionTerms.of([lexical.unpack(packed(*records))], TEN, [term], weights))
    return dict(zip(found.docs.tolist(), found.scores.tolist(), strict=True))


def test_what_is_packed_is_unpacked():
    stored = lexical.pack([3, 7, 70_000], [1 | TURN, 2, TF | ASKS], [4, 127, 255])
    assert stored == packed((3, 1 | TURN, 4), (7, 2, 127), (70_000, TF | ASKS, 255))
    postings = lexical.unpack(stored)
    assert postings.docs.tolist() == [3, 7, 70_000]
    assert postings.flags.tolist() == [1 | TURN, 2, TF | ASKS]
    assert postings.lengths.tolist() == [4, 127, 255]


def test_records_out_of_order_or_written_twice_are_put_right():
    postings = lexical.unpack(packed((9, 1, 4), (3, 1, 4), (9, 2, 5)))
    assert (postings.docs.tolist(), postings.flags.tolist(), postings.lengths.tolist()) == ([3, 9], [1, 2], [4, 5])


def test_a_length_is_exact_to_127_and_near_to_4000():
    assert [LENGTHS[length_code(n)] for n in range(128)] == [float(n) for n in range(128)]
    assert all(abs(LENGTHS[length_code(n)] / n - 1) < 0.015 for n in range(128, 4000))
    assert length_code(1_000_000) == 255


def test_a_turn_lends_its_words_to_its_neighbours_and_no_further():
    found = scores((10, 1 | TURN, 10))
    assert sorted(found) == [8, 9, 10, 11, 12]
    assert found[10] > found[9] == found[11] > found[8] == found[12] > 0


def test_a_question_lends_more_to_the_answer_than_a_statement_does():
    asked, told = scores((10, 1 | TURN | ASKS, 10)), scores((10, 1 | TURN, 10))
    assert asked[11] > told[11]
    assert asked[9] < told[9]
    assert asked[10] < told[10]


def test_what_is_not_a_turn_lends_nothing():
    assert list(scores((10, 1, 10))) == [10]


def test_a_field_is_not_lent():
    assert list(scores((10, 1 | TURN, 10), term=Term("@anna", lends=False))) == [10]


def test_a_long_turn_lends_less():
    short, long = scores((10, 1 | TURN, 10)), scores((10, 1 | TURN, length_code(400)))
    assert long[11] / long[10] < short[11] / short[10]


def test_the_first_document_lends_to_none_before_it():
    assert sorted(scores((0, 1 | TURN, 10))) == [0, 1, 2]


def test_a_name_counts_less_where_people_address_each_other_than_in_a_note():
    name = Term("anna", conversation_weight=0.1)
    found = scores((10, 1 | TURN, 10), (50, 1, 10), term=name)
    assert found[50] > 2 * found[10]
    plainly = scores((10, 1 | TURN, 10), (50, 1, 10))
    assert plainly[50] == pytest.approx(plainly[10])


def test_rarer_words_and_shorter_documents_count_more():
    rare, common = [(5, 1, 10)], [(n, 1, 10) for n in range(0, 600, 3)]
    assert scores(*rare)[5] > scores(*common)[3]
    found = scores((5, 1, 4), (9, 1, 40))
    assert found[5] > found[9]


def test_equal_scores_come_in_order_of_document():
    found = lexical.score(QuestionTerms.of([lexical.unpack(packed(*((n, 1, 10) for n in (7, 3, 5, 1))))], TEN, TEA))
    assert found.best(3).docs.tolist() == [1, 3, 5]
    assert found.best(0).docs.tolist() == []
    assert found.best(99).docs.tolist() == [1, 3, 5, 7]


def test_nothing_asked_or_nothing_held_gives_nothing():
    assert len(lexical.score(QuestionTerms.of([], TEN, [])).docs) == 0
    assert len(lexical.score(QuestionTerms.of([lexical.unpack(b"")], TEN, TEA)).docs) == 0
    assert len(lexical.score(QuestionTerms.of([lexical.unpack(packed((1, 1, 1)))], Statistics(0, 0), TEA)).docs) == 1


RECORDS = st.dictionaries(
    st.integers(0, 300),
    st.tuples(st.integers(1, 9), st.booleans(), st.booleans(), st.integers(0, 255)),
    max_size=60,
).map(
    lambda held: packed(
        *((doc, tf | turn * TURN | asks * ASKS, code) for doc, (tf, turn, asks, code) in sorted(held.items()))
    )
)
ASKED = st.tuples(RECORDS, st.sampled_from((1.0, 0.4)), st.booleans(), st.sampled_from((1.0, 0.1)))


@settings(max_examples=150, deadline=None)
@given(st.lists(ASKED, max_size=5), st.integers(300, 900))
def test_the_twins_give_the_same_scores(asked, documents):
    statistics = Statistics(documents, documents * 14)
    postings = [packed for packed, *_ in asked]
    terms = [Term("x", weight, lends, said) for _, weight, lends, said in asked]
    arrays = [lexical.unpack(one) for one in postings]
    asked = QuestionTerms.of(arrays, statistics, terms)
    fast, slow = lexical.score(asked), plain.score(postings, statistics, terms)
    assert fast.docs.tolist() == sorted(slow.scores)
    np.testing.assert_allclose(fast.scores, [slow.scores[doc] for doc in fast.docs.tolist()], rtol=0, atol=1e-9)
    again, own = lexical.at(asked, fast.docs)
    np.testing.assert_allclose(own, [slow.own.get(doc, 0.0) for doc in fast.docs.tolist()], rtol=0, atol=1e-9)
    np.testing.assert_allclose(again, fast.scores, rtol=0, atol=1e-9)
    most = plain.most(statistics, [len(one) for one in arrays], terms)
    assert all(score <= most + 1e-9 for score in slow.scores.values())


@pytest.mark.parametrize("seed", range(6))
def test_leaving_out_who_cannot_win_changes_nothing(seed):
    chance = np.random.default_rng(seed)
    postings, rare = [], np.unique(chance.integers(0, 20_000, 40))
    often, everywhere = (chance.integers(0, 20_000, size) for size in (6_000, 9_000))
    for held in (rare, chance.permutation(rare)[:20], often, everywhere):
        docs = np.unique(held)
        flags = chance.integers(1, 4, len(docs)) | TURN | np.where(chance.random(len(docs)) < 0.3, ASKS, 0)
        postings.append(lexical.unpack(lexical.pack(docs, flags, chance.integers(3, 60, len(docs)))))
    terms = [Term(str(n)) for n in range(4)]
    statistics = Statistics(20_000, 300_000)
    whole = lexical.score(QuestionTerms.of(postings, statistics, terms))
    part = lexical.score(QuestionTerms.of(postings, statistics, terms), count=15)
    assert len(part.docs) < len(whole.docs)
    assert part.best(15).docs.tolist() == whole.best(15).docs.tolist()
    np.testing.assert_allclose(part.best(15).scores, whole.best(15).scores, rtol=0, atol=1e-9)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "sizes",
    [
        (40, 900, 6_000, 25_000),
        (5, 7_000, 9_000, 30_000),  # fewer hold the rare word than are wanted
        (6_000, 9_000, 25_000),
        (30_000,),
        (300, 2_000, 5_000, 5_500, 6_000, 12_000, 30_000, 50_000),
    ],
)
def test_nor_does_it_among_notes(sizes, seed):
    chance = np.random.default_rng(seed)
    postings = []
    for size in sizes:
        docs = np.unique(chance.integers(0, 100_000, size))
        lengths = chance.integers(3, 30, len(docs))
        postings.append(lexical.unpack(lexical.pack(docs, chance.choice([1, 1, 1, 2, 3], len(docs)), lengths)))
    asked = QuestionTerms.of(postings, Statistics(100_000, 1_400_000), [Term(str(n)) for n in range(len(sizes))])
    whole, part = lexical.score(asked), lexical.score(asked, count=64)
    assert len(part.docs) < len(whole.docs)
    assert part.best(64).docs.tolist() == whole.best(64).docs.tolist()
    scores = dict(zip(whole.docs.tolist(), whole.scores.tolist(), strict=True))
    np.testing.assert_allclose(part.scores, [scores[doc] for doc in part.docs.tolist()], rtol=0, atol=1e-9)


def test_a_hook_can_rank_words_without_numpy():
    """Ends with a control: the array twin does need it."""
    modules = "bm25 question signals recipes fuse rank explain"
    names = " ".join(f"commonplace.retrieval.{name}" for name in modules.split())
    code = (
        "import sys, importlib\n"
        f"for name in {names!r}.split(): importlib.import_module(name)\n"
        "assert 'numpy' not in sys.modules, 'numpy came in'\n"
        "importlib.import_module('commonplace.retrieval.lexical')\n"
        "assert 'numpy' in sys.modules\n"
    )
    source = str(Path(commonplace.__path__[0]).parent)
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "PYTHONPATH": source})
