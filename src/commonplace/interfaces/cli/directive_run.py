"""``directive run``: runs agents on a goal and shows the progress."""

import json
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from commonplace.directives import runner
from commonplace.directives.runner import Outcome, ProgressChange, RunEvent, progress
from commonplace.directives.scheduling import Limits
from commonplace.interfaces.cli.call import Call
from commonplace.interfaces.cli.directive import drawn_steps
from commonplace.interfaces.cli.show import Paper
from commonplace.interfaces.json import to_json

FAILED, PAUSED = 1, 130
LOOK = 0.5
"""Seconds between checks of the book while watching."""
CODES = {"completed": 0, "paused": PAUSED}


def watch(call: Call) -> None:
    id = call.id(call.given.id)
    board = Board(call, id)
    seen: dict[str, str] = {}
    with suppress(KeyboardInterrupt):
        while True:
            directive = call.book.directives.get(id)
            for change in progress(directive, call.book.directives.steps(id), seen):
                board.tell_progress(change)
            if directive.status not in ("draft", "active"):  # a draft may be started at any time
                return
            time.sleep(LOOK)


def run(call: Call) -> None:
    arguments, id = call.given, call.id(call.given.id)
    names = ("generations", "attempts", "timeout", "seconds", "tokens", "output")
    limits = Limits(**{name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None})
    board = Board(call, id)
    with _stopped_by_signal() as stop:
        outcome = runner.run(
            call.book,
            id,
            agent=arguments.agent,
            parallel=arguments.parallel,
            limits=limits,
            on_event=board.tell,
            stop=stop,
            write=arguments.write,
            success=arguments.success,
        )
    arguments.exit_code = CODES.get(outcome.status, FAILED)
    if call.json:
        board.line({"kind": "outcome", "id": id}, outcome)
        return
    board.end(outcome)


@contextmanager
def _stopped_by_signal() -> Iterator[threading.Event]:
    """Ctrl-C or a termination signal ends agents and pauses the goal between two steps; a second one ends at once."""
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
    """Shows events: as JSON lines, as lines in a file, or by redrawing the steps on a terminal."""

    def __init__(self, call: Call, id: str) -> None:
        self._call, self._id, self._drawn = call, id, 0
        self._live = not call.json and call.paper.width is not None

    def tell(self, event: RunEvent) -> None:
        if self._call.json:
            self.line({}, event)
            return
        line = next(_said(self._call.paper, event))
        if not self._live:
            print(line, flush=True)
            return
        self._wipe()
        print(line)
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
