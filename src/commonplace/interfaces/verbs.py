"""The table of verbs as the interfaces read it, and the parameters of those that are built from their signature.

The table itself is `commonplace.verbs`: the book on a server, below the interfaces, is made from it too.
"""

import inspect
from datetime import datetime
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_type_hints

from commonplace.book import Commonplace
from commonplace.verbs import COLLECTIONS, VERBS, Built, Rest, Verb

__all__ = ["BUILT", "COLLECTIONS", "VERBS", "VerbArgument", "Built", "Rest", "Verb", "arguments", "documentation"]

WORDS = {"id": "", "reason": "why, for the history", "expected": "only if it is still at this version"}
BUILT = tuple(name for name, verb in VERBS.items() if verb.built)


class VerbArgument(NamedTuple):
    name: str
    type: type
    """``str``, ``int``, ``bool`` or ``datetime``."""
    required: bool
    default: Any
    words: str


@cache
def arguments(verb: str) -> tuple[VerbArgument, ...]:
    """What a verb takes besides the book itself."""
    method, built = getattr(Commonplace, verb), VERBS[verb].built
    assert built is not None
    hints, words = get_type_hints(method), {**WORDS, **built.words}
    result = []
    for name, parameter in list(inspect.signature(method).parameters.items())[1:]:
        kind = next((part for part in get_args(hints[name]) if part is not NoneType), hints[name])
        assert kind in (str, int, bool, datetime), f"{verb}({name}=) cannot be built: {kind}"
        required = parameter.default is parameter.empty
        result.append(VerbArgument(name, kind, required, None if required else parameter.default, words[name]))
    return tuple(result)


def documentation(verb: str) -> str:
    """What it does, in its own words."""
    return (inspect.getdoc(getattr(Commonplace, verb)) or "").replace("``", "`")
