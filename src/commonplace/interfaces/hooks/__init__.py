"""``commonplace-hook EVENT``: what a coding agent calls at the events of a session. The exit code is always 0."""

import gc
import os
from typing import NoReturn


def program() -> NoReturn:
    """The entry point: a process for one event.

    It skips the interpreter's own shutdown: everything is written and closed by then, and the host waits.
    """
    gc.disable()  # the process is too short for a collection to pay off
    # before anything that declares a dataclass
    from commonplace.lazy import defer_imports

    # dataclasses would use it for classes without a docstring, urllib (in pathlib) for addresses in brackets
    defer_imports("inspect", "ipaddress")
    os._exit(main())


def main() -> int:
    """Answer one call. Whatever goes wrong, the host goes on and the person sees one line about it."""
    # before anything that declares a dataclass or a pattern
    from commonplace.light import bytecode

    with bytecode.kept():
        from commonplace.interfaces.hooks.entry import main as answer_host

        return answer_host()


__all__ = ["main", "program"]
