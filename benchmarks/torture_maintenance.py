"""python -m benchmarks.torture_maintenance --rounds 60 --engine sqlite

Kills the process with SIGKILL inside prune, merge, import, restore, reindex and key rotation, at a random moment, and
looks at the book that is left: sound, nothing lost, nothing forgotten back, and the same in the end as if nobody had
interfered, in what it holds and in what it finds. Exits with 1 if a promise was broken.

Each round has a copy of one finished book, keys included: a folder on SQLite, a database made from a template on
PostgreSQL. There a restore is what `pg_restore --single-transaction` does to the rows, and then the replay of the
ledger, which is what is killed; before the replay nobody may read, so nothing is looked at before it was run again.
"""

import argparse
import json
import multiprocessing
import os
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from benchmarks.torture.server import KillableServer

from commonplace import Commonplace, Settings
from commonplace.maintenance import importing, indexes, keys, merge, runs
from commonplace.maintenance.backup import finish
from commonplace.testing.clock import StoppedClock

BORN = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = BORN + timedelta(days=40)
MANY = 240
QUESTIONS = ("harbour 17", "town zero", "sail Oslo", "Giulia", "scar knee", "lighthouse 3", "moon cheese")
View = dict[str, Any]


@dataclass(frozen=True)
class Place:
    """Where a round's book lies, and the files beside it."""

    url: str
    home: Path
    files: Path

    def open(self) -> Commonplace:
        return Commonplace.open(self.url, settings=Settings(home=self.home), clock=StoppedClock(LATER))

    @property
    def replays(self) -> bool:
        """Copies are brought back by the server, and the ledger replayed afterwards."""
        return not self.url.startswith("sqlite")


@dataclass
class Outcome:
    rounds: int = 0
    killed: int = 0
    wrong: list[str] = field(default_factory=list)


def small_steps() -> None:
    """More transactions to be killed between."""
    runs.BATCH, merge.PAGE, importing.BATCH, indexes.REWORDED, keys.RESEALED = 10, 3, 15, 20, 25


def prune(book: Commonplace, place: Place) -> None:
    book.prune()


def merging(book: Commonplace, place: Place) -> None:
    book.merge()


def import_(book: Commonplace, place: Place) -> None:
    book.import_(place.files / "other.jsonl")


def restore(book: Commonplace, place: Place) -> None:
    if not place.replays:
        book.restore(place.files / "old.backup")
        return
    with book._scope.store.write(book.owner) as tx:
        tx.owners.drop()
        for table, rows in pickle.loads((place.files / "old.rows").read_bytes()).items():
            tx.tables.put(table, rows)
    finish(book._parts)


def keep_a_copy(book: Commonplace, place: Place) -> None:
    if not place.replays:
        book.backup(place.files / "old.backup")
        return
    with book._scope.store.read(book.owner) as tx:
        rows = {table: tx.tables.page(table, after=None, limit=1_000_000) for table in tx.tables.names()}
    (place.files / "old.rows").write_bytes(pickle.dumps(rows))


def reindex(book: Commonplace, place: Place) -> None:
    book.reindex()


def rotate(book: Commonplace, place: Place) -> None:
    # Asked for again after it was finished it would rotate once more; a broken off one is taken up by its job.
    generation = book._scope.keychain.latest(book.owner).current
    if generation == 1:
        book.rotate_keys()
    else:
        keys.reseal(book._scope)


ACTS: dict[str, Callable[[Commonplace, Place], None]] = {
    "prune": prune,
    "merge": merging,
    "import": import_,
    "restore": restore,
    "reindex": reindex,
    "rotate": rotate,
}


def build(place: Place) -> None:
    """A book with something for every act to do, an older backup, and what another book exported."""
    place.files.mkdir(parents=True, exist_ok=True)
    clock = StoppedClock(BORN)
    settings = Settings(home=place.home)
    with Commonplace.open(place.url, settings=settings, clock=clock) as book:
        fill(book)
        doomed = [book.remember("Ada has a scar on her knee").id, book.observe("The lighthouse 3 key is Zelda.").id]
        wrong = book.remember("the moon is cheese").id
        keep_a_copy(book, place)
        for id in doomed:
            book.forget(id)
        book.reject(wrong)
    other = Commonplace.open(f"sqlite:///{place.files}/other.db", owner="other", settings=settings, clock=clock)
    with other:
        other.remember_many([f"lighthouse {n} was painted white" for n in range(60)])
        other.remember("Ada has a scar on her knee")
        other.observe(["The lighthouse 3 key is Zelda.", "It stands on a rock."], session="keeper")
        other.relate("Zoe", "works_at", "Coast Guard", object_type="company")
        other.export(place.files / "other.jsonl")


def fill(book: Commonplace) -> None:
    items = [{"text": f"the harbour of town {n} freezes", "importance": 0.1 if n % 2 else 0.8} for n in range(MANY)]
    ids = book.remember_many(items).ids
    for n in range(0, 40, 4):
        book.revise(ids[n], f"the harbour of town {n + 2} freezes", reason="misheard")
    book.observe([f"turn {n}: shall we sail to Oslo?" for n in range(30)], session="trip")
    book.relate("Giulia", "reports_to", "Marco", object_type="person", notes="since May")
    book.revise(ids[-2], "the harbour of town zero never freezes", reason="measured")


def view(book: Commonplace) -> View:
    """What a person would see of the book, and what must never be in it."""
    statuses = ("candidate", "verified", "rejected", "stale", "archived")
    memories: list[Any] = []
    after = None
    while page := book.browse(limit=500, statuses=statuses, newest=False, after=after):
        memories += [(one.id, one.status, one.text, one.version, one.tags) for one in page]
        after = page[-1].id
    texts = sorted((text, status) for _, status, text, _, _ in memories)
    found = [[hit.memory.text for hit in book.recall(text, limit=5)] for text in QUESTIONS]
    with book._scope.store.read(book.owner) as tx:
        tombstones = len(tx.tombstones.all())
    return {"texts": texts, "found": found, "tombstones": tombstones, "ids": [one[0] for one in memories]}


def promises(place: Place, protected: View) -> list[str]:
    """What must hold at any moment, straight after the kill."""
    wrong = []
    with place.open() as book:
        now = view(book)
        texts = " ".join(text for text, status in now["texts"] if status != "rejected")
        wrong += [f"{word} is back" for word in ("scar", "Zelda", "cheese") if word in texts]
        if lost := set(protected["ids"]) - set(now["ids"]):
            wrong.append(f"{len(lost)} memories are lost")
        if len(now["ids"]) != len(set(now["ids"])):
            wrong.append("a memory is there twice")
        if not book.audit.verify().ok:
            wrong.append("the audit is broken")
        if "the harbour of town zero never freezes" not in " ".join(now["found"][1]):
            wrong.append("the neighbour is not found")
        wrong += [one.what for one in book.doctor(full=True).symptoms if one.grade == "problem"]
    return wrong


def run_act(place: Place, act: str, ready: Any) -> None:
    small_steps()
    with place.open() as book:
        book.recall("anything")  # what a process loads once is not part of the act
        ready.send(0.0)
        started = time.monotonic()
        ACTS[act](book, place)
        ready.send(time.monotonic() - started)


def started(place: Place, act: str) -> tuple[Any, Any]:
    """A process at the beginning of an act, and the pipe on which it tells how long the act took."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe()
    child = context.Process(target=run_act, args=(place, act, theirs))
    child.start()
    theirs.close()
    mine.recv()
    return child, mine


def undisturbed(place: Place, act: str) -> tuple[View, float]:
    child, pipe = started(place, act)
    seconds = pipe.recv()
    child.join()
    with place.open() as book:
        return view(book), seconds


def killed_round(
    place: Place, act: str, expected: View, seconds: float, chance: random.Random
) -> tuple[bool, list[str]]:
    """Whether the kill came in time, and what is wrong."""
    with place.open() as book:
        protected = view(book)
    child, pipe = started(place, act)
    time.sleep(chance.uniform(0, seconds))
    in_time = not pipe.poll()
    if child.is_alive() and child.pid:
        os.kill(child.pid, signal.SIGKILL)
    child.join()
    protects = protected if act != "restore" else {"ids": []}
    wrong = promises(place, protects) if act != "restore" or not place.replays else []
    small_steps()
    with place.open() as book:
        ACTS[act](book, place)
        after = view(book)
    wrong += promises(place, protects)
    wrong += [
        f"{part} differ from an undisturbed {act}"
        for part in ("texts", "tombstones", "found")
        if after[part] != expected[part]
    ]
    wrong += undone(place, act, protected)
    return in_time, [f"{act}: {one}" for one in wrong]


def undone(place: Place, act: str, protected: View) -> list[str]:
    """Tidying is taken back as a whole, in however many pieces it was done."""
    if act not in ("prune", "merge"):
        return []
    with place.open() as book:
        with book._scope.store.read(book.owner) as tx:
            rows = tx.receipts.page(limit=10_000, actions=(act.upper(),))
        parts = {ref for row in rows for ref in _parts(book, row.ref)}
        for row in rows:
            if row.ref not in parts:
                book.undo(row.ref)
        return [] if view(book)["texts"] == protected["texts"] else ["undoing did not bring everything back"]


def _parts(book: Commonplace, ref: str) -> list[str]:
    with book._scope.store.read(book.owner) as tx:
        row = tx.receipts.get(ref)
    assert row is not None
    touched = book._scope.open_json("receipt", ref, row.sealed)["touched"]
    return [id for noun, id, *_ in touched if noun == "receipt"]


class Template:
    """A finished book that each round gets a copy of, with its keys."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self._folder, self._url = folder, url
        self.first = self._place(f"template_{uuid.uuid4().hex}")
        if url is not None:
            self._run(f"create database {self.first.home.name}")
        build(self.first)

    def _place(self, name: str) -> Place:
        """The folder, and on PostgreSQL the database, of that name."""
        home = self._folder / name
        if self._url is None:
            return Place(url=f"sqlite:///{home}/book.db", home=home, files=home / "files")
        return Place(url=urlsplit(self._url)._replace(path=f"/{name}").geturl(), home=home, files=home / "files")

    def copy(self) -> Place:
        place = self._place(f"round_{uuid.uuid4().hex}")
        shutil.copytree(self.first.home, place.home)
        if self._url is not None:
            self._run(f"create database {place.home.name} template {self.first.home.name} strategy file_copy")
        return place

    def drop(self, place: Place) -> None:
        shutil.rmtree(place.home)
        if self._url is not None:
            self._run(f"drop database {place.home.name} with (force)")

    def _run(self, text: str) -> None:
        import psycopg  # only where PostgreSQL is tortured

        assert self._url is not None
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(text.encode())


def torture(
    folder: Path, *, rounds: int, seed: int, acts: list[str], url: str | None = None, progress: bool = False
) -> Outcome:
    chance, outcome = random.Random(seed), Outcome()
    template = Template(folder, url)
    small_steps()
    expected = {}
    for act in acts:
        expected[act] = undisturbed(place := template.copy(), act)
        template.drop(place)
    for number in range(rounds):
        act = acts[number % len(acts)]
        place = template.copy()
        in_time, wrong = killed_round(place, act, *expected[act], chance)
        outcome.rounds, outcome.killed = outcome.rounds + 1, outcome.killed + in_time
        outcome.wrong += wrong
        template.drop(place)
        if progress:
            print(f"{number + 1}: {act}{'' if in_time else ' (finished)'} {wrong or ''}", file=sys.stderr)
    template.drop(template.first)
    return outcome


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.torture_maintenance")
    parser.add_argument("--rounds", type=int, default=60)
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--acts", nargs="*", default=None, choices=list(ACTS))
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    asked = parser.parse_args()
    acts = asked.acts or list(ACTS)
    with tempfile.TemporaryDirectory() as folder:
        server = None
        if asked.engine == "postgres":
            server = KillableServer(Path(folder) / "server")
            server.start()
        try:
            url = server.url if server else None
            made = torture(Path(folder), rounds=asked.rounds, seed=asked.seed, acts=acts, url=url, progress=True)
        finally:
            if server is not None:
                server.stop()
    print(
        json.dumps(
            {
                "engine": asked.engine,
                "seed": asked.seed,
                "rounds": made.rounds,
                "killed": made.killed,
                "wrong": made.wrong,
            }
        )
    )
    return 1 if made.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
