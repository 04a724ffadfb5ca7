"""Lists of tools in the forms of the five systems: all of it comes over, and the document compiles."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from toolspec.diagnostics import Severity
from toolspec.driver.build import Request, build
from toolspec.driver.imports import import_mcp_tools

QUERY = {
    "type": "object",
    "properties": {"query": {"type": "string", "description": "Words to look for."}},
    "required": ["query"],
    "additionalProperties": False,
}
FORMS: dict[str, Any] = {
    "opentabs": {
        "tools": [
            {
                "name": "send_message",
                "displayName": "Send Message",
                "description": "Send a message to a channel.",
                "summary": "Send a message",
                "icon": "send",
                "group": "Messages",
                "input_schema": QUERY,
                "output_schema": {"type": "object", "properties": {"ts": {"type": "string"}}},
            }
        ]
    },
    "synthetiq": [
        {
            "name": "listRepositories",
            "description": "List repositories for the authenticated user.",
            "inputSchema": QUERY,
            "outputSchema": {"type": "array", "items": {"type": "string"}},
            "streaming": True,
            "mutation": False,
        }
    ],
    "synthetiq-map": {
        "listRepositories": {
            "description": "List repositories for the authenticated user.",
            "inputSchema": QUERY,
            "outputSchema": {"type": "array", "items": {"type": "string"}},
            "mutation": False,
        }
    },
    "opentabs-source": [
        {
            "name": "send_message",
            "description": "Send a message to a channel.",
            "input": QUERY,
            "output": {"type": "array", "items": {"type": "string"}},
        }
    ],
    "anthropic": [{"name": "search", "description": "Search the notes.", "input_schema": QUERY}],
    "epd": {
        "name": "cancel_subscription",
        "description": "Cancel an existing subscription. Access ends with the period.",
        "inputSchema": {
            "type": "object",
            "properties": {
                "id": {"type": "string", "description": "Number of the subscription."},
                "idempotency_key": {"type": "string", "description": "A key for this intent."},
            },
            "required": ["id"],
        },
        "annotations": {
            "title": "Cancel subscription",
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": True,
            "openWorldHint": False,
        },
    },
}


def imported(folder: Path, dump: Any, name: str = "list") -> tuple[dict[str, Any], tuple[Any, ...]]:
    """The document that a list becomes, which compiles, and the diagnostics of the import."""
    file = folder / f"{name}.json"
    file.write_text(json.dumps(dump))
    done = import_mcp_tools([file], folder / "specs", None)
    (written,) = done.value
    built = build(Request(folder=folder))
    errors = [each for each in built.diagnostics if each.severity is Severity.ERROR]
    assert [each.message for each in errors if each.suppression is None] == []
    return yaml.safe_load(Path(written.path).read_text()), done.diagnostics


EXPECTED: dict[str, dict[str, Any]] = {
    "opentabs": {
        "title": "Send Message", "summary": "Send a message", "icon": "send", "group": "Messages",
        "inputSchema": QUERY,
        "outputSchema": {"type": "object", "properties": {"ts": {"type": "string"}}},
        "mutation": True,
    },
    "synthetiq": {
        "inputSchema": QUERY, "outputSchema": {"type": "array", "items": {"type": "string"}},
        "streaming": True, "mutation": False,
    },
    "synthetiq-map": {"name": "listRepositories", "inputSchema": QUERY, "mutation": False},
    "opentabs-source": {"inputSchema": QUERY, "outputSchema": {"type": "array", "items": {"type": "string"}}},
    "anthropic": {"inputSchema": QUERY, "outputSchema": True},
    "epd": {
        "idempotency": "optional",
        "annotations": {"title": "Cancel subscription", "idempotentHint": True, "openWorldHint": False},
        "mutation": True,
    },
}  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_nothing_of_a_form_is_lost(tmp_path: Path, form: str) -> None:
    document, found = imported(tmp_path, FORMS[form])
    (tool,) = document["tools"]
    assert {name: tool.get(name) for name in EXPECTED[form]} == EXPECTED[form]
    assert "x-mcp" not in tool
    assert not [each for each in found if "no such field" in each.message]


def test_what_is_stated_is_not_said_to_be_guessed(tmp_path: Path) -> None:
    _, found = imported(tmp_path, FORMS["synthetiq"])
    assert {each.code for each in found} <= {"import/version", "import/service-description"}


BROKEN = {
    "bound": {"type": "object", "properties": {"a": {"type": "number", "minimum": "one"}}},
    "reference": {"type": "object", "properties": {"a": {"$ref": "#/$defs/nowhere"}}},
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_tool_that_cannot_be_rewritten_is_left_out_and_named(tmp_path: Path, kind: str) -> None:
    good = FORMS["anthropic"][0]
    dump = [good, {"name": "broken", "description": "Do it.", "input_schema": BROKEN[kind]}]
    document, found = imported(tmp_path, dump)
    assert [tool["name"] for tool in document["tools"]] == ["search"]
    (left_out,) = [each for each in found if each.code == "import/left-out"]
    assert left_out.severity is Severity.ERROR
    assert left_out.message.startswith("`broken` is left out: ")
    assert left_out.span is not None
    assert left_out.span.source.path.endswith("list.json")


def test_a_rule_is_suppressed_with_a_reason_and_an_end(tmp_path: Path) -> None:
    schema = {
        **QUERY,
        "properties": {
            **QUERY["properties"],
            "confirm": {"type": "boolean", "default": True, "description": "Really."},
        },
    }  # type: ignore[dict-item]
    dump = [{"name": "wipe", "description": "Wipe all notes.", "input_schema": schema}]
    document, found = imported(tmp_path, dump)
    (suppression,) = document["tools"][0]["x-toolspec-allow"]
    assert suppression["rule"] == "safety/consent-by-default"
    assert suppression["reason"]
    assert suppression["until"]
    assert "import/suppressed" in {each.code for each in found}


def test_a_member_that_contradicts_the_rest_is_kept_aside(tmp_path: Path) -> None:
    dump = [{**FORMS["synthetiq"][0], "revert": True}]
    document, found = imported(tmp_path, dump)
    (tool,) = document["tools"]
    assert tool["x-mcp"] == {"revert": True}
    assert [each.message for each in found if each.code == "import/kept-aside"]


def test_a_long_service_name_is_shortened(tmp_path: Path) -> None:
    server = {
        "name": "The very long name of an enterprise resource planning service",
        "version": "1.0.0",
    }
    tools = [{**FORMS["anthropic"][0], "name": "search_in_all_documents_of_everybody"}]
    document, _ = imported(tmp_path, {"serverInfo": server, "tools": tools})
    assert document["service"]["name"] == "the-very-long-name-of-an"


def test_a_value_that_breaks_a_format_turns_formats_off(tmp_path: Path) -> None:
    address = {"type": "string", "format": "uri", "default": "no address"}
    given = {"type": "object", "properties": {"home": address}}
    tool = {"name": "open", "description": "Open a page.", "inputSchema": given}
    dump = tmp_path / "pages.json"
    dump.write_text(json.dumps({"tools": [tool, {**tool, "name": "close", "inputSchema": QUERY}]}))
    imported = import_mcp_tools([dump], tmp_path / "specs", None)
    assert [each.severity for each in imported.diagnostics if each.severity is Severity.ERROR] == []
    document = yaml.safe_load((tmp_path / "specs" / "pages.yaml").read_text())
    assert [each.get("formats") for each in document["tools"]] == ["annotate", None]
    assert document["tools"][0]["inputSchema"] == given
    assert "import/formats-annotated" in {each.kind.code for each in imported.diagnostics}


@pytest.mark.parametrize(
    ("config", "expected"),
    [
        ({"on": {"type": "boolean", "required": True}}, {"properties": {"on": {"type": "boolean"}}, "required": ["on"]}),
        ({"size": {"type": "number", "label": "Size"}}, {"properties": {"size": {"type": "number", "title": "Size"}}}),
        ({"size": {"type": "colour"}}, None),
        ({"size": {"type": "select", "options": "small"}}, None),
        ({}, None),
        ([], None),
        ({"size": 5}, None),
    ],
)  # fmt: skip
def test_settings_of_a_plugin_become_those_of_the_service(
    tmp_path: Path, config: Any, expected: Any
) -> None:
    dump = {**FORMS["opentabs"], "configSchema": config}
    document, found = imported(tmp_path, dump)
    settings = document["service"].get("settings")
    assert settings == (expected and {"type": "object", **expected})
    is_left_out = any("`configSchema`" in each.message for each in found)
    assert is_left_out is (expected is None)
