"""python -m tests.learning.torture --rounds 60 --engine sqlite

Kills the process with SIGKILL while it observes and learns, by rules and with a scripted language model over HTTP: at
every boundary of a transaction in turn (``--every``), and at random moments. Each time the book is opened again, what
waits is drained, and the conversation goes on where it was. In the end the beliefs, evidence, relations, receipts,
tombstones, jobs and traces are those of a run that nobody disturbed. Exits with 1 if they differ.
"""

import argparse
import json
import multiprocessing
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from tests.torture_server import killable

from commonplace import Commonplace, Message, Settings
from commonplace.model import STATUSES
from commonplace.testing.clock import StoppedClock
from commonplace.testing.scripted_llm import ReceivedRequest, ScriptedLLM

BORN = datetime(2026, 3, 2, 9, tzinfo=UTC)
LEASE = timedelta(minutes=6)
"""Longer than any lease, so that what a killed process held is taken up."""
PATIENCE = 120
"""Seconds for one life, which takes a few."""
TALK: tuple[tuple[str, ...], ...] = (
    ("My name is Nora. I live in Vienna and I work at Fjordlight.",),
    ("My CFO is Giulia.", "Marco is the PM on Project Acme"),
    ("Let's go with SQLite for the metering service.",),
    ("I have a sister in Rome", "Nice weather today, isn't it?"),
    ("Hm, I misspoke, I don't have a sister.",),
    ("I like green tea and oat milk",),
    ("I'm seeing a therapist on Wednesdays.",),
    ("Actually, forget that.",),
    ("Big news: I moved to Oslo.", "I speak Italian, and I'm allergic to peanuts."),
    ("My dentist is Dr. Weiss",),
    ("Forget what I said about my dentist",),
    ("Use Postgres, not SQLite.",),
    ("My CFO is now Sven.", "I don't like green tea any more."),
    ("I speak Italian by the way.",),
)
"""What is observed, one call after the other: every kind of decision is among what it leads to."""


@dataclass(frozen=True)
class Place:
    url: str
    owner: str
    home: Path
    progress: Path
    llm: str | None = None

    def open(self, clock: StoppedClock) -> Commonplace:
        settings = Settings(home=self.home, timezone="UTC")
        if self.llm is not None:
            settings = replace(settings, llm="openai:any", llm_url=self.llm, llm_daily_tokens=10_000_000)
        return Commonplace.open(self.url, owner=self.owner, settings=settings, clock=clock)


@dataclass
class Outcome:
    rounds: int = 0
    kills: int = 0
    wrong: list[str] = field(default_factory=list)


def answered(request: ReceivedRequest) -> str:
    """A model that notes the same of the same turns, whenever it is asked, and has no second opinion."""
    asked = request.body["response_format"]["json_schema"]["schema"]["required"]
    if asked == ["patterns"]:
        return json.dumps({"patterns": []})
    task = json.loads(request.body["messages"][-1]["content"])
    if asked == ["verdicts"]:
        return json.dumps({"verdicts": []})
    notes = []
    for turn in task["turns"]:
        words = turn["text"].split()
        if "weather" in turn["text"]:
            notes.append(noted(turn["turn"], " ".join(words[:2]), "Nora talks about the weather"))
        elif "therapist" in turn["text"]:
            notes.append(noted(turn["turn"], turn["text"], "Nora sees a therapist"))
        elif "Acme" in turn["text"]:
            notes.append(noted(turn["turn"], turn["text"], "Acme has a project manager"))
    return json.dumps({"notes": notes})


def noted(turn: int, quote: str, statement: str) -> dict[str, object]:
    return {
        "turn": turn, "quote": quote, "type": "fact", "statement": statement, "kind": "associative",
        "category": "fact", "confidence": 0.7,
    }  # fmt: skip


# The child


class Deadly:
    """A store whose process is killed at its ``at``-th write: before the commit, or right after.

    A write that gives up commits nothing and does not count, so that the last boundary is the last commit.
    """

    def __init__(self, store: Any, *, at: int, committed: bool) -> None:
        self._store, self._left, self._committed = store, at, committed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    @contextmanager
    def write(self, owner: str, **options: Any) -> Iterator[Any]:
        with self._store.write(owner, **options) as tx:
            yield tx
            self._left -= 1
            dies = self._left == 0
            if dies and not self._committed:
                os.kill(os.getpid(), signal.SIGKILL)
        if dies:
            os.kill(os.getpid(), signal.SIGKILL)


@dataclass(frozen=True)
class Death:
    """Where a child is to die; ``at`` 0 lets it live."""

    at: int = 0
    committed: bool = False


def run(place: Place, death: Death, restarts: int, ready: Any) -> None:
    """Take up what was interrupted, and go on with the conversation to its end.

    What arrived without our hearing of it is not sent again; what did not is.
    """
    acknowledged = int(place.progress.read_text()) if place.progress.exists() else 0
    clock = StoppedClock(BORN + timedelta(days=acknowledged) + restarts * LEASE)
    with place.open(clock) as book:
        if death.at:
            book = dying(book, death)
        ready.send("begun")
        done = arrived(book)
        # time never goes back: what arrived unheard was said on its day
        clock.at = BORN + timedelta(days=max(acknowledged, done - 1)) + restarts * LEASE
        if done < acknowledged:
            raise SystemExit(f"{acknowledged} were acknowledged, {done} are there")
        if restarts:
            settled(book)
        for number in range(done, len(TALK)):
            said = BORN + timedelta(days=number)
            clock.at = said + (restarts * LEASE if number == done else timedelta())
            talk = [Message(text, at=said + timedelta(seconds=n)) for n, text in enumerate(TALK[number])]
            book.observe(talk, session="s")
            settled(book)
            acknowledge(place.progress, number + 1)
        clock.at = BORN + timedelta(days=len(TALK)) + restarts * LEASE
        settled(book)
        ready.send("ended")


def arrived(book: Commonplace) -> int:
    """How many calls of `observe` have left their turns in the conversation."""
    scope = book._scope
    with scope.store.read(scope.owner) as tx:
        place = tx.namespaces.by_label(scope.vault.label("namespace", book.namespace))
        talk = place and tx.sessions.by_label(place.id, scope.vault.label("session", f"{place.id}/s"))
    position, calls = talk.position if talk else 0, 0
    while calls < len(TALK) and sum(len(turns) for turns in TALK[: calls + 1]) <= position:
        calls += 1
    return calls


def dying(book: Commonplace, death: Death) -> Commonplace:
    parts = book._parts
    parts.store = Deadly(parts.store, at=death.at, committed=death.committed)  # type: ignore[assignment]
    return type(book)(parts, parts.scope(book.owner, book.namespace))


def settled(book: Commonplace) -> None:
    book._parts.settle()
    book.maintain()
    book._parts.settle()


def acknowledge(file: Path, done: int) -> None:
    """What the caller knows of: written as a caller would who wants to go on where it was."""
    fresh = file.with_suffix(".new")
    with fresh.open("w") as out:
        out.write(str(done))
        out.flush()
        os.fsync(out.fileno())
    fresh.replace(file)


# What is left


def view(place: Place) -> dict[str, Any]:
    """Everything a person could see of what was learned, without what differs from run to run: ids and times."""
    with place.open(StoppedClock(BORN + timedelta(days=60))) as book:
        scope = book._scope
        everything = book.browse(limit=1_000, statuses=STATUSES, newest=False)
        beliefs = [one for one in everything if one.kind != "episodic"]
        with scope.store.read(scope.owner) as tx:
            receipts = [(row, scope.open_json("receipt", row.ref, row.sealed)) for row in tx.receipts.page(limit=1_000)]
            traces = [scope.open_json("trace", row.id, row.sealed) for row in tx.traces.page("extraction", limit=1_000)]
            tombstones = sorted((row.reason or "") for row in tx.tombstones.all())
        return {
            "episodes": sorted((one.text, one.status) for one in everything if one.kind == "episodic"),
            "beliefs": sorted(_belief(book, one) for one in beliefs),
            "relations": sorted((e.subject.label, e.predicate, e.object.label, e.confidence) for e in book.relations()),
            "receipts": sorted(_receipt(row.action, row.state, kept) for row, kept in receipts if kept["ids"]),
            "traces": sorted(_step(plain["step"]) for plain in traces if "step" in plain),
            "runs": sum("step" not in plain for plain in traces),
            "tombstones": tombstones,
            "jobs": {kind: counts for kind, counts in book.jobs.counts().items() if kind in ("learn", "think")},
            "audit": book.audit.verify().ok,
            "problems": [one.what for one in book.doctor().symptoms if one.grade == "problem"],
        }


def _belief(book: Commonplace, one: Any) -> tuple[str, ...]:
    evidence = sorted((episode.text, str(quote)) for episode, quote in book.evidence(one.id))
    history = [(entry.action, entry.reason) for entry in book.history(one.id)]
    valid = (str(one.valid_from)[:10], str(one.valid_to), str(one.last_confirmed_at)[:10])
    return (one.text, str(one.key), one.kind, one.status, str(one.confidence), *valid, str(history), str(evidence))


def _receipt(action: str, state: str | None, kept: dict[str, Any]) -> tuple[str, str, str]:
    changes = sorted((one["action"], one["noun"], str(one["reason"])) for one in kept["changes"])
    return (action, str(state), str(changes))


def _step(step: dict[str, Any]) -> tuple[str, ...]:
    return tuple(str(step[name]) for name in ("type", "action", "reason", "statement", "by"))


def differences(found: dict[str, Any], expected: dict[str, Any]) -> list[str]:
    wrong = []
    for part, wanted in expected.items():
        if found[part] == wanted:
            continue
        if isinstance(wanted, list):
            more, less = Counter(found[part]) - Counter(wanted), Counter(wanted) - Counter(found[part])
            wrong += [f"{part}: too much {one}" for one in more] + [f"{part}: missing {one}" for one in less]
        else:
            wrong.append(f"{part}: {found[part]} instead of {wanted}")
    return wrong


# The parent


def started(place: Place, death: Death, restarts: int) -> tuple[Any, Any]:
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe()
    child = context.Process(target=run, args=(place, death, restarts, theirs))
    child.start()
    theirs.close()
    return child, mine


def viewed(place: Place) -> dict[str, Any]:
    """What is left, looked at in a process of its own: the parent opens nothing, so that every fork is clean."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe()
    child = context.Process(target=lambda: theirs.send(view(place)))
    child.start()
    theirs.close()
    found: dict[str, Any] = mine.recv()
    child.join()
    return found


def lived(place: Place, death: Death, restarts: int, *, after: float | None = None) -> bool:
    """Whether a child came to the end; ``after`` seconds of work it is killed from outside."""
    child, pipe = started(place, death, restarts)
    if after is not None:
        pipe.poll(30)
        time.sleep(after)
        if child.is_alive() and child.pid:
            os.kill(child.pid, signal.SIGKILL)
    child.join(PATIENCE)
    if child.is_alive():
        child.kill()
        raise RuntimeError(f"it did not end within {PATIENCE} seconds")
    pipe.close()
    if child.exitcode not in (0, -signal.SIGKILL):
        raise RuntimeError(f"it failed by itself, with {child.exitcode}")
    return bool(child.exitcode == 0)


class Tortures:
    def __init__(self, folder: Path, url: str | None, llm: str | None) -> None:
        self._folder, self._url, self._llm = folder, url, llm
        undisturbed = self.place()
        began = time.monotonic()
        assert lived(undisturbed, Death(), 0), "the undisturbed run failed"
        self.seconds = time.monotonic() - began
        self.expected = viewed(undisturbed)

    def place(self) -> Place:
        """A book of its own: a folder on SQLite, an owner on PostgreSQL, whose keys all lie in one home."""
        name = "nora" + uuid.uuid4().hex
        files = self._folder / name
        files.mkdir()
        if self._url is None:
            return Place(f"sqlite:///{files}/book.db", "nora", files, files / "progress", self._llm)
        return Place(self._url, name, self._folder / "home", files / "progress", self._llm)

    def at_a_boundary(self, death: Death) -> tuple[bool, list[str]]:
        """One kill at a named place, then undisturbed to the end; whether the place was reached."""
        place = self.place()
        reached = not lived(place, death, 0)
        return reached, self._end(place, 1 if reached else 0, finished=not reached)

    def at_random(self, chance: random.Random, kills: int) -> tuple[int, list[str]]:
        """Killed so many times in one life, at any moment, also while it recovers."""
        place, made = self.place(), 0
        for restarts in range(kills):
            if lived(place, Death(), restarts, after=chance.uniform(0, self.seconds / 2)):
                return made, self._end(place, restarts, finished=True)
            made += 1
        return made, self._end(place, kills, finished=False)

    def _end(self, place: Place, restarts: int, *, finished: bool) -> list[str]:
        if not finished and not lived(place, Death(), restarts):
            return ["it did not come to its end"]
        wrong = differences(viewed(place), self.expected)
        if self._url is None and not wrong:
            shutil.rmtree(place.home)
        return wrong


def torture(
    folder: Path, *, rounds: int, every: int | None, seed: int, url: str | None, llm: str | None, progress: bool = False
) -> Outcome:
    """``every`` n-th boundary of a transaction in turn (None: none), then ``rounds`` lives with kills at random."""
    chance, outcome, made = random.Random(seed), Outcome(), Tortures(folder, url, llm)

    def told(what: str, kills: int, wrong: list[str]) -> None:
        outcome.rounds, outcome.kills = outcome.rounds + 1, outcome.kills + kills
        outcome.wrong += [f"{what}: {one}" for one in wrong]
        if progress:
            print(f"{what}: {kills} killed", *wrong, sep="\n  ", file=sys.stderr, flush=True)

    at = chance.randrange(1, every + 1) if every else 0
    while every:
        committed = bool(chance.getrandbits(1)) if every > 1 else False
        reached, wrong = made.at_a_boundary(Death(at, committed))
        if not reached:
            break
        told(f"{'after' if committed else 'before'} commit {at}", 1, wrong)
        if every == 1:
            told(f"after commit {at}", 1, made.at_a_boundary(Death(at, True))[1])
        at += every
    for number in range(rounds):
        kills, wrong = made.at_random(chance, chance.randrange(1, 5))
        told(f"life {number + 1}", kills, wrong)
    return outcome


def serve(ready: Any) -> None:
    parent = os.getppid()
    with ScriptedLLM(then=answered) as llm:
        ready.send(llm.url)
        while os.getppid() == parent:  # one who was killed cannot tell us to end
            time.sleep(0.5)


@contextmanager
def model() -> Iterator[str]:
    """The address of the scripted model, in a process of its own: one that forks must have no other threads."""
    context = multiprocessing.get_context("fork")
    mine, theirs = context.Pipe()
    server = context.Process(target=serve, args=(theirs,), daemon=True)
    server.start()
    try:
        yield str(mine.recv())
    finally:
        server.terminate()
        server.join()


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.learning.torture")
    parser.add_argument("--rounds", type=int, default=60, help="lives with kills at random moments")
    parser.add_argument("--every", type=int, default=1, help="kill at every n-th boundary of a transaction; 0: at none")
    parser.add_argument("--engine", choices=["sqlite", "postgres"], default="sqlite")
    parser.add_argument("--url", help="a PostgreSQL to use instead of one of our own")
    parser.add_argument("--model", action="store_true", help="learn with the scripted language model too")
    parser.add_argument("--seed", type=int, default=random.randrange(2**32))
    parser.add_argument("--progress", action="store_true")
    asked = parser.parse_args()
    engine = "sqlite" if asked.url else asked.engine
    with tempfile.TemporaryDirectory() as folder, model() as llm, killable(engine, Path(folder)) as server:
        made = torture(
            Path(folder), rounds=asked.rounds, every=asked.every, seed=asked.seed, progress=asked.progress,
            url=asked.url or (server.url if server else None), llm=llm if asked.model else None,
        )  # fmt: skip
    report = {"engine": asked.engine, "model": asked.model, "seed": asked.seed, **vars(made)}
    print(json.dumps(report))
    return 1 if made.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
