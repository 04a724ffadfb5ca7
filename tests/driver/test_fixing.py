"""`check --fix` from end to end: what is written, what is left alone, and what is told of it."""

from __future__ import annotations

import json
import os
import stat
from typing import TYPE_CHECKING

import pytest
from toolspec.diagnostics import Severity
from toolspec.driver import build, fixing
from toolspec.driver.build import Request

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.driver.fixing import Fixed

HEAD = "toolspec: 1\nservice: {name: shop, description: A shop.}\n"
TOOL = """\
  - name: list{0} # the name
    description: Lists things.
    # what it answers
    outputSchema: {{type: array, items: {{type: string}}}}
    mutation: false
    annotations:
      title: 'List'
      destructiveHint: true # not so
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "specs").mkdir()
    (tmp_path / "toolspec.toml").write_text("")
    return tmp_path


def put(project: Path, name: str, text: str) -> Path:
    path = project / "specs" / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(text.encode())
    return path


def fix(project: Path, *paths: str, unsafe: bool = False, write: bool = True) -> Fixed:
    return fixing.fix(Request(paths, folder=project), unsafe=unsafe, write=write)


def errors(project: Path) -> list[str]:
    found = build.check(Request(folder=project)).diagnostics
    return [each.code for each in found if each.severity is Severity.ERROR]


def test_a_fix_leaves_every_other_byte(project: Path) -> None:
    text = f"# head\r\n{HEAD}tools:\n{TOOL.format('A')}"
    path = put(project, "shop.yaml", text)
    os.chmod(path, 0o640)  # noqa: PTH101 - as a person would
    fixed = fix(project)
    assert (fixed.findings, [each.name for each in fixed.files]) == (1, ["specs/shop.yaml"])
    assert path.read_bytes().decode() == text.replace("      destructiveHint: true # not so\n", "")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert errors(project) == []
    assert [each.name for each in path.parent.iterdir()] == ["shop.yaml"]
    assert fix(project).files == ()


def test_without_writing_nothing_is_written(project: Path) -> None:
    text = f"{HEAD}tools:\n{TOOL.format('A')}"
    path = put(project, "shop.yaml", text)
    fixed = fix(project, write=False)
    assert path.read_text() == text
    assert "-      destructiveHint: true # not so\n" in fixed.files[0].diff


def test_the_byte_order_mark_stays(project: Path) -> None:
    path = put(project, "shop.yaml", f"\ufeff{HEAD}tools:\n{TOOL.format('A')}")
    assert fix(project).findings == 1
    assert path.read_bytes().startswith(b"\xef\xbb\xbftoolspec: 1\n")


def test_commas_of_json_go_one_after_the_other(project: Path) -> None:
    tool = {"name": "a", "description": "A.", "outputSchema": True, "mutation": False}
    value = {"toolspec": 1, "service": {"name": "shop", "description": "A shop."}, "tools": [tool]}
    text = json.dumps(value, indent=2)
    broken = text.replace("false\n", "false,\n").replace('shop."\n', 'shop.",\n')
    path = put(project, "shop.json", broken)
    fixed = fix(project)
    assert fixed.findings == 2
    assert path.read_text() == text


def test_a_fix_of_an_included_part_is_made_where_the_text_stands(project: Path) -> None:
    part = f"$defs: {{Unused: {{type: string}}}}\ntools:\n{TOOL.format('A')}"
    put(project, "shop.yaml", f"{HEAD}include: [parts/a.yaml]\n")
    path = put(project, "parts/a.yaml", part)
    fixed = fix(project)
    assert [each.name for each in fixed.files] == ["specs/parts/a.yaml"]
    assert path.read_text() == part.replace("      destructiveHint: true # not so\n", "")


def test_what_an_alias_repeats_is_fixed_once(project: Path) -> None:
    text = f"""{HEAD}$defs:
  One: {{type: object, properties: {{a: &a {{type: string, maxLenght: 3}}, b: *a}}}}
tools:
{TOOL.format("A").replace("string", "string, pattern: a")}"""
    path = put(project, "shop.yaml", text)
    fixed = fix(project, unsafe=True)
    assert path.read_text().count("maxLength") == 1
    assert fixed.unsafe == 0


def test_an_unsafe_fix_waits_to_be_asked_for(project: Path) -> None:
    text = f"{HEAD}tools:\n{TOOL.format('A').replace('type: string', 'type: string, minLenght: 1')}"
    path = put(project, "shop.yaml", text)
    fixed = fix(project)
    assert (fixed.findings, fixed.unsafe) == (1, 1)
    assert "minLenght" in path.read_text()
    assert fix(project, unsafe=True).findings == 1
    assert "minLength" in path.read_text()


def test_a_read_only_file_is_told_of_and_the_others_are_fixed(project: Path) -> None:
    locked = put(project, "a.yaml", f"{HEAD.replace('shop', 'one')}tools:\n{TOOL.format('A')}")
    put(project, "b.yaml", f"{HEAD.replace('shop', 'two')}tools:\n{TOOL.format('B')}")
    locked.chmod(0o444)
    fixed = fix(project)
    assert [each.name for each in fixed.files] == ["specs/b.yaml"]
    found = fixed.checked.diagnostics
    codes = [each.code for each in found if each.severity is Severity.ERROR]
    assert codes == ["edit/unwritable", "safety/destructive-read"]
    assert "destructiveHint" in locked.read_text()


def test_a_file_outside_of_the_project_is_never_written(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "toolspec.toml").write_text('specs = ["shop.yaml"]')
    outside = tmp_path / "shop.yaml"
    outside.write_text(f"{HEAD}tools:\n{TOOL.format('A')}")
    (tmp_path / "in" / "shop.yaml").symlink_to(outside)
    fixed = fix(tmp_path / "in")
    assert fixed.files == ()
    assert "edit/outside-project" in [each.code for each in fixed.checked.diagnostics]
    assert "destructiveHint" in outside.read_text()


def test_a_link_inside_of_the_project_stays_a_link(project: Path) -> None:
    real = put(project, "../real.yaml", f"{HEAD}tools:\n{TOOL.format('A')}")
    (project / "specs" / "shop.yaml").symlink_to(real)
    assert fix(project, "specs/shop.yaml").findings == 1
    assert (project / "specs" / "shop.yaml").is_symlink()
    assert "destructiveHint" not in real.read_text()


def test_many_files_are_fixed_in_one_go(project: Path) -> None:
    for number in range(50):
        head = HEAD.replace("shop", f"shop{number}")
        tools = "".join(TOOL.format(letter) for letter in "ABCD")
        put(project, f"s{number}.yaml", f"{head}tools:\n{tools}")
    fixed = fix(project)
    assert (fixed.findings, len(fixed.files)) == (200, 50)
    assert errors(project) == []
