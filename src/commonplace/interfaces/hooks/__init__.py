"""``commonplace-hook EVENT``: what a coding agent calls at the turns of a session. Always ends with 0."""

import gc
import os
from typing import NoReturn


def program() -> NoReturn:
    """The entry point: a process for one event, as short as can be.

    It ends by itself: everything is written and closed by then, and taking a Python apart in good order would cost the
    host, which waits, a fifth of the time again.
    """
    gc.disable()  # what it would find in so short a life is not worth the looking
    # before anything that declares a dataclass
    from commonplace.interfaces.hooks.lateness import put_off

    # dataclasses would use it for classes without a docstring, urllib (in pathlib) for addresses in brackets
    put_off("inspect", "ipaddress")
    os._exit(main())


def main() -> int:
    """Answer one call. Whatever goes wrong, the host goes on and the person sees one line about it."""
    # first of all, and before anything that declares a dataclass or a pattern
    from commonplace.interfaces.hooks import bytecode

    with bytecode.kept():
        from commonplace.interfaces.hooks.door import main as answer_host

        return answer_host()


__all__ = ["main", "program"]
