"""Folders and files that cannot be written, for real: an act is done or not done, then and after a restore."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

pytestmark = [
    pytest.mark.one_engine("what PostgreSQL may write is its roles' affair: tests/store/test_postgres.py"),
    pytest.mark.skipif(sys.platform == "win32", reason="file modes"),
]

PROGRAM = r"""
import json, os, shutil, sys
from pathlib import Path

from commonplace import Commonplace, Settings
from commonplace.errors import CommonplaceError, StoreError
from tests.upkeep.test_final_acts import ACTS

home, locked, early = Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "early"

def opened(folder):
    settings = Settings(home=folder, embedder="none", judge="off")
    return Commonplace.open(f"sqlite:///{folder}/book.db", settings=settings)

def view(book):
    statuses = ("candidate", "verified", "rejected", "stale", "archived")
    return sorted([memory.text, memory.status] for memory in book.browse(limit=50, statuses=statuses))

def lock(folder, on):
    named = {"ledger": ["book.db.ledger"], "keyring": ["book.db.keyring"], "book": ["book.db"], "folder": []}[locked]
    paths = [folder / name for name in named] if on else folder.iterdir()  # SQLite copies the mode to -wal and -shm
    for path in paths:
        path.chmod(0o400 if on else 0o600)
    if locked in ("folder", "keyring"):  # a keyring is replaced, not overwritten
        folder.chmod(0o500 if on else 0o700)

template, answers = home / "template", {}
template.mkdir()
with opened(template) as book:
    book.remember("Ben lives in Bonn")
    kept = book.remember("Ada lives in Oslo").id
    book.forget(book.remember("the safe is behind the painting").id)
if os.getuid() == 0:  # root writes everywhere; who we become may not read our modules, so they are loaded first
    shutil.copytree(template, home / "first")
    with opened(home / "first") as book:
        book.doctor(full=True, fix=True)
        book.backup(home / "first" / "one.backup")
        book.restore(home / "first" / "one.backup")
        for run in ACTS.values():
            run(book, book.remember("Ada lives in Rome", confirm=True).id)
    for path in [home, *home.rglob("*")]:
        os.chown(path, 65534, 65534)
    os.setgid(65534)
    os.setuid(65534)
for act, run in ACTS.items():
    folder = shutil.copytree(template, home / act)
    with opened(folder) as book:
        before = view(book)
        if not early:
            lock(folder, True)
        else:
            book.close()
            lock(folder, True)
        error = None
        try:
            if early:
                book = opened(folder)
            run(book, kept)
        except StoreError as raised:
            error = str(raised)
        finally:
            book.close()
            lock(folder, False)
    with opened(folder) as book:
        found = view(book)
        symptoms = book.doctor(full=True, fix=True).symptoms
        problems = [symptom.what for symptom in symptoms if symptom.grade == "problem"]
        problems += ["the doctor changed the book"] if view(book) != found else []
        book.remember("Ada has a boat")
        book.backup(folder / "later.backup")
        book.restore(folder / "later.backup")
        restored = view(book) == sorted([*found, ["Ada has a boat", "verified"]])
        again = None
        if error:
            run(book, kept)
            again = ["Ada lives in Oslo", "verified"] not in view(book)
    answers[act] = {"error": error, "kept": found == before, "problems": problems, "restored": restored, "again": again}
print(json.dumps(answers))
"""
REFUSED = {
    ("folder", "early"): ("revise", "reject", "forget", "erase"),
    ("book", "early"): ("revise", "reject", "forget", "erase"),
    ("ledger", "early"): ("revise", "reject", "forget", "erase"),
    ("ledger", "late"): ("revise", "reject", "forget", "erase"),
    ("keyring", "late"): ("erase",),
}
"""What cannot be done where this cannot be written. ``late``: since the book was opened."""


@pytest.mark.parametrize(("locked", "moment"), REFUSED, ids=map("-".join, REFUSED))
def test_what_cannot_be_written_is_not_done_at_all(locked: str, moment: str) -> None:
    # Not below pytest's own folder, which another user may not enter.
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        home = Path(folder) / "home"
        home.mkdir(mode=0o700)
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", PROGRAM, str(home), locked, moment]
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment, cwd=folder)
    assert done.returncode == 0, done.stderr[-2000:]
    answers = json.loads(done.stdout)
    for act, answer in answers.items():
        assert not answer["problems"] and answer["restored"], (act, answer)
        refused = act in REFUSED[locked, moment]
        assert (answer["error"] is not None, answer["kept"]) == (refused, refused), (act, answer)
        assert not refused or ("book.db" in answer["error"] and answer["again"]), (act, answer)
