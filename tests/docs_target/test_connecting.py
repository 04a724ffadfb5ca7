"""The configurations and programs of "Connect" connect as they are printed, with and without a token."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import pytest
from forkserver import toolspec
from made_programs import service, tool
from mcp import Client, StdioServerParameters
from node_programs import installed, node
from served import TOOLSPEC, free_port, listening
from toolspec.ir import ScopeRule
from toolspec.targets.docs.connecting import TOKEN, connections

SECRET = "s3cret"  # noqa: S105 - of a server that lives as long as a test
SPEC = """\
toolspec: 1
service: {name: tracker, description: Issues of a project.}
tools:
  - name: getIssue
    description: Return one issue.
    scopes: ["issues:read"]
    outputSchema: {type: string}
    mutation: false
"""
VERIFIER = f"""\
from toolspec.runtime import Caller


def verify(token: str) -> Caller | None:
    return Caller(name="ann", scopes=("issues:read",)) if token == "{SECRET}" else None
"""
CLAUDE = "@anthropic-ai/claude-code-linux-x64"
"""The program of the package `@anthropic-ai/claude-code`, whose installation only copies it."""
CLIENTS = ["claude-code", "claude-desktop", "vscode", "cursor", "python-sdk", "typescript-sdk"]


def snippets(server: str, *, has_token: bool) -> dict[str, str]:
    """Return what is printed for each client."""
    made = connections(service(tool("tracker_getIssue"), name="tracker"), server)
    chosen = (pair[has_token] for pair in made.clients)
    return {snippet.key: snippet.text for snippet in chosen}


@contextmanager
def served(folder: Path, *, has_token: bool) -> Iterator[str]:
    """Yield the address of a server that takes one token, or anybody."""
    (folder / "specs").mkdir()
    (folder / "specs" / "tracker.yaml").write_text(SPEC)
    (folder / "verifier.py").write_text(VERIFIER)
    subprocess.run((*TOOLSPEC, "compile"), cwd=folder, check=True, capture_output=True)
    port = free_port()
    guard = ("--verifier", "verifier:verify") if has_token else ("--no-auth",)
    serve = (*TOOLSPEC, "serve", "--transport", "http", "--port", str(port), *guard)
    with listening(folder, serve, port):
        yield f"http://127.0.0.1:{port}/mcp"


def run(folder: Path, *command: str, token: str = SECRET) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, TOKEN: token, "HOME": str(folder)}
    environment["PATH"] = f"{toolspec().parent}{os.pathsep}{environment['PATH']}"
    environment |= {"DISABLE_TELEMETRY": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )


def test_each_client_has_both_forms_and_no_token_is_printed() -> None:
    for has_token in (False, True):
        printed = snippets("https://tools.example.com/mcp", has_token=has_token)
        assert list(printed) == CLIENTS
        for key, text in printed.items():
            assert "https://tools.example.com/mcp" in text, key
            assert ("Bearer" in text) is has_token, key
    configured = json.loads(printed["vscode"])
    (asked,) = configured["inputs"]
    assert asked["password"] is True
    header = configured["servers"]["tracker"]["headers"]["Authorization"]
    assert header == f"Bearer ${{input:{asked['id']}}}"
    entry = json.loads(printed["cursor"])["mcpServers"]["tracker"]
    assert entry["headers"] == {"Authorization": f"Bearer ${{env:{TOKEN}}}"}
    assert f"'Authorization: Bearer ${{{TOKEN}}}'" in printed["claude-code"]


def test_scopes_of_all_tools_are_named_once() -> None:
    rules = (ScopeRule(("b",)),), (ScopeRule(("a", "b")),)
    tools = (tool(f"github_{at}", scopes=rule) for at, rule in enumerate(rules))
    assert connections(service(*tools), "http://x").scopes == ("a", "b")


@pytest.mark.prove
@pytest.mark.parametrize("has_token", [False, True])
def test_a_program_of_the_sdk_connects_as_printed(tmp_path: Path, has_token: bool) -> None:
    with served(tmp_path, has_token=has_token) as server:
        program = snippets(server, has_token=has_token)["python-sdk"]
        done = run(tmp_path, sys.executable, "-c", program)
        assert done.stdout == "tracker_getIssue\n", done.stderr
        if has_token:
            assert run(tmp_path, sys.executable, "-c", program, token="wrong").returncode  # noqa: S106


@pytest.mark.prove
@pytest.mark.parametrize("has_token", [False, True])
def test_a_program_of_the_typescript_sdk_connects_as_printed(
    tmp_path: Path, has_token: bool
) -> None:
    (tmp_path / "node_modules").symlink_to(installed("@modelcontextprotocol/client@2.4.0"))
    with served(tmp_path, has_token=has_token) as server:
        (tmp_path / "example.mjs").write_text(
            snippets(server, has_token=has_token)["typescript-sdk"]
        )
        done = run(tmp_path, node(), "example.mjs")
        assert done.stdout == "tracker_getIssue\n", done.stderr
        if has_token:
            assert run(tmp_path, node(), "example.mjs", token="wrong").returncode  # noqa: S106


@pytest.mark.prove
@pytest.mark.parametrize("has_token", [False, True])
def test_claude_code_connects_as_printed(tmp_path: Path, has_token: bool) -> None:
    if sys.platform != "linux" or platform.machine() != "x86_64":
        pytest.skip("the program is for Linux on x86-64")
    folder = installed(f"{CLAUDE}@2.1.197") / CLAUDE
    with served(tmp_path, has_token=has_token) as server:
        command = snippets(server, has_token=has_token)["claude-code"]
        done = run(tmp_path, "bash", "-c", f"PATH={folder}:$PATH; {command}")
        assert done.returncode == 0, done.stderr
        assert SECRET not in done.stdout + (tmp_path / ".claude.json").read_text()
        listed = run(tmp_path, str(folder / "claude"), "mcp", "list").stdout
        assert f"tracker: {server} (HTTP) - ✔ Connected" in listed
        if has_token:
            refused = run(tmp_path, str(folder / "claude"), "mcp", "list", token="wrong")  # noqa: S106
            assert "Connected" not in refused.stdout


@pytest.mark.prove
@pytest.mark.parametrize("has_token", [False, True])
def test_claude_desktop_starts_a_server_as_printed(tmp_path: Path, has_token: bool) -> None:
    programs = installed("mcp-remote@0.15.1")
    with served(tmp_path, has_token=has_token) as server:
        text = snippets(server, has_token=has_token)["claude-desktop"]
        entry = json.loads(text.replace("YOUR-TOKEN", SECRET))["mcpServers"]["tracker"]
        assert entry["command"] == "npx"
        assert entry["args"][:2] == ["-y", "mcp-remote"]
        command = StdioServerParameters(
            command=node(),
            args=[str(programs / "mcp-remote" / "dist" / "proxy.js"), *entry["args"][2:]],
            env={"HOME": str(tmp_path), "PATH": os.environ["PATH"], **entry.get("env", {})},
        )

        async def names() -> list[str]:
            async with Client(command, mode="legacy") as client:
                return [each.name for each in (await client.list_tools()).tools]

        assert anyio.run(names) == ["tracker_getIssue"]
