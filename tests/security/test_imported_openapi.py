"""An OpenAPI document with payloads: what is imported is one document, and inert."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import inertness
import pytest
from compiling import compiled
from payloads import Steps, payloads, texts, with_text
from sampling import sampled
from toolspec.diagnostics import Checked
from toolspec.importers.openapi.services import OpenApiOptions, import_openapi
from toolspec.reports import render
from toolspec.syntax import parse

OPENAPI: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {
        "title": "Tracker",
        "version": "1.2.3",
        "summary": "Issues.",
        "description": "All issues.",
    },
    "servers": [
        {
            "url": "https://{region}.example.com",
            "variables": {"region": {"default": "eu", "enum": ["eu"]}},
        }
    ],
    "tags": [{"name": "issues", "description": "About issues."}],
    "paths": {
        "/issues/{id}": {
            "post": {
                "operationId": "changeIssue",
                "summary": "Change an issue",
                "description": "Change one issue.",
                "tags": ["issues", "write"],
                "security": [{"key": []}, {"login": ["write"]}],
                "parameters": [
                    {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
                    {
                        "name": "X-Trace",
                        "in": "header",
                        "description": "A trace.",
                        "schema": {"type": "string"},
                    },
                ],
                "requestBody": {
                    "description": "The change.",
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "properties": {
                                    "state": {"enum": ["open", "shut"], "example": "open"}
                                },
                            }
                        }
                    },
                },
                "responses": {
                    "200": {
                        "description": "Done.",
                        "content": {
                            "application/json": {"schema": {"$ref": "#/components/schemas/Issue"}}
                        },
                    },
                    "404": {"description": "No such issue."},
                },
            }
        }
    },
    "components": {
        "schemas": {
            "Issue": {
                "type": "object",
                "title": "An issue",
                "description": "An issue.",
                "properties": {
                    "title": {"type": "string", "description": "Words.", "default": "none"}
                },
            }
        },
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "X-Key", "description": "A key."},
            "login": {"type": "mutualTLS"},
        },
    },
}


def openapi_faults(folder: Path, path: Steps, payload: str) -> list[str]:
    """What is wrong with an imported document, its comments and what is compiled from it."""
    document = parse("api.json", json.dumps(with_text(OPENAPI, path, payload)).encode())
    if document.value is None:
        return []
    imported = import_openapi(document.value, lambda *_: Checked(None), OpenApiOptions())
    found = list(inertness.terminal_faults(render("text", imported.diagnostics, verbose=True)))
    if not imported.value:
        return found if imported.diagnostics else [*found, "refused without a word"]
    (draft,) = imported.value
    found += inertness.terminal_faults(render("text", draft.diagnostics, verbose=True))
    (file,) = draft.files()
    if "/" in file.name or not file.name.isascii() or not file.name.endswith(".yaml"):
        found.append(f"a file named {file.name}")
    again = parse(file.name, file.text.encode())
    value: Any = again.value.value if again.value else None
    if not again.ok or not isinstance(value, dict):
        return [*found, f"no document: {[each.message for each in again.diagnostics]}"]
    keys = {"toolspec", "service", "tools", *(["$defs"] if draft.definitions else [])}
    if (
        set(value) != keys
        or len(value["tools"]) != 1
        or value.get("$defs", {}) != draft.definitions
    ):
        found.append(f"another document: {sorted(value)}")
    if value["tools"] != [tool.fields for tool in draft.tools]:
        found.append("another tool")
    if inertness.CANARY in json.dumps([*value, *value["service"], *value["tools"][0]]):
        found.append("a key of the canary")
    outcome = compiled(folder, {"imported.yaml": file.text})
    found += inertness.terminal_faults(render("text", outcome.diagnostics, verbose=True))
    for artifact, content in outcome.artifacts.items():
        found += inertness.faults(artifact, content, is_name="name" in path)
    return found


def ids(path: Steps) -> str:
    return ".".join(map(str, path))


@pytest.mark.parametrize("path", sampled(texts(OPENAPI), 2), ids=ids)
def test_a_payload_of_openapi_stays_a_text(path: Steps, tmp_path: Path) -> None:
    chosen = sorted(payloads().items())[::9]
    found = {name: openapi_faults(tmp_path, path, text) for name, text in chosen}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.prove
@pytest.mark.parametrize("path", texts(OPENAPI), ids=ids)
def test_every_payload_of_openapi_stays_a_text(path: Steps, tmp_path: Path) -> None:
    found = {name: openapi_faults(tmp_path, path, text) for name, text in payloads().items()}
    assert {name: each for name, each in found.items() if each} == {}
