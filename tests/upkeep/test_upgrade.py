"""A book of an older schema opens with this release, and the way back from a newer one works, step by step."""

import shlex
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest

from commonplace import Commonplace, Settings
from commonplace.errors import SchemaTooNew
from commonplace.interfaces.cli import main
from commonplace.store import migrate
from commonplace.store.open import migrate_store

RELEASED = Path(__file__).parents[1] / "store" / "released"
"""``released/make_book.py`` wrote the books, each with the code of its schema."""
pytestmark = pytest.mark.one_engine("the book is a file that an older release wrote")


def opened(home: Path) -> Commonplace:
    return Commonplace.open(f"sqlite:///{home}/book.db", owner="ada", settings=Settings(home=home))


def texts(book: Commonplace) -> set[str]:
    return {memory.text for memory in book.browse(limit=100)}


@pytest.mark.parametrize("schema", [1, 2, 3])
def test_a_book_of_an_older_schema_opens_with_everything_in_it(schema, tmp_path):
    with tarfile.open(RELEASED / f"book-schema-{schema}.tar.gz") as archive:
        archive.extractall(tmp_path, filter="data")
    with opened(tmp_path) as book:
        assert {"Ada prefers night trains to planes", "Ada reports to Marco", "Turin"} <= texts(book)
        assert any("Marco" in memory.text for memory in book.browse(kinds=["episodic"]))
        (memory,) = [memory for memory in book.browse(limit=100) if "night trains" in memory.text]
        assert book.history(memory.id)[0].memory.text == "Ada prefers trains to planes"
        assert any("trains" in hit.memory.text for hit in book.recall("how does Ada travel?"))
        assert book.core.get("city").text == "Turin"
        assert not any("4471" in text for text in texts(book))  # forgotten before the upgrade
        assert book.doctor(full=True).sound
    assert (tmp_path / f"book.db.schema-{schema}.backup").exists()


def test_the_way_back_from_a_newer_release_keeps_what_was_forgotten_since(tmp_path, monkeypatch):
    home, folder = tmp_path / "home", tmp_path / "migrations"
    with opened(home) as book:
        book.remember("Ada prefers trains to planes")
        locker = book.remember("The locker code is 4471")
    shutil.copytree(migrate.FOLDER, folder)
    number = migrate.known("sqlite") + 1
    for engine in ("sqlite", "postgres"):
        (folder / engine / f"{number:04}_next.sql").write_text("create table next_release (id text);")
    with monkeypatch.context() as newer:
        newer.setattr(migrate, "FOLDER", folder)
        way_back = migrate_store(home / "book.db").way_back
        with opened(home) as book:
            book.forget(locker.id)
            book.remember("Written by the newer release")
    with pytest.raises(SchemaTooNew):
        opened(home)
    for step in way_back.split(" && "):
        subprocess.run(shlex.split(step), check=True)
    with opened(home) as book:
        assert {"Ada prefers trains to planes", "The locker code is 4471"} <= texts(book)
    url = f"sqlite:///{home}/book.db"
    assert main(["restore", "--replay", "--url", url, "--owner", "ada", "--home", str(home)]) == 0
    with opened(home) as book:
        assert texts(book) == {"Ada prefers trains to planes"}
        assert book.doctor(full=True).sound
