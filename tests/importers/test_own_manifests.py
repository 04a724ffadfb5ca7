"""The manifests that this compiler writes, imported and compiled again: field by field the same."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from toolspec.diagnostics import Severity
from toolspec.driver.build import Request, build
from toolspec.driver.imports import import_mcp_tools

if TYPE_CHECKING:
    from pathlib import Path

FILES = {"mcp-2026-07-28": "mcp.json", "mcp-2025-11-25": "mcp-2025-11-25.json"}
EVERYTHING: dict[str, Any] = {
    "toolspec": 1,
    "service": {
        "name": "desk",
        "description": "Keeps everything.",
        "instances": {"main": {"title": "Main desk"}, "other": {}},
    },
    "$defs": {
        "Node": {
            "type": "object",
            "properties": {"next": {"$ref": "#/$defs/Node"}, "id": {"type": "string"}},
        }
    },
    "tools": [
        {
            "name": "plain",
            "description": "Do it.",
            "mutation": False,
            "outputSchema": {"type": "object", "properties": {"a": {"type": "string"}}},
        },
        {
            "name": "full",
            "title": "Everything at Once",
            "description": "Do everything. With every field that a manifest carries.",
            "summary": "Everything",
            "group": "Much",
            "tags": ["a", "b"],
            "icon": "send",
            "version": "2.1",
            "deprecated": {"since": "1.0.0", "use": "plain", "remove": "3.0.0"},
            "effects": ["money", "external"],
            "risk": {"tier": 3, "reason": "It cannot be undone."},
            "formats": "annotate",
            "mutation": True,
            "inputSchema": {
                "type": "object",
                "properties": {"node": {"$ref": "#/$defs/Node"}, "day": {"type": "string", "format": "date"}},
                "required": ["node"],
            },
            "outputSchema": {"type": ["object", "null"], "properties": {"n": {"$ref": "#/$defs/Node"}}},
            "x-team": {"name": "desk"},
        },
        {
            "name": "text",
            "description": "Return a page.",
            "mutation": False,
            "outputSchema": {"type": "string", "contentEncoding": "base64"},
            "outputContentType": "application/pdf",
            "deprecated": {},
        },
        {
            "name": "joined",
            "description": "Stream a text.",
            "mutation": False,
            "streaming": True,
            "outputSchema": {"type": "string"},
        },
        {
            "name": "listed",
            "description": "Stream a list.",
            "mutation": False,
            "streaming": True,
            "outputSchema": {"type": "array", "items": {"$ref": "#/$defs/Node"}},
        },
        {
            "name": "last",
            "description": "Stream what may replace all before it.",
            "mutation": False,
            "streaming": True,
            "chunkSchema": {"type": "array"},
            "outputSchema": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
        },
        {
            "name": "tree",
            "description": "Return a tree that refers to itself.",
            "mutation": False,
            "outputSchema": {"type": "array", "items": {"anyOf": [{"type": "string"}, {"$ref": "#"}]}},
        },
        {
            "name": "nothing",
            "description": "Return anything at all.",
            "mutation": False,
            "outputSchema": True,
        },
        {
            "name": "keyed",
            "description": "Do it once.",
            "mutation": True,
            "idempotency": "optional",
            "outputSchema": {"type": "integer"},
        },
    ],
}  # fmt: skip


def manifests(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the tools of each manifest that a project compiles to, by target and name."""
    done = build(Request(("specs",), targets=tuple(FILES), folder=folder))
    errors = [each for each in done.diagnostics if each.severity is Severity.ERROR]
    assert not [each for each in errors if each.suppression is None], errors
    contents = {each.path.rpartition("/")[2]: each.content for each in done.value.changes}
    return {
        target: {tool["name"]: tool for tool in json.loads(content.read())["tools"]}
        for target, file in FILES.items()
        if (content := contents[file]) is not None
    }


@pytest.mark.parametrize("target", FILES)
def test_everything_that_a_manifest_carries_comes_back(tmp_path: Path, target: str) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    (first / "specs").mkdir(parents=True)
    (first / "specs" / "desk.json").write_text(json.dumps(EVERYTHING), encoding="utf-8")
    before = manifests(first)[target]
    second.mkdir()
    (second / "desk.json").write_text(json.dumps({"tools": list(before.values())}))
    imported = import_mcp_tools([second / "desk.json"], second / "specs", None)
    assert [each for each in imported.diagnostics if each.severity is Severity.ERROR] == []
    after = manifests(second)[target]
    assert after.keys() == before.keys()
    for name, tool in before.items():
        for field in {*tool, *after[name]}:
            assert after[name].get(field) == tool.get(field), (name, field)


def test_what_comes_back_is_what_an_author_writes(tmp_path: Path) -> None:
    (tmp_path / "first" / "specs").mkdir(parents=True)
    (tmp_path / "first" / "specs" / "desk.json").write_text(json.dumps(EVERYTHING))
    tools = manifests(tmp_path / "first")["mcp-2026-07-28"]
    (tmp_path / "desk.json").write_text(json.dumps({"tools": list(tools.values())}))
    import_mcp_tools([tmp_path / "desk.json"], tmp_path / "specs", None)
    document = yaml.safe_load((tmp_path / "specs" / "desk.yaml").read_text(encoding="utf-8"))
    assert document["service"]["instances"] == {"main": {"title": "Main desk"}, "other": {}}
    written = {tool["name"]: tool for tool in document["tools"]}
    assert written["plain"].keys() == {
        "name", "description", "inputSchema", "outputSchema", "mutation", "source"
    }  # fmt: skip
    wanted = EVERYTHING["tools"][1]
    fields = (
        "title", "summary", "group", "tags", "icon", "version", "deprecated", "effects", "risk",
        "formats", "x-team",
    )  # fmt: skip
    assert {name: written["full"].get(name) for name in fields} == {
        name: wanted[name] for name in fields
    }
    assert written["last"]["chunkSchema"] is True
    assert not any("x-mcp" in tool for tool in written.values())


CHOICE = {"type": "string", "enum": ["eu", "us"], "description": "Where."}


def listed(*arguments: Any) -> list[dict[str, Any]]:
    """Return tools whose arguments are these."""
    return [
        {
            "name": f"tool{number}",
            "description": "Do it.",
            "inputSchema": {"type": "object", "properties": {"instance": each}, "required": ["instance"]},
        }
        for number, each in enumerate(arguments)
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tools", "is_taken"),
    [
        (listed(CHOICE, CHOICE), True),
        (listed(CHOICE, {**CHOICE, "enum": ["eu", "asia"]}), False),
        (listed(CHOICE, {"type": "string"}), False),
        (listed({**CHOICE, "default": "eu"}), False),
        (listed({**CHOICE, "enum": ["eu"]}), False),
        (listed({**CHOICE, "enum": ["Eu West", "us"]}), False),
        ([*listed(CHOICE), {"name": "other", "inputSchema": {"type": "object"}}], False),
        ([{**listed(CHOICE)[0], "inputSchema": {"type": "object", "properties": {"instance": CHOICE}}}], False),
    ],
    ids=["same", "other names", "free text", "default", "one name", "names", "not all", "optional"],
)  # fmt: skip
def test_one_choice_that_all_tools_require_is_the_services(
    tmp_path: Path, tools: list[Any], is_taken: bool
) -> None:
    (tmp_path / "places.json").write_text(json.dumps(tools))
    done = import_mcp_tools([tmp_path / "places.json"], tmp_path / "specs", None)
    document = yaml.safe_load((tmp_path / "specs" / "places.yaml").read_text(encoding="utf-8"))
    assert ("instances" in document["service"]) is is_taken
    assert any(each.code == "import/instances-taken-over" for each in done.diagnostics) is is_taken
    has_argument = "instance" in document["tools"][0]["inputSchema"].get("properties", {})
    assert has_argument is not is_taken


@pytest.mark.parametrize(
    ("names", "is_as_written"),
    [
        (["desk-list", "desk-show", "desk-send"], True),
        (["desk_list", "desk_show"], False),
        (["list", "show"], False),
        (["desk.list", "desk.show", "desk.send"], False),
        (["desk-list", "desk_show", "send"], False),
        (["desk-list", "desk-show", "desk-send", "desk.old"], True),
    ],
)
def test_names_stay_as_written_where_that_needs_no_alias(
    tmp_path: Path, names: list[str], is_as_written: bool
) -> None:
    tools = [{"name": name, "description": "Do it.", "inputSchema": {}} for name in names]
    (tmp_path / "desk.json").write_text(json.dumps(tools))
    import_mcp_tools([tmp_path / "desk.json"], tmp_path / "specs", None)
    document = yaml.safe_load((tmp_path / "specs" / "desk.yaml").read_text(encoding="utf-8"))
    assert (document["service"].get("names") == "as-written") is is_as_written
    shown = manifests(tmp_path)["mcp-2026-07-28"]
    if is_as_written:
        assert [*shown] == names
        assert not any("aliases" in tool for tool in document["tools"])
        assert sum("wireName" in tool for tool in document["tools"]) == sum("." in n for n in names)
