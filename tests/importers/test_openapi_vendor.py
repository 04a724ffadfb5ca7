"""Extensions of vendors in OpenAPI documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_documents import TEXT, api, body, imported, operation, result

SIZES = {"type": "string", "enum": ["s", "m"]}
VALUES = "`s`: Fits a hand; `m`: Fits a bag."
LISTED = [
    {"value": "s", "description": "Fits a hand."},
    {"value": "m", "description": "Fits a bag."},
]
DESCRIBED: dict[str, dict[str, Any]] = {
    "x-ms-enum": {"name": "Size", "modelAsString": True, "values": LISTED},
    "x-enum-descriptions": {"s": "Fits a hand.", "m": "Fits a bag.", "gone": "Fits nothing."},
    "x-enumDescriptions": ["Fits a hand.", "Fits a bag."],  # type: ignore[dict-item]  # by position
}


@pytest.mark.parametrize("extension", DESCRIBED)
def test_values_are_described(tmp_path: Path, extension: str) -> None:
    schema = {**SIZES, extension: DESCRIBED[extension]}
    parameters = [
        {"name": "plain", "in": "query", "schema": schema},
        {"name": "told", "in": "query", "schema": schema, "description": "How large."},
    ]
    done = imported(tmp_path, api({"/a": {"get": operation(parameters=parameters)}}))
    assert done.tool["inputSchema"]["properties"] == {
        "plain": {**SIZES, "description": VALUES},
        "told": {**SIZES, "description": f"How large. {VALUES}"},
    }


@pytest.mark.parametrize(
    "value", [5, [], {}, {"values": 5}, {"values": [5, {}, {"value": "s"}]}, ["", 5], "text"]
)
def test_other_forms_say_nothing(tmp_path: Path, value: Any) -> None:
    schema = {**SIZES, **dict.fromkeys(DESCRIBED, value)}
    parameter = {"name": "size", "in": "query", "schema": schema}
    done = imported(tmp_path, api({"/a": {"get": operation(parameters=[parameter])}}))
    assert done.tool["inputSchema"]["properties"]["size"] == SIZES


def test_mutability_and_secrets(tmp_path: Path) -> None:
    pet = {
        "type": "object",
        "properties": {
            "id": {"type": "string", "x-ms-mutability": ["read"]},
            "pin": {"type": "string", "x-ms-mutability": ["create", "update"]},
            "key": {"type": "string", "x-ms-secret": True},
            "name": {"type": "string", "x-ms-mutability": ["read", "create"], "x-nullable": True},
        },
    }
    reference = {"$ref": "#/components/schemas/Pet"}
    put = operation(requestBody=body(reference), responses=result(reference))
    done = imported(
        tmp_path, api({"/a": {"put": put}}, "3.0.3", components={"schemas": {"Pet": pet}})
    )
    name = {"type": ["string", "null"]}
    secret = {**TEXT, "writeOnly": True}
    assert done.tool["inputSchema"]["properties"] == {"pin": secret, "key": secret, "name": name}
    assert done.document["$defs"]["Pet"]["properties"] == {"id": TEXT, "name": name}


@pytest.mark.parametrize("members", [{"x-internal": True}, {"x-ms-visibility": "internal"}])
def test_internal_operations_are_not_published(tmp_path: Path, members: Any) -> None:
    done = imported(tmp_path, api({"/a": {"get": operation(**members)}}))
    assert done.tool["x-internal"] is True


def test_texts_of_an_operation(tmp_path: Path) -> None:
    parameter = {"name": "q", "in": "query", "schema": TEXT, "x-ms-summary": "Words"}
    paths = {
        "/a": {"get": operation(parameters=[parameter], **{"x-ms-summary": "Find all things"})},
        "/b": {"get": operation(**{"x-speakeasy-mcp": {"title": "Things"}})},
    }
    tools = imported(tmp_path, api(paths)).tools
    assert tools["GET /a"]["summary"] == "Find all things"
    assert tools["GET /a"]["inputSchema"]["properties"]["q"]["title"] == "Words"
    assert tools["GET /b"]["title"] == "Things"


def test_what_no_tool_has_is_reported(tmp_path: Path) -> None:
    paths = {"/a": {"post": operation(**{"x-ms-long-running-operation": True})}}
    done = imported(tmp_path, api(paths, **{"x-ms-paths": {"/a?b=c": {"get": operation()}}}))
    assert {each.partition(" of ")[0] for each in done.messages("import/not-imported")} == {
        "`x-ms-long-running-operation`",
        "`x-ms-paths`",
    }
