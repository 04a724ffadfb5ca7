"""Conversion of an argument `instance`, shared by all tools, to `service.instances`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.frontend.normalise.arguments import INSTANCE
from toolspec.frontend.shape.contract import fits_field

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.syntax.nodes import JsonObject, JsonValue

_SCHEMAS = ("inputSchema", "input_schema")
# Keywords allowed in such an argument; any other would be lost with it.
_KEYWORDS = frozenset({"type", "enum", "description", "title"})
_SEVERAL = 2


def read_instances(tools: Iterable[JsonObject]) -> JsonObject:
    """Return `service.instances` if every tool requires the same choice; else an empty object."""
    arguments = [_argument(members) for members in tools]
    first = arguments[0] if arguments else None
    if first is None or any(
        argument is None or argument["enum"] != first["enum"] for argument in arguments
    ):
        return {}
    names = first["enum"]
    assert isinstance(names, list)
    instances: JsonObject = {str(name): _about(str(name), first) for name in names}
    return instances if fits_field("service", "instances", instances) else {}


def without_instance(members: JsonObject) -> JsonObject:
    """Return a tool without the argument that `service.instances` adds."""
    key = _schema_key(members)
    schema = members[key]
    assert isinstance(schema, dict)
    properties, required = schema["properties"], schema["required"]
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    rest: JsonObject = {
        **schema,
        "properties": {name: member for name, member in properties.items() if name != INSTANCE},
        "required": [name for name in required if name != INSTANCE],
    }
    return {
        **members,
        key: {name: member for name, member in rest.items() if member not in ([], {})},
    }


def _schema_key(members: JsonObject) -> str:
    return next((key for key in _SCHEMAS if key in members), _SCHEMAS[0])


def _argument(members: JsonObject) -> JsonObject | None:
    """Return the schema of a tool's required argument `instance`, a choice of several names."""
    match members.get(_schema_key(members)):
        case {"properties": {"instance": dict(argument)}, "required": [*required]}:
            names = argument.get("enum")
            is_choice = isinstance(names, list) and len(names) >= _SEVERAL
            is_plain = argument.get("type") == "string" and argument.keys() <= _KEYWORDS
            return argument if is_choice and is_plain and INSTANCE in required else None
    return None


def _about(name: str, argument: JsonObject) -> JsonObject:
    """Return the title of an instance, parsed from a generated description."""
    description: JsonValue = argument.get("description")
    text = description if isinstance(description, str) else ""
    match = re.search(rf"`{re.escape(name)}`: (.+?)\.(?= `|$)", text)
    return {"title": match[1]} if match and match[1].strip() else {}
