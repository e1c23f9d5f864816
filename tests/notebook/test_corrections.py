"""What a correction takes back, what it leaves, and which note it means."""

import pytest

from commonplace.notebook.corrections import affirmed, meant, sounds_like_one, withdrawn


@pytest.mark.parametrize(
    ("said", "old", "kept"),
    [
        ("use port 9090, not 8080", ["8080"], "use port 9090"),
        ("the API port is 9090 instead of 8080", ["8080"], "the API port is 9090"),
        ("we switched from Flask to FastAPI", ["Flask"], "we switched to FastAPI"),
        ("the branch is release/2.1, not main", ["main"], "the branch is release/2.1"),
        ("wir nehmen nicht MySQL, sondern PostgreSQL", ["MySQL"], "wir nehmen PostgreSQL"),
        ("il porto è 9090 invece di 8080", ["8080"], "il porto è 9090"),
        ("we do not need a cache", [], "we do not need a cache"),
        ("the deadline is Friday", [], "the deadline is Friday"),
    ],
)
def test_the_old_value_is_told_from_the_new_one(said: str, old: list[str], kept: str):
    assert withdrawn(said) == old
    assert affirmed(said) == kept


NOTES = [("c", "the API uses FastAPI"), ("b", "the API port is 8080"), ("a", "the deadline is Monday for the release")]


def test_the_note_that_is_meant_is_found_by_its_old_value_or_by_what_it_is_about():
    assert meant("use 9090, not 8080", NOTES) == "b"
    assert meant("the API port is 9090", NOTES) == "b"
    assert meant("the deadline for the release is Friday", NOTES) == "a"


def test_a_note_on_something_else_is_left_alone():
    assert meant("the database is PostgreSQL", NOTES) is None
    assert meant("the API is fast", NOTES) is None


def test_corrections_are_heard_by_how_they_begin():
    message = "Thanks. Actually, the port is 9090."
    assert sounds_like_one(message, message.index("the port"))
    assert sounds_like_one("No, the port is 9090.", 4)
    assert not sounds_like_one("Now the port is 9090.", 4)
