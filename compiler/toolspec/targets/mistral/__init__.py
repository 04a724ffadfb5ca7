"""Tools for the chat completions of Mistral, which rejects unknown members."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.provider import Provider, stated

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.providers.lowering import LoweredTool
    from toolspec.syntax.nodes import JsonObject


def _entry(_: Tool, sent: LoweredTool) -> JsonObject:
    function: JsonObject = {"name": sent.name, "description": sent.description}
    function["parameters"] = sent.schema or {}
    return {"type": "function", "function": stated(function)}


TARGET = Provider("mistral", _entry).target("tools of Mistral chat completions")
