"""Random work on three machines that sync through a fourth book, directly and by old pages, until they must agree.

    python -m tests.torture_sync --rounds 2000 --workers 2

Each round works on three books with wrong clocks, between syncs that break off, are killed (SIGKILL), repeat pages and
bring old pages in any order. At the end every book is synced until nothing changes. Then all must say the same, every
version that was ever acknowledged must be there unless its memory was forgotten, and nothing forgotten may be back.
"""

import argparse
import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from commonplace import Commonplace, Settings
from commonplace.errors import CommonplaceError
from commonplace.memories import codec
from commonplace.store.rows import Filter
from commonplace.sync import outgoing
from commonplace.sync.acts import Acts
from commonplace.sync.exchange import LocalPeer, sync
from commonplace.sync.incoming import apply
from commonplace.sync.versions import portable
from commonplace.testing.clock import StoppedClock

MACHINES = ("ada", "ben", "eve")
HUB = "hub"
TEXTS = [
    f"The {thing} is {state}" for thing in ("desk", "door", "lamp", "boat") for state in ("oak", "red", "old", "new")
]
STEPS = 30
MOST_ROUNDS = 8


class Weak(LocalPeer):
    """A connection that breaks off, and remembers every page it carried."""

    def __init__(self, book: Commonplace, chance: random.Random, pages: list[list[str]]) -> None:
        super().__init__(book._scope)
        self._chance, self._pages = chance, pages

    def changes(self, cursor: Any) -> Any:
        page = super().changes(cursor)
        self._carry(page.lines)
        return page

    def apply(self, lines: Sequence[str]) -> Any:
        self._carry(list(lines))
        applied = super().apply(lines)
        if self._chance.random() < 0.05:
            raise ConnectionError("the answer was lost")
        return applied

    def _carry(self, lines: list[str]) -> None:
        if self._chance.random() < 0.1:
            raise ConnectionError("broken off")
        self._pages.append(lines)


class Round:
    def __init__(self, folder: Path, seed: int, *, kills: bool) -> None:
        self.folder, self.chance, self.kills = folder, random.Random(seed), kills
        self.pages: list[list[str]] = []
        self.clocks = {
            name: StoppedClock(datetime(2026, 5, 1, tzinfo=UTC) + timedelta(seconds=self.chance.randint(-9999, 9999)))
            for name in (*MACHINES, HUB)
        }
        self.books = {name: self._open(name) for name in (*MACHINES, HUB)}
        self.acknowledged: dict[str, set[str]] = {}
        self.forgotten: dict[str, set[str]] = {}
        self.killed = 0

    def _open(self, name: str) -> Commonplace:
        settings = Settings(home=self.folder / "home", embedder="none", judge="off", owner=name)
        url = f"sqlite:///{self.folder / name}.db"
        return Commonplace.open(url, owner="me", settings=settings, clock=self.clocks[name])

    def run(self) -> None:
        for _ in range(STEPS):
            name = self.chance.choice(MACHINES)
            self.clocks[name].advance(seconds=self.chance.randint(1, 900), microseconds=self.chance.randint(1, 999_999))
            step = self.chance.random()
            if step < 0.65:
                self._work(name)
            elif step < 0.9:
                self._sync(name, HUB if self.chance.random() < 0.7 else self.chance.choice(MACHINES))
            elif self.pages:
                for lines in self.chance.choices(self.pages, k=3):
                    apply(self.books[name]._scope, lines)
        self._agree()
        self._check()

    def _work(self, name: str) -> None:
        book, chance = self.books[name], self.chance
        if chance.random() < 0.25:
            book = book.acting_as("agent", source="assistant", person=False)
        memories = book.browse(limit=50, kinds=["associative", "core", "relational", "episodic"])
        text = chance.choice(TEXTS)
        verbs: list[Callable[[], Any]] = [
            lambda: book.remember(text),
            lambda: book.remember(text, tags=["house"], pinned=True),
            lambda: book.core.set(chance.choice(("city", "name")), text),
            lambda: book.relate(chance.choice("XYZ"), "works_at", chance.choice("PQ"), object_type="company"),
            lambda: book.observe(f"{text}. It was said twice. {chance.choice(TEXTS)}.", session="talk"),
        ]
        if memories:
            id = chance.choice(memories).id
            verbs += [
                lambda: book.revise(id, text),
                lambda: book.revise(id, pinned=chance.random() < 0.5),
                lambda: book.reject(id),
                lambda: book.confirm(id),
                lambda: book.archive(id),
                lambda: book.end(id),
                lambda: self._forget(self.books[name], id),
            ]
        before, lifts = book.feed.last(), self._lifts(book)
        try:
            chance.choice(verbs)()
        except CommonplaceError:
            return
        if self._lifts(book) > lifts:  # a person who corrects a memory to forgotten words says them again
            self.forgotten = {id: words - {text} for id, words in self.forgotten.items()}
        for signal_ in book.feed.since(before):
            if signal_.noun == "memory" and signal_.operation == "put":
                self.acknowledged.setdefault(signal_.id, set()).update(self._versions(book, signal_.id))

    def _lifts(self, book: Commonplace) -> int:
        return sum(act.act == "lift" and act.reason == "forgotten" for act in book._scope.store.ledger.entries("me"))

    def _versions(self, book: Commonplace, id: str) -> set[str]:
        with book._scope.store.read(book.owner) as tx:
            return set(outgoing.stored_versions(book._scope, tx.versions.of(codec.NOUN, id)))

    def _forget(self, book: Commonplace, id: str) -> None:
        memory = book.get(id)
        if book.forget(id).action == "FORGET":
            self.forgotten[id] = {memory.text} if memory.kind == "associative" else set()

    def _sync(self, name: str, other: str) -> None:
        if name == other:
            return
        if self.kills and self.chance.random() < 0.3:
            self._killed(name, other)
            return
        peer = Weak(self.books[other], self.chance, self.pages)
        try:
            sync(self.books[name]._scope, peer, other)
        except ConnectionError:
            return

    def _killed(self, name: str, other: str) -> None:
        """A process that syncs, and is killed at some moment."""
        child = os.fork()
        if child == 0:
            try:
                here, there = self._open(name), self._open(other)
                sync(here._scope, LocalPeer(there._scope), other)
            finally:
                os._exit(0)
        time.sleep(self.chance.random() * 0.15)
        os.kill(child, signal.SIGKILL)
        self.killed += os.WIFSIGNALED(os.waitpid(child, 0)[1])

    def _agree(self) -> None:
        for _ in range(MOST_ROUNDS):
            before = {name: self.state(book) for name, book in self.books.items()}
            for name in MACHINES:
                sync(self.books[name]._scope, LocalPeer(self.books[HUB]._scope), HUB)
            if before == {name: self.state(book) for name, book in self.books.items()}:
                return
        raise AssertionError("the books do not come to rest")

    def state(self, book: Commonplace) -> dict[str, Any]:
        """Everything that must be the same on all machines."""
        scope = book._scope
        with scope.store.read(scope.owner) as tx:
            names = {row.id: scope.open_json("namespace", row.id, row.sealed)["name"] for row in tx.namespaces.all()}
            memories = {}
            for row in tx.memories.find(Filter(), limit=1000):
                versions = outgoing.stored_versions(scope, tx.versions.of(codec.NOUN, row.id))
                current = list(versions.values())[-1].state
                assert portable(codec.opened(scope, row)) == portable(current), "a row and its last version differ"
                tags = tx.tags.get(tx.tags.links("memory", [row.id]).get(row.id, ()))
                labels = sorted(scope.open_json("tag", tag.id, tag.sealed)["name"] for tag in tags)
                history = [(key, portable(version.state)) for key, version in versions.items()]
                memories[row.id] = (names[row.namespace], labels, history)
            stones = {(names[row.namespace], row.fingerprint, row.reason) for row in tx.tombstones.all()}
        return {"memories": memories, "stones": stones, "dead": Acts(outgoing.final_acts(scope)).dead}

    def _check(self) -> None:
        states = {name: self.state(book) for name, book in self.books.items()}
        first = states[HUB]
        for name, state in states.items():
            for part, value in state.items():
                assert value == first[part], f"{name}: {part} differ: {_difference(value, first[part])}"
        memories, dead = first["memories"], first["dead"]
        for id, keys in self.acknowledged.items():
            if id not in dead:
                assert id in memories, f"memory {id} is lost"
                lost = keys - {key for key, _ in memories[id][2]}
                assert not lost, f"versions {lost} of {id} are lost"
        texts = {text for several in self.forgotten.values() for text in several}
        assert not self.forgotten.keys() & memories.keys(), "a forgotten memory is back"
        for id, (_, _, history) in memories.items():
            for key, plain in history:
                assert not any(f'"text": "{text}"' in plain for text in texts), f"forgotten words in {id} {key}"

    def close(self) -> None:
        for book in self.books.values():
            book.close()


def _difference(ours: Any, theirs: Any) -> Any:
    if isinstance(ours, dict):
        return [
            (key, ours.get(key), theirs.get(key))
            for key in ours.keys() | theirs.keys()
            if ours.get(key) != theirs.get(key)
        ][:2]
    return ours ^ theirs


def template(folder: Path) -> None:
    """Four empty books with keys of their own, copied for every round."""
    folder.mkdir(parents=True, exist_ok=True)
    round_ = Round(folder, 0, kills=False)
    for book in round_.books.values():
        book.remember("A first memory, so that there are keys")
        book.erase(confirm=True, namespace="default")
    round_.close()


def one_round(source: str, seed: int) -> int:
    """Run a round; how many syncs were killed."""
    folder = Path(tempfile.mkdtemp(prefix="sync-"))
    try:
        shutil.copytree(source, folder, dirs_exist_ok=True)
        round_ = Round(folder, seed, kills=seed % 4 == 0)
        try:
            round_.run()
        except BaseException as fault:
            fault.add_note(f"seed {seed}")
            raise
        finally:
            round_.close()
        return round_.killed
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1, help="the first of the seeds")
    parser.add_argument("--workers", type=int, default=1)
    arguments = parser.parse_args()
    source = tempfile.mkdtemp(prefix="sync-template-")
    template(Path(source))
    began, killed, failed = time.monotonic(), 0, []
    with ProcessPoolExecutor(arguments.workers) as pool:
        seeds = range(arguments.seed, arguments.seed + arguments.rounds)
        rounds = {seed: pool.submit(one_round, source, seed) for seed in seeds}
        for number, (seed, outcome) in enumerate(rounds.items(), start=1):
            if outcome.exception() is not None:
                failed.append(seed)
                print(f"seed {seed}: {outcome.exception()}", flush=True)
            else:
                killed += outcome.result()
            if number % 100 == 0:
                print(f"{number} rounds, {killed} syncs killed, {len(failed)} failed", flush=True)
    shutil.rmtree(source)
    seconds = time.monotonic() - began
    print(f"{arguments.rounds} rounds, {killed} syncs killed, {len(failed)} failed, {seconds:.0f} s")
    raise SystemExit(bool(failed))


if __name__ == "__main__":
    main()
