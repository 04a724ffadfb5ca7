"""Defaults of an API as sentences of descriptions.

The server fills them in. As `default` of an argument they would be sent with each call, and a call
that changes one field would set all others to their defaults.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.importers.openapi.schemas import is_short_example
from toolspec.schema.walk import subschemas
from toolspec.shared.canonical import canonical_json

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue


def describe_defaults(schema: JsonValue) -> None:
    """Replace each `default` in a schema by a sentence of its description."""
    for _, node in subschemas(schema):
        if isinstance(node, dict) and "default" in node:
            _describe(node, node.pop("default"))


def _describe(node: JsonObject, default: JsonValue) -> None:
    """Add the sentence, unless the value is null, wrong or long, or the description has one."""
    description = node.get("description", "")
    if default is None or not isinstance(description, str) or not is_short_example(default, node):
        return
    if "default" not in description.lower():
        end = "." if description[-1:].isalnum() else ""
        node["description"] = f"{description}{end} Default: {canonical_json(default)}.".lstrip()
