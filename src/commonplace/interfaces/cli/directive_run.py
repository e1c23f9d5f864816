"""``directive run``: an agent works on a goal, and its progress is shown."""

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from commonplace.directives.progress import ProgressChange, progress
from commonplace.directives.runner import Outcome, RunEvent, run
from commonplace.directives.scheduling import Limits
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.drawing import drawn_steps
from commonplace.interfaces.cli.parsing import Group, positive
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.json import to_json

FAILED, PAUSED = 1, 130
AGENTS = ("claude", "codex", "gemini", "opencode")
LOOK = 0.5
"""Seconds between two looks at the book while watching."""
CODES = {"completed": 0, "paused": PAUSED}


def run_command(group: Group) -> None:
    one = group.command("run", "let an agent work on a goal until it is completed, failed or paused", _run)
    one.add_argument("id")
    one.add_argument(
        "--agent", required=True, metavar="CMD", help="a command that reads its prompt, or " + ", ".join(AGENTS)
    )
    one.add_argument("--write", action="store_true", help="let one of the named agents edit files in its folder")
    one.add_argument(
        "--success",
        choices=("exit-code", "json"),
        default="exit-code",
        help="what completes a step: exit code 0, or only a reported status (default exit-code)",
    )
    one.add_argument("--parallel", type=positive, default=1, metavar="N", help="steps at once (default 1)")
    one.add_argument("--generations", type=positive, metavar="N", help="maximum number of plans (default 5)")
    one.add_argument(
        "--attempts", type=positive, metavar="N", help="maximum attempts at each step and plan (default 3)"
    )
    one.add_argument(
        "--timeout", type=positive, metavar="SECONDS", help="time limit of one call of the agent (default 1800)"
    )
    one.add_argument("--seconds", type=positive, metavar="SECONDS", help="time limit of the whole run (default none)")
    one.add_argument(
        "--tokens", type=positive, metavar="N", help="stop when agents report more tokens than this (default no limit)"
    )
    one.add_argument("--output", type=positive, metavar="BYTES", help="maximum output of one call (default 100000000)")


def watch_command(group: Group) -> None:
    one = group.command("watch", "show the progress of a goal until it ends; Ctrl-C stops watching", _watch)
    one.add_argument("id")


def _watch(call: Call) -> None:
    id = call.id(call.given.id)
    board = Board(call, id)
    seen: dict[str, str] = {}
    with suppress(KeyboardInterrupt):
        while True:
            directive = call.book.directives.get(id)
            for change in progress(directive, call.book.directives.steps(id), seen):
                board.tell_progress(change)
            if directive.status not in ("draft", "active"):  # a draft may be run any moment
                return
            time.sleep(LOOK)


def _run(call: Call) -> None:
    given, id = call.given, call.id(call.given.id)
    names = ("generations", "attempts", "timeout", "seconds", "tokens", "output")
    limits = Limits(**{name: getattr(given, name) for name in names if getattr(given, name) is not None})
    board = Board(call, id)
    with _stopped_by_signal() as stop:
        outcome = run(
            call.book,
            id,
            agent=given.agent,
            parallel=given.parallel,
            limits=limits,
            on_event=board.tell,
            stop=stop,
            write=given.write,
            success=given.success,
        )
    given.exit_code = CODES.get(outcome.status, FAILED)
    if call.json:
        board.line({"kind": "outcome", "id": id}, outcome)
        return
    board.end(outcome)


@contextmanager
def _stopped_by_signal() -> Iterator[threading.Event]:
    """Ctrl-C or a request to end: agents are ended and the goal is paused between two steps. Twice ends at once."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def ask(number: int, frame: object) -> None:
        stop.set()
        signal.signal(number, signal.default_int_handler)

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Board:
    """What happens, as it happens: JSON lines, a line each in a file, or steps redrawn on a terminal."""

    def __init__(self, call: Call, id: str) -> None:
        self._call, self._id, self._drawn = call, id, 0
        self._live = not call.json and call.paper.width is not None

    def tell(self, event: RunEvent) -> None:
        if self._call.json:
            self.line({}, event)
            return
        said = next(_said(self._call.paper, event))
        if not self._live:
            print(said, flush=True)
            return
        self._wipe()
        print(said)
        self._draw()

    def tell_progress(self, change: ProgressChange) -> None:
        if self._call.json:
            self.line({}, change)
            return
        self._wipe()
        print(self._call.paper.cut(f"{change.status}  {change.name}" + (f": {change.detail}" if change.detail else "")))
        if self._live:
            self._draw()
        sys.stdout.flush()

    def line(self, named: dict[str, str], value: object) -> None:
        print(json.dumps({**named, **to_json(value)}, ensure_ascii=False), flush=True)

    def end(self, outcome: Outcome) -> None:
        paper = self._call.paper
        self._wipe()
        self._draw()
        tokens = f", {outcome.tokens:,} tokens" if outcome.tokens else ""
        style = "green" if outcome.status == "completed" else "yellow"
        print(paper.paint(f"{outcome.status}: {outcome.reason}", style))
        print(
            f"{outcome.completed} steps completed, {outcome.failed} failed, {outcome.attempts} attempts, "
            f"round {outcome.generation}, {outcome.seconds:.0f} s{tokens}"
        )

    def _draw(self) -> None:
        lines = list(drawn_steps(self._call.paper, self._call.book.directives.steps(self._id)))
        for line in lines:
            print(line)
        sys.stdout.flush()
        self._drawn = len(lines)

    def _wipe(self) -> None:
        if self._live and self._drawn:
            sys.stdout.write(f"\x1b[{self._drawn}A\x1b[J")
            self._drawn = 0


def _said(paper: Paper, event: RunEvent) -> Iterator[str]:
    parts = [event.kind, event.name, event.detail]
    if event.generation is not None:
        parts.append(f"round {event.generation}")
    if event.number is not None and event.number > 1:
        parts.append(f"attempt {event.number}")
    if event.seconds is not None:
        parts.append(f"{event.seconds:.1f} s")
    if event.tokens:
        parts.append(f"{event.tokens:,} tokens")
    yield paper.cut(f"{paper.second(event.at)[-8:]}  " + "  ".join(part for part in parts if part))
