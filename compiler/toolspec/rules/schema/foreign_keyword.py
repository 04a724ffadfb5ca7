"""A keyword belongs to another schema language."""

from toolspec.rules.api import (
    IN_PLACE,
    Diagnostics,
    Place,
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
_MEANT = {
    "nullable": "name null as a type: `type: [string, 'null']`",
    "optional": "list what is required in the object: `required: [name]`",
    "example": "write a list: `examples: [value]`",
    "enumNames": "say in the description what the values mean",
    "divisibleBy": "write `multipleOf`",
}
KEYWORDS = frozenset(_MEANT)
# Keywords that may reject null.
_OPAQUE = (IN_PLACE - {"anyOf"}) | {"$ref"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each foreign keyword that would have an effect."""
    for keyword in sorted(_MEANT.keys() & visit.survey.uses.keys()):
        for path, node in visit.using(keyword):
            if node[keyword] is False or "null" in types_of(node):
                continue
            place = visit.place(*path) if keyword == "nullable" else None
            edit = name_null(place, keyword) if place else ()
            fix = edits.fix("name null as a type, and as a value where values are listed", edit)
            at, hint = (*path, keyword), _MEANT[keyword]
            yield visit.diagnostic(KIND, at, fix=fix, keyword=keyword, suggestion=hint)


def name_null(place: Place, nullable: str) -> edits.Edits:
    """Return the edits that replace a keyword for nullable values by a null type.

    Empty if the schema does not have exactly one type, or if other keywords may reject null.
    """
    node = place.value_or_none
    if not (isinstance(node, dict) and isinstance(node.get("type"), str)):
        return ()
    if "anyOf" in node or not _OPAQUE.isdisjoint(node):
        return ()
    parts = [
        edits.delete_member(place / nullable),
        edits.replace_value(place / "type", [node["type"], "null"]),
    ]
    if "enum" in node:
        parts.append(_behind(place / "enum"))
    if "const" in node:
        value = node["const"]
        parts.append(edits.rename_key(place / "const", "enum"))
        is_scalar = not isinstance(value, (dict, list))
        parts.append(edits.replace_value(place / "const", [value, None]) if is_scalar else ())
    return tuple(edit for part in parts for edit in part) if all(parts) else ()


def _behind(values: Place) -> edits.Edits:
    """Return the edit that adds null to a list in flow style; empty for any other."""
    location, listed = values.location, values.value_or_none
    if location.via or not (isinstance(listed, list) and listed and location.value.text[:1] == "["):
        return ()
    last = values.at(len(listed) - 1).location
    if last.via:
        return ()
    return (TextEdit(last.value.source.span(last.value.end, last.value.end), ", null"),)
