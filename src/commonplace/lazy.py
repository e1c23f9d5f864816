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


def put_off(*names: str) -> None:
    """Import these modules of others when they are first used. Does nothing for one that is loaded already."""
    for name in names:
        if name not in sys.modules:
            sys.modules[name] = LazyModule(name)


def pattern(text: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """Gives the regular expression, compiled at the first call."""
    return cache(lambda: re.compile(text, flags))
