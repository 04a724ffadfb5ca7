"""Public names in a compiled project: calls reach a tool by each of them, and by nothing else."""

from __future__ import annotations

import subprocess
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


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("names")
    (folder / "notes.yaml").write_text(NOTES)
    return make_project(folder / "project", folder / "notes.yaml")


def called(project: Path, name: str) -> tuple[int, str]:
    done = subprocess.run(
        [*TOOLSPEC, "call", name], cwd=project, capture_output=True, text=True, check=False
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
        assert [tool.name for tool in listed.tools] == ["notes_list"]
        assert not client.call("notes.list").is_error
