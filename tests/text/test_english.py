"""The English stemmer against the examples that its published description gives."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from commonplace.text.english import root, stem

FAMILIES = {
    "consist": "consist consisted consistency consistent consistently consisting consists",
    "knock": "knock knocked knocking knocks",
    "caress": "caress caresses",
    "tie": "ties tied tie tying",
    "cri": "cries cried cry",
    "hop": "hop hopping hopped",
    "hope": "hope hoping hoped hopes",
    "luxuri": "luxury luxuriously luxurious",
    "generat": "generate generated generating generation",
    "general": "general generally",
    "commune": "commune communes",
    "communiti": "community communities",
    "sky": "sky skies",
    "die": "die dying",
    "add": "add added adding",
    "organ": "organ organs",
    "organiz": "organize organized organization",
    "by": "by",
    "say": "say says",
    "happi": "happy happiness",
    "relat": "relate relational relating",
    "proceed": "proceed proceeds",
    "evening": "evening evenings",
    "agre": "agree agreed",
    "hopeless": "hopelessly hopelessness hopeless",
}


@pytest.mark.parametrize(("expected", "family"), FAMILIES.items())
def test_a_family_of_words_has_one_stem(expected, family):
    assert {stem(word) for word in family.split()} == {expected}


def test_words_of_other_families_stay_apart():
    assert len({stem(word) for word in "news new universe university universal past paste".split()}) >= 5


@given(st.text(alphabet="abcdefghijklmnopqrstuvwxyz'", min_size=1, max_size=30))
def test_a_stem_is_never_empty_and_never_longer_by_more_than_a_letter(word):
    assert 0 < len(stem(word)) <= len(word) + 1


@pytest.mark.parametrize(
    "family",
    [
        "buy buys bought buying",
        "teach taught teaches",
        "child children",
        "write wrote written writing",
        "colour color colours coloured colored",
        "neighbour neighbor neighbours",
        "neighbourhoods neighborhood",
        "organise organized organisation organizations",
        "surprise surprising surprised",
        "promise promises promised",
        "raise raised raising",
        "advise advised advising",
        "grey gray",
        "centre center centers",
    ],
)
def test_irregular_forms_and_british_spellings_have_one_root(family):
    assert len({root(word) for word in family.split()}) == 1


def test_other_words_keep_their_roots_apart():
    assert len({root(word) for word in ("four", "for", "hour", "prise", "prize", "tour", "saw", "see")}) == 8
