"""What every book that a test leaves must pass: `doctor --full`, and an export that imports to an equal book.

Every book on SQLite is checked where it is. On PostgreSQL one in ten is, by a hash of the test's name; of the others
the rows, keys and ledger are read into a SQLite file and checked there, which is quicker.
A test that damages its book on purpose says so: ``@pytest.mark.damages_book("why")``.
"""

import io
import json
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import cache, partial
from hashlib import blake2b
from pathlib import Path
from typing import Any

from commonplace.book import Commonplace
from commonplace.errors import NotFound
from commonplace.runtime import Parts, open_parts
from commonplace.store.sqlite.store import SqliteStore

DIRECT = 10
"""The book of one test in so many is checked on PostgreSQL itself, the others as a copy of their rows."""
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
LARGE = 2_000
"""Rows beyond which a book is left to the tests that are about large ones."""

Place = tuple[str, Any, Any]
left: dict[str, Place] = {}
"""By the store's place: URL, settings and clock of the books that the running test has opened."""


def note(parts: Parts) -> None:
    url = getattr(parts.store, "_url", None) or f"sqlite:///{parts.store.place}"
    left[parts.store.place] = url, parts.settings, parts.clock


def way_to_check(name: str) -> Callable[[Place], list[str]]:
    """How the book that a test leaves on PostgreSQL is checked."""
    return problems if blake2b(name.encode(), digest_size=1).digest()[0] % DIRECT == 0 else problems_of_copy


def problems(place: Place) -> list[str]:
    """What is wrong with a book; nothing if there is none."""
    try:
        with closing(_opened(place, create=False)) as parts:
            return _problems(parts)
    except NotFound:
        return []


def problems_of_copy(place: Place) -> list[str]:
    """What is wrong with the rows of a book on PostgreSQL, which are looked at in a SQLite file."""
    try:
        with closing(_opened(place, create=False)) as source, _twin(source) as target:
            _copy(source, target)
            return _problems(target)
    except NotFound:
        return []


def _opened(place: Place, *, create: bool) -> Parts:
    url, settings, clock = place
    return open_parts(url, replace(settings, embedder="none", judge="off"), clock=clock, create=create)


@contextmanager
def _twin(parts: Parts) -> Iterator[Parts]:
    """A new book with the same settings, in memory."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        file = Path(folder) / "book.db"
        file.write_bytes(_empty_book())
        file.chmod(0o600)
        with closing(_opened((f"sqlite:///{file}", parts.settings, parts.clock), create=True)) as twin:
            yield twin


def _problems(parts: Parts) -> list[str]:
    owners = [row.owner for row in parts.store.accounts.owners()]
    if sum(_rows(parts, owner) for owner in owners) > LARGE:
        return []
    found = _diagnosed(parts, owners)
    for owner in () if found else owners:
        if _rows(parts, owner) and parts.keychain.known(owner):
            found += _round_trip(parts, owner)
    return found


def _copy(source: Parts, target: Parts) -> None:
    owners = [row.owner for row in source.store.accounts.owners() if source.keychain.known(row.owner)]
    for owner in sorted(owners, key=lambda owner: bool(source.keychain.members(owner))):  # members come first
        with source.store.read(owner) as tx:
            account, names = tx.tables.account(), tx.tables.names()
            pages = [partial(tx.tables.page, name, after=None, limit=LARGE * 10) for name in names]
            tx.ahead(*pages)
            tables = {name: page() for name, page in zip(names, pages, strict=True)}
        target.keychain.adopt(owner, source.keychain.fresh(owner), source.keychain.members(owner))
        with target.store.write(owner) as tx:
            for name, rows in tables.items():
                tx.tables.put(name, rows)
            assert account is not None
            tx.tables.put_account({**account, "ledger": None})
            tx.final_acts.append(list(source.store.ledger.entries(owner)))


def _rows(parts: Parts, owner: str) -> int:
    with parts.store.read(owner) as tx:
        return tx.tables.count("version")


def _diagnosed(parts: Parts, owners: list[str]) -> list[str]:
    if not any(parts.keychain.known(owner) for owner in owners):
        return []  # rows that a test of the store itself wrote
    book = Commonplace(parts, parts.scope(owners[0], "default"))
    problems = [symptom for symptom in book.doctor(full=True).symptoms if symptom.grade == "problem"]
    return [f"doctor: {symptom.what}" for symptom in problems if symptom.check != "providers"]  # settings, not the book


@cache
def _empty_book() -> bytes:
    """The file of a new book: its tables are made once."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
        SqliteStore(Path(folder) / "book.db").close()
        return (Path(folder) / "book.db").read_bytes()


def _round_trip(parts: Parts, owner: str) -> list[str]:
    first = _exported(Commonplace(parts, parts.scope(owner, "default")))
    with _twin(parts) as twin:
        book = Commonplace(twin, twin.scope(owner, "default"))
        book.import_(io.StringIO(first))
        there = _told(_exported(book))
    here = _told(first)
    if here == there:
        return []
    lost = [line for line in here if line not in there] + [line for line in there if line not in here]
    return [f"export and import of {owner!r} differ: {json.dumps(line)[:400]}" for line in lost[:3]]


def _exported(book: Commonplace) -> str:
    stream = io.StringIO()
    book.export(stream)
    return stream.getvalue()


def _told(text: str) -> list[Any]:
    """An export without document numbers, which no two books share."""

    def plain(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: plain(cell) for name, cell in value.items() if name not in ("doc", "docs")}
        return [plain(cell) for cell in value] if isinstance(value, list) else value

    lines = [json.loads(line) for line in text.split("\n") if line]  # a text may hold other ends of lines
    return [plain(line) for line in lines if line["type"] not in ("header", "footer")]


def check(places: dict[str, Place], look: Callable[[Place], list[str]] = problems) -> list[str]:
    return [f"{name}: {line}" for name, place in places.items() for line in look(place)]


def files(places: dict[str, Place]) -> dict[str, Place]:
    return {name: place for name, place in places.items() if place[0].startswith("sqlite") and Path(name).exists()}
