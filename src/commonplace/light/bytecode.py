"""A cache of what Python compiles at every start: dataclass methods and regular expressions.

It saves a hook process a third of its time. The cache is a file beside the module's own bytecode, under the same rules:
same folder, same Python, only where bytecode is written, and rebuilt if anything is odd. A file that others may write
to is not read. It contains text of the program only, never of a person. Only the hook's entry point uses it.
"""

import builtins
import dataclasses
import marshal
import os
import re
import stat
import sys
from array import array
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.util import cache_from_source
from pathlib import Path
from typing import Any

from commonplace.store import frozen

Sources = dict[str, bytes]
"""Source → its marshalled code; unmarshalled only when needed."""
Patterns = dict[tuple[str | bytes, int], tuple[Any, ...]]
"""Pattern and flags → the engine's arguments, with the instructions as bytes."""
MAKERS: tuple[Any, ...] = (dataclasses, frozen)
"""Modules that generate methods from text."""
MOST = 1_000
"""Maximum number of cached patterns, so that a pattern built at every call cannot grow the file for ever."""
UNIT = "I"
"""The engine's instructions are unsigned 32-bit numbers."""


@contextmanager
def kept() -> Iterator[None]:
    """Inside, what an earlier process compiled is reused; what is new is saved at the end."""
    path = _path()
    compiler = getattr(re, "_compiler", None)
    if path is None or compiler is None or not hasattr(compiler, "_sre"):
        yield
        return
    sources, patterns = _read(path)
    before = len(sources), len(patterns)
    real = compiler.compile
    for module in MAKERS:
        module.exec = _exec(sources)  # this name is found before the builtin
    compiler.compile = _compile(compiler, patterns)
    try:
        yield
    finally:
        for module in MAKERS:
            del module.exec
        compiler.compile = real
        if (len(sources), len(patterns)) != before:
            _write(path, sources, patterns)


def _exec(sources: Sources) -> Callable[..., None]:
    def run(source: Any, *scopes: Any) -> None:
        if isinstance(source, str):
            stored = sources.get(source)
            if stored is None:
                code = compile(source, "<dataclass>", "exec")
                sources[source] = marshal.dumps(code)
            else:
                code = marshal.loads(stored)
            source = code
        builtins.exec(source, *scopes)

    return run


def _compile(compiler: Any, patterns: Patterns) -> Callable[..., Any]:
    real, engine = compiler.compile, compiler._sre

    class Recorder:
        """Replaces the engine while a pattern is compiled, to record its arguments."""

        def __getattr__(self, name: str) -> Any:
            return getattr(engine, name)

        def compile(self, pattern: Any, flags: int, code: list[int], *rest: Any) -> Any:
            plain = (dict(item) if isinstance(item, dict) else item for item in rest)
            self.given = (pattern, int(flags), array(UNIT, code).tobytes(), *plain)
            return engine.compile(pattern, flags, code, *rest)

    def made(pattern: Any, flags: int = 0) -> Any:
        if not isinstance(pattern, str | bytes):
            return real(pattern, flags)
        key = (pattern, int(flags))
        stored = patterns.get(key)
        if stored is not None:
            with suppress(RuntimeError, ValueError, TypeError, OverflowError):  # the engine validates its arguments
                text, all_flags, code, *rest = stored
                return engine.compile(text, all_flags, array(UNIT, code).tolist(), *rest)
        recorder = compiler._sre = Recorder()
        try:
            compiled = real(pattern, flags)
        finally:
            compiler._sre = engine
        if len(patterns) < MOST:
            patterns[key] = recorder.given
        return compiled

    return made


def _path() -> Path | None:
    try:
        return Path(cache_from_source(__file__)).with_suffix(".kept")
    except NotImplementedError:
        return None


def _version() -> str:
    return f"2 {array(UNIT).itemsize} {sys.byteorder} {sys.version}"


def _read(path: Path) -> tuple[Sources, Patterns]:
    try:
        with path.open("rb") as file:
            if not _ours(os.fstat(file.fileno())):
                return {}, {}
            version, sources, patterns = marshal.loads(file.read())
    except (OSError, ValueError, EOFError, TypeError):
        return {}, {}
    return (sources, patterns) if version == _version() else ({}, {})


def _ours(stat_result: os.stat_result) -> bool:
    """Whether only its owner can have written it, and that is the current user or root."""
    if os.name == "nt":
        return True  # whoever may write there may also write the bytecode beside it
    return stat_result.st_uid in (0, os.geteuid()) and not stat_result.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(path: Path, sources: Sources, patterns: Patterns) -> None:
    if sys.dont_write_bytecode:
        return
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        with open(handle, "wb") as file:  # noqa: PTH123  # an open handle
            os.chmod(part, 0o644)  # noqa: PTH101  # whatever the mask allows, nobody else may write here
            file.write(marshal.dumps((_version(), sources, patterns)))
        part.replace(path)
    except (OSError, ValueError):
        # Like other bytecode, it is compiled again next time if it cannot be saved.
        part.unlink(missing_ok=True)
