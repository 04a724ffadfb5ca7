"""Say in a tool's description what it returns, where the provider has no place for that."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.providers.sentences import compact

if TYPE_CHECKING:
    from toolspec.providers.draft import Draft
    from toolspec.providers.profile import Options
    from toolspec.syntax.nodes import JsonValue

_DEEPEST = 2
_LONGEST = 300


def describe_output(draft: Draft, _: Options) -> Draft:
    """Return the draft with a line on the output: `Returns: {ids: string[], next?: string}`.

    Nothing is said of an output that may be anything, or whose line would be longer than 300 signs.
    """
    bundle = draft.tool.output.bundle
    text = outline(bundle, bundle, _DEEPEST)
    if text == "any" or len(text) > _LONGEST:
        return draft
    return replace(draft, description=f"{draft.description}\n\nReturns: {text}.")


def outline(schema: JsonValue, root: JsonValue, depth: int) -> str:
    """Return the form of a schema's values on one line, `depth` levels deep."""
    if not isinstance(schema, dict):
        return "any"
    reference = schema.get("$ref")
    if isinstance(reference, str):
        defined = root.get("$defs") if isinstance(root, dict) else None
        name = reference.removeprefix("#/$defs/")
        target = defined.get(name) if isinstance(defined, dict) else None
        return outline(target, root, depth - 1) if depth and target else "any"
    values = schema.get("enum")
    if isinstance(values, list):
        return " | ".join(map(compact, values))
    stated = schema.get("type")
    if stated == "array":
        inner = outline(schema.get("items"), root, depth - 1) if depth else "any"
        return f"({inner})[]" if " " in inner and not inner.startswith("{") else f"{inner}[]"
    properties = schema.get("properties")
    if isinstance(properties, dict) and depth:
        return _members(properties, schema.get("required"), root, depth)
    names = stated if isinstance(stated, list) else [stated]
    return " | ".join(str(each) for each in names) if stated else "any"


def _members(
    properties: dict[str, JsonValue], required: JsonValue, root: JsonValue, depth: int
) -> str:
    needed = required if isinstance(required, list) else []
    each = (
        f"{name}{'' if name in needed else '?'}: {outline(inner, root, depth - 1)}"
        for name, inner in properties.items()
    )
    return f"{{{', '.join(each)}}}"
