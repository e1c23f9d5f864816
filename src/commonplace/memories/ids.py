"""Verbs that take an id: what is no id is refused before anything is looked up; what is shared is found by its id."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import Any, Self, TypeVar, get_origin

from commonplace.errors import Invalid, NotFound
from commonplace.memories.scope import Scope

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
        return _found(verb, arguments, options)

    return held


class AlsoShared:
    """Verbs that take an id here know those of the namespaces shared with the person too: recall reads them along."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def _of(self, scope: Scope) -> Self:
        return type(self)(scope)

    def _shared_with(self, id: str) -> Self | None:
        """The same collection in the shared namespace that holds this memory or receipt."""
        for scope in self._scope.shared(self._scope):
            with scope.store.read(scope.owner) as tx:
                if tx.memories.get([id]) or tx.receipts.get(id) is not None:
                    return self._of(scope)
        return None


def _found(verb: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """What the verb answers here; where nothing is known of the id, in the shared namespace that knows it."""
    try:
        answer = verb(*arguments, **options)
    except NotFound as fault:
        other = arguments[0]._shared_with(fault.id) if isinstance(arguments[0], AlsoShared) else None
        if other is None:
            raise
        return verb(other, *arguments[1:], **options)
    if answer == [] and isinstance(arguments[0], AlsoShared):
        id = next(iter([*arguments[1:], *options.values()]), None)
        other = arguments[0]._shared_with(id) if isinstance(id, str) else None
        return answer if other is None else verb(other, *arguments[1:], **options)
    return answer


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
