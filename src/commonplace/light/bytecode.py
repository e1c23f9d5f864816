"""A cache of what Python compiles at every start and does not keep: dataclass methods and regular expressions.

In a hook process that takes a third of the time. The cache is a file beside the module's own bytecode, under the same
rules: same folder, same Python, not written where bytecode is not, and rebuilt if anything about it is odd. A file that
somebody else may write to is not read. It holds text of the program only, never of a person. Only the entry point of
the hook uses it.
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
"""Source → its code, marshalled: what one event needs of it is a part, and only that is read."""
Patterns = dict[tuple[str | bytes, int], tuple[Any, ...]]
"""Pattern and flags → what the engine takes, the instructions as bytes."""
MAKERS: tuple[Any, ...] = (dataclasses, frozen)
"""Modules that make methods from text."""
MOST = 1_000
"""Patterns kept; there are far fewer, and what makes more of them at every call must not grow a file for ever."""
UNIT = "I"
"""An instruction of the engine is an unsigned number of 32 bits."""


@contextmanager
def kept() -> Iterator[None]:
    """Inside, nothing is compiled that was compiled by an earlier process; what is new is kept at the end."""
    path = _path()
    compiler = getattr(re, "_compiler", None)
    if path is None or compiler is None or not hasattr(compiler, "_sre"):
        yield
        return
    sources, patterns = _read(path)
    before = len(sources), len(patterns)
    real = compiler.compile
    for module in MAKERS:
        module.exec = _exec(sources)  # looked up there before among the builtins
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
        """Stands in for the engine while a pattern is compiled, to learn what the engine was given."""

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
            with suppress(RuntimeError, ValueError, TypeError, OverflowError):  # the engine checks what it is given
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
    """Whether only its owner can have written it, and that is who runs this, or root."""
    if os.name == "nt":
        return True  # whoever may write there may write the bytecode beside it
    return stat_result.st_uid in (0, os.geteuid()) and not stat_result.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(path: Path, sources: Sources, patterns: Patterns) -> None:
    if sys.dont_write_bytecode:
        return
    part = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o644)
        with open(handle, "wb") as file:  # noqa: PTH123  # an open handle
            os.chmod(part, 0o644)  # noqa: PTH101  # whatever the mask allows, nobody else is to write here
            file.write(marshal.dumps((_version(), sources, patterns)))
        part.replace(path)
    except (OSError, ValueError):
        # Bytecode that cannot be kept is made again next time, as everywhere in Python.
        part.unlink(missing_ok=True)
