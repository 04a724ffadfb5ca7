"""Requests of imported Nao tools: the bytes that Nao's loader sends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest
import yaml
from requests_of_tools import Api, compiled
from toolspec.driver.imports import Destination, import_nao
from upstream import Upstream, json_response

if TYPE_CHECKING:
    from types import ModuleType

METHODS = ("GET", "DELETE", "POST", "PUT", "PATCH")


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory, upstream: Upstream) -> ModuleType:
    folder = tmp_path_factory.mktemp("nao")
    files: list[Path] = []
    for method in METHODS:
        url = f"{upstream.url}/notes"
        execution = {"type": "http", "url": url, "method": method, "headers": {}}
        about = {"name": method.lower(), "description": f"Send a {method} to the notes."}
        files.append(folder / f"{method}.json")
        files[-1].write_text(json.dumps({**about, "execution": execution}))
    done = import_nao(files, Destination(folder / "imported", "api"))
    assert not any(each.code == "import/lost" for each in done.diagnostics)
    document: Any = yaml.safe_load((folder / "imported" / "api.yaml").read_text())
    # What the helper binds; the server is in each tool.
    document["service"]["settings"] = {"type": "object", "properties": {"baseUrl": {}}}
    with pytest.MonkeyPatch.context() as patch:
        return compiled(folder, patch, document)


@pytest.mark.parametrize("text", ['{"title": "Tee & Ümläut"}', "no JSON", '"a"'])
@pytest.mark.parametrize("method", METHODS)
def test_the_input_is_sent_as_it_is(
    method: str, text: str, package: ModuleType, upstream: Upstream
) -> None:
    upstream.answers(json_response('"done"'))
    Api(package, "").call(method.lower(), input=text)
    received = upstream.last
    if method in ("GET", "DELETE"):
        assert (received.method, received.target) == (
            method,
            f"/notes?input={quote(text, safe='')}",
        )
        assert received.body == b""
    else:
        assert received.method == ("PUT" if method == "PUT" else "POST")
        assert received.header("content-type") == "application/json; charset=utf-8"
        assert received.body == text.encode()
