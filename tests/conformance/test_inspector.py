"""The MCP Inspector's command line against the six example services: nothing that is not meant."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from node_programs import installed, node
from served import http

pytestmark = pytest.mark.prove

INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
ALL = 40
NULLABLE = {
    ("billing_get_customer", "type-union", "outputSchema", "$defs.Customer.properties.name"),
    ("billing_cancel_subscription", "type-union", "outputSchema", "properties.ends_at"),
    ("github_getTree", "type-union", "outputSchema", "$defs.TreeEntry.properties.size"),
    ("github_listIssues", "type-union", "outputSchema", "properties.next"),
    ("slack_list_channels", "type-union", "inputSchema", "properties.topic"),
    ("slack_list_channels", "type-union", "outputSchema", "properties.next_cursor"),
}
"""All that `--strict` finds: warnings of `type: [string, "null"]`, the plain way to say that a value may be
missing, which the specs show on purpose."""
FAILED = 5  # the exit status for a tool that says `isError`, and for one that is not there

Inspect = Callable[..., tuple[int, Any]]


@pytest.fixture(scope="module")
def program() -> Path:
    package = installed(INSPECTOR) / "@modelcontextprotocol" / "inspector"
    return package / "clients" / "launcher" / "build" / "index.js"


@pytest.fixture(scope="module")
def address(repository: Path) -> Iterator[str]:
    with http(repository, "--approve", "auto") as found:
        yield found


@pytest.fixture(
    params=[
        (transport, era) for transport in ("stdio", "http") for era in ("legacy", "modern", "auto")
    ],
    ids=" ".join,
)
def inspect(
    request: pytest.FixtureRequest, program: Path, repository: Path, tmp_path: Path
) -> Inspect:
    transport, era = request.param
    if transport == "http":
        server = (request.getfixturevalue("address"), "--transport", "http")
    else:
        script = tmp_path / "serve.py"
        script.write_text(
            "import sys\nsys.argv[1:] = ['serve', '--approve', 'auto']\nfrom toolspec.cli.main import main; main()\n"
        )
        server = ("--cwd", str(repository), sys.executable, str(script))
    start = [node(), str(program), "--cli", "--protocol-era", era, "--format", "json"]

    def inspected(*options: str) -> tuple[int, Any]:
        done = subprocess.run(
            [*start, *options, *server],
            env={**os.environ, "HOME": str(tmp_path)},  # where it keeps what it knows
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        return done.returncode, json.loads(done.stdout) if done.stdout.strip() else done.stderr

    return inspected


def test_the_list_has_no_more_than_the_meant_findings(inspect: Inspect) -> None:
    status, listed = inspect("--method", "tools/list", "--strict")
    assert status == 0
    assert len(listed["result"]["tools"]) == ALL
    found = {
        (each["toolName"], finding["rule"], finding["schema"], finding["path"])
        for each in listed["schemaFindings"]
        for finding in each["findings"]
    }
    assert found == NULLABLE


@pytest.mark.parametrize(
    ("tool", "arguments", "expected"),
    [
        ("notes_search", {"query": "quantum bread"}, {"notes": [], "total": 0}),
        ("notes_delete", {"id": "n404"}, "not_found"),
        ("notes_search", {}, "validation"),
        ("notes_serach", {"query": "bread"}, None),
    ],
    ids=["read", "failing", "wrong arguments", "unknown"],
)
def test_a_call(inspect: Inspect, tool: str, arguments: Any, expected: Any) -> None:
    given = ("--tool-name", tool, "--tool-args-json", json.dumps(arguments))
    status, answer = inspect("--method", "tools/call", *given)
    if isinstance(expected, dict):
        assert (status, answer["result"]["structuredContent"]) == (0, expected)
        return
    assert status == FAILED
    if expected is None:
        assert "tool_not_found" in answer
    else:
        assert answer["result"]["_meta"]["toolspec"]["error"]["code"] == expected
