"""Function tools for OpenAI's Responses and Chat Completions APIs, strict and loose."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.provider import Provider, output_schema, stated

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.providers.lowering import LoweredTool
    from toolspec.syntax.nodes import JsonObject


def _responses(tool: Tool, sent: LoweredTool) -> JsonObject:
    """Return an entry of Responses; without `strict` the API would try it and change the schema."""
    entry: JsonObject = {"type": "function", "name": sent.name, "description": sent.description}
    entry |= {"parameters": sent.schema or {}, "strict": sent.is_strict}
    return stated({**entry, "output_schema": output_schema(tool)})


def _chat(_: Tool, sent: LoweredTool) -> JsonObject:
    """Return an entry of Chat Completions, without `strict`, unknown to some compatible servers."""
    function: JsonObject = {"name": sent.name, "description": sent.description}
    function["parameters"] = sent.schema or {}
    return {"type": "function", "function": stated(function)}


def _strict_chat(tool: Tool, sent: LoweredTool) -> JsonObject:
    function = _chat(tool, sent)["function"]
    assert isinstance(function, dict)
    return {"type": "function", "function": {**function, "strict": sent.is_strict}}


TARGETS = (
    Provider("openai-responses", _responses).target("tools of the OpenAI Responses API"),
    Provider("openai-responses-strict", _responses).target(
        "strict tools of the OpenAI Responses API"
    ),
    Provider("openai-chat", _chat).target("tools of OpenAI Chat Completions"),
    Provider("openai-chat-strict", _strict_chat).target("strict tools of OpenAI Chat Completions"),
)
