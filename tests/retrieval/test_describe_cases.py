"""Every fifth of the published cases; `python -m benchmarks.description` runs them all."""

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from benchmarks.description.cases import CASES
from benchmarks.description.run import run

from commonplace.retrieval.description import Description, read

FLOOR = 0.95


@pytest.mark.one_engine("a thousand cases in one process; tests/book/test_by_description.py runs on both")
def test_a_slice_of_the_cases_passes_at_the_published_rate():
    outcomes = run(CASES[::5])
    missed = [f"{one.case.query}: {one.why}" for one in outcomes if not one.passed]
    assert len(outcomes) > 50
    assert len(missed) <= (1 - FLOOR) * len(outcomes), "\n".join(missed)


def test_every_case_has_a_control_or_a_rest_that_must_stay():
    assert len(CASES) >= 300
    assert all(case.keep or case.cut for case in CASES)


def of_the_user(text: str) -> str:
    """A description that the owner gives, as somebody else would give it."""
    third = {
        "am": "is",
        "have": "has",
        "do": "does",
        "don't": "doesn't",
        "like": "likes",
        "live": "lives",
        "use": "uses",
    }
    text = re.sub(rf"\bI ({'|'.join(third)})\b(?!['’])", lambda found: f"the user {third[found[1]]}", text)
    return re.sub(r"\bmy\b", "the user's", re.sub(r"^My\b", "The user's", text))


def as_read(text: str) -> Description:
    found = read(text, now=datetime(2024, 5, 15, 12, tzinfo=UTC))
    return replace(found, text=found.text.lower())


def test_every_description_of_the_owners_is_read_alike_where_it_says_the_user():
    mine = [case.query for case in CASES if of_the_user(case.query) != case.query]
    assert len(mine) > 150
    assert [query for query in mine if as_read(of_the_user(query)) != as_read(query)] == []
