"""JSON values in Python: copying with validation, and paths into values."""

from __future__ import annotations

from toolspec.shared.json_values import path_text

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from toolspec.shared.json_values import JsonObject, JsonValue

DEPTH_LIMIT = 200
"""Maximum nesting depth: every JSON reader and writer has a limit, few document it."""

_TOO_DEEP = f"nested deeper than {DEPTH_LIMIT}"

_HIGHEST = 1 << 14_000
_LOWEST = -_HIGHEST
"""Python refuses to print longer ints (4,300 digits)."""

_MOST = 1 << 60
_LEAST = -_MOST
"""Ints within these bounds, nearly all, need no further check."""

_CONSTANTS = frozenset((bool, type(None)))


class NotJsonError(ValueError):
    """A value that JSON cannot represent: `path` locates it from `$`, `reason` explains why."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self._inner_first: list[str | int] = []

    @property
    def path(self) -> str:
        """The path of the value, from `$`."""
        return path_text(reversed(self._inner_first))

    def under(self, step: str | int) -> NotJsonError:
        """Return this error with `step` prepended to its path."""
        self._inner_first.append(step)
        return self


def copied(value: object, depth: int = 0) -> JsonValue:
    """Return an equal JSON value that shares no container with `value`; tuples become lists.

    Raises NotJsonError for values that JSON cannot represent: NaN, infinities, lone surrogates,
    keys other than strings, other types, and nesting beyond DEPTH_LIMIT (such as cycles).
    """
    if isinstance(value, dict):
        return _copied_object(value, depth)
    if isinstance(value, (list, tuple)):
        return _copied_array(value, depth)
    return _scalar(value)


# Both loops inspect the copy, which no other code can change, and handle the most common types
# inline; only the rest costs a function call.


def _copied_object(members: dict[Any, Any], depth: int) -> JsonObject:
    if depth >= DEPTH_LIMIT:
        raise NotJsonError(_TOO_DEEP)
    result: dict[Any, Any] = {**members}
    key = ""
    try:
        for key, item in result.items():
            if type(key) is not str or not key.isascii():
                break
            kind = type(item)
            if (
                (kind is str and item.isascii())
                or kind is bool
                or item is None
                or (kind is int and _LEAST < item < _MOST)
                or (kind is float and item - item == 0)
            ):
                continue
            result[key] = _COPIES.get(kind, copied)(item, depth + 1)
        else:
            return result
    except NotJsonError as problem:
        raise problem.under(key)  # noqa: B904 - the same error
    return _copied_with_keys(result, depth)


def _copied_with_keys(members: dict[Any, Any], depth: int) -> JsonObject:
    result: JsonObject = {}
    for key, item in members.items():
        name = _key(key)
        try:
            result[name] = copied(item, depth + 1)
        except NotJsonError as problem:
            raise problem.under(name)  # noqa: B904 - the same error
    return result


def _copied_array(items: list[Any] | tuple[Any, ...], depth: int) -> list[JsonValue]:
    if depth >= DEPTH_LIMIT:
        raise NotJsonError(_TOO_DEEP)
    result: list[Any] = [*items]
    index = -1
    try:
        for item in result:
            index += 1
            kind = type(item)
            if (
                (kind is str and item.isascii())
                or kind is bool
                or item is None
                or (kind is int and _LEAST < item < _MOST)
                or (kind is float and item - item == 0)
            ):
                continue
            result[index] = _COPIES.get(kind, copied)(item, depth + 1)
    except NotJsonError as problem:
        raise problem.under(index)  # noqa: B904 - the same error
    return result


_COPIES: dict[type, Callable[[Any, int], JsonValue]] = {
    dict: _copied_object,
    list: _copied_array,
    tuple: _copied_array,
}


def _key(key: object) -> str:
    if isinstance(key, str):
        return _text(key)
    problem = f"a key is {type(key).__name__}, not str"
    raise NotJsonError(problem)


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        problem = "a lone surrogate, which UTF-8 cannot carry"
        raise NotJsonError(problem) from None
    return str.__str__(value)  # the plain string of a StrEnum member


def _scalar(value: object) -> JsonValue:
    if type(value) in _CONSTANTS:
        return value  # type: ignore[return-value]  # just compared
    if isinstance(value, int):
        if _LOWEST < value < _HIGHEST:
            return int(value)
        problem = "an integer too long to print"
    elif isinstance(value, str):
        return _text(value)
    elif isinstance(value, float):
        if value - value == 0:  # neither NaN nor infinite
            return float(value)
        problem = f"{float(value)} is not a JSON number"
    else:
        problem = f"{type(value).__name__} is not a JSON type"
    raise NotJsonError(problem)
