"""The shared corpora through the schema floor: hostile schemas judged, real ones accepted."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from files_in_memory import FilesInMemory
from toolspec.diagnostics import has_errors
from toolspec.frontend import bind, includes, shape
from toolspec.frontend.resolve.service import resolve
from toolspec.syntax import parse

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject

EXPECTED = {
    "default_wrong_type": "schema/default-mismatch",
    "dialect_url": "schema/unknown-dialect",
    "expo_allof_40": "schema/too-complex",
    "id_rebase_file": "schema/refused-reference",
    "id_rebase_http": "schema/refused-reference",
    "input_null": "shape/wrong-type",
    "loop_anyof": "schema/endless-reference",
    "pattern_bad": "schema/bad-pattern",
    "pattern_python_only": "schema/bad-pattern",
    "pattern_quantifier": "schema/bad-pattern",
    "redos_nested": "schema/slow-pattern",
    "ref_absolute_path": "schema/refused-reference",
    "ref_protocol_relative": "schema/refused-reference",
    "ref_relative": "schema/refused-reference",
    "required_string": "schema/wrong-keyword-value",
    "unknown_dialect": "schema/unknown-dialect",
}


def found_in(path: str, data: bytes) -> tuple[Diagnostic, ...]:
    read = parse(path, data)
    if read.value is None:
        return read.diagnostics
    problems = shape.check(read.value, shape.Form.SERVICE)
    if has_errors(problems):
        return problems
    files = FilesInMemory({path: read.value})
    unit = includes.expand(read.value, files)
    return resolve(bind.bind(unit.value, "_").value, files).diagnostics


def test_every_hostile_schema_is_answered(corpus: Path) -> None:
    index = json.loads((corpus / "hostile" / "index.json").read_text(encoding="utf-8"))
    cases = [case for case in index["cases"] if case["file"].startswith("schema/")]
    for case in cases:
        name = case["file"].removeprefix("schema/").removesuffix(".json")
        found = found_in(f"{name}.json", (corpus / "hostile" / case["file"]).read_bytes())
        expected = [EXPECTED[name]] if name in EXPECTED else []
        assert [each.code for each in found] == expected, name
        assert has_errors(found) or case["expect"] != "reject", name
        assert not has_errors(found) or case["expect"] != "accept", name
        assert all(each.subject.pointer.startswith(case.get("pointer", "")) for each in found), name
    assert {case["id"] for case in cases} >= {f"schema/{name}" for name in EXPECTED}


def test_real_schemas_are_accepted(corpus: Path) -> None:
    for dump in sorted((corpus / "mcp-tools").glob("*.json")):
        tools = json.loads(dump.read_text(encoding="utf-8"))["tools"]
        value = {
            "toolspec": 1,
            "service": {"name": "dump", "description": "A dump."},
            "tools": [_tool(number, tool) for number, tool in enumerate(tools)],
        }
        found = found_in(f"specs/{dump.name}", json.dumps(value).encode())
        assert {each.code for each in found} <= {"schema/null-default"}, dump.name


def _tool(number: int, tool: JsonObject) -> JsonObject:
    return {
        "name": f"tool{number}",
        "description": "A tool.",
        "mutation": False,
        "inputSchema": tool["inputSchema"],
        "outputSchema": tool.get("outputSchema", True),
    }


@pytest.mark.parametrize("value", [{"type": "object"}, True])
def test_a_schema_that_nobody_wrote_is_left_alone(value: JsonObject | bool) -> None:
    document = {
        "toolspec": 1,
        "service": {"name": "a", "description": "A."},
        "tools": [{"name": "b", "description": "B.", "mutation": False, "outputSchema": value}],
    }
    read = parse("a.json", json.dumps(document).encode()).value
    assert read is not None
    service = bind.bind(includes.Unit(read), "_").value
    made = resolve(service, FilesInMemory({})).value.tools[0]
    assert (made.output.value, made.output.bundle, made.output.shared) == (value, value, ())
    assert made.input.bundle == service.tools[0].input.value
