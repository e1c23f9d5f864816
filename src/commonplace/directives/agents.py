"""Runs a command as an agent: the prompt on its standard input, the answer on its standard output.

The runner is protected from the command: output is streamed and only its end is kept; too much output or time ends the
command and everything it started.
"""

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from commonplace import system
from commonplace.clock import Clock
from commonplace.errors import Invalid


@dataclass(frozen=True, slots=True)
class Preset:
    """The command of a well-known agent: prompt on standard input, answer on standard output."""

    command: tuple[str, ...]
    read_only: tuple[str, ...]
    """Options that prevent it from editing files; empty if it asks first, because the question is never answered."""
    write: tuple[str, ...]
    """Options that let it edit files in its folder without asking."""


_CLAUDE = Preset(("claude", "-p"), (), ("--permission-mode", "acceptEdits"))
_GEMINI = Preset(("gemini",), (), ("--approval-mode", "auto_edit"))
PRESETS: Mapping[str, Preset] = {
    "claude": _CLAUDE,
    "claude-code": _CLAUDE,
    "codex": Preset(("codex", "exec"), ("--sandbox", "read-only", "-"), ("--sandbox", "workspace-write", "-")),
    "gemini": _GEMINI,
    "gemini-cli": _GEMINI,
    "opencode": Preset(("opencode", "run"), ("--agent", "plan"), ("--agent", "build")),
}
KEPT = 1_000_000
"""Maximum characters of the end of an answer to read."""
LONGEST_LINE = 200_000
CHUNK = 65_536
QUEUED = 1_000
"""Maximum queued lines; the command waits when there are more."""
STDERR_KEPT = 4_000
GRACE = 3.0
"""Seconds between the termination request and the kill."""
TICK = 0.1
PATIENCE = int(GRACE / TICK)

OnLine = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The result of one call."""

    text: str
    """The end of its output."""
    code: int | None
    """Its exit code; None if it was killed."""
    fault: str | None = None
    """``timed out``, ``wrote too much``, ``stopped``, or why it could not be started."""
    stderr: str = ""
    size: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    timeout: float
    """Seconds."""
    output: int
    """Bytes."""


def command(agent: str | Sequence[str], *, write: bool = False) -> tuple[str, ...]:
    """The words of an agent's command, from a preset's name, a shell-like line, or the words themselves.

    ``write`` lets a preset edit files; other commands decide that themselves. Raises ``Invalid`` if the program does
    not exist.
    """
    preset = PRESETS.get(agent.strip()) if isinstance(agent, str) else None
    if preset is not None:
        words = (*preset.command, *(preset.write if write else preset.read_only))
    elif isinstance(agent, str):
        words = tuple(system.HERE.split(agent))
    else:
        words = tuple(agent)
    if not words:
        raise Invalid("an agent is a command, or one of the presets " + ", ".join(PRESETS))
    if shutil.which(words[0]) is None:
        raise Invalid(f"agent program not found: {words[0]}; pass a command that can be run, or its full path")
    return words


def call(
    words: Sequence[str],
    prompt: str,
    *,
    folder: Path | None,
    environ: Mapping[str, str],
    bounds: Bounds,
    stop: threading.Event,
    clock: Clock,
    on_line: OnLine = lambda line: None,
) -> Reply:
    """Run the command once. ``on_line`` is called with each output line that begins with a brace."""
    try:
        # its own session: Ctrl-C reaches only us, and all its processes can be ended together
        pipes: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = subprocess.Popen(list(words), cwd=folder, env=dict(environ), **pipes, **system.HERE.own_group())
    except OSError as fault:
        return Reply(text="", code=None, fault=f"could not be started: {fault.strerror or type(fault).__name__}")
    assert process.stdin is not None and process.stdout is not None and process.stderr is not None  # noqa: PT018
    output, tail = _Output(), _Tail(STDERR_KEPT)
    threads = [
        threading.Thread(target=_read, args=(process.stdout, output), daemon=True),
        threading.Thread(target=_feed, args=(process.stdin, prompt), daemon=True),
        threading.Thread(target=_drain, args=(process.stderr, tail), daemon=True),
    ]
    for thread in threads:
        thread.start()
    began = clock.now()

    def fault_now() -> str | None:
        """Why the command has to be ended; None if it may go on."""
        if stop.is_set():
            return "stopped"
        if output.size > bounds.output:
            return "wrote too much"
        return "timed out" if (clock.now() - began).total_seconds() > bounds.timeout else None

    try:
        ended = _attend(process, threads[0], output, on_line, fault_now)
    finally:
        output.closed.set()
        if process.poll() is None:
            _signal(process, kill=False)
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
        _signal(process, kill=True)  # the command, if it still runs, and its children
        process.wait()
    for item in threads[1:]:
        item.join(GRACE)
    while not output.lines.empty():
        on_line(output.lines.get())
    code = None if ended else process.returncode
    return Reply(text=output.text(), code=code, fault=ended, stderr=tail.text(), size=output.size)


def end_leftovers(run: str) -> int:
    """End processes that an earlier runner started for ``run``; returns how many.

    They are found by the run's id in their environment, which only Linux shows; elsewhere they end when they write to
    the closed pipe.
    """
    ended = 0
    for folder in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        with suppress(OSError):
            if f"DIRECTIVE_RUN={run}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
                ended += 1
    return ended


def _attend(
    process: "subprocess.Popen[bytes]",
    reader: threading.Thread,
    output: "_Output",
    on_line: OnLine,
    fault_now: Callable[[], str | None],
) -> str | None:
    """Pass lines on until the command has ended and its output is read; returns why it had to be ended, if so."""
    idle = 0
    while reader.is_alive() or not output.lines.empty():
        try:
            on_line(output.lines.get(timeout=TICK))
            idle = 0
        except queue.Empty:
            idle = idle + 1 if process.poll() is not None else 0
        if fault := fault_now():
            return fault
        # The command has ended; its children may keep the pipe open for ever.
        if idle == PATIENCE:
            _signal(process, kill=True)
        if idle > 2 * PATIENCE:
            return None
    while process.poll() is None:
        if fault := fault_now():
            return fault
        with suppress(subprocess.TimeoutExpired):
            process.wait(TICK)
    return None


def _signal(process: "subprocess.Popen[bytes]", *, kill: bool) -> None:
    """Signal the whole group, which outlives its leader."""
    with suppress(OSError):  # it has ended already
        system.HERE.end_group(process, kill=kill)


def _feed(stream: IO[bytes], prompt: str) -> None:
    with suppress(OSError), stream:  # it may not read all of it
        stream.write(prompt.encode("utf-8", "replace"))


def _drain(stream: IO[bytes], tail: "_Tail") -> None:
    with suppress(OSError), stream:
        while chunk := os.read(stream.fileno(), CHUNK):
            tail.add(chunk.decode("utf-8", "replace"))


def _read(stream: IO[bytes], output: "_Output") -> None:
    with suppress(OSError), stream:
        while not output.closed.is_set() and (chunk := os.read(stream.fileno(), CHUNK)):
            output.add(chunk)
        output.finish()


class _Tail:
    """The last characters of a stream."""

    def __init__(self, limit: int) -> None:
        self._most, self._held = limit, 0
        self._parts: deque[str] = deque()

    def add(self, text: str) -> None:
        self._parts.append(text)
        self._held += len(text)
        while self._held - len(self._parts[0]) >= self._most:
            self._held -= len(self._parts.popleft())

    def text(self) -> str:
        return "".join(self._parts)[-self._most :]


class _Output:
    """Splits bytes into lines as they arrive; a line that is too long is skipped."""

    def __init__(self) -> None:
        self.lines: queue.Queue[str] = queue.Queue(QUEUED)
        self.closed = threading.Event()
        self.size = 0
        self._tail = _Tail(KEPT)
        self._begun = b""
        self._skipping = False

    def add(self, chunk: bytes) -> None:
        self.size += len(chunk)
        *lines, partial = (self._begun + chunk).split(b"\n")
        for line in lines:
            if not self._skipping:
                self._line(line)
            self._skipping = False
        self._skipping = self._skipping or len(partial) > LONGEST_LINE
        self._begun = b"" if self._skipping else partial

    def finish(self) -> None:
        if self._begun and not self._skipping:
            self._line(self._begun)

    def text(self) -> str:
        return self._tail.text()

    def _line(self, line: bytes) -> None:
        text = line.decode("utf-8", "replace")
        self._tail.add(f"{text}\n")
        while text.lstrip().startswith("{") and not self.closed.is_set():
            try:
                self.lines.put(text, timeout=TICK)
            except queue.Full:
                continue
            return
