"""File arguments of OpenAPI: base64, or paths of files that a permission covers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_documents import TEXT, api, body, imported, operation
from toolspec.importers.openapi.services import OpenApiOptions

BINARY = {"type": "string", "format": "binary", "description": "The photo."}
BASE64 = {"type": "string", "contentEncoding": "base64", "description": "The photo."}
FORM = {
    "type": "object",
    "required": ["photo"],
    "properties": {
        "photo": BINARY,
        "more": {"type": "array", "maxItems": 3, "items": {"type": "string", "format": "binary"}},
        "title": TEXT,
    },
}
OPTIONS = OpenApiOptions(files="~/photos/**")


def photos(schema: Any, media_type: str) -> dict[str, Any]:
    return api({"/photos": {"post": operation(requestBody=body(schema, media_type))}})


def test_files_are_base64_unless_paths_are_asked_for(tmp_path: Path) -> None:
    tool = imported(tmp_path, photos(FORM, "multipart/form-data")).tool
    assert tool["inputSchema"]["properties"]["photo"] == BASE64
    assert "permissions" not in tool
    assert "in" not in tool["http"]


def test_parts_of_a_form_become_paths(tmp_path: Path) -> None:
    done = imported(tmp_path, photos(FORM, "multipart/form-data"), OPTIONS)
    assert done.tool["inputSchema"]["properties"] == {
        "photo": {"type": "string", "description": "The photo: path of a file, which is sent."},
        "more": {
            "type": "array",
            "description": "Paths of files, which are sent.",
            "items": {"type": "string"},
            "maxItems": 3,
        },
        "title": TEXT,
    }
    assert done.tool["inputSchema"]["required"] == ["photo"]
    assert done.tool["permissions"] == [{"file": "~/photos/**", "op": "read"}]
    assert done.tool["http"]["in"] == {
        "photo": {"in": "body", "file": True},
        "more": {"in": "body", "file": True},
    }
    assert done.messages("import/file-argument") == [
        "`photo` of `post_photos` is the path of a file that `~/photos/**` covers",
        "`more` of `post_photos` is the path of a file that `~/photos/**` covers",
    ]


@pytest.mark.parametrize("media_type", ["image/png", "application/octet-stream"])
def test_a_body_of_bytes_becomes_a_path(tmp_path: Path, media_type: str) -> None:
    tool = imported(tmp_path, photos(BINARY, media_type), OPTIONS).tool
    assert tool["http"]["body"] == {"argument": "body", "contentType": media_type}
    assert tool["http"]["in"] == {"body": {"in": "body", "file": True}}
    assert tool["permissions"] == [{"file": "~/photos/**", "op": "read"}]


@pytest.mark.parametrize("media_type", ["application/json", "text/csv"])
def test_other_bodies_stay(tmp_path: Path, media_type: str) -> None:
    tool = imported(
        tmp_path, photos({"type": "object", "properties": {"a": BINARY}}, media_type), OPTIONS
    ).tool
    assert "permissions" not in tool


def test_a_range_of_media_types_is_sent_as_bytes(tmp_path: Path) -> None:
    done = imported(tmp_path, photos(BINARY, "image/*"))
    assert done.tool["http"]["body"] == {
        "argument": "body",
        "contentType": "application/octet-stream",
    }
    assert "the media type `image/*` of `post_photos`: `application/octet-stream` is sent" in (
        done.messages("import/not-imported")
    )
