"""Every command where jsonschema-rs cannot be imported: the package jsonschema validates instead."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TOOLSPEC = (sys.executable, "-m", "toolspec")
# Python runs it at the start of each process, children of the compiler included.
BLOCK = "import sys\nsys.modules['jsonschema_rs'] = None\n"
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("blocked")
    (folder / "sitecustomize.py").write_text(BLOCK)
    given = {name: value for name, value in os.environ.items() if name != "TOOLSPEC_VALIDATOR"}
    return {**given, "PYTHONPATH": os.pathsep.join((str(folder), *filter(None, sys.path)))}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> Path:
    folder = tmp_path_factory.mktemp("started")
    assert run(environment, folder, "init", "project").returncode == 0
    made = run(environment, folder / "project", "compile", "--jobs", "2")
    assert made.returncode == 0, made.stdout + made.stderr
    return folder / "project"


def run(
    environment: dict[str, str], folder: Path, *words: str, given: str = ""
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*TOOLSPEC, *words],
        cwd=folder,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "jsonschema_rs" not in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
    return done


def test_the_version_names_the_validator(environment: dict[str, str], tmp_path: Path) -> None:
    assert "\nvalidator: jsonschema 4." in run(environment, tmp_path, "-V", "--verbose").stdout


@pytest.mark.prove
def test_documents_are_checked_and_formatted(environment: dict[str, str], project: Path) -> None:
    for words in (("check",), ("check", "--fix"), ("fmt", "--check"), ("compile", "--check")):
        done = run(environment, project, *words)
        assert done.returncode == 0, done.stdout + done.stderr


def test_a_wrong_document_gets_its_diagnostics(
    environment: dict[str, str], project: Path, tmp_path: Path
) -> None:
    text = next((project / "specs").glob("*.yaml")).read_text("utf-8")
    wrong = text.replace("type: string", "type: strng", 1).replace("mutation:", "muation:", 1)
    (tmp_path / "wrong.yaml").write_text(wrong, encoding="utf-8")
    done = run(environment, tmp_path, "check", "wrong.yaml")
    assert done.returncode == 1
    assert "error[schema/unknown-type]" in done.stdout
    assert "`mutation`" in done.stdout


@pytest.mark.prove
def test_a_tool_is_called(environment: dict[str, str], project: Path) -> None:
    own = ("--handlers", "app.todo:Todo", "--yes")
    done = run(environment, project, "call", "todo_addItem", "text=tea", *own)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"number": 1, "text": "tea", "done": False}
    refused = run(environment, project, "call", "todo_addItem", "text=", *own)
    assert refused.returncode != 0
    assert "$.text" in refused.stderr


@pytest.mark.prove
def test_a_service_is_served(environment: dict[str, str], project: Path) -> None:
    params = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"},
    }
    call = {"name": "todo_addItem", "arguments": {"text": 5}}
    messages = (
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": call},
    )
    server = subprocess.Popen(
        [*TOOLSPEC, "serve"],
        cwd=project,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    with server:
        assert server.stdin is not None
        assert server.stdout is not None
        for each in messages:
            server.stdin.write(json.dumps(each) + "\n")
            server.stdin.flush()
        answers = [json.loads(server.stdout.readline()) for _ in range(2)]
        server.stdin.close()
    assert answers[0]["result"]["serverInfo"]
    assert answers[1]["result"]["isError"]
    assert "$.text" in answers[1]["result"]["content"][0]["text"]


@pytest.mark.prove
def test_tests_of_the_runtime_pass(environment: dict[str, str]) -> None:
    """Two files of them: `make test` runs the whole folder with TOOLSPEC_VALIDATOR."""
    files = [f"tests/runtime/test_runtime_{name}.py" for name in ("formats", "output")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist", *files],
        cwd=TESTS.parent,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:]
