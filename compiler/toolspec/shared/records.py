"""Dataclasses that are frozen and have slots, at a sixth of the cost of declaring and making them.

`dataclasses` compiles six functions for each such class, which took more than half of the time that
importing the compiler took, and fills each field through `object.__setattr__`.
"""

from __future__ import annotations

import dataclasses
from dataclasses import MISSING, FrozenInstanceError, fields
from functools import cache
from operator import attrgetter
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from dataclasses import Field, dataclass
    from typing import Any
else:

    def dataclass(**options: bool) -> Callable[[type], type]:
        """Return the decorator that `dataclasses.dataclass` returns; a faster one for frozen slots."""
        return (
            _frozen
            if options == {"frozen": True, "slots": True}
            else dataclasses.dataclass(**options)
        )


__all__ = ["dataclass", "field_values", "replace"]
T = TypeVar("T")


def replace(record: T, /, **changes: object) -> T:
    """Return a copy of a dataclass instance with changed fields, which all are arguments."""
    kind = type(record)
    positions, read = _layout(kind)  # type: ignore[arg-type]  # classes are hashable
    values = list(read(record))
    for name, value in changes.items():
        values[positions[name]] = value
    return kind(*values)


def field_values(record: object) -> tuple[object, ...]:
    """Return the values of the fields of a dataclass instance, in their order."""
    return _layout(type(record))[1](record)  # type: ignore[arg-type]  # classes are hashable


@cache
def _layout(kind: type) -> tuple[dict[str, int], Callable[[object], tuple[object, ...]]]:
    """Return the position of each field, and a getter of all values."""
    names = [field.name for field in fields(kind)]
    return {name: position for position, name in enumerate(names)}, _getter(names)


def _getter(names: Iterable[str]) -> Callable[[object], tuple[object, ...]]:
    """Return a function from an instance to the values of some fields."""
    match [*names]:
        case []:
            return lambda _: ()
        case [name]:
            one = attrgetter(name)
            return lambda record: (one(record),)
        case several:
            return attrgetter(*several)


def _frozen(kind: type) -> type:
    """Return a class with the methods of `dataclass(frozen=True, slots=True)`.

    Only its `__init__` is compiled, since it has the fields as parameters.
    """
    kind = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True)(kind)
    named = fields(kind)
    values = _getter(field.name for field in named)
    compared = _getter(field.name for field in named if field.compare)
    shown = [field.name for field in named if field.repr]

    def equals(self: object, other: object) -> bool:
        return compared(self) == compared(other) if type(self) is type(other) else NotImplemented

    def text(self: object) -> str:
        texts = ", ".join(f"{name}={getattr(self, name)!r}" for name in shown)
        return f"{type(self).__qualname__}({texts})"

    def set_state(self: object, state: tuple[object, ...]) -> None:
        for field, value in zip(named, state, strict=True):
            object.__setattr__(self, field.name, value)

    methods = {
        "__init__": _init(kind, named),
        "__eq__": equals,
        "__hash__": lambda self: hash(compared(self)),
        "__repr__": text,
        "__setattr__": _refuse_to_assign,
        "__delattr__": _refuse_to_delete,
        "__getstate__": lambda self: values(self),  # noqa: PLW0108 - a method, unlike `attrgetter`
        "__setstate__": set_state,
    }
    for name, method in methods.items():
        if kind.__dict__.get(name) is None:
            setattr(kind, name, method)
    return kind


def _refuse_to_assign(_: object, name: str, value: object) -> None:
    del value
    message = f"cannot assign to field {name!r}"
    raise FrozenInstanceError(message)


def _refuse_to_delete(_: object, name: str) -> None:
    message = f"cannot delete field {name!r}"
    raise FrozenInstanceError(message)


def _init(kind: type, named: tuple[Field[Any], ...]) -> Callable[..., None]:
    """Return `__init__`, which fills the slots without `__setattr__`."""
    filled = [field for field in named if field.init]
    # No field has a name with two underscores, so that none hides one of these.
    namespace: dict[str, Any] = {"__missing": MISSING}
    for field in filled:
        assert not field.kw_only, kind.__name__
        namespace[f"__set_{field.name}"] = getattr(kind, field.name).__set__
        namespace[f"__default_{field.name}"] = field.default
        namespace[f"__make_{field.name}"] = field.default_factory
    lines = [
        f"def __init__(self, {', '.join(map(_parameter, filled))}):",
        *(f"    __set_{field.name}(self, {_value(field)})" for field in filled),
        "    self.__post_init__()" if hasattr(kind, "__post_init__") else "    return",
    ]
    exec("\n".join(lines), namespace)  # noqa: S102 - names of fields alone, as `dataclasses` does it
    function: Callable[..., None] = namespace["__init__"]
    function.__qualname__ = f"{kind.__qualname__}.__init__"
    return function


def _value(field: Field[Any]) -> str:
    if field.default_factory is MISSING:
        return field.name
    return f"__make_{field.name}() if {field.name} is __missing else {field.name}"


def _parameter(field: Field[Any]) -> str:
    if field.default is not MISSING:
        return f"{field.name}=__default_{field.name}"
    return field.name if field.default_factory is MISSING else f"{field.name}=__missing"
