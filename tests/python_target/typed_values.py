"""Whether a value is of a generated type: what a checker promises, asked at run time."""

from __future__ import annotations

import types
import typing
from typing import Any, ForwardRef, Literal, NotRequired, Union, get_args, get_origin

ANYTHING = (object, Any)
KINDS: dict[Any, tuple[type, ...]] = {None: (type(None),), float: (int, float)}


def is_of(annotation: Any, value: Any, names: dict[str, Any]) -> bool:
    """Return whether a value is of a type; `names` are those of the module that declares it."""
    if isinstance(annotation, ForwardRef):
        annotation = annotation.__forward_arg__
    if isinstance(annotation, str):
        annotation = eval(annotation, names)  # noqa: S307 - generated code, which is imported anyway
    if typing.is_typeddict(annotation):
        fields = typing.get_type_hints(annotation, names, include_extras=True)
        return type(value) is dict and all(
            is_of(kind, value[key], names) for key, kind in fields.items() if key in value
        )
    if get_origin(annotation) is not None:
        return _is_of_generic(get_origin(annotation), get_args(annotation), value, names)
    return annotation in ANYTHING or type(value) in KINDS.get(annotation, (annotation,))


def _is_of_generic(origin: Any, arguments: Any, value: Any, names: dict[str, Any]) -> bool:
    if origin is Literal:
        return any(type(value) is type(each) and value == each for each in arguments)
    if origin in (Union, types.UnionType, NotRequired):
        return any(is_of(each, value, names) for each in arguments)
    inside = value.values() if isinstance(value, dict) else value
    return type(value) is origin and all(is_of(arguments[-1], each, names) for each in inside)
