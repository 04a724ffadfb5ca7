"""What grows with a service's tools and with its definitions, and never with both at once: counted in bytes."""

from __future__ import annotations

import asyncio
import importlib
import json
import sys
from typing import TYPE_CHECKING, Any

import pytest
from deep_documents import ring
from toolspec.driver import build
from toolspec.driver.build import Request
from toolspec.runtime import BindError
from toolspec.shared import reachability

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TARGETS = ["python", "catalog", "docs"]
DEFINITIONS = 40


def document(tools: int, definitions: int = DEFINITIONS) -> dict[str, Any]:
    """Return a service whose tools each reach every definition, and say little themselves."""
    return {
        "toolspec": 1,
        "service": {"name": "large", "description": "Many tools over the same definitions."},
        "$defs": {**ring("nullable", definitions), "Alone": {"type": "object", "properties": {}}},
        "tools": [
            {
                "name": f"read{number:03}",
                "description": f"Read record {number:03} and what belongs to it.",
                "mutation": False,
                "inputSchema": {
                    "type": "object",
                    "properties": {"like": {"$ref": f"#/$defs/T{number % definitions}"}},
                },
                "outputSchema": {"$ref": f"#/$defs/T{number % definitions}"},
            }
            for number in range(tools)
        ],
    }


def sizes(folder: Path, spec: dict[str, Any]) -> dict[str, int]:
    """Return how many bytes each file of a compile has."""
    (folder / "specs").mkdir(parents=True)
    (folder / "specs" / "large.json").write_text(json.dumps(spec), encoding="utf-8")
    assert build.compile_specs(Request(folder=folder, targets=TARGETS)).ok
    out = folder / "generated"
    return {
        path.relative_to(out).as_posix(): path.stat().st_size
        for path in out.rglob("*")
        if path.is_file()
    }


def test_a_tool_costs_the_same_however_many_definitions_it_reaches(tmp_path: Path) -> None:
    few, many = 10, 20
    grown: dict[int, dict[str, int]] = {}
    for count in (20, 80):
        one = sizes(tmp_path / f"{count}-{few}", document(few, count))
        two = sizes(tmp_path / f"{count}-{many}", document(many, count))
        grown[count] = {path: two[path] - one[path] for path in one}
    assert grown[20].keys() == grown[80].keys() >= {"large/schemas.py", "docs/large.md"}
    # A digit more of a count or of a name is all that a tool may cost more.
    assert {
        path: (grown[20][path], cost)
        for path, cost in grown[80].items()
        if cost > grown[20][path] + 20
    } == {}


def test_a_definition_is_written_once(tmp_path: Path) -> None:
    spec = document(12)
    spec["$defs"]["T3"]["description"] = "SAID ONCE"
    sizes(tmp_path, spec)
    out = tmp_path / "generated"
    counts = {
        path.name: path.read_text(encoding="utf-8").count("SAID ONCE")
        for path in out.rglob("*")
        if path.is_file()
    }
    assert {name: count for name, count in counts.items() if count} == {
        "__init__.py": 1,
        "types.py": 1,
        "large.md": 1,
        "llms-full.txt": 1,
    }


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    spec = document(12)
    spec["tools"][5]["inputSchema"] = {"type": "object", "properties": {"n": {"type": "integer"}}}
    spec["tools"][5]["outputSchema"] = {"type": "array", "items": {"$ref": "#/$defs/Alone"}}
    sizes(tmp_path, spec)
    # Other tests of this process may have imported the package of the repository by this name.
    others = {name: each for name, each in sys.modules.items() if is_generated(name)}
    monkeypatch.syspath_prepend(tmp_path)
    for name in others:
        del sys.modules[name]
    yield importlib.import_module("generated.large")
    for name in [each for each in sys.modules if is_generated(each)]:
        del sys.modules[name]
    sys.modules.update(others)


def is_generated(module: str) -> bool:
    return module.partition(".")[0] == "generated"


def test_the_package_has_the_definitions_of_arguments_and_another_module_those_of_results(
    package: Any,
) -> None:
    schemas = importlib.import_module("generated.large.schemas")
    assert set(package.SERVICE.definitions) == {f"T{each}" for each in range(DEFINITIONS)}
    assert set(schemas.DEFINITIONS) == {"Alone"}


def test_a_list_of_tools_loads_no_schema_of_a_result(package: Any) -> None:
    for tool in package.SERVICE.tools:
        schema = json.loads(tool.arguments_schema)
        assert len(schema.get("$defs", ())) == (0 if tool.name == "read005" else DEFINITIONS)
    assert "generated.large.schemas" not in sys.modules


def test_the_first_call_of_a_tool_loads_the_definitions_that_it_reaches(
    package: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[set[str]] = []
    complete = reachability.complete

    def counted(text: str, table: dict[str, str]) -> str:
        whole = complete(text, table)
        loaded.append(set(json.loads(whole).get("$defs", ())))
        return whole

    monkeypatch.setattr(reachability, "complete", counted)
    registry = package.bind({tool.method: lambda *_: [] for tool in package.SERVICE.tools})
    assert "generated.large.schemas" not in sys.modules
    assert asyncio.run(registry.call("large_read005", {"n": 1})) == []
    assert loaded == [{"Alone"}]
    assert "generated.large.schemas" in sys.modules
    asyncio.run(registry.call("large_read005", {"n": 2}))
    assert loaded == [{"Alone"}]


@pytest.mark.parametrize(
    "name", ["Plain", "with space", "a/b", "a~b", "é", "100%", '"quoted"', "back\\slash", "$defs"]
)
def test_a_definition_of_any_name_is_found(name: str) -> None:
    from urllib.parse import quote

    pointer = quote(name.replace("~", "~0").replace("/", "~1"), safe="~")
    reference = {"$ref": f"#/$defs/{pointer}"}
    table = {name: json.dumps({"type": "integer"}, separators=(",", ":")), "other": "{}"}
    text = json.dumps({"type": "array", "items": reference}, separators=(",", ":"))
    whole = json.loads(reachability.complete(text, table))
    assert whole == {"type": "array", "items": reference, "$defs": {name: {"type": "integer"}}}


def test_a_text_that_looks_like_a_reference_brings_nothing_in() -> None:
    text = json.dumps({"const": '"$ref":"#/$defs/other"'}, separators=(",", ":"))
    assert reachability.complete(text, {"other": "{}"}) == text


def test_a_schema_keeps_its_own_definition_of_a_name_that_the_service_has_too() -> None:
    text = '{"items":{"$ref":"#/$defs/A"},"not":{"$ref":"#/$defs/B"},"$defs":{"A":{"type":"null"}}}'
    whole = json.loads(reachability.complete(text, {"A": "{}", "B": '{"type":"string"}'}))
    assert whole["$defs"] == {"A": {"type": "null"}, "B": {"type": "string"}}


CONFIGURED: dict[str, Any] = {
    "toolspec": 1,
    "service": {
        "name": "large",
        "description": "A service whose configuration refers to definitions.",
        "settings": {
            "type": "object",
            "properties": {"home": {"$ref": "#/$defs/Address"}},
            "additionalProperties": False,
        },
        "auth": {
            "type": "custom",
            "credentials": "shared",
            "fields": {
                "type": "object",
                "properties": {"account": {"$ref": "#/$defs/Address"}, "key": {"type": "string"}},
                "required": ["account"],
                "additionalProperties": False,
            },
        },
    },
    "$defs": {
        "Address": {
            "type": "object",
            "description": "SAID ONCE",
            "properties": {"host": {"type": "string"}, "port": {"$ref": "#/$defs/Port"}},
            "required": ["host"],
            "additionalProperties": False,
        },
        "Port": {"type": "integer", "minimum": 1, "default": 443},
    },
    "tools": [
        {
            "name": "show",
            "description": "Show an address.",
            "mutation": False,
            "outputSchema": {"$ref": "#/$defs/Address"},
        }
    ],
}


@pytest.mark.parametrize("part", ["both", "settings", "credentials"])
def test_settings_and_credentials_share_definitions_with_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    spec = json.loads(json.dumps(CONFIGURED))
    if part == "settings":
        del spec["service"]["auth"]
    if part == "credentials":
        del spec["service"]["settings"]
    sizes(tmp_path, spec)
    folder = tmp_path / "generated" / "large"
    assert (folder / "__init__.py").read_text(encoding="utf-8").count("SAID ONCE") == 1
    assert "SAID ONCE" not in (folder / "schemas.py").read_text(encoding="utf-8")
    others = {name: each for name, each in sys.modules.items() if is_generated(name)}
    monkeypatch.syspath_prepend(tmp_path)
    for name in others:
        monkeypatch.delitem(sys.modules, name)
    importlib.invalidate_caches()
    large = importlib.import_module("generated.large")
    assert "generated.large.schemas" not in sys.modules
    address = {"host": "h", "port": 1}
    values: dict[str, Any] = {"settings": {"home": address}, "credentials": {"account": address}}
    given = values if part == "both" else {part: values[part]}
    seen: list[Any] = []

    def show(_: object, ctx: Any) -> Any:
        seen.append((ctx.settings, ctx.credentials))
        return address

    assert asyncio.run(large.bind({"show": show}, **given).call("large_show", {})) == address
    assert [bool(each) for each in seen[0]] == ["settings" in given, "credentials" in given]
    wrong = {"host": "h", "port": 0}
    for name, value in given.items():
        key = next(iter(value))
        with pytest.raises(BindError, match="minimum of 1"):
            large.bind({"show": show}, **{**given, name: {key: wrong}})
    for name in [each for each in sys.modules if is_generated(each)]:
        monkeypatch.delitem(sys.modules, name)
