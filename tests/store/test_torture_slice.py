"""A slice of the torture: kill -9 in a write storm, and a crowd on one book. ``make torture`` runs more of it."""

import json
import os
from functools import partial

import pytest
from benchmarks.apart import report_of

ROUNDS = int(os.environ.get("COMMONPLACE_TORTURE_ROUNDS", "1000"))

pytestmark = pytest.mark.skipif(os.name == "nt", reason="SIGKILL is POSIX")


tortured = partial(report_of, "torture")


@pytest.mark.slow
def test_sqlite_keeps_what_it_acknowledged_and_bears_a_crowd() -> None:
    report = tortured("--engine", "sqlite", "--rounds", "70", "--writers", "3", "--crowd", "16", "--seconds", "4")
    assert report["killed"]["acknowledged"] >= 70
    assert report["crowd"]["acknowledged"] >= 16, "how many is a matter of the machine"


@pytest.mark.slow
@pytest.mark.postgres
def test_postgres_keeps_what_it_acknowledged_and_bears_a_crowd() -> None:
    report = tortured("--engine", "postgres", "--rounds", "30", "--writers", "3", "--crowd", "8", "--seconds", "3")
    assert report["killed"]["acknowledged"] >= 30
    assert report["crowd"]["acknowledged"] >= 8, "how many is a matter of the machine; not of the store"


@pytest.mark.torture
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_as_many_rounds_as_asked(engine: str) -> None:
    report = tortured("--engine", engine, "--rounds", str(ROUNDS), "--progress")
    print(json.dumps(report, indent=1))
