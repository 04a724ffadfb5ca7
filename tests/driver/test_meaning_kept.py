"""Fixes of schemas, held against a validator: what a schema admits before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import yaml
from jsonschema_rs import Draft202012Validator
from ping_spec import HEAD
from toolspec.driver import build, fixing
from toolspec.driver.build import Request

if TYPE_CHECKING:
    from pathlib import Path


def put(folder: Path, schema: str, form: str = "yaml") -> Path:
    text = HEAD + "".join(f"      {line}\n" for line in schema.splitlines())
    path = folder / "specs" / f"demo.{form}"
    path.parent.mkdir()
    path.write_text(text if form == "yaml" else as_json(text))
    (folder / "toolspec.toml").write_text('[lint]\npreset = "strict-2026-11"\n')
    return path


def as_json(text: str) -> str:
    import json

    return json.dumps(yaml.safe_load(text), indent=2)


def schema_of(path: Path) -> dict[str, object]:
    schema: dict[str, object] = yaml.safe_load(path.read_text())["tools"][0]["inputSchema"]
    return schema


@pytest.mark.parametrize("unsafe", [False, True])
@pytest.mark.parametrize(
    "schema",
    [
        """type: object
properties: {a: {type: string}}
if: {properties: {zz: {type: string}}, required: [zz]}
unevaluatedProperties: false""",
        """type: object
allOf: [{if: {properties: {zz: {type: string}}, required: [zz]}}]
unevaluatedProperties: false""",
        """type: object
$defs: {More: {if: {properties: {zz: {type: string}}, required: [zz]}}}
$ref: "#/$defs/More"
unevaluatedProperties: false""",
    ],
)
def test_what_an_if_describes_is_still_described(
    tmp_path: Path, schema: str, *, unsafe: bool
) -> None:
    path = put(tmp_path, schema)
    fixing.fix(Request(folder=tmp_path), unsafe=unsafe)
    assert Draft202012Validator(schema_of(path)).is_valid({"zz": "a"})
    assert not Draft202012Validator(schema_of(path)).is_valid({"yy": "a"})


@pytest.mark.parametrize("form", ["yaml", "json"])
@pytest.mark.parametrize(
    ("member", "values"),
    [
        ("{type: string, nullable: true}", ["x"]),
        ("{type: string, nullable: true, enum: [x, y]}", ["x", "y"]),
        ("{enum: [x, 'y, z'  ], type: string, nullable: true}", ["x", "y, z"]),
        ("{type: string, nullable: true, const: 'a, b'}", ["a, b"]),
        ("\n  type: integer\n  nullable: true\n  const: 3", [3]),
        ("\n  type: string\n  nullable: true\n  enum: [x, y] # no more", ["x", "y"]),
    ],
)
def test_null_is_admitted_where_it_was_meant(
    tmp_path: Path, member: str, values: list[object], form: str
) -> None:
    lines = member.replace("\n", "\n  ")
    path = put(tmp_path, f"type: object\nproperties:\n  b: {lines}", form)
    fixing.fix(Request(folder=tmp_path), unsafe=True)
    assert "nullable" not in path.read_text() or (form == "json" and "[" not in member)
    validator = Draft202012Validator(schema_of(path))
    assert all(validator.is_valid({"b": value}) for value in (*values, None))
    assert not validator.is_valid({"b": True})


@pytest.mark.parametrize(
    "member",
    [
        "{type: string, nullable: true, enum: &e [x, y], default: x}",
        "{type: string, nullable: true, not: {const: 'null'}}",
        "{type: string, nullable: true, anyOf: [{minLength: 2}, {const: x}]}",
        "\n  type: string\n  nullable: true\n  enum:\n    - x\n    - y",
    ],
)
def test_a_fix_admits_null_or_there_is_none(tmp_path: Path, member: str) -> None:
    lines = member.replace("\n", "\n  ")
    path = put(tmp_path, f"type: object\nproperties:\n  b: {lines}")
    fixing.fix(Request(folder=tmp_path), unsafe=True)
    is_admitted = Draft202012Validator(schema_of(path)).is_valid({"b": None})
    assert is_admitted is ("nullable" not in path.read_text())


def test_a_number_that_clients_round_is_told_of_once(tmp_path: Path) -> None:
    put(tmp_path, "type: object\nproperties: {n: {type: integer, minimum: -9223372036854775808}}")
    found = build.check(Request(folder=tmp_path)).diagnostics
    assert [each.code for each in found if "unsafe" in each.code] == ["syntax/unsafe-integer"]
