"""Properties of a tool's arguments that several targets use."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Formats, InputForm
from toolspec.shared.validator import InvalidSchemaError, compiled

if TYPE_CHECKING:
    from toolspec.ir import Tool

# A root without any of these rejects the empty object only for missing required properties.
_COMBINING = frozenset(
    {
        "$ref",
        "$dynamicRef",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "const",
        "enum",
        "minProperties",
    }
)


def has_optional_arguments(tool: Tool) -> bool:
    """Return whether a tool can be called without arguments.

    That is the case if the empty object satisfies the input schema: defaults are filled in
    afterwards.
    """
    if tool.input_form is not InputForm.OBJECT:
        return tool.input_form is InputForm.RAW
    root = tool.input.bundle
    if not isinstance(root, dict):
        return False
    if _COMBINING.isdisjoint(root):
        return not root.get("required")
    try:
        return compiled(root, formats=tool.formats is Formats.ASSERT)({})
    except InvalidSchemaError:
        return False
