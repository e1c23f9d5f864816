"""The tables of words: that every line says something, that none contradicts another, and what they are for."""

import re

import pytest

from commonplace import Commonplace
from commonplace.errors import NotFound
from commonplace.retrieval.concepts import (
    derived,
    groups,
    is_word,
    lines,
    rivals,
    said_as,
    surroundings,
    synonyms,
    told_by,
)
from commonplace.retrieval.wording import plainly, turn
from commonplace.text.words import words

TELLING = frozenset(("must",))
"""Stop words that say something all the same."""


def terms(listed: str) -> set[str]:
    return {words(word.lower())[0] for word in listed.split()}


@pytest.mark.parametrize("table", ["matters", "synonyms", "rivals", "turns"])
def test_no_line_stands_twice_and_none_has_blanks_around_it(table):
    found = lines(table)
    assert len(found) > 50
    assert [line for line in found if line != " ".join(line.split())] == []
    assert sorted(line for line in set(found) if found.count(line) > 1) == []


def test_every_matter_has_names_and_words_that_say_more():
    for line in lines("matters"):
        names, bar, said = line.partition(" | ")
        assert names and bar and said and "|" not in said, line
        assert len(terms(names) | terms(said)) > 1, line


@pytest.mark.parametrize("table", ["synonyms", "rivals"])
def test_every_group_has_several_words(table):
    assert [group for group in groups(table) if len(terms(group)) < 2 and not table.startswith("syn")] == []
    assert [group for group in groups(table) if len(group.split()) < 2] == []


@pytest.mark.parametrize("table", ["matters", "synonyms", "rivals"])
def test_no_stop_word_is_listed(table):
    listed = {word for line in lines(table) for word in re.findall(r"[^\s|]+", line) if not word.startswith("-")}
    assert sorted(word for word in listed - TELLING if words(word.lower())[0].startswith("s:")) == []


def test_what_is_met_beside_a_kind_is_listed_once_for_each_and_is_no_stop_word():
    assert len(lines("surroundings")) > 30
    for line in lines("surroundings"):
        kinds, bar, beside = line.partition(" | ")
        listed = f"{kinds} {beside}".split()
        assert kinds and bar and "|" not in beside, line
        assert len(beside.split()) == len(set(beside.split())) >= 4, line
        assert [word for word in listed if not word.islower() or words(word)[0].startswith("s:")] == [], line


def test_a_kind_is_known_by_what_is_met_beside_it_in_any_number():
    assert words("nest")[0] in surroundings("birds") & surroundings("bird")
    assert words("telescope")[0] not in surroundings("birds")
    assert surroundings("cranes") == frozenset()


def test_nothing_is_its_own_rival_nor_the_rival_of_what_means_the_same():
    every = {term for group in groups("rivals") for term in terms(group)}
    assert len(every) > 300
    assert sorted(term for term in every if term in rivals(term)) == []
    assert sorted((term, other) for term in every for other in rivals(term) if other in synonyms(term)) == []


def test_words_of_one_line_tell_the_matter_and_not_each_other():
    assert {words("beagle")[0], words("poodle")[0]} <= told_by("dog")
    assert "dog" not in told_by(words("beagle")[0])
    assert "dog" in said_as(words("beagle")[0])
    assert words("poodle")[0] not in said_as(words("beagle")[0])


@pytest.mark.parametrize(
    ("word", "ending", "made"),
    [
        ("swim", "-er", "swimmer"),
        ("bake", "-er", "baker"),
        ("sail", "-er", "sailer"),
        ("piano", "-ist", "pianist"),
        ("cardiology", "-ist", "cardiologist"),
        ("noise", "-y", "noisy"),
        ("fog", "-y", "foggy"),
        ("pay", "-ment", "payment"),
        ("arrange", "-ment", "arrangement"),
    ],
)
def test_derived_words_follow_a_rule(word, ending, made):
    assert derived(word, ending) == made


def test_an_instrument_is_told_by_who_plays_it():
    assert {"drum", "drummer", "violinist"} <= told_by("instrument")


def test_a_name_is_known_as_no_word():
    assert told_by("ci") & {words("jenkins")[0]}
    assert not is_word(words("jenkins")[0])
    assert is_word(words("pipeline")[0])


def sample(said: str) -> str:
    """A turn with the first of every choice."""
    plain = said.replace("*", "the").replace("N", "5 euros").replace(" ~", "").replace("?", "")
    return " ".join(re.sub(r"[{}<>]", "", token).split("/")[0] for token in plain.split())


def test_every_turn_is_met_by_its_own_words_and_by_no_others():
    for at, line in enumerate(lines("turns")):
        said, equals, word = line.partition(" = ")
        pattern, instead = turn(at)
        assert equals and pattern.search(sample(said)), line
        assert pattern.sub(instead, sample(said)).startswith(word), line
        assert not pattern.search("nothing of the kind was ever said here"), line


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("Mira carries the pager this week", "Mira oncall this week"),
        ("I took home 3,100 euros", "I earns 3,100 euros"),
        ("my driver’s licence", "my drivinglicence"),
        ("They're known as the Moles", "They name the Moles"),
        ("The boat was picked up", "The boat was picked up"),
    ],
)
def test_turns_stand_for_one_word_in_all_their_forms(text, plain):
    assert plainly(text) == plain


PAIRS = [
    ("my blood pressure pills", "I take ramipril every morning", "I take the bus every morning"),
    ("what instrument Tom plays", "Tom is a drummer", "Tom is a plumber"),
    ("the skin doctor", "My dermatologist is on the third floor", "My dentist is on the second floor"),
    ("my migraine medicine", "I take sumatriptan when my migraine comes", "I take a nap when I am tired"),
    ("that the lift is broken", "The elevator is out of order", "The elevator is on the left"),
    ("our heating", "The boiler was serviced in May", "The toilet was cleaned in May"),
    ("my season ticket", "I have an annual railcard", "I have an annual subscription to a magazine"),
    ("how long the build takes", "The build is done after 12 minutes", "The build broke on Windows"),
    ("Rita lost her job", "Rita was made redundant in April", "Rita lost her keys in April"),
    ("Lena's pregnancy", "Lena is expecting twins", "Lena is expecting a parcel"),
]


@pytest.mark.parametrize(("described", "meant", "other"), PAIRS, ids=lambda one: one)
def test_a_fact_in_other_words_is_found_and_what_is_near_is_not(book, described, meant, other):
    book.remember_many([other, meant])
    shown = book.forget(query=described, dry_run=True)
    assert [one.statement for one in shown.changes] == [meant]


@pytest.mark.parametrize(
    ("described", "near"),
    [
        ("Ines drinks alcohol", "Ines stopped drinking alcohol"),
        ("my current account", "We sat on the river bank"),
        ("that I play the violin", "I play the cello"),
        ("the bees", "The spelling bee is on Friday"),
    ],
)
def test_what_the_tables_bring_near_is_not_taken_for_it(book: Commonplace, described, near):
    book.remember(near)
    with pytest.raises(NotFound):
        book.forget(query=described)
