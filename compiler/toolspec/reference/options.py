"""Table of options with their constraints, from their schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json
from toolspec.sinks.markdown import code, prose, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue

_OTHER_COLUMNS = ("default", "description")


def options_table(options: Mapping[str, JsonValue]) -> str:
    """Return a table of options by the schema of each; empty for none."""
    rows = (
        (code(name), _form(schema), _value(schema), prose(str(schema.get("description", ""))))
        for name, schema in options.items()
        if isinstance(schema, dict)
    )
    return table(("Option", "Form", "Default", "Meaning"), rows)


def _form(schema: JsonObject) -> str:
    """Return the constraints of a value as JSON Schema keywords."""
    constraints = {key: value for key, value in schema.items() if key not in _OTHER_COLUMNS}
    return ", ".join(code(f"{key}: {canonical_json(value)}") for key, value in constraints.items())


def _value(schema: JsonObject) -> str:
    return code(canonical_json(schema["default"])) if "default" in schema else ""
