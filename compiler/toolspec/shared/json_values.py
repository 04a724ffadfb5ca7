"""JSON values in Python: type, equality and display text."""

from __future__ import annotations

from math import inf

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable
    from typing import TypeAlias

    JsonValue: TypeAlias = (
        bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"] | None
    )
    JsonObject: TypeAlias = dict[str, JsonValue]
    Path: TypeAlias = tuple[str | int, ...]
    Accepts: TypeAlias = Callable[[JsonValue], bool]
    """Decides whether a value satisfies a schema."""

SHOWN = 48
"""Maximum number of characters of a value in a message."""

_TYPES_OF: dict[type, tuple[str, ...]] = {
    bool: ("boolean",),
    dict: ("object",),
    float: ("number",),
    int: ("number", "integer"),
    list: ("array",),
    str: ("string",),
    type(None): ("null",),
}


def has_type(value: JsonValue, name: str) -> bool:
    """Return whether a value has a JSON Schema type; `1.0` is an integer (its section 6.1.1)."""
    if isinstance(value, float) and name == "integer":
        return value.is_integer()
    return name in _TYPES_OF.get(type(value), ())


def as_object(value: JsonValue) -> JsonObject:
    """Return an object, an empty one in place of any other value."""
    return value if isinstance(value, dict) else {}


def as_list(value: JsonValue) -> list[JsonValue]:
    """Return a list, an empty one in place of any other value."""
    return value if isinstance(value, list) else []


def as_texts(value: JsonValue) -> list[str]:
    """Return the texts in a list; none of any other value."""
    return [item for item in as_list(value) if isinstance(item, str)]


def identity(value: JsonValue) -> Hashable:
    """Return a key shared by values that JSON Schema calls equal: `1` and `1.0`, but not `true`."""
    if isinstance(value, bool):
        return (bool, value)
    if isinstance(value, list):
        return tuple(identity(item) for item in value)
    if isinstance(value, dict):
        return frozenset((key, identity(item)) for key, item in value.items())
    return value


def are_equal(first: JsonValue, second: JsonValue) -> bool:
    """Return whether two values are equal according to JSON Schema."""
    if isinstance(first, (list, dict)):
        # Most pairs differ in type or size, which is cheap to compare.
        if type(first) is not type(second) or len(first) != len(second):
            return False
        return identity(first) == identity(second)
    return identity(first) == identity(second)


def count_members(value: JsonValue, limit: float = inf) -> int:
    """Return the number of members at all depths of a value; of a larger one more than `limit`."""
    waiting, count = [value], 0
    while waiting and count <= limit:
        node = waiting.pop()
        if isinstance(node, (dict, list)):
            count += len(node)
            if count <= limit:
                waiting += node.values() if isinstance(node, dict) else node
    return count


def shown(value: object) -> str:
    """Return a value as JSON for a message, truncated if long."""
    import json

    if isinstance(value, str) and len(value) > SHOWN:
        value = value[:SHOWN]
        text = json.dumps(value, ensure_ascii=False)
    elif isinstance(value, (list, dict)):
        text = _start(value)
    else:
        # Validators return numbers beyond floats as Decimal.
        text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def path_text(steps: Iterable[str | int]) -> str:
    """Return steps as a path: `$.a.b[0]`, with `["…"]` for keys that are not identifiers."""
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
    """Return text safe for one line of a log or terminal: no control characters or surrogates."""
    printable = "".join(char if char.isprintable() else " " for char in text)
    return " ".join(printable.split())


def _start(value: list[JsonValue] | dict[str, JsonValue]) -> str:
    """Return the start of a container's JSON without serializing all of it."""
    import json

    parts: list[str] = []
    length = 0
    for text in json.JSONEncoder(ensure_ascii=False, default=str).iterencode(value):
        parts.append(text)
        length += len(text)
        if length > SHOWN:
            break
    return "".join(parts)
