"""Killed while it remembers and observes, and used by a crowd; ``make torture`` runs more of it."""

import json
import os
import random
from functools import partial
from pathlib import Path

import pytest
from benchmarks import torture_book as torture
from benchmarks.apart import report_of

ROUNDS = int(os.environ.get("COMMONPLACE_TORTURE_ROUNDS", "1000"))

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL and forks")


tortured = partial(report_of, "benchmarks.torture_book")


@pytest.mark.slow
def test_every_acknowledged_memory_of_a_killed_process_is_there() -> None:
    report = tortured("--rounds", "100", "--crowd", "16", "--seconds", "4")
    assert report["killed"]["acknowledged"] >= 100 and report["crowd"]["acknowledged"] > 50


@pytest.mark.slow
@pytest.mark.postgres
def test_every_acknowledged_memory_of_a_killed_process_is_there_on_postgres() -> None:
    report = tortured("--engine", "postgres", "--rounds", "60", "--crowd", "8", "--seconds", "3")
    assert report["killed"]["acknowledged"] >= 15 and report["crowd"]["acknowledged"] > 20


@pytest.mark.torture
@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_as_many_rounds_as_asked(engine: str) -> None:
    print(json.dumps(tortured("--engine", engine, "--rounds", str(ROUNDS), "--progress"), indent=1))


@pytest.mark.damages_book("the torture must see damage")
@pytest.mark.one_engine("shows that the torture can fail; it runs on both")
def test_the_torture_sees_what_is_broken(tmp_path: Path) -> None:
    place = torture.Place(f"sqlite:///{tmp_path}/book.db", tmp_path)
    chance = random.Random(1)
    with place.open() as book:
        kept = dict(torture.one_write(book, "w", number) for number in range(4))
        assert torture.problems(book, kept, chance) == [] == torture.whole(book)
        scope, (first, second, *_) = book._scope, kept
        with scope.store.write(scope.owner) as tx:
            tx.memories.delete([first])
            for row in tx.namespaces.all():
                tx.words.clear(row.id)
        found = torture.problems(book, kept | {second: "other words altogether now"}, chance)
        assert f"lost: {first}" in found and f"changed: {second}" in found
        assert any(one.startswith("not found") for one in found)
        assert torture.problems(book, {second: kept[second]}, chance, since=10_000)[0] == f"not in the audit: {second}"
        assert any("word index" in one for one in torture.whole(book))
