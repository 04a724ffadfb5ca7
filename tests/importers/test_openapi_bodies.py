"""`import openapi`: bodies and parameters that cannot be arguments as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_documents import TEXT, api, body, imported, operation

ID = {"name": "id", "in": "path", "required": True, "schema": TEXT}
ONE = {"type": "object", "properties": {"a": TEXT}}
LIST = {"type": "object", "properties": {"a": {"type": "array", "items": TEXT}}}
PIPES = {"a": {"style": "pipeDelimited", "explode": False}}
FORM = {
    "content": {
        "application/x-www-form-urlencoded": {"schema": LIST, "encoding": PIPES},
    }
}
OF_JSON = {"content": {"application/json": {"schema": ONE, "encoding": {"a": {"style": "form"}}}}}
WHOLE = {"argument": "body"}
ANYTHING = True


@pytest.mark.parametrize(
    ("method", "value", "message", "expected"),
    [
        ("get", body(TEXT), "the body of `get_a`: a GET request has none", ({}, {})),
        ("head", body(ONE), "the body of `head_a`: a HEAD request has none", ({}, {})),
        ("post", {"content": {}}, "", ({}, {})),
        ("post", body(ANYTHING), "its schema is not an object", ({"body": {}}, {"body": WHOLE})),
        ("post", body({"$ref": "#/none"}), "its schema is not an object", ({"body": {}}, {"body": WHOLE})),
        ("post", body({**ONE, "additionalProperties": TEXT}), "it has members with any name", ({"body": {**ONE, "additionalProperties": TEXT}}, {"body": WHOLE})),
        ("post", body({**ONE, "required": ["a"], "minProperties": 1}), "its schema has `minProperties`", ({"body": {**ONE, "required": ["a"], "minProperties": 1}}, {"body": WHOLE})),
        ("delete", body(TEXT), "it is not an object with named members", ({"body": TEXT}, {"in": {"body": {"in": "body"}}, "body": WHOLE})),
        ("post", FORM, "", (LIST["properties"], {"in": {"a": {"in": "body", "style": "pipeDelimited"}}, "body": {"contentType": "application/x-www-form-urlencoded"}})),
        ("post", OF_JSON, "", (ONE["properties"], {})),
        ("post", body({**ONE, "properties": {"a": {"type": "file"}, "b": "text"}}), "a schema must be an object", ({"a": {**TEXT, "contentEncoding": "base64"}, "b": {}}, {})),
    ],
)  # fmt: skip
def test_a_body(
    tmp_path: Path, method: str, value: Any, message: str, expected: tuple[Any, Any]
) -> None:
    done = imported(tmp_path, api({"/a": {method: operation(requestBody=value)}}))
    tool = done.tool
    properties, http = expected
    assert tool["inputSchema"].get("properties", {}) == properties
    assert tool["http"] == {"method": method.upper(), "path": "/a", **http}
    assert message in " ".join(each.message for each in done.diagnostics)


def test_a_body_that_has_the_name_of_a_parameter(tmp_path: Path) -> None:
    named = {"type": "object", "properties": {"id": TEXT, "b": TEXT}}
    path = {"parameters": [ID], "put": operation(requestBody=body(named))}
    done = imported(tmp_path, api({"/a/{id}": path}))
    assert done.tool["inputSchema"]["properties"] == {"id": TEXT, "body": named}
    (message,) = done.messages("import/body-argument")
    assert message.endswith("`id` is a parameter too")


FORM_TYPE = "application/x-www-form-urlencoded"


@pytest.mark.parametrize("media_type", [FORM_TYPE, "multipart/form-data"])
def test_fields_of_a_form_are_renamed(tmp_path: Path, media_type: str) -> None:
    named = {"type": "object", "properties": {"id": TEXT, "@b c": TEXT}, "required": ["id", "@b c"]}
    path = {"parameters": [ID], "put": operation(requestBody=body(named, media_type))}
    done = imported(tmp_path, api({"/a/{id}": path}))
    assert done.tool["inputSchema"]["properties"] == {"id": TEXT, "id_body": TEXT, "b_c": TEXT}
    assert done.tool["inputSchema"]["required"] == ["id", "id_body", "b_c"]
    assert done.tool["http"]["in"] == {
        "id_body": {"in": "body", "name": "id"},
        "b_c": {"in": "body", "name": "@b c"},
    }
    assert done.messages("import/body-argument") == []


def test_encodings_of_a_form(tmp_path: Path) -> None:
    content = {
        FORM_TYPE: {
            "schema": {"type": "object", "properties": {"a": {}, "b": {}}},
            "encoding": {
                "a": {"contentType": "application/json"},
                "b": {"contentType": "application/json", "style": "deepObject"},
            },
        }
    }
    done = imported(tmp_path, api({"/a": {"post": operation(requestBody={"content": content})}}))
    assert done.tool["http"]["in"] == {
        "a": {"in": "body", "contentType": "application/json"},
        "b": {"in": "body", "style": "deepObject"},
    }


@pytest.mark.parametrize(
    ("schema", "lost"),
    [
        (
            {"type": "object", "properties": {"a": TEXT}},
            [
                "`headers` of `a` of `post_a`: a part is sent without it",
                "`explode` of `a` of `post_a`: a part is sent without it",
            ],
        ),
        ({"allOf": [ONE]}, ["`encoding` of `post_a`: the body is one argument"]),
    ],
)
def test_lost_encodings(tmp_path: Path, schema: Any, lost: list[str]) -> None:
    encoding = {"a": {"headers": {"X-A": {"schema": TEXT}}, "explode": False}}
    content = {"multipart/form-data": {"schema": schema, "encoding": encoding}}
    done = imported(tmp_path, api({"/a": {"post": operation(requestBody={"content": content})}}))
    assert done.messages("import/not-imported") == lost


@pytest.mark.parametrize(("more", "is_open"), [({}, False), ({"additionalProperties": True}, True), ({"additionalProperties": {}}, True), ({"additionalProperties": False}, False)])  # fmt: skip
def test_an_open_body_takes_further_members(
    tmp_path: Path, more: dict[str, Any], is_open: bool
) -> None:
    done = imported(tmp_path, api({"/a": {"post": operation(requestBody=body({**ONE, **more}))}}))
    assert done.tool["inputSchema"]["additionalProperties"] is is_open


def test_responses_without_a_status_are_reported(tmp_path: Path) -> None:
    responses = {name: {"description": "No."} for name in ("200", "404", "4XX", "5xx", "default")}
    done = imported(tmp_path, api({"/a": {"get": operation(responses=responses)}}))
    assert [error["code"] for error in done.tool["errors"]] == ["not_found"]
    assert done.messages("import/not-imported") == [
        f"the response {name} of `get_a`: an error has a status of its own"
        for name in ("4XX", "5xx", "default")
    ]
    only = operation(responses={"default": {"description": "Done."}})
    done = imported(tmp_path, api({"/b": {"get": only}}), name="only.json")
    assert done.messages("import/not-imported") == []


def test_a_member_whose_name_no_argument_has(tmp_path: Path) -> None:
    named = {"type": "object", "properties": {"@type": TEXT}}
    done = imported(tmp_path, api({"/a": {"post": operation(requestBody=body(named))}}))
    (message,) = done.messages("import/body-argument")
    assert message.endswith("`@type` is not the name of an argument")


def test_parameters(tmp_path: Path) -> None:
    parameters = [
        {"name": "Host", "in": "header", "schema": TEXT},
        {"name": "old", "in": "query", "deprecated": True, "schema": TEXT},
        {"name": "raw", "in": "query", "allowReserved": True, "schema": TEXT},
        {"name": "any", "in": "query", "schema": True},
    ]
    done = imported(tmp_path, api({"/a": {"get": operation(parameters=parameters)}}))
    assert done.tool["inputSchema"]["properties"] == {
        "old": {**TEXT, "deprecated": True},
        "raw": TEXT,
        "any": {},
    }
    assert done.tool["http"]["in"] == {"raw": {"in": "query", "allowReserved": True}}
    assert done.messages("import/not-imported") == [
        "the header `Host` of `get_a`: a request sets it itself"
    ]
