"""The document schema: loaded once, compiled once, and indexed by the paths of its errors."""

from __future__ import annotations

import json
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING

from toolspec.schema.shipped import read_schema
from toolspec.shared.explanation import Explainer
from toolspec.shared.validator import compiled

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.shared.json_values import Accepts
    from toolspec.syntax.nodes import JsonObject, JsonValue

FILE = "service.v1.schema.json"


class Form(Enum):
    """Kind of a file: a service document, or more tools for one."""

    SERVICE = "service"
    FRAGMENT = "fragment"
    FRAGMENT_AS_WRITTEN = "fragment of a service whose names are as written"


@cache
def contract() -> JsonObject:
    """Return the document schema."""
    schema: JsonObject = json.loads(read_schema(FILE))
    return schema


def _schema(form: Form) -> JsonObject:
    schema = contract()
    if form is not Form.SERVICE:
        schema = {"$ref": "#/$defs/fragment", "$defs": schema["$defs"]}
    return schema


@cache
def validator(form: Form) -> Accepts:
    """Return the function that validates a document of a form."""
    return compiled(_schema(form))


@cache
def explainer(form: Form) -> Explainer:
    """Return the function that lists the errors of a document of a form."""
    return Explainer(_schema(form), follows_unions=False, names_all_members=True)


@cache
def _field_validator(definition: str, name: str) -> Accepts:
    reference = f"#/$defs/{definition}/properties/{name}"
    return compiled({"$ref": reference, "$defs": contract()["$defs"]})


def fits_field(definition: str, name: str, value: JsonValue) -> bool:
    """Return whether a value is valid for a field of a definition, such as `tool`."""
    fields = schema_at(("$defs", definition, "properties"))
    return isinstance(fields, dict) and name in fields and _field_validator(definition, name)(value)


def schema_at(path: Iterable[str | int]) -> JsonValue:
    """Return the part of the document schema at a path, or None."""
    node: JsonValue = contract()
    for step in path:
        node = _step(node, step)
    return node


def property_at(evaluation_path: Iterable[str | int], form: Form) -> JsonObject:
    """Return the innermost property on the path of an error, references followed, or {}.

    A property has its description and examples beside its `$ref`.
    """
    node: JsonValue = contract()
    if form is not Form.SERVICE:
        node = {"$ref": "#/$defs/fragment"}
    innermost: JsonObject = {}
    before: str | int = ""
    for step in evaluation_path:
        node = _definition(node) if step == "$ref" else _step(node, step)
        if before == "properties" and isinstance(node, dict):
            innermost = node
        before = step
    return innermost


def _definition(node: JsonValue) -> JsonValue:
    reference = node.get("$ref") if isinstance(node, dict) else None
    name = reference.removeprefix("#/$defs/") if isinstance(reference, str) else ""
    return schema_at(("$defs", name))


def _step(node: JsonValue, step: str | int) -> JsonValue:
    match node, step:
        case dict(), str():
            return node.get(step)
        case list(), int() if step < len(node):
            return node[step]
        case _:
            return None


def definitions() -> tuple[JsonObject, ...]:
    """Return the definitions of the document schema, in its order."""
    entries = contract()["$defs"]
    every = entries.values() if isinstance(entries, dict) else ()
    return tuple(definition for definition in every if isinstance(definition, dict))
