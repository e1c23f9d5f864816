"""Which of several things of one name is meant, by what is said of it."""

from datetime import UTC, datetime

import pytest

from commonplace.providers.embed.static import StaticEmbedder
from commonplace.retrieval.description import read
from commonplace.retrieval.glosses import alike, speaks_of, things_of
from commonplace.retrieval.statement import Statement
from commonplace.retrieval.targets import Nearness

NOW = datetime(2024, 5, 15, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("description", "things"),
    [
        ("the crane at the building site", [("crane", "at the building site")]),
        ("our pet python", [("python", "pet")]),
        ("the port wine I like", [("wine", "port I like"), ("port", "wine I like")]),
        ("the wave we surfed", [("wave", "we surfed")]),
        ("the mole, I mean the animal", [("mole", "the animal")]),
        ("the old chess club board", [("board", "old chess club")]),
        ("the crane is broken", []),
        ("the warranty covers water damage", []),
        ("Ada's trunk", []),
        ("the crane", []),
    ],
)
def test_a_thing_and_what_is_said_of_it_are_read(description, things):
    assert things_of(read(description, now=NOW)) == things


@pytest.mark.parametrize(
    ("description", "said", "speaks"),
    [
        ("my shoe size", "My usual size is 43", True),
        ("my shoe size", "My shirt size is M", False),
        ("the ring I wear", "My ring is made of gold", True),
        ("the ring I wear", "The ring road is closed", False),
        ("the guitar string", "A string snapped at the concert", True),
        ("the guitar string", "The piano string is rusty", False),
        ("the drill, I mean the exercise", "The fire drill is on Tuesday", True),
    ],
)
def test_another_of_its_kind_is_not_spoken_of(description, said, speaks):
    wanted = read(description, now=NOW)
    thing, gloss = things_of(wanted)[0]
    assert speaks_of(wanted, thing, gloss, Statement(said=said)) is speaks


@pytest.mark.parametrize(
    ("description", "nearer", "further"),
    [
        ("the river bank", "The bank is flooded after the rain", "The bank raised its interest rate"),
        ("the wave we surfed", "The best wave broke near the pier", "A wave of layoffs hit the firm"),
        ("the mole, I mean the animal", "A mole is digging up the lawn", "The mole on my back is getting darker"),
        ("my football boots", "My boots need new studs", "The boots for the garden are in the shed"),
    ],
)
def test_what_is_said_of_a_thing_is_nearer_to_what_is_said_around_it(description, nearer, further):
    near, wanted = Nearness(StaticEmbedder()), read(description, now=NOW)
    thing, gloss = things_of(wanted)[0]
    right, wrong = (alike(wanted, thing, gloss, Statement(said=said), near) for said in (nearer, further))
    assert right > wrong + 0.15
