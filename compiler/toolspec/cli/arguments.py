"""Parses a tool's arguments from a command line: `key=text`, `key:=json`, `a.b=nested`."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import NoReturn

    from toolspec.syntax.nodes import JsonObject, JsonValue

_BRANCHES = ("allOf", "anyOf", "oneOf")


@dataclass(frozen=True, slots=True)
class ArgumentWords:
    """Parsed arguments, with an error line for each invalid word."""

    arguments: JsonObject
    problems: tuple[str, ...]


def arguments_of(words: Sequence[str], schema: JsonObject, base: JsonObject) -> ArgumentWords:
    """Return `base` extended by the arguments of words; the schema decides how to parse values.

    A value stays text if its schema allows text, and is parsed as JSON if it does not. If the
    schema allows any type, it is JSON if it can be parsed, else text. A dot separates the steps of
    a path, unless a property has that whole name.
    """
    arguments: JsonObject = json.loads(json.dumps(base))
    problems: list[str] = []
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or key in ("", ":"):
            problems.append(f"`{word}` is not an argument: write `name=value`, or `name:=JSON`")
            continue
        path = _path(key.removesuffix(":"), schema)
        kinds = frozenset[str]() if key.endswith(":") else _kinds_at(schema, path)
        value, problem = _read(text, kinds, must_be_json=key.endswith(":"))
        if problem:
            problems.append(f"`{key.removesuffix(':')}` {problem}")
        elif not _put(arguments, path, value):
            problems.append(f"`{word}` has a path through a value that is not an object")
    return ArgumentWords(arguments, tuple(problems))


def _path(key: str, schema: JsonObject) -> list[str]:
    is_whole = any(key in members for members in _members(_parts(schema, schema)))
    return [key] if is_whole else key.split(".")


def _put(arguments: JsonObject, path: list[str], value: JsonValue) -> bool:
    parent = arguments
    for step in path[:-1]:
        deeper = parent.setdefault(step, {})
        if not isinstance(deeper, dict):
            return False
        parent = deeper
    parent[path[-1]] = value
    return True


def _read(text: str, kinds: frozenset[str], *, must_be_json: bool) -> tuple[JsonValue, str]:
    """Return the value of a text, and its error."""
    if "string" in kinds:
        return text, ""
    try:
        value: JsonValue = json.loads(text, parse_constant=_reject_constant)
    except (ValueError, RecursionError):
        if must_be_json:
            return None, f"is not JSON: `{text}`"
        return text, _type_problem(text, kinds) if kinds else ""
    if kinds and kinds.isdisjoint(_kinds_of(value)):
        return value, _type_problem(text, kinds)
    return value, ""


def _reject_constant(name: str) -> NoReturn:
    """Reject `NaN` and the infinities, which Python accepts and JSON does not."""
    raise ValueError(name)


def _type_problem(text: str, kinds: frozenset[str]) -> str:
    return f"must be {' or '.join(sorted(kinds))}, not `{text}`"


def _kinds_of(value: JsonValue) -> frozenset[str]:
    match value:
        case bool():
            kinds = ["boolean"]
        case int():
            kinds = ["integer", "number"]
        case float():
            kinds = ["number", "integer"] if value.is_integer() else ["number"]
        case str():
            kinds = ["string"]
        case list():
            kinds = ["array"]
        case dict():
            kinds = ["object"]
        case _:
            kinds = ["null"]
    return frozenset(kinds)


def _kinds_at(root: JsonObject, path: list[str]) -> frozenset[str]:
    """Return the types that a schema allows at a path; empty if it allows any."""
    schemas: list[JsonValue] = [root]
    for step in path:
        parts = list(_parts(root, *schemas))
        named = [members[step] for members in _members(parts) if step in members]
        schemas = named or [part.get("additionalProperties") for part in parts]
    return frozenset(_kinds(_parts(root, *schemas)))


def _members(parts: Iterable[JsonObject]) -> Iterator[JsonObject]:
    for part in parts:
        properties = part.get("properties")
        if isinstance(properties, dict):
            yield properties


def _kinds(parts: Iterable[JsonObject]) -> Iterator[str]:
    for part in parts:
        stated = part.get("type", [])
        kinds = [stated] if isinstance(stated, str) else stated
        if isinstance(kinds, list) and kinds:
            yield from (str(kind) for kind in kinds)
            continue
        values = [part["const"]] if "const" in part else part.get("enum", [])
        for value in values if isinstance(values, list) else []:
            yield from _kinds_of(value)


def _parts(root: JsonObject, *schemas: JsonValue) -> Iterator[JsonObject]:
    """Yield some schemas and all that they reference or combine, each once."""
    seen: set[int] = set()
    left = [*schemas]
    while left:
        part = left.pop()
        if not isinstance(part, dict) or id(part) in seen:
            continue
        seen.add(id(part))
        yield part
        target = part.get("$ref")
        if isinstance(target, str) and target.startswith("#"):
            left.append(_at(root, target))
        for keyword in _BRANCHES:
            branches = part.get(keyword)
            left += branches if isinstance(branches, list) else []


def _at(root: JsonObject, pointer: str) -> JsonValue:
    """Return the target of a local reference, or None."""
    parent: JsonValue = root
    for step in pointer.split("/")[1:]:
        if not isinstance(parent, dict):
            return None
        parent = parent.get(step.replace("~1", "/").replace("~0", "~"))
    return parent
