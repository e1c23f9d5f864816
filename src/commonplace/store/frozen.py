"""Frozen rows that cost little to define.

``dataclass(frozen=True)`` compiles six functions a class, 20 ms for all our rows, and a hook pays that on every
prompt. Here ``dataclass`` only collects the fields (so that ``replace`` and ``fields`` work as ever), one function is
compiled, the initialiser, and the rest is shared.
"""

from collections.abc import Callable, Sequence
from dataclasses import MISSING, FrozenInstanceError, dataclass
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

Row = TypeVar("Row")

_set = object.__setattr__


@dataclass_transform(kw_only_default=True, frozen_default=True)
def row(cls: type[Row]) -> type[Row]:
    """A frozen dataclass with slots and keyword-only fields; defaults must be immutable values."""
    if not cls.__doc__:
        cls.__doc__ = cls.__name__  # else dataclass works out a signature to put there
    frozen = any(hasattr(base, "__dataclass_fields__") for base in cls.__mro__[1:])  # it must be as its base is
    row_type: Any = dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True, frozen=frozen)(cls)
    fields = row_type.__dataclass_fields__
    defaults = {f"_default_{name}": field.default for name, field in fields.items() if field.default is not MISSING}
    parameters = ", ".join(f"{name}=_default_{name}" if f"_default_{name}" in defaults else name for name in fields)
    setters = {f"_set_{name}": getattr(row_type, name).__set__ for name in fields}
    body = "".join(f"\n    _set_{name}(self, {name})" for name in fields)
    namespace: dict[str, Any] = {}
    exec(f"def __init__(self, *, {parameters}) -> None:{body}", setters | defaults, namespace)
    row_type.__init__ = namespace["__init__"]
    for method in (__eq__, __hash__, __repr__, __setattr__, __delattr__, __getstate__, __setstate__):
        setattr(row_type, method.__name__, method)
    result: type[Row] = row_type
    return result


def maker(row_type: type[Row]) -> Callable[[Sequence[Any]], Row]:
    """What makes a row of all its values, in the order of its fields: five times as fast as naming each."""
    names = list(row_type.__dataclass_fields__)  # type: ignore[attr-defined]
    setters = {f"_set_{name}": getattr(row_type, name).__set__ for name in names}
    body = "".join(f"\n    _set_{name}(self, {name})" for name in names)
    head = f"def make(values):\n    self = _new(_row)\n    ({', '.join(names)},) = values"
    namespace: dict[str, Any] = {}
    exec(f"{head}{body}\n    return self", {"_new": object.__new__, "_row": row_type, **setters}, namespace)
    make: Callable[[Sequence[Any]], Row] = namespace["make"]
    return make


def changed(old: Row, **columns: Any) -> Row:
    """As ``dataclasses.replace``, for a row; more than twice as fast."""
    kind: Any = old.__class__
    cells, make, places = _copier(kind)
    values = list(cells(old))
    for name, value in columns.items():
        values[places[name]] = value
    row: Row = make(values)
    return row


@cache
def _copier(row_type: Any) -> tuple[Callable[[Any], tuple[Any, ...]], Callable[[Sequence[Any]], Any], dict[str, int]]:
    names = list(row_type.__dataclass_fields__)
    return attrgetter(*names), maker(row_type), {name: place for place, name in enumerate(names)}


def _values(self: Any) -> tuple[Any, ...]:
    return tuple([getattr(self, name) for name in self.__slots__])


def __eq__(self: Any, other: object) -> bool:  # noqa: N807
    return _values(self) == _values(other) if other.__class__ is self.__class__ else NotImplemented


def __hash__(self: Any) -> int:  # noqa: N807
    return hash(_values(self))


def __repr__(self: Any) -> str:  # noqa: N807
    fields_text = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
    return f"{self.__class__.__qualname__}({fields_text})"


def __setattr__(self: Any, name: str, value: object) -> None:  # noqa: N807
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def __delattr__(self: Any, name: str) -> None:  # noqa: N807
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def __getstate__(self: Any) -> tuple[Any, ...]:  # noqa: N807
    return _values(self)


def __setstate__(self: Any, state: tuple[Any, ...]) -> None:  # noqa: N807
    for name, value in zip(self.__slots__, state, strict=True):
        _set(self, name, value)
