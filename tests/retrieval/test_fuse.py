"""Fusion: one scale, a union, nothing gated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.errors import Invalid
from commonplace.retrieval import scores
from commonplace.retrieval.fuse import Fused
from commonplace.retrieval.recipes import BALANCED, RECIPES, recipe


def fused(words=None, own=None, possible=10.0, meaning=None, graph=None) -> dict[int, Fused]:
    found = scores.fuse(arrays(words or {}, own or {}, meaning or {}, graph or {}), possible)
    return {one.doc: one for one in found.at(slice(None))}


def arrays(words, own, meaning, graph) -> scores.Scores:
    docs = sorted({*words, *own, *meaning, *graph})
    columns = [np.array([held.get(doc, 0.0) for doc in docs]) for held in (words, own, meaning, graph)]
    return scores.Scores(np.array(docs, np.uint32), *columns)


def test_it_is_a_union_and_no_list_gates_another():
    found = fused(words={1: 5.0}, meaning={2: 0.5}, graph={3: 0.7})
    assert list(found) == [1, 2, 3]
    assert (found[1].words, found[1].meaning, found[1].graph) == (1.0, 0.0, 0.0)
    assert (found[2].words, found[2].meaning, found[2].graph) == (0.0, 1.0, 0.0)
    assert (found[3].words, found[3].meaning, found[3].graph) == (0.0, 0.0, 0.7)


def test_the_best_of_a_list_is_1_and_the_rest_keep_their_proportions():
    found = fused(words={1: 8.0, 2: 4.0}, own={1: 6.0, 2: 4.0}, meaning={1: 0.3, 2: 0.6, 3: -0.2})
    assert (found[1].words, found[2].words, found[1].own) == (1.0, 0.5, 0.75)
    assert (found[1].meaning, found[2].meaning, found[3].meaning) == (0.5, 1.0, 0.0)


def test_a_faint_best_is_not_stretched_to_a_full_match():
    found = fused(words={1: 1.0}, possible=100.0, meaning={1: 0.05})
    assert found[1].words == pytest.approx(0.03)
    assert found[1].meaning == pytest.approx(0.2)


def test_nothing_found_is_nothing():
    assert fused() == {}
    assert fused(words={1: 0.0}, possible=0.0)[1].words == 0.0


def test_the_shortlist_is_in_order_of_the_sum_then_of_document():
    found = arrays({9: 0.9, 3: 0.9, 5: 0.05}, {}, {5: 1.0}, {1: 0.1})
    assert [one.doc for one in found.at(scores.shortlist(found, BALANCED))] == [3, 9, 5, 1]
    assert found.at(slice(0, 1)) == [Fused(1, graph=0.1)]


LISTED = st.dictionaries(st.integers(0, 40), st.sampled_from((0.0, 0.1, 0.25, 0.5, 0.9)), max_size=20)


@given(LISTED, LISTED)
def test_two_namespaces_are_joined_in_order_of_document(here, there):
    there = {doc + 100: score for doc, score in there.items()}
    both = arrays({**here, **there}, {}, {}, {})
    for one, other in ((here, there), (there, here)):
        joined = arrays(one, {}, {}, {}).joined(arrays(other, {}, {}, {}))
        assert joined.at(slice(None)) == both.at(slice(None))


def test_recipes_have_names_and_an_unknown_one_is_refused():
    assert set(RECIPES) == {"balanced", "exact", "recent", "graph", "words", "meaning", "thorough"}
    assert recipe("balanced") is BALANCED
    with pytest.raises(Invalid, match="balanced"):
        recipe("spicy")
