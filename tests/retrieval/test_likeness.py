"""How likely a statement is meant, where no rule says so: with the embedder that ships, no store."""

from datetime import UTC, datetime

import pytest

from commonplace.providers.embed.static import StaticEmbedder
from commonplace.retrieval.description import read
from commonplace.retrieval.likeness import WEIGHTS, chances, measured
from commonplace.retrieval.statement import Statement
from commonplace.retrieval.targets import SURE, Nearness

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)


def judged(description: str, *said: str) -> list[float]:
    ones = [Statement(said=one, mine=True) for one in said]
    return chances(read(description, now=NOW), ones, Nearness(StaticEmbedder()))


@pytest.mark.parametrize(
    ("description", "meant", "others"),
    [
        ("my computer mouse", "My wireless mouse needs batteries", ["A mouse lives in the pantry"]),
        ("Ada's pup is sick", "Ada's poodle has a fever", ["Ada's car has a scratch", "Ada paints landscapes"]),
        ("our holiday on the island", "We spent our vacation on an island", ["We repaint the kitchen in May"]),
    ],
)
def test_other_words_for_the_same_are_likely_and_other_matters_are_not(description, meant, others):
    found = judged(description, *others, meant)
    assert found[-1] >= SURE
    assert all(chance < SURE / 2 for chance in found[:-1])
    assert sum(found) <= 1.0


def test_where_nothing_that_is_there_is_meant_nothing_is_likely():
    assert max(judged("my blood type", "I drive a van", "My sister sings")) < SURE
    assert max(judged("my blood type", "I drive a van", "My blood group is A")) >= SURE


def test_a_rival_is_never_likely_however_near():
    tea, coffee = judged("I drink tea", "I drink tea at four", "I drink coffee at four")
    assert tea > SURE > coffee
    assert judged("I drink tea", "I drink coffee at four")[0] < SURE


def test_every_measure_has_its_weight():
    wanted = read("my computer mouse", now=NOW)
    (measures,) = measured(wanted, [Statement(said="My mouse is broken", mine=True)], Nearness(None))
    assert list(measures) == list(WEIGHTS)


def test_without_an_embedder_words_for_the_same_matter_still_count():
    wanted = read("my sofa", now=NOW)
    ones = [Statement(said="My couch is grey", mine=True), Statement(said="My bike is grey", mine=True)]
    couch, bike = chances(wanted, ones, Nearness(None))
    assert couch > bike


def test_what_only_speaks_of_the_thing_is_no_answer_to_what_is_asked_of_it():
    assert judged("the price of the concert ticket", "The concert ticket is in the drawer") == [0.0]
    assert judged("the price of the concert ticket", "The concert ticket costs 30 euros")[0] > SURE


def test_where_not_one_word_is_met_only_nearly_the_same_is_likely():
    assert judged("Hugo's height", "Hugo is 40 years old") == [0.0]
    assert judged("Omar is unavailable on Fridays", "Omar isn't available on Fridays")[0] > SURE
