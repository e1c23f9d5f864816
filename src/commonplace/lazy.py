"""Modules that are loaded, and patterns that are compiled, when first used: start-up pays only for what it needs.

    if TYPE_CHECKING:
        from commonplace.retrieval import pipeline
    else:
        pipeline = LazyModule("commonplace.retrieval.pipeline")

`importlib.util.LazyLoader` does not help: on Python 3.11 and 3.12 the ``import`` statement itself loads its modules.
"""

import re
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import Any


class LazyModule(ModuleType):
    """A placeholder that imports the real module when one of its names is first used."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def defer_imports(*names: str) -> None:
    """Import these third-party modules on first use. Does nothing for modules that are already loaded."""
    for name in names:
        if name not in sys.modules:
            sys.modules[name] = LazyModule(name)


def pattern(text: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """Return a function that compiles the regular expression at its first call."""
    return cache(lambda: re.compile(text, flags))
