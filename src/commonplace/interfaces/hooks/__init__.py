"""``commonplace-hook EVENT``: what a coding agent calls at the turns of a session. Always ends with 0."""

import gc
import os
from typing import NoReturn


def main() -> NoReturn:
    """The entry point. Whatever goes wrong, the host goes on and the person sees one line about it.

    Ends the process by itself: everything is written and closed by then, and taking a Python apart in good order would
    cost the host, which waits, as much again as a fifth of the work.
    """
    gc.disable()  # what it would find in so short a life is not worth the looking
    # first of all, and before anything that declares a dataclass or a pattern
    from commonplace.interfaces.hooks.lateness import put_off

    # dataclasses would use it for classes without a docstring, urllib (in pathlib) for addresses in brackets
    put_off("inspect", "ipaddress")
    from commonplace.interfaces.hooks import bytecode

    with bytecode.kept():
        from commonplace.interfaces.hooks.door import main as answer_host

        code = answer_host()
    os._exit(code)


__all__ = ["main"]
