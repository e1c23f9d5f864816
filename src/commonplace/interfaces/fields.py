"""The fields of the model as parameters of an interface: type, default and words, so that each stands once."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import MISSING, fields
from functools import cache
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin

from commonplace.model import MemoryColumns, NewMemory, Query, field_types, plain_type, words


class Parameter(NamedTuple):
    name: str
    type: Any
    """``str``, ``int``, ``float``, ``bool``, ``datetime``, ``dict`` or a ``Literal``; of a list, that of its items."""
    many: bool
    optional: bool
    default: Any
    """Of a new memory or a query; None where leaving it out says the same."""
    words: str


@cache
def parameters(keywords: Any, without: Collection[str] = ()) -> tuple[Parameter, ...]:
    """The keywords of a verb (``NewMemoryFields``, ``RevisionFields``, ``QueryFilters``) but for some."""
    noun: Any = NewMemory if keywords.__annotations__.keys() <= field_types(NewMemory).keys() else Query
    defaults = {field.name: None if field.default in (MISSING, ()) else field.default for field in fields(noun)}
    described = {name: words(hint) for name, hint in field_types(noun).items()}
    return tuple(
        _parameter(name, hint, defaults.get(name), described.get(name) or words(hint))
        for name, hint in field_types(keywords).items()
        if name not in without
    )


def _parameter(name: str, hint: Any, default: Any, description: str) -> Parameter:
    hint = plain_type(hint)
    options = [part for part in get_args(hint) if part is not NoneType] if NoneType in get_args(hint) else [hint]
    kind, origin = options[0], get_origin(options[0])
    many = isinstance(origin, type) and issubclass(origin, Iterable) and not issubclass(origin, Mapping)
    is_mapping = isinstance(origin, type) and issubclass(origin, Mapping)
    plain = get_args(kind)[0] if many else dict if is_mapping else kind
    optional = NoneType in get_args(hint)
    return Parameter(name, plain, many, optional, None if optional else default, description)


SHOWN = {"kind", "category", "status", "importance", "confidence", "source", "valid_from", "valid_to", "directive"}


@cache
def _stated() -> dict[str, Any]:
    stated = {field.name: field.default for field in fields(MemoryColumns) if field.name in field_types(NewMemory)}
    return {name: default for name, default in stated.items() if name not in SHOWN}


def other_fields(memory: Any) -> dict[str, Any]:
    """What was stated of a memory beyond what every answer shows of it."""
    return {name: value for name, default in _stated().items() if (value := getattr(memory, name)) != default}
