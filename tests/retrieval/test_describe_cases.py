"""Every fifth of the published cases; `python -m benchmarks.description` runs them all."""

import pytest
from benchmarks.description.cases import CASES
from benchmarks.description.run import run

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
