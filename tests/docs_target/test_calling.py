"""The examples of "How to call it" run as they are printed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from checkers import mypy
from forkserver import toolspec
from mcp import Client, StdioServerParameters
from served import TOOLSPEC, free_port, listening

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
    "awkward": (
        "{type: object, required: [id], properties: {id: {enum: ['it''s \"{{ é }}\" $HOME !x']}, "
        "n: {type: integer}}}"
    ),
    "patterned": "{type: object, required: [id], properties: {id: {type: string, pattern: '^ISS-[0-9]+$'}}}",
}
ENVIRONMENT = {**os.environ, "PATH": f"{toolspec().parent}{os.pathsep}{os.environ['PATH']}"}


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
    )


def blocks(page: str, title: str = "How to call it") -> list[tuple[str, str]]:
    """The blocks of code of a chapter, each with its language."""
    chapter = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
    parts = chapter.split("```")[1::2]
    return [(text.partition("\n")[0], text.partition("\n")[2]) for text in parts]


def compiled(folder: Path, schema: str, mutation: str, server: str) -> list[tuple[str, str]]:
    """Compile a service, and return the examples of its page."""
    (folder / "specs").mkdir()
    document = SERVICE.format(schema=schema, mutation=mutation)
    (folder / "specs" / "tracker.yaml").write_text(document)
    (folder / "toolspec.toml").write_text(f'[target.docs]\nserver = "{server}"\n')
    done = run(folder, "toolspec", "compile")
    assert done.returncode == 0, done.stdout
    return blocks((folder / "generated" / "docs" / "tracker.md").read_text())


@pytest.mark.prove
@pytest.mark.parametrize("mutation", ["false", "true"])
@pytest.mark.parametrize("schema", SCHEMAS)
def test_the_printed_examples_run(tmp_path: Path, schema: str, mutation: str) -> None:
    port = free_port()
    address = f"http://127.0.0.1:{port}/mcp"
    printed = compiled(tmp_path, SCHEMAS[schema], mutation, address)
    serve = ("toolspec", "serve", "--transport", "http", "--port", str(port))
    with listening(tmp_path, (*TOOLSPEC, *serve[1:]), port):
        for language, text in printed:
            if language == "json":
                server = json.loads(text)["mcpServers"]["tracker"]
                assert asyncio_names(tmp_path, server) == ["tracker_getIssue"]
                continue
            (tmp_path / "example").write_text(text)
            done = run(tmp_path, sys.executable if language == "python" else "bash", "example")
            assert done.returncode == 0, done.stderr
            shown = json.loads(done.stdout) if text.startswith("curl") else {}
            is_asked = shown.get("result", {}).get("resultType") == "input_required"
            assert "title" in done.stdout or "{}" in done.stdout or is_asked, done.stdout
            assert is_asked == (text.startswith("curl") and mutation == "true"), done.stdout
    assert [language for language, _ in printed].count("python") == 2
    assert [language for language, _ in printed].count("sh") == 2


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
    printed = compiled(tmp_path, SCHEMAS["nested"], "true", "http://127.0.0.1:8000/mcp")
    programs = [text for language, text in printed if language == "python"]
    (tmp_path / "example.py").write_text(programs[0])
    done = run(tmp_path, *mypy(), "example.py")
    assert done.returncode == 0, done.stdout
