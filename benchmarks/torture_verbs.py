"""python -m benchmarks.torture_verbs --engine sqlite --rounds 10000 --workers 8 --table torture.md

Kills the process with SIGKILL at every step of every verb that writes: before each change to a file, after it or in the
middle of it, and around each trip to the server. Then it looks at the book that is left, runs `doctor --fix`, restores
a backup taken after the kill, looks again, and runs the verb once more. A verb that is one transaction must have left
the old state or the new; one that works in several must in the end leave what it leaves undisturbed. Exits with 1 if a
promise was broken.

Each round has a copy of one finished book, keys included: a folder on SQLite, a database made from a template on
PostgreSQL. There a restore is what `pg_restore --single-transaction` does to the rows, then the replay of the ledger.
For SQLite the package and what it needs to run are enough.
"""

import argparse
import json
import math
import multiprocessing
import pickle
import random
import shutil
import signal
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.torture_server import killable
from tests.torture_steps import Steps

from commonplace import Commonplace, Settings
from commonplace.batches import runs
from commonplace.copies import import_lines as importing
from commonplace.copies.backup import finish
from commonplace.testing.clock import StoppedClock
from commonplace.upkeep import keys, merge
from commonplace.upkeep import reindex as indexes

BORN = datetime(2026, 3, 1, 9, tzinfo=UTC)
LATER = BORN + timedelta(days=40)
OTHER = "ben"
ACKNOWLEDGED = "this was acknowledged after the kill"
STATUSES = ("candidate", "verified", "rejected", "stale", "archived")
FORGOTTEN = ("scar", "Zelda")
MEMORY = Path("/dev/shm")
"""A process that is killed loses nothing that it wrote, wherever the files are: so they need no disk."""
View = dict[str, Any]


@dataclass(frozen=True)
class RoundBook:
    """Where a round's book is, and the files beside it."""

    url: str
    home: Path
    files: Path

    def open(self, owner: str = "me") -> Commonplace:
        # Without vectors: what is proved is the writing, and a model would take most of a round to load.
        settings = Settings(home=self.home, embedder="none", judge="off")
        return Commonplace.open(self.url, owner=owner, settings=settings, clock=StoppedClock(LATER))

    @property
    def on_server(self) -> bool:
        return not self.url.startswith("sqlite")


@dataclass
class Outcome:
    steps: Counter[str] = field(default_factory=Counter)
    """How many steps each verb has."""
    rounds: Counter[str] = field(default_factory=Counter)
    killed: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def add(self, other: "Outcome") -> None:
        self.rounds += other.rounds
        self.killed += other.killed
        self.wrong += other.wrong


@dataclass(frozen=True)
class Kill:
    """Where a process dies: before a step, or torn in it. Step 0: nowhere."""

    step: int
    torn: bool = False


def id_of(book: Commonplace, text: str) -> str:
    return next(memory.id for memory in book.browse(limit=500, statuses=STATUSES) if memory.text == text)


def rotate(book: Commonplace, place: RoundBook) -> None:
    # Asked for again after it was finished it would rotate once more; a broken off one is taken up by its job.
    if book._scope.keychain.latest(book.owner).current == 1:
        book.rotate_keys()
    else:
        keys.reseal(book._scope)


def restore_older(book: Commonplace, place: RoundBook) -> None:
    restore_copy(book, place, "old")


Verb = Callable[[Commonplace, RoundBook], Any]
AT_ONCE: dict[str, Verb] = {
    "remember": lambda book, place: book.remember("Ada bought a kite", tags=["toys"], metadata={"size": 2}),
    "revise": lambda book, place: book.revise(id_of(book, "Ada lives in Oslo"), "Ada lives in Turin", reason="moved"),
    "confirm": lambda book, place: book.confirm(id_of(book, "the moon is cheese")),
    "reject": lambda book, place: book.reject(id_of(book, "Ada is tall"), reason="wrong"),
    "forget": lambda book, place: book.forget(id_of(book, "Ada has two cats")),
    "erase": lambda book, place: book.erase(confirm=True),
    "rollback": lambda book, place: book.rollback(id_of(book, "Ada drinks oolong"), to=1),
    "undo": lambda book, place: book.undo((place.files / "receipt").read_text()),
}
"""One transaction for what is believed: the old state, or the new one."""
IN_STEPS: dict[str, Verb] = {
    "observe": lambda book, place: book.observe("I moved to Bergen. My dog is called Rex.", session="talk"),
    "prune": lambda book, place: book.prune(),
    "merge": lambda book, place: book.merge(),
    "import": lambda book, place: book.import_(place.files / "other.jsonl"),
    "restore": restore_older,
    "reindex": lambda book, place: book.reindex(),
    "keys rotate": rotate,
}
"""Several transactions: what is missing is done by running it again."""
VERBS = AT_ONCE | IN_STEPS


def small_steps() -> None:
    """More transactions to be killed between."""
    runs.BATCH, merge.PAGE, importing.BATCH, indexes.REWORDED, keys.RESEALED = 4, 2, 5, 6, 8


def restore_copy(book: Commonplace, place: RoundBook, name: str) -> None:
    if not place.on_server:
        book.restore(place.files / f"{name}.backup")
        return
    with book._scope.store.write(book.owner) as tx:
        tx.owners.drop()
        for table, rows in pickle.loads((place.files / f"{name}.rows").read_bytes()).items():
            tx.tables.put(table, rows)
    finish(book._parts)


def keep_copy(book: Commonplace, place: RoundBook, name: str) -> None:
    if not place.on_server:
        book.backup(place.files / f"{name}.backup")
        return
    with book._scope.store.read(book.owner) as tx:
        rows = {table: tx.tables.page(table, after=None, limit=1_000_000) for table in tx.tables.names()}
    (place.files / f"{name}.rows").write_bytes(pickle.dumps(rows))


def build(place: RoundBook) -> None:
    """A book with something for every verb to do, an older copy, and what another book exported."""
    place.files.mkdir(parents=True, exist_ok=True)
    clock, settings = StoppedClock(BORN), Settings(home=place.home, embedder="none", judge="off")
    with Commonplace.open(place.url, owner=OTHER, settings=settings, clock=clock) as book:
        book.remember("Ben keeps bees")
    with Commonplace.open(place.url, settings=settings, clock=clock) as book:
        items = [{"text": f"the harbour of town {n} freezes", "importance": 0.1 if n % 2 else 0.8} for n in range(12)]
        ids = book.remember_many(items).ids
        book.revise(ids[0], "the harbour of town 2 freezes", reason="misheard")
        for text in ("Ada lives in Oslo", "Ada is tall", "Ada drinks tea", "Ada has two cats", "the moon is cheese"):
            book.remember(text)
        book.observe(["Shall we sail to Oslo?", "Ada has two cats"], session="trip")
        book.relate("Giulia", "reports_to", "Marco", object_type="person", notes="since May")
        gone = [book.remember("Ada has a scar on her knee").id, book.observe("The lighthouse key is Zelda.").id]
        keep_copy(book, place, "old")
        for id in gone:
            book.forget(id)
        book.reject(id_of(book, "the moon is cheese"))
        book.revise(id_of(book, "Ada drinks tea"), "Ada drinks oolong", reason="asked her")
        receipt = book.revise(id_of(book, "the harbour of town 4 freezes"), "the harbour of town 4 never freezes")
        (place.files / "receipt").write_text(receipt.ref)
    with Commonplace.open(f"sqlite:///{place.files}/other.db", owner="x", settings=settings, clock=clock) as other:
        other.remember_many([f"lighthouse {n} was painted white" for n in range(9)])
        other.remember("Ada has a scar on her knee")
        other.observe(["The lighthouse key is Zelda.", "It stands on a rock."], session="keeper")
        other.relate("Zoe", "works_at", "Coast Guard", object_type="company")
        other.forget(other.remember("the fog horn is broken").id)
        other.export(place.files / "other.jsonl")


def view(book: Commonplace) -> View:
    """What a person would see of the book, and what the ledger says."""
    memories = book.browse(limit=500, statuses=STATUSES)
    with book._scope.store.read(book.owner) as tx:
        stones = len(tx.tombstones.all())
    return {
        "memories": sorted((memory.text, memory.status) for memory in memories),
        "relations": sorted(f"{one.subject.label} {one.predicate} {one.object.label}" for one in book.relations()),
        "tombstones": stones,
        "found": [sorted(hit.memory.text for hit in book.recall(text, limit=3)) for text in ("harbour 2", "Ada lives")],
    }


def problems(book: Commonplace, *, fix: bool = False) -> list[str]:
    """What must hold at any moment, for every owner."""
    other = Commonplace(book._parts, book._parts.scope(OTHER, "default"))
    found = [] if other.browse()[0].text == "Ben keeps bees" else ["another owner lost something"]
    shown = " ".join(memory.text for memory in book.browse(limit=500))
    found += [f"{word} is back" for word in FORGOTTEN if word in shown]
    symptoms = book.doctor(full=True, fix=fix).symptoms
    found += [symptom.what for symptom in symptoms if symptom.grade == "problem" and not symptom.fixed]
    return found + list(() if fix else book.stats().warnings)


def run_verb(place: RoundBook, verb: str, kill: Kill, pipe: Any) -> None:
    small_steps()
    steps = Steps(kill.step, torn=kill.torn)
    if place.on_server:
        steps.install_wire()
    steps.install()
    with place.open() as book:
        book.recall("anything")  # what a process loads once is not part of the verb
        steps.armed = True
        VERBS[verb](book, place)
        steps.armed = False
    pipe.send(steps.names)


def in_child(place: RoundBook, verb: str, kill: Kill = Kill(0)) -> list[str] | None:
    """The steps of a verb, or None if the process was killed before its end."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe(duplex=False)
    child = context.Process(target=run_verb, args=(place, verb, kill, theirs))
    child.start()
    theirs.close()
    try:
        names: list[str] | None = mine.recv()
    except EOFError:
        names = None
    child.join()
    if names is None and child.exitcode != -signal.SIGKILL:
        raise RuntimeError(f"{verb} failed by itself (exit code {child.exitcode})")
    return names


def killed_round(place: RoundBook, verb: str, kill: Kill, before: View, after: View) -> tuple[bool, list[str]]:
    """Whether the kill came before the end, and what is wrong."""
    finished = in_child(place, verb, kill) is not None
    small_steps()
    with place.open() as book:
        wrong = broken_promises(book, place, verb, finished, before, after)
    return not finished, [f"{verb} killed {'in' if kill.torn else 'before'} step {kill.step}: {line}" for line in wrong]


def broken_promises(
    book: Commonplace, place: RoundBook, verb: str, finished: bool, before: View, after: View
) -> list[str]:
    wrong, found = [], view(book)
    if verb != "restore" or not place.on_server:  # before the replay nobody may read
        wrong += [f"after the kill: {problem}" for problem in problems(book)]
        wrong += [f"doctor --fix: {problem}" for problem in problems(book, fix=True)]
        if view(book) != found:
            wrong.append(f"doctor --fix changed {difference(view(book), found)}")
    if verb in AT_ONCE and found != after and (finished or found != before):
        wrong.append(f"neither the old state nor the new: {difference(found, before)} / {difference(found, after)}")
    if verb in IN_STEPS and verb != "observe":
        VERBS[verb](book, place)
        found = view(book)
        if found != after:
            wrong.append(f"done again, it left {difference(found, after)}")
    book.remember(ACKNOWLEDGED)
    keep_copy(book, place, "later")
    restore_copy(book, place, "later")
    if view(book) != with_acknowledged(found):
        wrong.append(f"restoring a later backup changed {difference(view(book), with_acknowledged(found))}")
    wrong += [f"after the restore: {problem}" for problem in problems(book)]
    if verb in AT_ONCE and found == before:
        VERBS[verb](book, place)
        expected = with_acknowledged(after) if verb != "erase" else after
        if view(book) != expected:
            wrong.append(f"done again, it left {difference(view(book), expected)}")
    return wrong


def with_acknowledged(state: View) -> View:
    return {**state, "memories": sorted([*state["memories"], (ACKNOWLEDGED, "verified")])}


def difference(one: View, other: View) -> str:
    parts = {name: (one[name], other[name]) for name in one if one[name] != other[name]}
    shown = {}
    for name, (left, right) in parts.items():
        if isinstance(left, list):
            shown[name] = [line for line in left if line not in right], [line for line in right if line not in left]
        else:
            shown[name] = left, right
    return repr(shown)


class Template:
    """A finished book that each round gets a copy of, with its keys."""

    def __init__(self, folder: Path, url: str | None) -> None:
        self._folder, self._url = folder, url
        self.first = self._place(f"template_{uuid.uuid4().hex}")
        if url is not None:
            self._run(f"create database {self.first.home.name}")
            from commonplace.store.postgres.store import PostgresStore  # needs psycopg

            PostgresStore(self.first.url, partitions=1).close()
        build(self.first)

    @property
    def on_server(self) -> bool:
        return self._url is not None

    def _place(self, name: str) -> RoundBook:
        home = self._folder / name
        if self._url is None:
            return RoundBook(url=f"sqlite:///{home}/book.db", home=home, files=home / "files")
        return RoundBook(url=urlsplit(self._url)._replace(path=f"/{name}").geturl(), home=home, files=home / "files")

    @contextmanager
    def copy(self) -> Iterator[RoundBook]:
        place = self._place(f"round_{uuid.uuid4().hex}")
        shutil.copytree(self.first.home, place.home)
        if self._url is not None:
            self._run(f"create database {place.home.name} template {self.first.home.name} strategy file_copy")
        try:
            yield place
        finally:
            self.drop(place)

    def drop(self, place: RoundBook) -> None:
        shutil.rmtree(place.home)
        if self._url is not None:
            self._run(f"drop database {place.home.name} with (force)")

    def _run(self, text: str) -> None:
        import psycopg  # only where PostgreSQL is tortured

        assert self._url is not None
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute(text.encode())


def points(count: int, few: int | None, chance: random.Random) -> list[int]:
    """Every step, or a few: the last one, which commits or cleans up, and others before it."""
    every = list(range(1, count + 1))
    if few is None or few >= count:
        return every
    return [*sorted(chance.sample(every[:-1], few - 1)), count]


@dataclass(frozen=True)
class Round:
    verb: str
    kill: Kill
    after: View
    """What the verb leaves undisturbed."""


def planned(
    template: Template, verbs: list[str], per_verb: int | None, chance: random.Random
) -> dict[str, list[Round]]:
    """Each verb's rounds: every step once before it and once in it, or ``per_verb`` steps."""
    plan: dict[str, list[Round]] = {}
    for verb in verbs:
        with template.copy() as place:
            names = in_child(place, verb) or []
            with place.open() as book:
                after = view(book)
        steps = points(len(names), per_verb, chance)
        tears = (False,) if per_verb or template.on_server else (False, True)
        plan[verb] = [Round(verb, Kill(step, torn), after) for torn in tears for step in steps]
    return plan


def run_rounds(template: Template, rounds: list[Round], before: View, progress: bool, until: float) -> Outcome:
    outcome = Outcome()
    for number, planned_round in enumerate(rounds, start=1):
        if time.monotonic() > until:
            break
        verb = planned_round.verb
        with template.copy() as place:
            killed, wrong = killed_round(place, verb, planned_round.kill, before, planned_round.after)
        outcome.rounds[verb] += 1
        outcome.killed[verb] += killed
        outcome.wrong += wrong
        if progress and (wrong or number % 100 == 0):
            print(
                f"{number} of {len(rounds)}: {verb} at {planned_round.kill.step} {wrong or ''}",
                file=sys.stderr,
                flush=True,
            )
    return outcome


def in_workers(run: Callable[[list[Round]], Outcome], rounds: list[Round], workers: int) -> Iterator[Outcome]:
    """The rounds dealt out to processes of their own, which fork those that are killed."""
    context, running = multiprocessing.get_context("fork"), []
    for number in range(workers):
        mine, theirs = context.Pipe(duplex=False)

        def work(share: list[Round] = rounds[number::workers], pipe: Any = theirs) -> None:
            pipe.send(run(share))

        process = context.Process(target=work)
        process.start()
        theirs.close()
        running.append((process, mine))
    for process, mine in running:
        outcome: Outcome = mine.recv()  # EOFError: the worker has failed, and has said why
        process.join()
        yield outcome


def torture(
    folder: Path,
    *,
    rounds: int | None = None,
    per_verb: int | None = None,
    seed: int,
    verbs: list[str] | None = None,
    url: str | None = None,
    workers: int = 1,
    progress: bool = False,
    seconds: float = math.inf,
) -> Outcome:
    """Kill at every step of every verb, or at ``per_verb`` of them; and again until there were ``rounds``.

    After ``seconds`` no round is begun.
    """
    chance, outcome, began = random.Random(seed), Outcome(), time.monotonic()
    template = Template(folder, url)
    with template.first.open() as book:
        before = view(book)
    plan = planned(template, verbs or list(VERBS), per_verb, chance)
    outcome.steps.update(
        {verb: max(planned_round.kill.step for planned_round in several) for verb, several in plan.items()}
    )
    once = [planned_round for several in plan.values() for planned_round in several]
    chance.shuffle(once)
    repeated = (once * (1 + (rounds or 0) // len(once)))[: rounds or len(once)]

    def run(share: list[Round]) -> Outcome:
        return run_rounds(template, share, before, progress, began + seconds)

    for result in in_workers(run, repeated, workers) if workers > 1 else [run(repeated)]:
        outcome.add(result)
    template.drop(template.first)
    outcome.seconds = round(time.monotonic() - began, 1)
    return outcome


def table(engine: str, outcome: Outcome) -> str:
    """The rounds per verb, in Markdown."""
    lines = [f"| verb | steps ({engine}) | rounds | killed | broken promises |", "|---|---:|---:|---:|---:|"]
    for verb in [verb for verb in VERBS if verb in outcome.rounds]:
        broken = sum(line.startswith(f"{verb} killed ") for line in outcome.wrong)
        lines.append(
            f"| `{verb}` | {outcome.steps[verb]} | {outcome.rounds[verb]} | {outcome.killed[verb]} | {broken} |"
        )
    total, killed = outcome.rounds.total(), outcome.killed.total()
    lines.append(f"| **all** | {outcome.steps.total()} | {total} | {killed} | {len(outcome.wrong)} |")
    return "\n".join(lines) + f"\n\n{total} rounds in {outcome.seconds} s.\n"


def main() -> int:
    parser = argparse.ArgumentParser(prog="benchmarks.torture_verbs")
    parser.add_argument("--rounds", type=int, help="default: every step of every verb once")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin no round after this time")
    parser.add_argument("--per-verb", type=int, help="only so many steps of each verb")
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--url", help="a PostgreSQL server to use; default: one of its own")
    parser.add_argument("--verbs", nargs="*", choices=list(VERBS))
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--workers", type=int, default=1, help="processes that run rounds side by side")
    parser.add_argument("--table", type=Path, help="write the rounds per verb into this file")
    parser.add_argument("--progress", action="store_true")
    options = parser.parse_args()
    in_memory = MEMORY if options.engine == "sqlite" and MEMORY.is_dir() else None
    engine = "sqlite" if options.url else options.engine
    with tempfile.TemporaryDirectory(dir=in_memory) as folder, killable(engine, Path(folder)) as server:
        outcome = torture(
            Path(folder),
            rounds=options.rounds,
            per_verb=options.per_verb,
            seed=options.seed,
            verbs=options.verbs,
            url=options.url or (server.url if server else None),
            workers=options.workers,
            progress=options.progress,
            seconds=options.seconds,
        )
    if options.table:
        options.table.write_text(table(options.engine, outcome))
    report = {
        "engine": options.engine,
        "seed": options.seed,
        "rounds": outcome.rounds,
        "killed": outcome.killed.total(),
    }
    print(json.dumps({**report, "seconds": outcome.seconds, "wrong": outcome.wrong}))
    return 1 if outcome.wrong or not outcome.killed else 0


if __name__ == "__main__":
    sys.exit(main())
