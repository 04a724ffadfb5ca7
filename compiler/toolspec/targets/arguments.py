"""Properties of a tool's arguments that several targets ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Idempotency, InputForm

if TYPE_CHECKING:
    from toolspec.ir import Tool

# A root with one of these may refuse the empty object whatever it requires.
_MAY_REFUSE = frozenset(
    {"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "not", "if", "const", "enum"}
)
_KEY = "idempotency_key"


def has_optional_arguments(tool: Tool) -> bool:
    """Return whether a tool can be called without arguments of the author's own.

    Properties with a default may be left out. A root that combines schemas counts as one that
    requires something: only a validator could answer for it.
    """
    if tool.input_form is not InputForm.OBJECT:
        return tool.input_form is InputForm.RAW
    root = tool.arguments
    if _MAY_REFUSE & root.keys() or root.get("minProperties", 0):
        return False
    required, properties = root.get("required"), root.get("properties")
    stated = properties if isinstance(properties, dict) else {}
    names = (
        {each for each in required if isinstance(each, str)}
        if isinstance(required, list)
        else set()
    )
    if tool.idempotency is not Idempotency.NONE:
        names.discard(_KEY)
    if tool.instances:
        names.discard("instance")
    schemas = (stated.get(each) for each in names)
    return all(isinstance(each, dict) and "default" in each for each in schemas)
