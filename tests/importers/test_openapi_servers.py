"""Servers of OpenAPI documents as settings, and the requests that the settings lead to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from openapi_documents import api, imported, operation

VERSION = {"default": "v2", "enum": ["v1", "v2"], "description": "Version of the API."}


def service_of(folder: Path, *servers: Any, **get: Any) -> tuple[dict[str, Any], Any]:
    """Return the settings of a service, and the import."""
    document = {**api({"/a": {"get": operation(**get)}}), "servers": list(servers)}
    done = imported(folder, document)
    settings: dict[str, Any] = done.document["service"]["settings"]
    return settings, done


def test_variables_become_settings(tmp_path: Path) -> None:
    variables = {"tenant": {"default": "demo"}, "api-version": VERSION, "port": {"default": 8443}}
    url = "https://{tenant}.example.com:{port}/{api-version}/"
    settings, done = service_of(tmp_path, {"url": url, "variables": variables})
    assert settings["properties"] == {
        "baseUrl": {
            "type": "string",
            "description": "Where the API is. The API names "
            "`https://{tenant}.example.com:{port}/{api-version}/`.",
            "format": "uri-template",
            "default": "https://{tenant}.example.com:{port}/{apiVersion}",
        },
        "tenant": {
            "type": "string",
            "description": "`tenant` in the address of the API.",
            "pattern": "^[A-Za-z0-9._~-]+$",
            "default": "demo",
        },
        "port": {
            "type": "string",
            "description": "`port` in the address of the API.",
            "pattern": "^[A-Za-z0-9._~-]+$",
            "default": "8443",
        },
        "apiVersion": {
            "type": "string",
            "description": "Version of the API.",
            "enum": ["v1", "v2"],
            "default": "v2",
        },
    }
    assert "required" not in settings
    assert "import/server" not in done.codes


FIXED: dict[str, dict[str, Any]] = {
    "one value": {"default": "api", "enum": ["api"]},
    "a path": {"default": "api", "enum": ["api", "api/beta"]},
    "empty": {"default": "api", "enum": ["api", ""]},
}


@pytest.mark.parametrize("case", FIXED)
def test_a_variable_that_is_no_part_of_a_url_has_its_default(tmp_path: Path, case: str) -> None:
    server = {"url": "https://example.com/{base}", "variables": {"base": FIXED[case]}}
    settings, _ = service_of(tmp_path, server)
    assert list(settings["properties"]) == ["baseUrl"]
    assert settings["properties"]["baseUrl"]["default"] == "https://example.com/api"


def test_a_variable_without_default_is_required(tmp_path: Path) -> None:
    settings, done = service_of(tmp_path, {"url": "https://{tenant}.example.com"})
    assert settings["required"] == ["tenant"]
    assert settings["properties"]["baseUrl"]["default"] == "https://{tenant}.example.com"
    assert done.messages("import/server") == [
        "the setting `tenant` has no default: the document states none"
    ]


def test_all_servers_are_named(tmp_path: Path) -> None:
    settings, _ = service_of(
        tmp_path,
        {"url": "https://api.example.com/"},
        {"url": "https://sandbox.example.com", "description": "For tests."},
    )
    setting = settings["properties"]["baseUrl"]
    assert setting["default"] == "https://api.example.com"
    assert setting["description"] == (
        "Where the API is. The API names `https://api.example.com/`, "
        "`https://sandbox.example.com` (For tests)."
    )


def test_credentials_of_a_url_are_nowhere(tmp_path: Path) -> None:
    for url in ("https://me:secret@example.com", "https://example.com?key=secret"):
        settings, done = service_of(tmp_path, {"url": url}, {"url": "/v1"})
        assert "default" not in settings["properties"]["baseUrl"]
        assert all("secret" not in text for text in done.texts.values())
        (message,) = done.messages("import/server")
        assert message.endswith(
            "the user, query or fragment of `https://example.com` is no part of a server"
        )


def test_a_server_of_an_operation_shares_settings(tmp_path: Path) -> None:
    region = {"region": {"default": "eu", "enum": ["eu", "us"]}}
    settings, done = service_of(
        tmp_path,
        {"url": "https://{region}.example.com", "variables": region},
        servers=[
            {
                "url": "https://files.{region}.example.com/{bucket}",
                "variables": {**region, "bucket": {"default": "main"}},
            }
        ],
    )
    assert done.tool["http"]["server"] == "https://files.{region}.example.com/{bucket}"
    assert list(settings["properties"]) == ["baseUrl", "region", "bucket"]


def test_names_of_settings_are_unique(tmp_path: Path) -> None:
    variables = {
        name: {"default": name.lower()} for name in ("base-url", "Base_Url", "CREDENTIALS")
    }
    url = "https://{base-url}.{Base_Url}.{CREDENTIALS}.example.com"
    settings, _ = service_of(tmp_path, {"url": url, "variables": variables})
    assert sorted(settings["properties"]) == ["baseUrl", "baseUrl2", "baseUrl3", "credentials2"]
