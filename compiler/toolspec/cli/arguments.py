"""Parses a tool's arguments from a command line: `key=text`, `key:=json`, `a.b=nested`."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

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


def arguments_of(words: Sequence[str], schema: JsonObject, given: JsonObject) -> ArgumentWords:
    """Return `given` with the arguments of some words; the schema decides how to parse values.

    A value stays text if its schema allows text, and is parsed as JSON if it does not. If the
    schema says nothing, it is JSON if it can be, else text. A dot leads into an object, unless
    there is a property of that whole name.
    """
    arguments: JsonObject = json.loads(json.dumps(given))
    problems: list[str] = []
    for word in words:
        key, equals, text = word.partition("=")
        if not equals or key in ("", ":"):
            problems.append(f"`{word}` is no argument: write `name=value`, or `name:=JSON`")
            continue
        path = _path(key.removesuffix(":"), schema)
        kinds = frozenset[str]() if key.endswith(":") else _kinds_at(schema, path)
        value, problem = _read(text, kinds, must_be_json=key.endswith(":"))
        if problem:
            problems.append(f"`{key.removesuffix(':')}` {problem}")
        elif not _put(arguments, path, value):
            problems.append(f"`{word}` leads into what is no object")
    return ArgumentWords(arguments, tuple(problems))


def _path(key: str, schema: JsonObject) -> list[str]:
    is_whole = any(key in each for each in _members(_parts(schema, schema)))
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
        value: JsonValue = json.loads(text, parse_constant=_no_json)
    except (ValueError, RecursionError):
        if must_be_json:
            return None, f"is no JSON: `{text}`"
        return text, _wanted(text, kinds) if kinds else ""
    if kinds and kinds.isdisjoint(_kinds_of(value)):
        return value, _wanted(text, kinds)
    return value, ""


def _no_json(name: str) -> NoReturn:
    """Reject `NaN` and the infinities, which Python accepts and JSON does not."""
    raise ValueError(name)


def _wanted(text: str, kinds: frozenset[str]) -> str:
    return f"takes {' or '.join(sorted(kinds))}, not `{text}`"


def _kinds_of(value: JsonValue) -> frozenset[str]:
    match value:
        case bool():
            found = ["boolean"]
        case int():
            found = ["integer", "number"]
        case float():
            found = ["number", "integer"] if value.is_integer() else ["number"]
        case str():
            found = ["string"]
        case list():
            found = ["array"]
        case dict():
            found = ["object"]
        case _:
            found = ["null"]
    return frozenset(found)


def _kinds_at(root: JsonObject, path: list[str]) -> frozenset[str]:
    """Return the types that a schema allows at a path; empty if it does not say."""
    found: list[JsonValue] = [root]
    for step in path:
        parts = list(_parts(root, *found))
        named = [each[step] for each in _members(parts) if step in each]
        found = named or [part.get("additionalProperties") for part in parts]
    return frozenset(_kinds(_parts(root, *found)))


def _members(parts: Iterable[JsonObject]) -> Iterator[JsonObject]:
    for each in parts:
        properties = each.get("properties")
        if isinstance(properties, dict):
            yield properties


def _kinds(parts: Iterable[JsonObject]) -> Iterator[str]:
    for each in parts:
        said = each.get("type", [])
        kinds = [said] if isinstance(said, str) else said
        if isinstance(kinds, list) and kinds:
            yield from (str(kind) for kind in kinds)
            continue
        values = [each["const"]] if "const" in each else each.get("enum", [])
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
