"""`examples/notes` as its readers use it: its commands, and its server, called by clients of both eras."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import anyio
import mcp_types as types
import pytest
from checkers import mypy
from forkserver import toolspec
from mcp.shared.exceptions import MCPError
from served import LEGACY, MODERN, Connection, connected, http, pause, stdio

BIN = Path(sys.executable).parent
SERVED = ("--handlers", "notes:Notes", "--approve", "ask")
CREATED = "2026-01-01T00:00:00Z"


@pytest.fixture(scope="module")
def example(repository: Path) -> Path:
    return repository / "examples" / "notes"


@pytest.fixture
def project(example: Path, tmp_path: Path) -> Path:
    """A copy in which notes may be written."""
    ignored = shutil.ignore_patterns("notes.sqlite3*", "__pycache__", ".*_cache", ".toolspec-cache")
    copy = tmp_path / "project"
    shutil.copytree(example, copy, ignore=ignored)
    return copy


def run(folder: Path, *command: str) -> str:
    path = os.pathsep.join([str(toolspec().parent), str(BIN), os.environ["PATH"]])
    done = subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PATH": path, "PYTHONWARNINGS": "error"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@contextmanager
def served(folder: Path, transport: str, mode: str, *options: str) -> Iterator[Connection]:
    with ExitStack() as stack:
        if transport == "http":
            server: Any = stack.enter_context(http(folder, *SERVED, *options))
        else:
            server = stdio(folder, *SERVED, *options)
        yield stack.enter_context(connected(server, mode))


WAYS = [
    pytest.param(
        (transport, mode),
        id=f"{transport}-{mode}",
        marks=[] if transport == "stdio" else pytest.mark.prove,
    )
    for transport in ("stdio", "http")
    for mode in (LEGACY, MODERN)
]


@pytest.fixture(params=[WAYS[1], WAYS[2]])
def way(request: pytest.FixtureRequest) -> tuple[str, str]:
    found: tuple[str, str] = request.param
    return found


@pytest.fixture
def client(project: Path, request: pytest.FixtureRequest) -> Iterator[Connection]:
    transport, mode = request.param
    with served(project, transport, mode) as connection:
        yield connection


every_way = pytest.mark.parametrize("client", WAYS, indirect=True)
crossed = pytest.mark.parametrize("client", [WAYS[1], WAYS[2]], indirect=True)
modern = pytest.mark.parametrize("client", [WAYS[1]], indirect=True)
legacy = pytest.mark.parametrize("client", [WAYS[0], WAYS[2]], indirect=True)


def value(result: Any) -> Any:
    """Return what a tool answered, out of the wrapping that 2025 needs for an array."""
    assert not result.is_error, result
    content = result.structured_content
    return (
        content["result"] if isinstance(content, dict) and set(content) == {"result"} else content
    )


def error(result: Any) -> Any:
    assert result.is_error
    return result.meta["toolspec"]["error"]


def write_many(folder: Path, count: int) -> None:
    """Write notes as another program would: a tool has made the file."""
    rows = [(f"note {number}", "words " * 50, "[]", CREATED, CREATED) for number in range(count)]
    with closing(sqlite3.connect(folder / "notes.sqlite3")) as connection, connection:
        connection.executemany(
            "INSERT INTO notes (title, body, tags, created_at, updated_at) VALUES (?, ?, ?, ?, ?)",
            rows,
        )


def indexes(folder: Path) -> list[int]:
    with closing(sqlite3.connect(folder / "notes.sqlite3")) as connection:
        rows = connection.execute("SELECT number FROM indexes").fetchall()
        return [number for (number,) in rows]


def test_its_spec_is_the_repository_s(example: Path, repository: Path) -> None:
    # A newcomer copies a folder that is whole; only the way to the editor's schema differs.
    own = (example / "specs" / "notes.yaml").read_text().split("\n", 1)
    first = (repository / "specs" / "notes.yaml").read_text().split("\n", 1)
    assert own[1] == first[1]
    schema = own[0].partition("$schema=")[2]
    assert (example / "specs" / schema).resolve().is_file()


def test_generated_is_current(example: Path) -> None:
    run(example, "toolspec", "compile", "--check", "--no-cache")
    run(example, "toolspec", "handlers")


@pytest.mark.prove
def test_it_is_typed(project: Path) -> None:
    run(project, *mypy("--config-file="), "notes", "tests")


def test_the_readme_says_where_is_what(example: Path) -> None:
    readme = (example / "README.md").read_text()
    files = [
        file
        for each in ("specs/*.yaml", "notes/*.py", "tests/t*.py")
        for file in example.glob(each)
    ]
    assert len(files) > 8
    told = [file for file in files if f"`{file.relative_to(example).as_posix()}`" in readme]
    assert told == files


@pytest.mark.prove
def test_the_commands_of_the_readme(project: Path) -> None:
    readme = (project / "README.md").read_text()
    blocks = re.findall(r"^```sh\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    first, *others = (block.splitlines() for block in blocks)
    assert [each.split()[:2] for each in first] == [
        ["toolspec", "compile"],
        ["toolspec", "call"],
        ["python", "-m"],
    ]
    printed = [run(project, "sh", "-c", each) for each in first]
    assert '"title":"Shopping"' in printed[1]
    for command in (each for block in others for each in block):
        run(project, "sh", "-c", command)
    # Hooks beside the answer are given time to end, also by a command that has answered.
    with closing(sqlite3.connect(project / "notes.sqlite3")) as connection:
        uses = connection.execute("SELECT * FROM uses ORDER BY tool").fetchall()
    tools = ("notes_create", "notes_reindex")  # only those that write
    assert uses == [(tool, "ok", 1) for tool in tools]


@pytest.mark.prove
def test_the_programs_of_the_readme(project: Path) -> None:
    readme = (project / "README.md").read_text()
    programs = re.findall(r"^```python (\S+)\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL)
    for name, program in programs:
        (project / name).write_text(program)
    # Whoever reads on has called what stands above, in the same folder.
    above = re.search(r"^toolspec call .* notes_create .*$", readme, re.MULTILINE)
    assert above
    run(project, "sh", "-c", above[0])
    found = run(project, "python", "over_mcp.py").splitlines()
    assert sorted(found) == ["n1 Shopping", "n2 Baking"]
    outcome, note = run(project, "python", "in_process.py").splitlines()
    assert "status='reverted'" in outcome
    assert note == "n1 Errands"
    run(project, *mypy("--config-file="), *dict(programs))


@every_way
def test_the_life_of_a_note(client: Connection) -> None:
    shopping = {"title": "Shopping", "body": "- bread\n- salt", "tags": ["home", "_secret"]}
    note = value(client.call("notes_create", shopping))
    assert (note["id"], note["tags"]) == ("n1", ["home"])
    value(client.call("notes_create", {"title": "Bread", "body": "Loaves."}))
    found = value(client.call("notes_search", {"query": "bread"}))
    assert [each["id"] for each in found["notes"]] == ["n2", "n1"]
    assert found["notes"][1]["body"] == "- **bread**\n- salt"
    assert value(client.call("notes_search", {"query": "loaves", "tag": "home"}))["total"] == 0
    changed = value(client.call("notes_update", {"id": "n1", "body": "- butter"}))
    assert changed["previous"] == note
    assert value(client.call("notes_search", {"query": "salt"}))["total"] == 0
    assert value(client.call("notes_statistics"))["tags"] == {"home": 1}
    captured = value(client.call("notes_capture", {"x": [1, None]}))
    assert captured["title"] == "Captured: x"
    exported = value(client.call("notes_export"))
    assert [each["title"] for each in exported] == ["Shopping", "Bread", "Captured: x"]
    assert value(client.call("notes_delete", {"id": "n1"})) == changed["note"]
    assert value(client.call("notes_statistics"))["notes"] == 2
    assert [question.split("\n")[0] for question in client.person.asked] == [
        "Allow Write a note (notes_create)?",
        "Allow Write a note (notes_create)?",
        "Allow Update (notes_update)?",
        "Allow Capture (notes_capture)?",
        "Allow Delete (notes_delete)?",
    ]


@crossed
def test_errors_are_those_that_the_spec_declares(client: Connection) -> None:
    value(client.call("notes_create", {"title": "Shopping"}))
    known = error(client.call("notes_create", {"title": "Shopping"}))
    assert (known["category"], known["code"], known["retryable"]) == ("conflict", "conflict", False)
    gone = error(client.call("notes_delete", {"id": "n404"}))
    assert (gone["category"], gone["code"]) == ("not_found", "not_found")
    empty = error(client.call("notes_update", {"id": "n1"}))
    assert empty["category"] == "validation"


@modern
def test_what_the_person_refuses_does_not_happen(client: Connection) -> None:
    client.person.action = "decline"
    assert error(client.call("notes_create", {"title": "No"}))["category"] == "permission"
    assert value(client.call("notes_statistics"))["notes"] == 0


@every_way
def test_an_export_comes_note_by_note(client: Connection) -> None:
    for title in ("First", "Second"):
        value(client.call("notes_create", {"title": title}))
    result, reports = client.reports("notes_export")
    assert [each["title"] for each in value(result)] == ["First", "Second"]
    messages = [message for _, _, message in reports]
    assert ["First" in messages[0], "Second" in messages[1], len(messages)] == [True, True, 2]


@every_way
def test_reindexing_reports_its_progress(client: Connection, project: Path) -> None:
    value(client.call("notes_create", {"title": "Loaves"}))
    write_many(project, 450)
    result, reports = client.reports("notes_reindex", {"batch": 200})
    assert value(result)["indexed"] == 451
    assert reports == [
        (200, 451, "notes are in the new index"),
        (400, 451, "notes are in the new index"),
        (451, 451, "notes are in the new index"),
    ]
    assert value(client.call("notes_search", {"query": "loaf loaves"}))["total"] == 0
    assert value(client.call("notes_search", {"query": "loaves"}))["total"] == 1


@pytest.mark.prove
@every_way
def test_a_client_that_gives_up_half_way_leaves_the_old_index(
    client: Connection, project: Path
) -> None:
    value(client.call("notes_create", {"title": "Loaves"}))
    write_many(project, 20_000)

    async def give_up() -> float:
        reached = 0.0
        with anyio.CancelScope() as scope:

            async def listen(progress: float, total: float | None, message: str | None) -> None:
                nonlocal reached
                reached = progress
                scope.cancel()

            await client.client.call_tool("notes_reindex", {"batch": 100}, progress_callback=listen)
        return reached

    while not client.person.asked[1:]:  # the first round of 2026 only asks
        assert 0 < client.portal.call(give_up) < 20_000
    _await_one_index(client, project, 1)
    assert value(client.call("notes_search", {"query": "loaves"}))["total"] == 1
    value(client.call("notes_create", {"title": "Fresh"}))
    assert value(client.call("notes_search", {"query": "fresh"}))["total"] == 1


def _await_one_index(client: Connection, project: Path, number: int) -> None:
    for _ in range(200):
        if indexes(project) == [number]:
            return
        pause(client)
    assert indexes(project) == [number]


@legacy
def test_a_task_is_followed_and_called_off(client: Connection, project: Path) -> None:
    value(client.call("notes_create", {"title": "Key", "body": "The key is under the mat."}))
    asked = client.start("notes_ask", {"input": "Where is the key?"})
    assert _outcome(client, asked) == {"answer": "The key is under the mat.", "sources": ["n1"]}
    write_many(project, 20_000)
    task = client.start("notes_reindex", {"batch": 100})
    state = _state(client, task)
    while state.status_message != "notes are in the new index":
        pause(client, 0.01)
        state = _state(client, task)
    client.send(
        types.CancelTaskRequest(params=types.CancelTaskRequestParams(task_id=task.task_id)),
        types.CancelTaskResult,
    )
    assert _state(client, task).status == "cancelled"
    _await_one_index(client, project, 1)


def _state(client: Connection, task: types.Task) -> types.GetTaskResult:
    params = types.GetTaskRequestParams(task_id=task.task_id)
    found = client.send(types.GetTaskRequest(params=params), types.GetTaskResult)
    assert isinstance(found, types.GetTaskResult)
    return found


def _outcome(client: Connection, task: types.Task) -> Any:
    return value(client.task_result(task.task_id))


@legacy
def test_a_question_is_asked_as_a_task(client: Connection) -> None:
    with pytest.raises(MCPError) as caught:
        client.call("notes_ask", {"input": "Where is the key?"})
    assert caught.value.code == types.METHOD_NOT_FOUND


@modern
def test_2026_has_no_tasks_and_answers_a_question_at_once(client: Connection) -> None:
    answer = value(client.call("notes_ask", {"input": "Where is the key?"}))
    assert answer == {"answer": None, "sources": []}


def test_read_only_refuses_what_writes(project: Path, way: tuple[str, str]) -> None:
    with served(project, *way) as client:
        value(client.call("notes_create", {"title": "First"}))
    (project / "settings.toml").write_text("[notes]\nreadOnly = true\n")
    with served(project, *way, "--settings", "settings.toml") as client:
        for tool, arguments in (
            ("notes_create", {"title": "Second"}),
            ("notes_update", {"id": "n1", "body": "more"}),
            ("notes_delete", {"id": "n1"}),
            ("notes_reindex", {}),
        ):
            refused = error(client.call(tool, arguments))
            assert (refused["category"], refused["code"]) == ("permission", "read_only")
        assert value(client.call("notes_search", {"query": "first"}))["total"] == 1


@pytest.mark.prove
def test_two_processes_share_a_file(project: Path) -> None:
    with served(project, "stdio", MODERN) as one, served(project, "http", LEGACY) as other:
        for number in range(20):
            client = (one, other)[number % 2]
            value(client.call("notes_create", {"title": f"Note {number}"}))
        assert value(one.call("notes_search", {"query": "note"}))["total"] == 20
        value(other.call("notes_delete", {"id": "n1"}))
        assert value(one.call("notes_search", {"query": "note"}))["total"] == 19
        assert error(one.call("notes_create", {"title": "Note 5"}))["code"] == "conflict"


@pytest.mark.prove
@crossed
def test_a_locked_file_is_told_of(client: Connection, project: Path) -> None:
    value(client.call("notes_create", {"title": "First"}))
    with _locked(project):
        busy = error(client.call("notes_create", {"title": "Second"}))
        assert (busy["category"], busy["code"]) == ("unavailable", "database_locked")
        assert (busy["retryable"], busy["retry_after_ms"]) == (True, 1000)
        assert value(client.call("notes_search", {"query": "first"}))["total"] == 1
    value(client.call("notes_create", {"title": "Second"}))


def _locked(project: Path) -> AbstractContextManager[sqlite3.Connection]:
    connection = sqlite3.connect(project / "notes.sqlite3", isolation_level=None)
    connection.execute("BEGIN IMMEDIATE")
    return closing(connection)
