"""JSON values as Python holds them: the copy that proves that a value is one, and paths into it."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import TypeAlias

    JsonValue: TypeAlias = (
        bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
    )
    JsonObject: TypeAlias = dict[str, JsonValue]

DEPTH_LIMIT = 200
"""Nesting beyond this is refused: every JSON reader and writer has a limit, few name theirs."""

_TOO_DEEP = f"nested deeper than {DEPTH_LIMIT}"

_INT_LIMIT = 1 << 14_000
"""Python itself refuses to print a longer int (4,300 digits)."""

_CONSTANTS = frozenset((bool, type(None)))


class NotJsonError(ValueError):
    """A value that JSON text cannot carry: `path` leads to it from `$`, `reason` says why not."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        self._inner_first: list[str | int] = []

    @property
    def path(self) -> str:
        """The way to the value, from `$`."""
        return path_text(reversed(self._inner_first))

    def under(self, step: str | int) -> NotJsonError:
        """Return this error, its path one step longer at the outside."""
        self._inner_first.append(step)
        return self


def path_text(steps: Iterable[str | int]) -> str:
    """Return steps as a path: `$.a.b[0]`, with `["…"]` where a key is no identifier."""
    parts = ["$"]
    for step in steps:
        if isinstance(step, int):
            parts.append(f"[{step}]")
        elif step.isidentifier():
            parts.append(f".{step}")
        else:
            quoted = step.replace("\\", "\\\\").replace('"', '\\"')
            parts.append(f'["{one_line(quoted)}"]')
    return "".join(parts)


def one_line(text: str) -> str:
    """Return text fit for one line of a log or terminal: no control characters, no surrogates."""
    shown = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(shown.split())


def copied(value: object, depth: int = 0) -> JsonValue:
    """Return an equal JSON value that shares no container with `value`; tuples become lists.

    Complains (NotJsonError) of all that JSON text cannot carry: NaN and infinities, lone
    surrogates, keys that are no strings, other types, nesting past DEPTH_LIMIT (so of cycles).
    """
    kind = type(value)
    if kind is str and value.isascii():  # type: ignore[attr-defined]  # just compared
        return value  # type: ignore[return-value]  # the same
    if kind in _CONSTANTS:
        return value  # type: ignore[return-value]  # just compared
    if isinstance(value, dict):
        return _copied_object(value, depth + 1)
    if isinstance(value, (list, tuple)):
        return _copied_array(value, depth + 1)
    return _scalar(value)


def _copied_object(value: dict[object, object], depth: int) -> JsonObject:
    if depth > DEPTH_LIMIT:
        raise NotJsonError(_TOO_DEEP)
    result: JsonObject = {}
    for key, item in value.items():
        name = key if type(key) is str and key.isascii() else _key(key)
        try:
            result[name] = copied(item, depth)
        except NotJsonError as problem:
            raise problem.under(name)  # noqa: B904 - the same error
    return result


def _copied_array(value: list[object] | tuple[object, ...], depth: int) -> list[JsonValue]:
    if depth > DEPTH_LIMIT:
        raise NotJsonError(_TOO_DEEP)
    result: list[JsonValue] = []
    for index, item in enumerate(value):
        try:
            result.append(copied(item, depth))
        except NotJsonError as problem:
            raise problem.under(index)  # noqa: B904 - the same error
    return result


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
    if isinstance(value, int):
        if -_INT_LIMIT < value < _INT_LIMIT:
            return int(value)
        problem = "an integer too long to print"
    elif isinstance(value, str):
        return _text(value)
    elif isinstance(value, float):
        if value - value == 0:  # neither NaN nor infinite
            return float(value)
        problem = f"{float(value)} is no JSON number"
    else:
        problem = f"{type(value).__name__} is no JSON type"
    raise NotJsonError(problem)
