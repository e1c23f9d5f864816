"""Modules of the standard library that others import for a rare case, put off until that case comes.

`importlib.util.LazyLoader` is meant for this, and on Python 3.11 and 3.12 the ``import`` statement itself wakes what it
made. Hence a stand-in of our own, which is woken by the first name that is asked of it.
"""

import sys
from importlib import import_module
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """Stands in for a module until one of its names is asked for; then the module takes its place."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def put_off(*names: str) -> None:
    """Import these when they are first used. Does nothing for one that is there already."""
    for name in names:
        if name not in sys.modules:
            sys.modules[name] = Later(name)
