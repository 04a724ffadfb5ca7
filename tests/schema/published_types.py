"""Values compared with generated types, as type checkers compare literals."""

from __future__ import annotations

import types
from typing import (
    Any,
    ForwardRef,
    Literal,
    Never,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)


def fits(  # noqa: PLR0911 - a case for each form of type
    value: object, hint: Any, module: types.ModuleType, *, is_open: bool = True
) -> bool:
    """Return whether a value is of a type of a module; without `is_open`, objects have no further keys."""

    def inner(value: object, hint: Any) -> bool:
        return fits(value, hint, module, is_open=is_open)

    if isinstance(hint, (str, ForwardRef)):
        text = hint if isinstance(hint, str) else hint.__forward_arg__
        return inner(value, eval(text, vars(module)))  # noqa: S307 - it is generated code
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return any(inner(value, each) for each in arguments)
    if origin is Literal:
        return any(value == each and type(value) is type(each) for each in arguments)
    if origin is NotRequired:
        return inner(value, arguments[0])
    if is_typeddict(hint):
        hints = get_type_hints(hint, include_extras=True)
        required = {key for key, each in hints.items() if get_origin(each) is not NotRequired}
        return (
            isinstance(value, dict)
            and required <= value.keys()
            and (is_open or value.keys() <= hints.keys())
            and all(inner(each, hints[key]) for key, each in value.items() if key in hints)
        )
    if origin is list:
        return isinstance(value, list) and all(inner(each, arguments[0]) for each in value)
    if origin is not None:  # a mapping
        return isinstance(value, dict) and all(inner(each, arguments[1]) for each in value.values())
    if hint in (int, float):
        numbers = (int,) if hint is int else (int, float)
        return isinstance(value, numbers) and not isinstance(value, bool)
    return hint is not Never and isinstance(value, hint or type(None))
