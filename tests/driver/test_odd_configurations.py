"""Any value of any key of a configuration is used, or reported with its place."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from toolspec.driver import build
from toolspec.driver.build import Request
from toolspec.driver.config import _KEYS, find_project
from toolspec.targets import discovery

SPEC = Path(__file__).parents[1] / "site_target" / "harbor.yaml"
SCHEMAS = Path(__file__).parents[2] / "schemas"
VALUES = (
    *(
        '""',
        '"x"',
        '"."',
        '".."',
        '"/"',
        '"a/b"',
        '"*"',
        '"**"',
        '"error"',
        '"off"',
        '"2026-01-01"',
    ),
    *("0", "-1", "1", "1.5", "inf", "nan", "1979-05-27", "07:32:00", "true", "1" + "0" * 40),
    *("[]", '[""]', '["x"]', '["x", "x"]', "[1]", '[["x"]]', "[{a = 1}]", '["python"]', "{}"),
    *('{"" = ""}', '{a = "x"}', '{a = ["x"]}', "{a = {}}", '{site = {try = "any"}}', "{docs = []}"),
    *(json.dumps("a\0b"), json.dumps(["a\0b"]), json.dumps("9" * 400), json.dumps(["9" * 400])),
)
TABLES = ("contract", "lint", "lint.options", "target", "render")
KEYS = (
    "allow",
    "rules",
    "preset",
    "options",
    "review",
    "deprecation-days",
    "until",
    "name",
    "path",
)


def configurations() -> Iterator[str]:
    """Yield a configuration for each key and value."""
    targets = 'targets = ["python", "docs", "site", "catalog", "gemini", "mcp-2026-07-28"]\n'
    for key in sorted(_KEYS):
        yield from (f"{key} = {value}\n" for value in VALUES)
    for target in discovery.built_in():
        properties = target.options.get("properties", {})
        assert isinstance(properties, dict)
        for key in properties:
            head = f"{targets}[target.{target.name}]\n"
            yield from (f"{head}{key} = {value}\n" for value in VALUES)
    for table in TABLES:
        for key in KEYS:
            for head in (f"[{table}]", f"[[{table}]]"):
                yield from (f"{targets}{head}\n{key} = {value}\n" for value in VALUES)


EVERY = tuple(configurations())


@pytest.mark.parametrize("count", [150, pytest.param(len(EVERY), marks=pytest.mark.prove)])
def test_any_value_of_any_key(tmp_path: Path, count: int) -> None:
    (tmp_path / "specs").mkdir()
    shutil.copy(SPEC, tmp_path / "specs")
    reported = 0
    for text in Random(0).sample(EVERY, count):  # noqa: S311 - repeatable, and no secret
        (tmp_path / "toolspec.toml").write_text(text)
        diagnostics = build.check(Request(folder=tmp_path)).diagnostics
        reported += any(each.severity == "error" and each.span for each in diagnostics)
    assert reported > count // 3


@pytest.mark.parametrize("separator", ["", *' \n:"é_-./a0', "::", "__", "._", "_\n"])
def test_a_separator_has_the_characters_of_public_names(tmp_path: Path, separator: str) -> None:
    (tmp_path / "toolspec.toml").write_text(f"separator = {json.dumps(separator)}\n")
    schema = json.loads((SCHEMAS / "service.v1.schema.json").read_text())
    public_name = re.compile(schema["$defs"]["publicName"]["pattern"])
    is_legal = separator != "" and public_name.fullmatch(f"a{separator}b") is not None
    diagnostics = find_project(tmp_path).diagnostics
    assert [each.code for each in diagnostics] == ([] if is_legal else ["config/wrong-type"])
    assert all(each.span and each.span.text == "separator" for each in diagnostics)
