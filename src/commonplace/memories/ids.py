"""Validates the id arguments of verbs, and finds ids of shared namespaces."""

import inspect
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import wraps
from typing import Any, Self, TypeVar, get_origin

from commonplace.errors import Invalid, NotFound
from commonplace.memories.scope import Scope

ID_PARAMETERS = ("id", "ids", "label_or_id", "hit", "receipt", "directive", "step", "memory")
"""Parameters that take an id."""

Class = TypeVar("Class", bound=type)


def takes_ids(cls: Class) -> Class:
    """Class decorator: checks each ``ID_PARAMETERS`` argument of its verbs against the annotation. Raises
    ``Invalid``.
    """
    for name, verb in list(vars(cls).items()):
        if inspect.isfunction(verb) and not name.startswith("_"):
            places = list(enumerate(inspect.signature(verb).parameters.values()))
            if named := [(place, parameter) for place, parameter in places if parameter.name in ID_PARAMETERS]:
                setattr(cls, name, _with_id_checks(verb, named))
    return cls


def _with_id_checks(verb: Callable[..., Any], named: Sequence[tuple[int, inspect.Parameter]]) -> Callable[..., Any]:
    @wraps(verb)
    def checked_verb(*arguments: Any, **options: Any) -> Any:
        for place, parameter in named:
            if parameter.kind is parameter.VAR_POSITIONAL:
                _check(verb.__name__, parameter.name, arguments[place:], Sequence)
            elif place < len(arguments):
                _check(verb.__name__, parameter.name, arguments[place], parameter.annotation)
            elif parameter.name in options:
                _check(verb.__name__, parameter.name, options[parameter.name], parameter.annotation)
        return _call_where_known(verb, arguments, options)

    return checked_verb


class AlsoShared:
    """Verbs that take an id here also find it in the namespaces shared with the person, as recall does."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope

    def _for_scope(self, scope: Scope) -> Self:
        return type(self)(scope)

    def _shared_with(self, id: str) -> Self | None:
        """The same collection in the shared namespace that has this memory or receipt."""
        for scope in self._scope.shared(self._scope):
            with scope.store.read(scope.owner) as tx:
                if tx.memories.get([id]) or tx.receipts.get(id) is not None:
                    return self._for_scope(scope)
        return None


def _call_where_known(verb: Callable[..., Any], arguments: tuple[Any, ...], options: Mapping[str, Any]) -> Any:
    """Call the verb here; if the id is unknown, in the shared namespace that has it."""
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
            f"`{name}` of `{verb}` takes a list of ids, as `recall` and `browse` return them, not {_kind(value)}"
        )
    for id in value if several else (value,):
        if not isinstance(id, str if several else hint):
            each = f"; call `{verb}` once for each" if isinstance(id, list | tuple | set) else ""
            raise Invalid(
                f"`{name}` of `{verb}` takes an id as text, as `recall` and `browse` return it, not {_kind(id)}{each}"
            )


def _kind(value: Any) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
