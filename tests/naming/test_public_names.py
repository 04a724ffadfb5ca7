"""Public names in a compiled project: calls reach a tool by each of them, and by nothing else."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from served import LEGACY, MODERN, TOOLSPEC, connected, make_project, stdio

NOTES = """toolspec: 1
service: {name: notes, description: Keeps notes.}
tools:
  - name: list
    description: List all notes.
    mutation: false
    outputSchema: {type: string}
    aliases: [notes.list, create_note, notes_all]
"""

MEMOS = """toolspec: 1
service: {name: memos, names: as-written, description: Keeps memos.}
tools:
  - name: memo.create
    description: Write a memo.
    mutation: true
    annotations: {destructiveHint: false}
    outputSchema: {type: string}
    aliases: [create_memo]
  - name: find
    wireName: get_memo
    description: Return a memo.
    mutation: false
    outputSchema: {type: string}
    permissions: [{tool: memo.create}]
    deprecated: {use: memo.create}
include: [more.json]
"""
MORE = {
    "tools": {
        "memo/delete": {
            "description": "Delete a memo.",
            "mutation": True,
            "outputSchema": {"type": "string"},
        }
    }
}
PUBLIC = ["memo.create", "get_memo", "memo/delete", "notes_list"]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    (folder / "notes.yaml").write_text(NOTES)
    (folder / "memos.yaml").write_text(MEMOS)
    (folder / "more.json").write_text(json.dumps(MORE))
    specs = [folder / name for name in ("notes.yaml", "memos.yaml", "more.json")]
    (folder / "toolspec.toml").write_text(
        'targets = ["python", "mcp-2026-07-28", "mcp-2025-11-25", "anthropic"]'
    )
    made = folder / "project"
    made.mkdir()
    shutil.copy(folder / "toolspec.toml", made)
    return make_project(made, *specs)


def called(project: Path, name: str) -> tuple[int, str]:
    done = subprocess.run(
        [*TOOLSPEC, "call", "--yes", name], cwd=project, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@pytest.mark.parametrize("name", ["notes_list", "notes.list", "create_note", "notes_all"])
def test_an_alias_is_a_whole_name(project: Path, name: str) -> None:
    assert called(project, name) == (0, "toolspec: a mock answers\n")


def test_an_alias_gets_no_prefix(project: Path) -> None:
    status, error = called(project, "notes_create_note")
    assert status == 2
    assert "there is no tool `notes_create_note`" in error


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
def test_a_server_answers_to_an_alias_and_does_not_list_it(project: Path, mode: str) -> None:
    with connected(stdio(project), mode) as client:
        listed = client.portal.call(client.client.list_tools)
        assert [tool.name for tool in listed.tools] == PUBLIC
        assert not client.call("notes.list").is_error


@pytest.mark.parametrize("name", ["memo.create", "create_memo", "get_memo", "memo/delete"])
def test_a_name_as_written_is_called_as_it_is(project: Path, name: str) -> None:
    assert called(project, name) == (0, "toolspec: a mock answers\n")


@pytest.mark.parametrize("name", ["memos_find", "find", "memos_memo.create"])
def test_a_name_as_written_has_no_other_form(project: Path, name: str) -> None:
    status, error = called(project, name)
    assert status == 2
    assert f"there is no tool `{name}`" in error


def test_a_provider_gets_a_legal_name_and_its_calls_come_back(project: Path) -> None:
    script = """
import asyncio
from generated import build_registry
from toolspec.runtime.controls.policy import Policy, PolicySource, Rule
class Memos:
    async def memo_create(self, input, ctx): return "created"
    async def find(self, input, ctx): return "found"
    async def memo_delete(self, input, ctx): return "deleted"
class Notes:
    async def list_(self, input, ctx): return "listed"
registry = build_registry(memos=Memos(), notes=Notes())
rule = PolicySource(name="test", rules=(Rule(mode="auto", tool="memo*"), Rule(mode="auto", permission="tool:memo.create")))
registry = registry.with_controls(policy=Policy(sources=(rule,)))
for name in ("memo_create", "get_memo", "memo_delete", "notes_list"):
    print(asyncio.run(registry.call_from("anthropic", name, {})))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=project, capture_output=True, text=True, check=False
    )
    assert done.stdout.split() == ["created", "found", "deleted", "listed"], done.stderr


def test_a_tool_that_was_not_compiled_yet_is_not_called_unknown(project: Path) -> None:
    later = project / "specs" / "later.yaml"
    later.write_text(NOTES.replace("name: notes", "name: later").replace("    aliases", "    # "))
    try:
        status, error = called(project, "later_list")
    finally:
        later.unlink()
    assert status == 2
    assert error == (
        "toolspec: `later_list` is in the documents and was not compiled yet: run `toolspec compile`\n"
    )
