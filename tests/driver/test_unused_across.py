"""A definition that another document uses is used, whatever part of the project is looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toolspec.driver import build, fixing
from toolspec.driver.build import CompileOptions, Request
from toolspec.driver.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic

RULE = "schema/unused-definition"
OWN = """$defs:
  Own: {type: string, minLength: 1}
  ByB: {type: object, properties: {x: {$ref: "#/$defs/Deep"}}}
  Deep: {type: string, maxLength: 9}
  Left: {type: string, maxLength: 8}
"""


def spec(name: str, schema: str, more: str = "") -> str:
    return f"""toolspec: 1
service: {{name: {name}, description: A service with one tool.}}
tools:
  - name: show
    description: Show one of the things that are there.
    mutation: false
    inputSchema: {{type: object, properties: {{u: {schema}}}}}
    outputSchema: {{type: string}}
{more}"""


def put(folder: Path, **texts: str) -> None:
    (folder / "specs").mkdir()
    (folder / "toolspec.toml").write_text('targets = ["mcp-2025-11-25"]\n')
    for name, text in texts.items():
        (folder / "specs" / f"{name}.yaml").write_text(text)


def unused(found: Iterable[Diagnostic]) -> list[str]:
    return [each.subject.pointer for each in found if each.code == RULE]


def both(folder: Path, reference: str) -> None:
    a = spec("a", '{$ref: "#/$defs/Own"}', OWN)
    put(folder, a=a, b=spec("b", f'{{$ref: "{reference}"}}'))


@pytest.mark.parametrize(
    ("reference", "left"),
    [
        ("a.yaml#/$defs/ByB", ["Left"]),
        ("a.yaml#/$defs/ByB/properties/x", ["Left"]),
        ("a.yaml#/$defs/Left", ["ByB", "Deep"]),
    ],
)
def test_what_another_service_uses_is_used(tmp_path: Path, reference: str, left: list[str]) -> None:
    both(tmp_path, reference)
    found = build.check(Request(folder=tmp_path)).diagnostics
    assert sorted(unused(found)) == sorted(f"/$defs/{name}" for name in left)


def test_nothing_is_said_where_a_service_is_missing(tmp_path: Path) -> None:
    both(tmp_path, "a.yaml#/$defs/ByB")
    request = Request(("specs/a.yaml",), folder=tmp_path)
    assert unused(build.check(request).diagnostics) == []
    path = tmp_path / "specs" / "b.yaml"
    path.write_text(path.read_text().replace("mutation: false", "mutation: perhaps"))
    assert unused(build.check(Request(folder=tmp_path)).diagnostics) == []


def test_a_build_by_units_says_the_same(tmp_path: Path) -> None:
    both(tmp_path, "a.yaml#/$defs/ByB")
    for _ in range(2):
        done = build.compile_specs(Request(folder=tmp_path), options=CompileOptions(Workers()))
        assert unused(done.diagnostics) == ["/$defs/Left"]


def test_the_fix_deletes_what_nobody_uses(tmp_path: Path) -> None:
    both(tmp_path, "a.yaml#/$defs/ByB")
    assert fixing.fix(Request(("specs/a.yaml",), folder=tmp_path), unsafe=True).files == ()
    fixed = fixing.fix(Request(folder=tmp_path), unsafe=True)
    assert [each.name for each in fixed.files] == ["specs/a.yaml"]
    assert (tmp_path / "specs" / "a.yaml").read_text().endswith("maxLength: 9}\n")
    assert build.check(Request(folder=tmp_path)).ok


def test_what_a_part_defines_is_used_by_one_of_its_services(tmp_path: Path) -> None:
    include = "include: [parts/common.yaml]\n"
    uses, other = spec("a", '{$ref: "#/$defs/Size"}', include), spec("b", "true", include)
    put(tmp_path, a=uses, b=other)
    (tmp_path / "specs" / "parts").mkdir()
    part = "$defs: {Size: {type: integer, minimum: 1}, Left: {type: string}}\n"
    (tmp_path / "specs" / "parts" / "common.yaml").write_text(part)
    assert unused(build.check(Request(folder=tmp_path)).diagnostics) == ["/$defs/Left"]


def test_a_definition_in_a_tool_may_be_meant_by_another_tool(tmp_path: Path) -> None:
    text = (
        spec("a", "{$ref: '#/tools/1/inputSchema/$defs/Size'}").rstrip()
        + """
  - name: list
    description: List all of the things that are there.
    mutation: false
    inputSchema: {type: object, $defs: {Size: {type: integer}, Left: {type: string}}}
    outputSchema: {type: string}
"""
    )
    put(tmp_path, a=text)
    assert unused(build.check(Request(folder=tmp_path)).diagnostics) == [
        "/tools/1/inputSchema/$defs/Left"
    ]
