"""Killed while it learns, by rules and with a language model: a short slice; ``make torture`` runs more of it."""

import json
import os
from functools import partial
from pathlib import Path

import pytest
from benchmarks.apart import report_of
from tests.learning import torture

ROUNDS = int(os.environ.get("COMMONPLACE_TORTURE_ROUNDS", "1000"))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL and forks")


tortured = partial(report_of, "tests.learning.torture")


@pytest.mark.slow
def test_killed_at_any_moment_nothing_is_lost_or_done_twice() -> None:
    made = tortured("--rounds", "1", "--every", "110", "--seed", "7")
    assert made["kills"] >= 2


@pytest.mark.slow
def test_killed_while_a_model_thinks_nothing_is_lost_or_done_twice() -> None:
    made = tortured("--model", "--rounds", "0", "--every", "250", "--seed", "7")
    assert made["kills"] >= 1


@pytest.mark.slow
@pytest.mark.postgres
def test_killed_at_any_moment_nothing_is_lost_or_done_twice_on_postgres(postgres_url: str) -> None:
    made = tortured("--engine", "postgres", "--url", postgres_url, "--rounds", "0", "--every", "150", "--seed", "7")
    assert made["kills"] >= 1


@pytest.mark.torture
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
@pytest.mark.parametrize("model", [False, True], ids=["by rules", "with a model"])
def test_killed_at_every_boundary_and_as_often_as_asked(engine: str, model: bool) -> None:
    flags = ["--engine", engine, "--rounds", str(ROUNDS // 10), "--every", "1", "--progress"]
    print(json.dumps(tortured(*flags, *(["--model"] if model else [])), indent=1))


def test_the_torture_sees_what_is_lost_and_what_is_doubled() -> None:
    expected = {"traces": ["a", "b"], "runs": 1}
    assert torture.differences({"traces": ["a", "b"], "runs": 1}, expected) == []
    found = torture.differences({"traces": ["a", "a"], "runs": 2}, expected)
    assert found == ["traces: too much a", "traces: missing b", "runs: 2 instead of 1"]


def test_every_kind_of_verdict_is_among_what_is_tortured(book_url: str, tmp_path: Path) -> None:
    place = torture.Place(book_url, "nora", tmp_path, tmp_path / "progress")
    with place.open(torture.StoppedClock(torture.BORN)) as book:  # type: ignore[attr-defined]
        for number, turns in enumerate(torture.TALK):
            said = torture.BORN + torture.timedelta(days=number)  # type: ignore[attr-defined]
            book.observe([torture.Message(text, at=said) for text in turns], session="s")  # type: ignore[attr-defined]
    made = torture.view(place)
    assert {step[1] for step in made["traces"]} == {"ADD", "UPDATE", "DELETE", "NOOP"}
    assert {receipt[0] for receipt in made["receipts"]} == {"OBSERVE", "LEARN", "FORGET"}
    assert made["tombstones"] and made["relations"] and made["audit"] and not made["problems"]
