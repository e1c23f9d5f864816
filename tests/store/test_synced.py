"""What is acknowledged is on disk: which files are synced, and when. Under /dev/shm the calls are seen all the same."""

import json
import os
import subprocess
import sys

import pytest
from benchmarks.apart import ROOT

pytestmark = [
    pytest.mark.one_engine("the files of a SQLite book; PostgreSQL syncs by itself"),
    pytest.mark.skipif(sys.platform != "linux", reason="asks /proc which file is synced"),
]

PROGRAM = """
import json, sys
from pathlib import Path
from tests.torture_steps import Steps
from commonplace import Commonplace, Settings

steps = Steps()
steps.install()
folder = Path(sys.argv[1])
found = {}

def recorded(name, act):
    steps.names.clear()
    steps.armed = True
    result = act()
    steps.armed = False
    found[name] = list(steps.names)
    return result

settings = Settings(home=folder, embedder="none")
book = recorded("open", lambda: Commonplace.open(f"sqlite:///{folder}/book.db", settings=settings))
first = recorded("remember", lambda: book.remember("Ada lives in Oslo"))
recorded("observe", lambda: book.observe("We sail to Oslo.", session="trip"))
recorded("revise", lambda: book.revise(first.id, "Ada lives in Turin"))
recorded("forget", lambda: book.forget(first.id))
recorded("rotate", lambda: book.rotate_keys())
recorded("erase", lambda: book.erase(confirm=True))
recorded("backup", lambda: book.backup(folder / "copies" / "one.backup"))
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    folder = tmp_path_factory.mktemp("synced")
    path = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    command = [sys.executable, "-c", PROGRAM, str(folder)]
    done = subprocess.run(command, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, list[str]] = json.loads(done.stdout)
    return found


def places(steps: list[str], name: str) -> list[int]:
    return [number for number, step in enumerate(steps) if step == name]


def after_last(steps: list[str], written: str, synced: str) -> bool:
    """Whether something is synced after it was last written."""
    return bool(places(steps, written)) and max(places(steps, synced), default=-1) > max(places(steps, written))


@pytest.mark.parametrize("verb", ["remember", "observe", "revise", "forget", "rotate", "erase"])
def test_every_commit_of_the_book_is_synced(steps: dict[str, list[str]], verb: str) -> None:
    commits = "write book.db-wal", "sync book.db-wal"
    assert after_last(steps[verb], *commits) or steps[verb][-1].startswith(("truncate", "sync book.db"))
    assert places(steps[verb], "sync book.db-wal")


@pytest.mark.parametrize("verb", ["revise", "forget", "erase"])
def test_an_intent_is_synced_before_the_commit_that_it_announces(steps: dict[str, list[str]], verb: str) -> None:
    written, synced = (places(steps[verb], f"{call} book.db.ledger")[0] for call in ("write", "fsync"))
    commit = min(number for number in places(steps[verb], "sync book.db-wal") if number > written)
    assert written < synced < commit


def test_a_new_ledger_and_its_name_are_synced(steps: dict[str, list[str]]) -> None:
    folders = [step for step in steps["revise"] if step.startswith("fsync synced")]
    assert folders, "the folder, once the ledger is in it"


@pytest.mark.parametrize("verb", ["remember", "rotate", "erase"])
def test_the_keyring_is_synced_before_and_its_folder_after_it_is_put_in_place(
    steps: dict[str, list[str]], verb: str
) -> None:
    lines = steps["open"] + steps[verb] if verb == "remember" else steps[verb]
    (written, *_), (synced, *_), (put, *_) = (
        places(lines, f"{call} book.db.keyring.part") for call in ("write", "fsync", "replace")
    )
    folders = [number for number, step in enumerate(lines) if step.startswith("fsync synced") and number > put]
    assert written < synced < put and folders


def test_the_keys_of_an_erased_owner_are_overwritten_after_the_commit(steps: dict[str, list[str]]) -> None:
    commit = places(steps["erase"], "sync book.db-wal")[0]
    overwritten = [number for number, step in enumerate(steps["erase"]) if "(deleted)" in step and "fsync" in step]
    assert overwritten and overwritten[0] > commit


def test_a_backup_and_its_name_are_synced(steps: dict[str, list[str]]) -> None:
    lines = steps["backup"]
    assert after_last(lines, "write one.backup.part", "sync one.backup.part")
    assert [step for step in lines[places(lines, "replace one.backup.part")[0] :] if step == "fsync copies"]
