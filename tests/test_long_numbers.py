"""Numbers of more digits than Python reads (4,300) are diagnostics like any other, wherever they are."""

from __future__ import annotations

import json
import subprocess
from typing import TYPE_CHECKING, Any

import pytest
from forkserver import toolspec
from partial_specs import whole
from toolspec.driver import build
from toolspec.driver.build import Request
from toolspec.driver.clock import today
from toolspec.driver.config import contract_settings
from toolspec.shared.references import item_index
from toolspec.shared.versions import precedence

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

DIGITS = "9" * 5_000
ARGUMENT = {"type": "string", "description": "A text."}


def tool(**members: Any) -> dict[str, Any]:
    return {"tools": [{"name": "find", **members}]}


def takes(schema: dict[str, Any], **beside: Any) -> dict[str, Any]:
    properties = {"text": {**ARGUMENT, **schema}}
    return tool(inputSchema={"type": "object", "properties": properties, **beside})


@pytest.mark.parametrize(
    ("document", "codes"),
    [
        (tool(version=DIGITS), set()),
        (tool(version=f"v{DIGITS}"), {"shape/bad-version"}),
        ({**tool(), "service": {"version": f"1.{DIGITS}.0"}}, set()),
        ({**tool(), "service": {"version": DIGITS}}, {"shape/bad-version"}),
        ({"tools": [{"name": "a", "version": text} for text in (f"1.{DIGITS}", "1.0")]}, set()),
        (takes({"pattern": f"a{{{DIGITS}}}"}), {"schema/bad-pattern"}),
        (takes({"pattern": f"(a{{1,{DIGITS}}}){{2}}"}), {"schema/bad-pattern"}),
        (takes({}, allOf=[{"$ref": f"#/allOf/{DIGITS}"}]), {"resolve/dangling-reference"}),
        (takes({"description": f"A text. Default: {DIGITS}.", "default": "a"}), set()),
    ],
)
def test_in_a_document(document: dict[str, Any], codes: set[str], tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    (tmp_path / "specs" / "notes.json").write_text(json.dumps(whole(document)))
    (tmp_path / "toolspec.toml").write_text('targets = ["docs", "mcp-2026-07-28", "gemini"]\n')
    found = build.check(Request(folder=tmp_path)).diagnostics
    assert {each.code for each in found if each.severity == "error"} == codes, found


@pytest.mark.parametrize(
    ("value", "reason"),
    [(DIGITS, "too many digits"), ("[" * 5_000 + "]" * 5_000, "nested too deeply")],
    ids=["long", "deep"],
)
def test_in_a_configuration(value: str, reason: str, tmp_path: Path) -> None:
    (tmp_path / "toolspec.toml").write_text(f"more = {value}\n")
    (found,) = build.check(Request(folder=tmp_path)).diagnostics
    assert found.code == "config/syntax"
    assert reason in found.message
    assert contract_settings(lambda _: f"more = {value}\n") == {}


def test_in_a_file_of_other_tools(tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"more = {DIGITS}\n")
    found = build.check(Request(folder=tmp_path)).diagnostics
    assert "config/syntax" not in {each.code for each in found}


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(toolspec()), *arguments]
    return subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)


def test_in_a_list_to_import(tmp_path: Path) -> None:
    schema = {"type": "OBJECT", "properties": {"a": {"type": "STRING", "maxLength": DIGITS}}}
    (tmp_path / "list.json").write_text(json.dumps([{"name": "find", "parameters": schema}]))
    done = run("import", "gemini", "list.json", "--to", "specs", folder=tmp_path)
    assert "`maxLength` must be a whole number" in done.stdout + done.stderr
    assert done.returncode == 1


def test_in_an_option(tmp_path: Path) -> None:
    done = run("compile", "--jobs", DIGITS, folder=tmp_path)
    assert done.returncode == 2
    assert "--jobs" in done.stderr


def test_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", DIGITS)
    stated = today()
    monkeypatch.delenv("SOURCE_DATE_EPOCH")
    assert stated == today()


def test_order_of_versions() -> None:
    # The examples of semver.org, 11, and shorter forms.
    before_1 = "1.0-alpha 1.0-alpha.1 1.0-alpha.beta 1.0-beta 1.0-beta.2 1.0-beta.11 1.0-rc.1"
    ordered = ["", *before_1.split(), "1.0", "1.2", "1.10", "2", "10", f"1{DIGITS}", f"2{DIGITS}"]
    assert sorted({*ordered}, key=precedence) == ordered
    assert precedence("1.0+build") == precedence("1.0")


@pytest.mark.parametrize(
    ("step", "items", "index"),
    [
        ("0", "a", 0),
        ("1", "ab", 1),
        ("10", "a" * 11, 10),
        ("1", "a", None),
        ("01", "a" * 11, None),
        ("00", "a" * 11, None),
        ("-1", "a", None),
        ("-", "a", None),
        ("", "a", None),
        ("٠", "a", None),
        ("²", "a", None),
        (DIGITS, "a", None),
    ],
)
def test_steps_of_pointers_into_lists(step: str, items: Sequence[str], index: int | None) -> None:
    assert item_index(step, items) == index
