"""The documented dump leaves the keys out; restored and replayed, the book is sound and the forgotten stays so."""

import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commonplace import Commonplace, Settings
from commonplace.copies.backup import finish
from commonplace.errors import KeyringError

pytestmark = pytest.mark.postgres

BOOK, KEYS = "--schema=commonplace", "--schema=commonplace_keys"


class Keeper:
    """Whoever looks after the server: dumps and restores as a role that row level security does not hold back."""

    def __init__(self, server: Any, name: str) -> None:
        self._server, self._name = server, name
        self.url = server.url(name)

    def dump(self, target: Path, *flags: str, url: str | None = None) -> None:
        self._run("pg_dump", *flags, "--format=custom", f"--file={target}", url or self.url)

    def restore(self, source: Path) -> None:
        self._run("pg_restore", "--single-transaction", f"--dbname={self.url}", str(source))

    def restore_in_place(self, source: Path) -> None:
        """The keys stay. Not ``pg_restore --clean``: it trips over the constraints that partitions inherit."""
        self._server.run("drop schema commonplace cascade", database=self._name)
        self.restore(source)

    def _run(self, name: str, *arguments: str) -> None:
        done = subprocess.run([self._server.program(name), *arguments], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def database(postgres_server: Any) -> Iterator[str]:
    with postgres_server.database() as name:
        yield name


@pytest.fixture
def keeper(postgres_server: Any, database: str) -> Keeper:
    return Keeper(postgres_server, database)


@pytest.fixture
def opened_as(postgres_server: Any, tmp_path: Path) -> Iterator[Any]:
    books: list[Commonplace] = []

    def opener(database: str, owner: str = "ada", **who: str) -> Commonplace:
        url = postgres_server.url(database, **{"user": "commonplace_tester", **who})
        books.append(Commonplace.open(url, owner=owner, settings=Settings(home=tmp_path / "home")))
        return books[-1]

    yield opener
    for book in books:
        book.close()


def fill(book: Commonplace) -> dict[str, str]:
    said = ("Ada keeps bees in Turin", "Ada swims on Sundays", "Ada fears lightning", "the moon is cheese")
    kept = {text: book.remember(text, tags=["life"]).id for text in said}
    book.relate("Ada", "knows", "Grace", object_type="person")
    book.revise(kept["Ada swims on Sundays"], "Ada swims on Mondays")
    return kept


def found(book: Commonplace, question: str) -> list[str]:
    return [hit.memory.text for hit in book.recall(question)]


def test_a_restored_dump_is_sound_and_what_was_forgotten_since_stays_forgotten(
    keeper: Keeper, database: str, opened_as: Any, tmp_path: Path
) -> None:
    with opened_as(database) as book:
        kept = fill(book)
        keeper.dump(tmp_path / "book.dump", BOOK, "--exclude-schema=commonplace_keys")
        book.forget(kept["Ada fears lightning"])
        book.reject(kept["the moon is cheese"])
        book.remember("Ada sold the bees, said after the dump")
    keeper.restore_in_place(tmp_path / "book.dump")
    with opened_as(database) as book:
        assert "Ada fears lightning" in found(book, "what does Ada fear?"), "the dump holds it: the replay has work"
        assert finish(book._parts)
        assert not any("lightning" in text for text in found(book, "what does Ada fear lightning?"))
        assert not any("cheese" in text for text in found(book, "is the moon cheese?"))
        with pytest.raises(ValueError, match="rejected"):
            book.remember("the moon is cheese")
        assert "Ada keeps bees in Turin" in found(book, "bees in Turin")
        assert "Ada swims on Mondays" in found(book, "when does Ada swim?")
        assert not any("after the dump" in text for text in found(book, "who sold the bees?"))
        assert book.doctor().sound, book.doctor()
        assert book.audit.verify().ok
        book.remember("and the book goes on")
        assert "and the book goes on" in found(book, "goes on")


def test_a_dump_restored_elsewhere_opens_with_the_keys_dumped_apart(
    keeper: Keeper, database: str, opened_as: Any, postgres_server: Any, tmp_path: Path
) -> None:
    with opened_as(database) as book:
        kept = fill(book)
        keeper.dump(tmp_path / "book.dump", BOOK, "--exclude-schema=commonplace_keys")
        book.forget(kept["Ada fears lightning"])
    keeper.dump(tmp_path / "keys.dump", KEYS)
    fresh = f"{database}_fresh"
    postgres_server.run(f"create database {fresh}")
    try:
        postgres_server.run("create extension vector", database=fresh)
        elsewhere = Keeper(postgres_server, fresh)
        elsewhere.restore(tmp_path / "book.dump")
        elsewhere.restore(tmp_path / "keys.dump")
        with opened_as(fresh) as book:
            assert "Ada fears lightning" in found(book, "what does Ada fear?")
            finish(book._parts)
            assert not any("lightning" in text for text in found(book, "what does Ada fear lightning?"))
            assert "Ada keeps bees in Turin" in found(book, "bees in Turin")
            assert book.doctor().sound, book.doctor()
    finally:
        postgres_server.run(f"drop database {fresh} with (force)")


def test_an_owner_erased_after_the_dump_stays_erased(
    keeper: Keeper, database: str, opened_as: Any, postgres_server: Any, tmp_path: Path
) -> None:
    with opened_as(database) as ada, opened_as(database, owner="bob") as bob:
        fill(ada)
        bob.remember("Bob collects stamps")
        keeper.dump(tmp_path / "book.dump", BOOK, "--exclude-schema=commonplace_keys")
        ada.erase(confirm=True)
    keeper.restore_in_place(tmp_path / "book.dump")
    rows = postgres_server.run("select count(*) from commonplace.memory where owner = 'ada'", database=database)
    assert rows[0][0] > 0, "the rows are back"
    with opened_as(database, owner="bob") as bob:
        assert found(bob, "stamps") == ["Bob collects stamps"]
        finish(bob._parts)
        assert found(bob, "stamps") == ["Bob collects stamps"]
    with opened_as(database) as ada:
        assert found(ada, "bees in Turin") == []
        assert ada.doctor().sound, ada.doctor()
    rows = postgres_server.run("select count(*) from commonplace.memory where owner = 'ada'", database=database)
    assert rows[0][0] == 0


def test_a_dump_alone_opens_nothing(
    keeper: Keeper, database: str, opened_as: Any, postgres_server: Any, tmp_path: Path
) -> None:
    with opened_as(database) as book:
        fill(book)
    keeper.dump(tmp_path / "book.dump", BOOK, "--exclude-schema=commonplace_keys")
    fresh = f"{database}_alone"
    postgres_server.run(f"create database {fresh}")
    try:
        postgres_server.run("create extension vector", database=fresh)
        Keeper(postgres_server, fresh).restore(tmp_path / "book.dump")
        with pytest.raises(KeyringError, match="has no keys"):
            opened_as(fresh, user="postgres")
    finally:
        postgres_server.run(f"drop database {fresh} with (force)")


def test_row_level_security_refuses_a_dump_that_would_leave_rows_out(
    keeper: Keeper, database: str, opened_as: Any, postgres_server: Any, tmp_path: Path
) -> None:
    with opened_as(database) as book:
        fill(book)
    with pytest.raises(AssertionError, match=r"row-level security|permission denied"):
        keeper.dump(tmp_path / "less.dump", BOOK, url=postgres_server.url(database, user="commonplace_tester"))
