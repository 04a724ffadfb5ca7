"""`toolspec diff` of projects, folders and dumps, as a user runs it."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from small_spec import SPEC

if TYPE_CHECKING:
    from pathlib import Path

TOOL = SPEC.replace("    mutation: false\n", "    mutation: false\n    inputSchema: {INPUT}\n")
OLD = TOOL.replace(
    "{INPUT}", "{type: object, properties: {zone: {type: string, enum: [utc, local]}}}"
)
NEW = TOOL.replace("{INPUT}", "{type: object, properties: {zone: {type: string, enum: [utc]}}}")
REPORT = """\
break[argument/value-removed] `zone` of `demo_ping` no longer has the value "local"
  affects: callers break, models risk
  at: demo_ping /input/properties/zone/enum
  proved breaking: {"zone": "local"}
  help: keep "local" and handle it like its successor

1 break
"""


def diff(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "toolspec", "diff", *map(str, arguments)]
    return subprocess.run(command, check=False, capture_output=True, text=True)


@pytest.fixture
def versions(tmp_path: Path) -> tuple[Path, Path]:
    folders = tmp_path / "old", tmp_path / "new"
    for folder, text in zip(folders, (OLD, NEW), strict=True):
        folder.mkdir()
        (folder / "demo.yaml").write_text(text)
    return folders


def test_a_break_is_reported_with_a_witness_and_fails(versions: tuple[Path, Path]) -> None:
    done = diff(*versions)
    assert (done.stdout, done.stderr, done.returncode) == (REPORT, "", 1)
    assert diff(*versions, "--format", "short").stdout == REPORT.splitlines()[0] + "\n1 break\n"


def test_the_same_version_is_no_change(versions: tuple[Path, Path]) -> None:
    done = diff(versions[0], versions[0])
    assert (done.stdout, done.returncode) == ("no changes\n", 0)


def test_levels_and_audiences_decide_what_fails(versions: tuple[Path, Path]) -> None:
    old, new = versions
    assert diff(new, old).returncode == 0
    assert diff(new, old, "--fail-on", "note").returncode == 1
    assert diff(new, old, "--fail-on", "risk", "--audience", "handlers").returncode == 1
    assert diff(old, new, "--audience", "operators").returncode == 0


def test_a_project_is_compared_with_a_dump(versions: tuple[Path, Path], tmp_path: Path) -> None:
    schema = {"type": "object", "properties": {"zone": {"type": "string", "enum": ["utc"]}}}
    tool = {"name": "demo_ping", "inputSchema": schema, "annotations": {"readOnlyHint": True}}
    dump = tmp_path / "dump.json"
    dump.write_text(json.dumps({"tools": [tool]}))
    done = diff(versions[0], dump, "--format", "short")
    assert "break[argument/value-removed]" in done.stdout
    assert "not compared, since one side does not show it: version," in done.stdout
    assert "permissions" not in done.stdout.partition("not compared")[0]


def test_what_does_not_compile_is_named_and_not_called_removed(versions: tuple[Path, Path]) -> None:
    old, new = versions
    other = SPEC.replace("demo", "other", 1)
    (old / "other.yaml").write_text(other)
    (new / "other.yaml").write_text(other.replace("type: string", "type: strin"))
    done = diff(old, new, "--format", "short")
    assert "tool/removed" not in done.stdout
    assert "does not compile: other_ping" in done.stdout


@pytest.mark.parametrize(
    ("name", "text"), [("absent.json", None), ("text.json", "no JSON"), ("a.json", "{}")]
)
def test_what_is_no_version_is_an_error(
    versions: tuple[Path, Path], tmp_path: Path, name: str, text: str | None
) -> None:
    if text is not None:
        (tmp_path / name).write_text(text)
    done = diff(versions[0], tmp_path / name)
    assert done.returncode == 2
    assert "error[" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr
