"""OpenAPI documents of tests, and what an import makes of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml
from toolspec.diagnostics import Diagnostic, Severity
from toolspec.driver.build import Request, build
from toolspec.driver.formatting import formatted
from toolspec.driver.openapi_imports import Writing, import_openapi_files
from toolspec.importers.openapi.services import OpenApiOptions
from toolspec.syntax import parse

OK = {"200": {"description": "Done."}}
TEXT = {"type": "string"}


def api(paths: dict[str, Any], version: str = "3.1.0", **others: Any) -> dict[str, Any]:
    """A document with some paths; `components` and the rest as they are."""
    return {
        "openapi": version,
        "info": {"title": "Shop", "version": "1.2.3", "description": "Things to buy."},
        "servers": [{"url": "https://shop.example.com/v1"}],
        "paths": paths,
        **others,
    }


def operation(**members: Any) -> dict[str, Any]:
    """An operation that does nothing in particular, with some members replaced."""
    return {"description": "Do something useful.", "responses": OK, **members}


def body(schema: Any, media_type: str = "application/json", **members: Any) -> dict[str, Any]:
    return {"required": True, "content": {media_type: {"schema": schema}}, **members}


def result(schema: Any, media_type: str = "application/json") -> dict[str, Any]:
    return {"200": {"description": "Done.", "content": {media_type: {"schema": schema}}}}


class Imported:
    """The documents of an import, by file name, and its diagnostics."""

    def __init__(self, folder: Path, diagnostics: tuple[Diagnostic, ...]) -> None:
        self.folder = folder
        self.diagnostics = diagnostics
        self.texts = {
            path.name: path.read_text() for path in sorted((folder / "specs").glob("*.yaml"))
        }

    @property
    def document(self) -> dict[str, Any]:
        (text,) = self.texts.values()
        value: dict[str, Any] = yaml.safe_load(text)
        return value

    @property
    def tool(self) -> dict[str, Any]:
        (tool,) = self.document["tools"]
        value: dict[str, Any] = tool
        return value

    @property
    def tools(self) -> dict[str, dict[str, Any]]:
        return {tool["source"]["member"]: tool for tool in self.document["tools"]}

    @property
    def codes(self) -> set[str]:
        return {each.code for each in self.diagnostics}

    def messages(self, code: str) -> list[str]:
        return [each.message for each in self.diagnostics if each.code == code]


def imported(
    folder: Path,
    document: Any,
    options: OpenApiOptions | None = None,
    writing: Writing = Writing.REPLACE,
    name: str = "shop.json",
) -> Imported:
    """What is imported of a document: it compiles, and `toolspec fmt` leaves it as it is."""
    text = document if isinstance(document, str) else json.dumps(document)
    (folder / name).write_text(text)
    (folder / "toolspec.toml").write_text('specs = ["specs"]\n[lint]\npreset = "recommended"\n')
    done = import_openapi_files(
        [str(folder / name)], folder / "specs", options or OpenApiOptions(), writing
    )
    written = Imported(folder, done.diagnostics)
    if written.texts:
        assert errors_of(folder) == []
    for file, content in written.texts.items():
        parsed = parse(file, content.encode())
        assert parsed.value is not None
        assert formatted(file, content.encode(), parsed.value).decode() == content
    return written


def errors_of(folder: Path) -> list[str]:
    """The errors of a project that nothing suppresses."""
    built = build(Request(folder=folder))
    return [
        each.message
        for each in built.diagnostics
        if each.severity is Severity.ERROR and each.suppression is None
    ]


def to_json(file: Path) -> Path:
    """Write a YAML document as JSON in its place."""
    other = file.with_suffix(".json")
    other.write_text(json.dumps(yaml.safe_load(file.read_text()), indent=2))
    file.unlink()
    return other
