"""What an import and a compile together change in a dump, and nothing else: one function a change.

`normalised(tool, name, target)` is a tool of a dump as a manifest should show it again under its
full name. A round trip compares it with what the target emitted, value by value.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from toolspec.syntax.nodes import JsonObject, JsonValue

UNSAID = frozenset({"$schema", "$id"})

Change: TypeAlias = Callable[[JsonObject], JsonObject]


def without_nulls(tool: JsonObject) -> JsonObject:
    """A member that is null says the same as no member."""
    return {key: value for key, value in tool.items() if value is not None}


def with_object_input(tool: JsonObject) -> JsonObject:
    """An input schema says `type: object` at its root; one of something else becomes any object."""
    schema = tool.get("inputSchema")
    if not isinstance(schema, dict) or schema.get("type", "object") != "object":
        return {**tool, "inputSchema": {"type": "object"}}
    return {**tool, "inputSchema": {"type": "object", **schema}}


def without_dialect(tool: JsonObject) -> JsonObject:
    """Schemas of a manifest are 2020-12, as MCP assumes, whether they say so or not.

    They have no `$id`: each is embedded, and refers to nothing but itself.
    """
    result = dict(tool)
    for key in ("inputSchema", "outputSchema"):
        schema = result.get(key)
        if isinstance(schema, dict):
            result[key] = {name: part for name, part in schema.items() if name not in UNSAID}
    return result


def without_booleans(tool: JsonObject) -> JsonObject:
    """No boolean stands for a schema, but where one closes or opens an object or a list."""
    schemas = {key: tool[key] for key in ("inputSchema", "outputSchema") if key in tool}
    return {**tool, **{key: _of_objects(schema) for key, schema in schemas.items()}}


def _of_objects(schema: JsonValue) -> JsonValue:
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    if not isinstance(schema, dict):
        return schema
    result = dict(schema)
    for key, value in schema.items():
        if key in ("properties", "patternProperties", "$defs") and isinstance(value, dict):
            result[key] = {name: _of_objects(each) for name, each in value.items()}
        elif key in ("allOf", "anyOf", "oneOf", "prefixItems") and isinstance(value, list):
            result[key] = [_of_objects(each) for each in value]
        elif key in ("items", "not", "contains", "if", "then", "else") or (
            key in ("additionalProperties", "unevaluatedProperties") and isinstance(value, dict)
        ):
            result[key] = _of_objects(value)
    return result


def with_description(tool: JsonObject) -> JsonObject:
    """A description that is missing or blank becomes the placeholder."""
    description = tool.get("description")
    if isinstance(description, str) and description.strip():
        return tool
    return {**tool, "description": "No description was given."}


def with_all_hints(tool: JsonObject) -> JsonObject:
    """All four hints are there: what is not said follows from `readOnlyHint`, absent for false.

    `destructiveHint` beside `readOnlyHint: true` means nothing in MCP, and is false.
    """
    said = tool.get("annotations")
    hints: JsonObject = dict(said) if isinstance(said, dict) else {}
    read_only = hints.get("readOnlyHint", False)
    derived: JsonObject = {
        "readOnlyHint": read_only,
        "destructiveHint": not read_only,
        "idempotentHint": read_only,
        "openWorldHint": True,
    }
    complete: JsonObject = {**derived, **hints}
    if read_only:
        complete["destructiveHint"] = False
    return {**tool, "annotations": complete}


def with_task_support(tool: JsonObject) -> JsonObject:
    """A `taskSupport` of `forbidden`, which is the default, is not there."""
    said = tool.get("execution")
    support = said.get("taskSupport") if isinstance(said, dict) else None
    rest = {key: value for key, value in tool.items() if key != "execution"}
    return rest if support in (None, "forbidden") else {**rest, "execution": said}


def with_titles(tool: JsonObject) -> JsonObject:
    """`title` and `annotations.title` are both there; each takes the other's text where it is alone.

    Where there is neither, a title is derived from the name, and left to the test of that rule.
    """
    said = tool.get("annotations")
    hints: JsonObject = dict(said) if isinstance(said, dict) else {}
    title = tool.get("title") or hints.get("title")
    if not title:
        return tool
    annotations: JsonObject = {**hints, "title": hints.get("title") or title}
    return {**tool, "title": title, "annotations": annotations}


CHANGES: tuple[Change, ...] = (
    without_nulls,
    with_object_input,
    without_dialect,
    without_booleans,
    with_description,
    with_all_hints,
    with_task_support,
    with_titles,
)


def normalised(tool: JsonObject, name: str, target: str) -> JsonObject:
    """Return a dump's tool with every change applied, under the full name that it has now.

    MCP 2026-07-28 has no `execution`.
    """
    for change in CHANGES:
        tool = change(tool)
    left_out = "execution" if target == "mcp-2026-07-28" else ""
    return {key: value for key, value in {**tool, "name": name}.items() if key != left_out}


def comparable(emitted: JsonObject, tool: JsonObject) -> JsonObject:
    """Return an emitted tool without what it may say beside the dump's normal form.

    That is the dialect where the dump says it, a title that was derived because the dump has none, and
    the derived icon and summary, and former names, under this compiler's own key of `_meta`.
    """
    emitted = _without_derived_meta(emitted)
    for key in ("inputSchema", "outputSchema"):
        schema, given = emitted.get(key), tool.get(key)
        if isinstance(schema, dict) and "$schema" in schema:
            assert isinstance(given, dict)
            assert schema["$schema"] == given["$schema"]
            assert "2020-12" in str(given["$schema"])
    emitted = without_dialect(emitted)
    annotations = tool.get("annotations")
    hints = annotations if isinstance(annotations, dict) else {}
    if tool.get("title") or hints.get("title"):
        return emitted
    shown = emitted["annotations"]
    assert isinstance(shown, dict)
    kept: dict[str, JsonValue] = {key: hint for key, hint in shown.items() if key != "title"}
    rest = {key: value for key, value in emitted.items() if key != "title"}
    return {**rest, "annotations": kept}


def _without_derived_meta(emitted: JsonObject) -> JsonObject:
    meta = emitted.get("_meta")
    assert isinstance(meta, dict)
    own = meta["toolspec"]
    assert isinstance(own, dict)
    own = {key: value for key, value in own.items() if key not in {"icon", "summary", "aliases"}}
    rest = {key: value for key, value in meta.items() if key != "toolspec"}
    meta = {**rest, "toolspec": own} if own else rest
    emitted = {key: value for key, value in emitted.items() if key != "_meta"}
    return {**emitted, "_meta": meta} if meta else emitted
