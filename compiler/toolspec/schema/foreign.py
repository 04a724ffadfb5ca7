"""Checks whether a foreign schema, such as one of an MCP server, is safe to compile."""

from __future__ import annotations

from toolspec.diagnostics import Severity
from toolspec.schema import kinds
from toolspec.schema.bundle import LinkedSchema
from toolspec.schema.checks import check_complexity
from toolspec.schema.reading import read_resource
from toolspec.syntax import parse

_PATH = "schema.json"


def refusal(text: str) -> str:
    """Return the reason not to compile a schema's JSON text, or an empty text.

    The schema is too complex, or its complexity is unknown: it is not a valid JSON Schema, or it
    refers to another document. The validator itself checks patterns.
    """
    parsed = parse(_PATH, text.encode())
    if parsed.value is None:
        return parsed.diagnostics[0].message
    checked = read_resource(parsed.value.value, parsed.value.location())
    for diagnostic in checked.diagnostics:
        if diagnostic.severity is Severity.ERROR and diagnostic.code != kinds.BAD_PATTERN.code:
            return diagnostic.message
    if checked.value.outer:
        return f"`{checked.value.outer[0].text}` does not exist in the schema"
    linked = LinkedSchema((_PATH, ()), "", checked.value)
    return next(
        (diagnostic.message for _, diagnostic in check_complexity({linked.key: linked})), ""
    )
