"""A short slice of the maintenance torture; `python -m benchmarks.torture_maintenance --rounds N` runs more."""

import os
from pathlib import Path

import pytest
from benchmarks import torture_maintenance as torture
from tests.conftest import Server

from commonplace.maintenance import importing, indexes, keys, merge, runs

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL and forks"),
    pytest.mark.one_engine("kills processes that write to a file; tests/book/test_torture.py kills them on both"),
]
SIZES = [(runs, "BATCH"), (merge, "PAGE"), (importing, "BATCH"), (indexes, "REWORDED"), (keys, "RESEALED")]


@pytest.fixture(autouse=True)
def sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The torture makes its steps small; other tests get theirs back."""
    for module, name in SIZES:
        monkeypatch.setattr(module, name, getattr(module, name))


@pytest.mark.slow
def test_killed_inside_any_act_every_promise_holds(tmp_path: Path) -> None:
    made = torture.torture(tmp_path, rounds=6, seed=7, acts=list(torture.ACTS))
    assert made.wrong == [] and made.rounds == 6


@pytest.mark.slow
@pytest.mark.postgres
def test_killed_inside_any_act_every_promise_holds_on_postgres(tmp_path: Path, postgres_server: Server) -> None:
    url = postgres_server.url("postgres")
    made = torture.torture(tmp_path, rounds=6, seed=7, acts=list(torture.ACTS), url=url)
    assert made.wrong == [] and made.rounds == 6


@pytest.mark.torture
def test_killed_inside_any_act_as_often_as_asked(tmp_path: Path) -> None:
    rounds = int(os.environ.get("COMMONPLACE_TORTURE_ROUNDS", "1000")) // 5
    made = torture.torture(tmp_path, rounds=rounds, seed=os.getpid(), acts=list(torture.ACTS), progress=True)
    assert made.wrong == [] and made.killed > made.rounds // 2


def test_the_torture_sees_what_is_broken(tmp_path: Path) -> None:
    place = torture.Template(tmp_path, None).first
    with place.open() as book:
        whole = torture.view(book)
    assert torture.promises(place, whole) == []
    with place.open() as book, book._scope.store.write("me") as tx:
        tx.memories.delete([whole["ids"][0]])
        for row in tx.namespaces.all():
            tx.words.clear(row.id)
    found = " ".join(torture.promises(place, whole))
    assert "1 memories are lost" in found and "not in the word index" in found
