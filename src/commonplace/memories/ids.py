"""What is no id is refused by every verb that takes one, before anything is looked up."""

import inspect
from collections.abc import Callable, Collection, Sequence
from functools import wraps
from typing import Any, TypeVar, get_origin

from commonplace.errors import Invalid

NAMED = ("id", "ids", "label_or_id", "hit", "receipt", "directive", "step", "memory")
"""Parameters that say which row is meant."""

Class = TypeVar("Class", bound=type)


def takes_ids(cls: Class) -> Class:
    """The verbs that a class defines, each ``NAMED`` parameter held to its annotation. Raises ``Invalid``."""
    for name, verb in list(vars(cls).items()):
        if inspect.isfunction(verb) and not name.startswith("_"):
            places = list(enumerate(inspect.signature(verb).parameters.values()))
            if named := [(place, parameter) for place, parameter in places if parameter.name in NAMED]:
                setattr(cls, name, _held(verb, named))
    return cls


def _held(verb: Callable[..., Any], named: Sequence[tuple[int, inspect.Parameter]]) -> Callable[..., Any]:
    @wraps(verb)
    def held(*arguments: Any, **options: Any) -> Any:
        for place, parameter in named:
            if parameter.kind is parameter.VAR_POSITIONAL:
                _check(verb.__name__, parameter.name, arguments[place:], Sequence)
            elif place < len(arguments):
                _check(verb.__name__, parameter.name, arguments[place], parameter.annotation)
            elif parameter.name in options:
                _check(verb.__name__, parameter.name, options[parameter.name], parameter.annotation)
        return verb(*arguments, **options)

    return held


def _check(verb: str, name: str, value: Any, hint: Any) -> None:
    several = (get_origin(hint) or hint) is Sequence
    if several and (isinstance(value, str | bytes) or not isinstance(value, Collection)):
        raise Invalid(
            f"`{name}` of `{verb}` takes a list of ids, as `recall` and `browse` give them, not {_kind(value)}"
        )
    for id in value if several else (value,):
        if not isinstance(id, str if several else hint):
            each = f"; say `{verb}` once for each" if isinstance(id, list | tuple | set) else ""
            raise Invalid(
                f"`{name}` of `{verb}` takes an id as text, as `recall` and `browse` give it, not {_kind(id)}{each}"
            )


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
