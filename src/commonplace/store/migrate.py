"""Numbered SQL files, each applied once, in one transaction; the same number means the same on both engines."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from commonplace.errors import SchemaTooNew

FOLDER = Path(__file__).parent / "migrations"

VERSION_TABLE = """
create table if not exists schema_version (number integer not null primary key, applied_at bigint not null)
"""


@dataclass(frozen=True, slots=True)
class Migration:
    number: int
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Migrated:
    """What a migration did, and the command that goes back to where it started."""

    found: int
    now: int
    backup: Path | None
    way_back: str | None


def steps(engine: str) -> list[Migration]:
    """Every migration of an engine, in order, without gaps."""
    migrations_found = []
    for file in sorted((FOLDER / engine).glob("[0-9]*.sql")):
        number, _, name = file.stem.partition("_")
        migrations_found.append(Migration(int(number), name, file.read_text(encoding="utf-8")))
    return migrations_found


def known(engine: str) -> int:
    """The schema this release writes."""
    return max(int(file.name.partition("_")[0]) for file in (FOLDER / engine).glob("[0-9]*.sql"))


def refuse_newer(engine: str, version: int) -> None:
    if version > known(engine):
        raise SchemaTooNew(version, known(engine))


def apply(engine: str, version: int, run: Callable[[str], object], mark: Callable[[int], object]) -> int:
    """Run what is missing and mark each; the caller holds the transaction and the lock. Returns where it stands."""
    for step in steps(engine):
        if step.number > version:
            run(step.text)
            mark(step.number)
    return known(engine)
