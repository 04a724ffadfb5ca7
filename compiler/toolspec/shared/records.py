"""Dataclasses at a fraction of the cost of declaring them, which is most of what imports cost.

`dataclasses` compiles several functions for each class, and its own import loads `inspect`. Here only
`__init__` is compiled, for the first instance of its class. To the standard library the classes are
dataclasses: `fields`, `asdict` and `replace` work.
"""

from __future__ import annotations

import operator
from functools import cache, total_ordering
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from dataclasses import dataclass, field
    from typing import Any
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, eq: bool = True, order: bool = False
    ) -> Callable[[type], type]:
        """Return a decorator with these options of `dataclasses.dataclass`."""

        def declared(kind: type) -> type:
            own = _own_fields(kind)
            kind = _with_slots(kind, own) if slots else _with_defaults(kind, own)
            return _with_methods(kind, frozen=frozen, eq=eq, order=order)

        return declared

    def field(**options: Any) -> Field:
        """Return a field with these options of `dataclasses.field`."""
        return Field(**options)


__all__ = ["as_dict", "dataclass", "field", "field_values", "fields", "replace"]
T = TypeVar("T")
_MISSING: Any = object()
_OF_LIBRARY = ("__dataclass_fields__", "__dataclass_params__")


class Field:
    """A field of a record; `default` and `default_factory` may be missing."""

    __slots__ = ("compare", "default", "default_factory", "init", "name", "repr")

    def __init__(
        self,
        *,
        default: object = _MISSING,
        default_factory: Callable[[], object] = _MISSING,
        init: bool = True,
        repr: bool = True,  # noqa: A002 - as in `dataclasses`
        compare: bool = True,
    ) -> None:
        self.name = ""
        self.default, self.default_factory = default, default_factory
        self.init, self.repr, self.compare = init, repr, compare

    @property
    def options(self) -> dict[str, Any]:
        """The options that `field` was called with, and the defaults of the others."""
        options: dict[str, Any] = {"init": self.init, "repr": self.repr, "compare": self.compare}
        if self.default is not _MISSING:
            options["default"] = self.default
        if self.default_factory is not _MISSING:
            options["default_factory"] = self.default_factory
        return options


def fields(record: object) -> tuple[Field, ...]:
    """Return the fields of a record or of its class, those of base classes first."""
    kind = record if isinstance(record, type) else type(record)
    found: dict[str, Field] = {}
    for base in reversed(kind.__mro__):
        found |= base.__dict__.get("__record_fields__", {})
    return tuple(found.values())


def replace(record: T, /, **changes: object) -> T:
    """Return a copy of a record with changed fields, which all are arguments."""
    return record.__replace__(**changes)  # type: ignore[attr-defined,no-any-return]  # every record has it


def field_values(record: object) -> tuple[object, ...]:
    """Return the values of the fields of a record, in their order."""
    return _layout(type(record))[1](record)  # type: ignore[arg-type]  # classes are hashable


def as_dict(record: object) -> dict[str, object]:
    """Return the values of the fields of a record by name; a record among them stays one."""
    return dict(zip(_layout(type(record))[0], field_values(record), strict=True))  # type: ignore[arg-type]  # the same


@cache
def _layout(kind: type) -> tuple[dict[str, int], Callable[[object], tuple[object, ...]]]:
    """Return the position of each argument, and a getter of all their values."""
    names = [each.name for each in fields(kind) if each.init]
    return {name: position for position, name in enumerate(names)}, _getter(names)


def _getter(names: Iterable[str]) -> Callable[[object], tuple[object, ...]]:
    """Return a function from a record to the values of some fields."""
    match [*names]:
        case []:
            return lambda _: ()
        case [name]:
            one = operator.attrgetter(name)
            return lambda record: (one(record),)
        case several:
            return operator.attrgetter(*several)


def _own_fields(kind: type) -> dict[str, Field]:
    """Return the fields that a class declares itself."""
    own: dict[str, Field] = {}
    for name, annotation in _annotations(kind).items():
        if str(annotation).startswith(("ClassVar", "typing.ClassVar")):
            continue
        stated = kind.__dict__.get(name, _MISSING)
        own[name] = _field_of(stated)
        own[name].name = name
    return own


def _annotations(kind: type) -> Mapping[str, object]:
    """Return the annotations of a class itself, without the import of `inspect`."""
    return kind.__dict__.get("__annotations__", {})  # type: ignore[no-any-return]  # noqa: RUF063


def _field_of(stated: Any) -> Field:
    """Return the field for what a class has in its place: nothing, a default, or a field."""
    if isinstance(stated, Field):
        return stated
    if type(stated).__module__ != "dataclasses":
        return Field(default=stated)
    from dataclasses import MISSING

    options = {name: getattr(stated, name) for name in Field().options}
    for name in ("default", "default_factory"):
        if getattr(stated, name) is not MISSING:
            options[name] = getattr(stated, name)
    return Field(**options)


def _with_slots(kind: type, own: Mapping[str, Field]) -> type:
    """Return a class with slots for its own fields, in place of one without."""
    namespace = {
        name: member
        for name, member in kind.__dict__.items()
        if name not in own and name not in {"__dict__", "__weakref__"}
    }
    made = type(kind)(
        kind.__name__,
        kind.__bases__,
        {**namespace, "__slots__": tuple(own), "__record_fields__": own},
    )
    made.__qualname__ = kind.__qualname__
    return made


def _with_defaults(kind: type, own: dict[str, Field]) -> type:
    for name, each in own.items():
        if each.default is not _MISSING:
            setattr(kind, name, each.default)
        elif name in kind.__dict__:
            delattr(kind, name)
    kind.__record_fields__ = own  # type: ignore[attr-defined]
    return kind


def _with_methods(kind: type, *, frozen: bool, eq: bool, order: bool) -> type:
    """Return a class with the methods that it does not define itself."""
    named = fields(kind)
    methods: dict[str, object] = {
        "__init__": _first_init(kind, named, frozen=frozen),
        "__match_args__": tuple(each.name for each in named if each.init),
        "__replace__": _replaced,
        "__repr__": _repr([each.name for each in named if each.repr]),
    }
    compared = _getter(each.name for each in named if each.compare)
    if eq:
        methods["__eq__"] = _comparison(compared, operator.eq)
        methods["__hash__"] = (lambda self: hash(compared(self))) if frozen else None
    if order:
        methods["__lt__"] = _comparison(compared, operator.lt)
    if frozen:
        methods |= {"__setattr__": _refuse_to_assign, "__delattr__": _refuse_to_delete}
        if "__slots__" in kind.__dict__:
            methods |= _state_methods(named)
    for name, method in methods.items():
        if kind.__dict__.get(name) is None:
            setattr(kind, name, method)
    options: dict[str, Any] = {"frozen": frozen, "eq": eq, "order": order}
    for name in _OF_LIBRARY:
        setattr(kind, name, _AsInLibrary(kind, name, options))
    return total_ordering(kind) if order else kind


def _first_init(kind: Any, named: tuple[Field, ...], *, frozen: bool) -> Callable[..., None]:
    """Return an `__init__` that replaces itself by a compiled one when it is first called."""

    def first_init(self: object, *values: object, **more: object) -> None:
        kind.__init__ = compiled = _init(kind, named, frozen=frozen)
        compiled(self, *values, **more)

    return first_init


def _repr(names: Iterable[str]) -> Callable[[object], str]:
    def text(self: object) -> str:
        texts = ", ".join(f"{name}={getattr(self, name)!r}" for name in names)
        return f"{type(self).__qualname__}({texts})"

    return text


def _comparison(
    compared: Callable[[object], tuple[object, ...]], compare: Callable[[Any, Any], Any]
) -> Callable[[object, object], Any]:
    def result(self: object, other: object) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        return compare(compared(self), compared(other))

    return result


def _replaced(self: object, /, **changes: object) -> object:
    """Return a copy with changed fields, as `copy.replace` of Python 3.13 asks for it."""
    positions, read = _layout(type(self))  # type: ignore[arg-type]  # classes are hashable
    values = list(read(self))
    for name, value in changes.items():
        values[positions[name]] = value
    return type(self)(*values)


def _state_methods(named: Iterable[Field]) -> dict[str, object]:
    """Return the methods with which frozen slots are copied and pickled."""
    names = [each.name for each in named]
    values = _getter(names)

    def set_state(self: object, state: tuple[object, ...]) -> None:
        for name, value in zip(names, state, strict=True):
            object.__setattr__(self, name, value)

    return {
        "__getstate__": lambda self: values(self),  # noqa: PLW0108 - a method, unlike `operator.attrgetter`
        "__setstate__": set_state,
    }


class _AsInLibrary:
    """Attributes that `dataclasses` gives a class, made when a reader of dataclasses asks for one."""

    def __init__(self, kind: type, name: str, options: dict[str, Any]) -> None:
        self._kind, self._name, self._options = kind, name, options

    def __get__(self, _: object, __: type) -> object:
        from dataclasses import field as field_of_library
        from dataclasses import make_dataclass

        annotations: dict[str, object] = {}
        for base in reversed(self._kind.__mro__):
            annotations |= _annotations(base)
        members = [
            (each.name, annotations[each.name], field_of_library(**each.options))
            for each in fields(self._kind)
        ]
        made = make_dataclass(self._kind.__name__, members, **self._options)
        for name in _OF_LIBRARY:
            setattr(self._kind, name, getattr(made, name))
        return getattr(made, self._name)


def _refuse_to_assign(_: object, name: str, value: object) -> None:
    from dataclasses import FrozenInstanceError

    del value
    message = f"cannot assign to field {name!r}"
    raise FrozenInstanceError(message)


def _refuse_to_delete(_: object, name: str) -> None:
    from dataclasses import FrozenInstanceError

    message = f"cannot delete field {name!r}"
    raise FrozenInstanceError(message)


def _init(kind: type, named: tuple[Field, ...], *, frozen: bool) -> Callable[..., None]:
    """Return `__init__`, which fills frozen slots without `__setattr__`."""
    filled = [each for each in named if each.init]
    # No field has a name with two underscores, so that none hides one of these.
    namespace: dict[str, Any] = {"__missing": _MISSING}
    for each in filled:
        namespace[f"__set_{each.name}"] = _setter(kind, each.name)
        namespace[f"__default_{each.name}"] = each.default
        namespace[f"__make_{each.name}"] = each.default_factory
    lines = [
        f"def __init__(self, {', '.join(map(_parameter, filled))}):",
        *(
            f"    __set_{each.name}(self, {_value(each)})"
            if frozen
            else f"    self.{each.name} = {_value(each)}"
            for each in filled
        ),
        "    self.__post_init__()" if hasattr(kind, "__post_init__") else "    return",
    ]
    exec("\n".join(lines), namespace)  # noqa: S102 - names of fields alone, as `dataclasses` does it
    function: Callable[..., None] = namespace["__init__"]
    function.__qualname__ = f"{kind.__qualname__}.__init__"
    return function


def _setter(kind: type, name: str) -> Callable[[object, object], None]:
    """Return a function that sets a field of a frozen record."""
    slot = getattr(kind, name, None)
    if hasattr(slot, "__set__"):
        return slot.__set__  # type: ignore[no-any-return,union-attr]
    return lambda record, value: object.__setattr__(record, name, value)


def _value(each: Field) -> str:
    if each.default_factory is _MISSING:
        return each.name
    return f"__make_{each.name}() if {each.name} is __missing else {each.name}"


def _parameter(each: Field) -> str:
    if each.default is not _MISSING:
        return f"{each.name}=__default_{each.name}"
    return each.name if each.default_factory is _MISSING else f"{each.name}=__missing"
