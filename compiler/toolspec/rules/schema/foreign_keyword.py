"""A keyword belongs to another schema language."""

from toolspec.rules.api import (
    IN_PLACE,
    Diagnostics,
    Location,
    SchemaVisit,
    Severity,
    TextEdit,
    declare,
    edits,
    types_of,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "JSON Schema ignores `{keyword}`",
    "{suggestion}",
)
VISITS = SchemaVisit
_REPLACEMENTS = {
    "nullable": "add null to the types: `type: [string, 'null']`",
    "optional": "list required properties in the object: `required: [name]`",
    "example": "write a list: `examples: [value]`",
    "enumNames": "explain the values in the description",
    "divisibleBy": "write `multipleOf`",
}
KEYWORDS = frozenset(_REPLACEMENTS)
# Keywords that may reject null.
_OPAQUE = (IN_PLACE - {"anyOf"}) | {"$ref"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each foreign keyword that would have an effect."""
    for keyword in sorted(_REPLACEMENTS.keys() & visit.survey.uses.keys()):
        for path, node in visit.using(keyword):
            if node[keyword] is False or "null" in types_of(node):
                continue
            location = visit.location(*path) if keyword == "nullable" else None
            edit = name_null(location, keyword) if location else ()
            fix = edits.fix("add null to the types, and to listed values", edit)
            keyword_path, hint = (*path, keyword), _REPLACEMENTS[keyword]
            yield visit.diagnostic(KIND, keyword_path, fix=fix, keyword=keyword, suggestion=hint)


def name_null(location: Location, nullable: str) -> edits.Edits:
    """Return the edits that replace a keyword for nullable values by a null type.

    Empty if the schema does not have exactly one type, or if other keywords may reject null.
    """
    node = location.value_or_none
    if not (isinstance(node, dict) and isinstance(node.get("type"), str)):
        return ()
    if "anyOf" in node or not _OPAQUE.isdisjoint(node):
        return ()
    parts = [
        edits.delete_member(location / nullable),
        edits.replace_value(location / "type", [node["type"], "null"]),
    ]
    if "enum" in node:
        parts.append(_append_null(location / "enum"))
    if "const" in node:
        value = node["const"]
        parts.append(edits.rename_key(location / "const", "enum"))
        is_scalar = not isinstance(value, (dict, list))
        parts.append(edits.replace_value(location / "const", [value, None]) if is_scalar else ())
    return tuple(edit for part in parts for edit in part) if all(parts) else ()


def _append_null(values: Location) -> edits.Edits:
    """Return the edit that adds null to a list in flow style; empty for any other."""
    spans, listed = values.spans, values.value_or_none
    if spans.via or not (isinstance(listed, list) and listed and spans.value.text[:1] == "["):
        return ()
    last = values.at(len(listed) - 1).spans
    if last.via:
        return ()
    return (TextEdit(last.value.source.span(last.value.end, last.value.end), ", null"),)
