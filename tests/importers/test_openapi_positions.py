"""Positions of OpenAPI 3.2: a parameter that is the whole query, and cookies as they are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_documents import TEXT, api, imported, operation

FILTER = {"type": "object", "properties": {"name": TEXT}}


def whole_query(media_type: str, **others: Any) -> dict[str, Any]:
    content = {media_type: {"schema": FILTER, **others}}
    return {"name": "filter", "in": "querystring", "content": content}


@pytest.mark.parametrize(
    ("media_type", "position"),
    [
        ("application/x-www-form-urlencoded", {"in": "querystring"}),
        ("application/json", {"in": "querystring", "contentType": "application/json"}),
    ],
)
def test_a_whole_query(tmp_path: Path, media_type: str, position: dict[str, str]) -> None:
    get = operation(parameters=[whole_query(media_type)])
    tool = imported(tmp_path, api({"/a": {"get": get}}, "3.2.0")).tool
    assert tool["inputSchema"]["properties"] == {"filter": FILTER}
    assert tool["http"]["in"] == {"filter": position}


def test_encodings_of_a_whole_query_are_reported(tmp_path: Path) -> None:
    encoding = {"name": {"style": "pipeDelimited"}}
    get = operation(
        parameters=[whole_query("application/x-www-form-urlencoded", encoding=encoding)]
    )
    done = imported(tmp_path, api({"/a": {"get": get}}, "3.2.0"))
    (message,) = done.messages("import/not-imported")
    assert message == "`encoding` of `get_a`: members of a whole query are written as a form"


def test_a_whole_query_beside_a_parameter_is_reported(tmp_path: Path) -> None:
    page = {"name": "page", "in": "query", "schema": TEXT}
    get = operation(parameters=[whole_query("application/json"), page])
    done = imported(tmp_path, api({"/a": {"get": get}}, "3.2.0"))
    assert "http" not in done.tool
    assert done.messages("import/call-left-out")


@pytest.mark.parametrize(
    ("members", "position"),
    [
        ({"style": "cookie"}, {"in": "cookie", "style": "cookie"}),
        ({"style": "cookie", "explode": True}, {"in": "cookie", "style": "cookie"}),
        (
            {"style": "cookie", "explode": False},
            {"in": "cookie", "style": "cookie", "explode": False},
        ),
        ({}, {"in": "cookie"}),
    ],
)
def test_the_style_of_cookies(
    tmp_path: Path, members: dict[str, Any], position: dict[str, Any]
) -> None:
    cookie = {"name": "theme", "in": "cookie", "schema": TEXT, **members}
    done = imported(tmp_path, api({"/a": {"get": operation(parameters=[cookie])}}, "3.2.0"))
    assert done.tool["http"]["in"] == {"theme": position}
