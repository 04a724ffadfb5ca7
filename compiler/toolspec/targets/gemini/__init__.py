"""Function declarations for Gemini, as JSON Schema and as the OpenAPI subset of older endpoints."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.targets.provider import Provider, output_schema, stated

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.providers.lowering import LoweredTool
    from toolspec.syntax.nodes import JsonObject, JsonValue


def _tools(declarations: list[JsonValue]) -> JsonValue:
    """Return the `tools` of a request: one member with all functions, or none without functions."""
    return [{"functionDeclarations": declarations}] if declarations else []


def _json(tool: Tool, sent: LoweredTool) -> JsonObject:
    entry: JsonObject = {"name": sent.name, "description": sent.description}
    entry["parametersJsonSchema"] = sent.schema
    return stated({**entry, "responseJsonSchema": output_schema(tool)})


def _openapi(_: Tool, sent: LoweredTool) -> JsonObject:
    entry: JsonObject = {"name": sent.name, "description": sent.description}
    return stated(
        {**entry, "parameters": _with_capital_types(sent.schema) if sent.schema else None}
    )


def _with_capital_types(schema: JsonValue) -> JsonValue:
    """Return a schema with its types in capitals, as in the API's enum."""
    if not isinstance(schema, dict):
        return schema
    capitalized: JsonObject = {}
    for keyword, value in schema.items():
        if keyword == "type" and isinstance(value, str):
            capitalized[keyword] = value.upper()
        elif APPLICATORS.get(keyword) is Holds.MAP and isinstance(value, dict):
            capitalized[keyword] = {name: _with_capital_types(item) for name, item in value.items()}
        elif keyword in APPLICATORS and isinstance(value, list):
            capitalized[keyword] = [_with_capital_types(item) for item in value]
        else:
            capitalized[keyword] = _with_capital_types(value) if keyword in APPLICATORS else value
    return capitalized


TARGETS = (
    Provider("gemini", _json, _tools).target("function declarations of Gemini"),
    Provider("gemini-openapi", _openapi, _tools).target(
        "function declarations of Gemini's older endpoints"
    ),
)
