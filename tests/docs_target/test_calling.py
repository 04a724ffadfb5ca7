"""The examples of "How to call it" run as they are printed."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from checkers import mypy
from forkserver import toolspec
from mcp import Client, StdioServerParameters
from sampling import sampled

SERVICE = """\
toolspec: 1
service: {{name: tracker, description: Issues of a project.}}
tools:
  - name: getIssue
    description: Return one issue by its id.
    inputSchema: {schema}
    outputSchema: {{type: object, properties: {{title: {{type: string}}}}}}
    mutation: {mutation}
"""
SCHEMAS = {
    "required": "{type: object, required: [id], properties: {id: {type: string}, n: {type: integer}}}",
    "nested": (
        "{type: object, required: [at], properties: {at: {type: object, required: [days], properties: "
        "{days: {type: array, minItems: 1, items: {type: integer, minimum: 1}}}}}}"
    ),
    "none": "{type: object}",
    "text": "{type: string, minLength: 3}",
    "patterned": "{type: object, required: [id], properties: {id: {type: string, pattern: '^ISS-[0-9]+$'}}}",
}
ENVIRONMENT = {**os.environ, "PATH": f"{toolspec().parent}{os.pathsep}{os.environ['PATH']}"}


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def blocks(page: str) -> dict[str, str]:
    """The blocks of code of the chapter, by their language."""
    chapter = page.partition("## How to call it")[2].partition("\n## ")[0]
    parts = chapter.split("```")[1::2]
    return {text.partition("\n")[0]: text.partition("\n")[2] for text in parts}


@pytest.mark.parametrize("mutation", sampled(["false", "true"], 1))
@pytest.mark.parametrize("schema", sampled(SCHEMAS, 1))
def test_the_printed_examples_run(tmp_path: Path, schema: str, mutation: str) -> None:
    (tmp_path / "specs").mkdir()
    document = SERVICE.format(schema=SCHEMAS[schema], mutation=mutation)
    (tmp_path / "specs" / "tracker.yaml").write_text(document)
    compiled = run(tmp_path, "toolspec", "compile")
    assert compiled.returncode == 0, compiled.stdout
    printed = blocks((tmp_path / "generated" / "docs" / "tracker.md").read_text())

    (tmp_path / "example.py").write_text(printed["python"])
    done = run(tmp_path, sys.executable, "example.py")
    assert done.returncode == 0, done.stderr
    assert "title" in done.stdout or "{}" in done.stdout

    done = run(tmp_path, *shlex.split(printed["sh"]))
    assert done.returncode == 0, done.stderr

    server = json.loads(printed["json"])["mcpServers"]["tracker"]
    assert asyncio_names(tmp_path, server) == ["tracker_getIssue"]


def asyncio_names(folder: Path, server: dict[str, object]) -> list[str]:
    """The tools that a client sees that is configured as printed."""
    import anyio

    command = StdioServerParameters(
        command=str(server["command"]),
        args=list(server["args"]),  # type: ignore[call-overload]  # strings of the page
        env=ENVIRONMENT,
        cwd=folder,
    )

    async def names() -> list[str]:
        async with Client(command) as client:
            return [each.name for each in (await client.list_tools()).tools]

    return anyio.run(names)


@pytest.mark.prove
def test_type_checkers_accept_the_printed_example(tmp_path: Path) -> None:
    (tmp_path / "specs").mkdir()
    document = SERVICE.format(schema=SCHEMAS["nested"], mutation="true")
    (tmp_path / "specs" / "tracker.yaml").write_text(document)
    assert run(tmp_path, "toolspec", "compile").returncode == 0
    printed = blocks((tmp_path / "generated" / "docs" / "tracker.md").read_text())
    (tmp_path / "example.py").write_text(printed["python"])
    done = run(tmp_path, sys.executable, "-m", *mypy(), "example.py")
    assert done.returncode == 0, done.stdout
