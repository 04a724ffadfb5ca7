"""What OpenTelemetry gets of a server, in a process that has set it up; and nothing elsewhere."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from served import LEGACY, MODERN, Connection, connected, http, make_handled, stdio

HERE = Path(__file__).parent
TRACED = ("--handlers", "traced:Traced", "--approve", "ask")


@pytest.fixture(scope="module")
def till(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = make_handled(tmp_path_factory.mktemp("traced") / "project", HERE / "till.yaml")
    shutil.copy(HERE / "traced_handlers.py", folder / "traced.py")
    return folder


def told(client: Connection, name: str) -> Any:
    content: Any = client.call("till_look", {"name": name}).structured_content
    return json.loads(content["result"] if isinstance(content, dict) else content)


def points(exported: Any, name: str) -> list[Any]:
    (resource,) = exported["resource_metrics"]
    found = [metric for scope in resource["scope_metrics"] for metric in scope["metrics"]]
    return [
        point
        for metric in found
        if metric["name"] == name
        for point in metric["data"]["data_points"]
    ]


@pytest.mark.parametrize(("transport", "mode"), [("stdio", LEGACY), ("http", MODERN)])
def test_spans_and_metrics_say_how_calls_end(
    till: Path, transport: str, mode: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("FOLDER", str(tmp_path))
    (tmp_path / "p.go").touch()
    if transport == "stdio":
        check(connected(stdio(till, *TRACED, FOLDER=str(tmp_path)), mode), "pipe", mode)
    else:
        with http(till, *TRACED) as address:
            check(connected(address, mode), "tcp", mode)


def check(connection: Any, transport: str, mode: str) -> None:
    with connection as client:
        assert not client.call("till_count").is_error
        missing = client.call("till_look", {"name": "nowhere"})
        assert not client.call("till_pay", {"name": "p"}).is_error
        spans = [span for span in told(client, "spans") if span["name"].startswith("tools/call")]
        by_tool = {span["attributes"]["gen_ai.tool.name"]: span["attributes"] for span in spans}
        look = by_tool["till_look"]
        error = missing.meta["toolspec"]["error"]
        assert look["toolspec.error.code"] == error["code"] == "not_found"
        assert look["toolspec.request_id"] == error["request_id"]
        assert look["error.type"] == "tool_error"
        assert (look["toolspec.outcome"], look["toolspec.risk"]) == ("error", 0)
        assert len(look["toolspec.definitions"]) == 12
        pay = by_tool["till_pay"]
        assert (pay["toolspec.approval"], pay["toolspec.risk"]) == ("granted", 2)
        if mode == LEGACY:
            assert pay["toolspec.approval_wait"] > 0
        exported = told(client, "metrics")
        durations = points(exported, "mcp.server.operation.duration")
        calls = [
            each for each in durations if each["attributes"]["mcp.method.name"] == "tools/call"
        ]
        counts = {each["attributes"].get("error.type", ""): each["count"] for each in calls}
        assert counts == {"": 3 + (mode == MODERN), "tool_error": 1}
        assert {each["attributes"]["network.transport"] for each in calls} == {transport}
        active = points(exported, "toolspec.server.active_calls")
        running = {each["attributes"]["gen_ai.tool.name"]: each["value"] for each in active}
        assert running == {"till_count": 0, "till_look": 1, "till_pay": 0}


@pytest.mark.prove
def test_without_an_sdk_nothing_of_it_is_imported(till: Path) -> None:
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from toolspec.serving.options import Options\n"
        "from toolspec.serving.serve import prepare, server_of\n"
        f"options = Options({str(till / 'generated')!r}, 'generated', ('app:Till',)).of_this_build()\n"
        "server = server_of(options, prepare(options), has_tasks=True)\n"
        "names = [type(item).__name__ for item in server.middleware]\n"
        "assert 'Telemetry' not in names, names\n"
        "assert 'opentelemetry.sdk' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=till, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
