"""Tool configurations for Bedrock's Converse API: Claude, strict and loose, and Nova."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.provider import Provider, stated

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.providers.lowering import LoweredTool
    from toolspec.syntax.nodes import JsonObject, JsonValue


def _configuration(entries: list[JsonValue]) -> JsonValue:
    """Return the `toolConfig` of a request."""
    return {"tools": entries}


def _entry(_: Tool, sent: LoweredTool) -> JsonObject:
    """Return an entry; `strict` only for strict tools, as most models reject the member."""
    entry: JsonObject = {"name": sent.name, "description": sent.description}
    entry["inputSchema"] = {"json": sent.schema or {}}
    return {"toolSpec": stated({**entry, "strict": sent.is_strict or None})}


TARGETS = (
    Provider("bedrock", _entry, _configuration).target("tools of Bedrock Converse"),
    Provider("bedrock-strict", _entry, _configuration).target("strict tools of Bedrock Converse"),
    Provider("bedrock-nova", _entry, _configuration).target("tools of Nova on Bedrock Converse"),
)
