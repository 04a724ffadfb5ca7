"""Tools for the Messages API of Anthropic, strict and loose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import InputForm
from toolspec.shared.validator import compiled
from toolspec.targets.provider import Provider, stated

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.providers.lowering import LoweredTool
    from toolspec.syntax.nodes import JsonObject, JsonValue


def _entry(tool: Tool, sent: LoweredTool) -> JsonObject:
    entry: JsonObject = {"name": sent.name, "description": sent.description}
    entry |= {"input_schema": sent.schema or {}, "input_examples": _examples(tool, sent)}
    return stated({**entry, "strict": sent.is_strict or None})


def _examples(tool: Tool, sent: LoweredTool) -> list[JsonValue]:
    """Return the inputs of the tool's examples that satisfy the sent schema, as the API requires.

    Where calls are decoded, an example would have to be in the form that a model writes; it is left
    out.
    """
    if sent.decode or not tool.examples or sent.schema is None:
        return []
    wrapped = tool.input_form is InputForm.TEXT
    inputs = [{"input": example.input} if wrapped else example.input for example in tool.examples]
    accepts = compiled(sent.schema)
    return [value for value in inputs if isinstance(value, dict) and accepts(value)]


TARGETS = (
    Provider("anthropic", _entry).target("tools of the Anthropic Messages API"),
    Provider("anthropic-strict", _entry).target("strict tools of the Anthropic Messages API"),
)
