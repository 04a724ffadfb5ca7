"""Calls that run as tasks, for clients of 2025-11-25."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import mcp_types as types
import pytest
from lab_server import LAB
from mcp.shared.exceptions import MCPError
from served import LEGACY, MODERN, Connection, connected, http, pause, stdio
from toolspec.serving import tasks


@pytest.fixture(scope="module", params=["stdio", "http"])
def client(request: pytest.FixtureRequest, lab: Path) -> Iterator[Connection]:
    if request.param == "stdio":
        with connected(stdio(lab, *LAB), LEGACY) as connection:
            yield connection
    else:
        with http(lab, *LAB, "--no-auth") as address, connected(address, LEGACY) as connection:
            yield connection


def start(client: Connection, tool: str, ttl: int | None = None, **arguments: Any) -> types.Task:
    return client.start(tool, arguments, ttl)


def get(client: Connection, task: str) -> types.GetTaskResult:
    params = types.GetTaskRequestParams(task_id=task)
    found = client.send(types.GetTaskRequest(params=params), types.GetTaskResult)
    assert isinstance(found, types.GetTaskResult)
    return found


def cancel(client: Connection, task: str) -> types.CancelTaskResult:
    params = types.CancelTaskRequestParams(task_id=task)
    found = client.send(types.CancelTaskRequest(params=params), types.CancelTaskResult)
    assert isinstance(found, types.CancelTaskResult)
    return found


def test_tasks_are_offered(client: Connection) -> None:
    offered = client.client.server_capabilities.tasks
    assert offered is not None
    assert offered.list is not None
    assert offered.cancel is not None
    assert offered.requests is not None
    assert offered.requests.tools is not None


def test_a_task_runs_to_its_result(client: Connection) -> None:
    task = start(client, "lab_job", ttl=60_000)
    assert (task.status, task.ttl) == ("working", 60_000)
    found = client.task_result(task.task_id)
    assert found.structured_content == {"result": [1, 2]}
    assert found.meta is not None
    assert found.meta["io.modelcontextprotocol/related-task"] == {"taskId": task.task_id}
    state = get(client, task.task_id)
    assert (state.status, state.status_message) == ("completed", "half done")
    assert state.created_at <= state.last_updated_at
    assert client.task_result(task.task_id) == found


def test_an_optional_task_may_be_called_plainly(client: Connection) -> None:
    assert client.call("lab_job").structured_content == {"result": [1, 2]}


@pytest.mark.parametrize(
    ("tool", "as_task"), [("lab_echo", True), ("lab_risky", False)], ids=["forbidden", "required"]
)
def test_task_support_is_held_to(client: Connection, tool: str, as_task: bool) -> None:
    with pytest.raises(MCPError) as caught:
        start(client, tool) if as_task else client.call(tool)
    assert caught.value.code == types.METHOD_NOT_FOUND


def test_a_task_that_fails(client: Connection) -> None:
    task = start(client, "lab_job", how="badly")
    found = client.task_result(task.task_id)
    assert found.is_error
    state = get(client, task.task_id)
    assert state.status == "failed"
    assert state.status_message == found.content[0].text
    assert "it broke" in state.status_message


def test_wrong_arguments_fail_a_task(client: Connection) -> None:
    task = start(client, "lab_job", how="sideways").task_id
    found = client.task_result(task)
    assert found.is_error
    assert found.meta is not None
    assert found.meta["toolspec"]["error"]["code"] == "validation"
    assert "$.how" in (get(client, task).status_message or "")


def test_cancelling_a_task_ends_its_handler(client: Connection) -> None:
    before = _seen(client).count("called off True")
    task = start(client, "lab_job", how="forever")
    while _seen(client)[-1:] != ["waiting"]:
        pause(client)
    assert cancel(client, task.task_id).status == "cancelled"
    while _seen(client).count("called off True") == before:
        pause(client)
    assert get(client, task.task_id).status == "cancelled"
    with pytest.raises(MCPError) as twice:
        cancel(client, task.task_id)
    assert twice.value.code == types.INVALID_PARAMS
    with pytest.raises(MCPError):
        client.task_result(task.task_id)


def _seen(client: Connection) -> list[str]:
    return list(client.call("lab_seen").structured_content["result"])


def test_a_task_asks_the_person(client: Connection) -> None:
    client.person.asked.clear()
    found = client.task_result(start(client, "lab_risky").task_id)
    assert not found.is_error, found
    assert len(client.person.asked) == 1


def test_tasks_are_listed_and_forgotten_after_their_time(client: Connection) -> None:
    kept = start(client, "lab_job").task_id
    brief = start(client, "lab_job", ttl=1).task_id
    client.task_result(kept)
    pause(client, 0.1)
    listed = client.send(types.ListTasksRequest(), types.ListTasksResult)
    ids = [each.task_id for each in listed.tasks]
    assert kept in ids
    assert brief not in ids
    with pytest.raises(MCPError) as caught:
        get(client, brief)
    assert caught.value.code == types.INVALID_PARAMS


def test_another_session_does_not_see_a_task(client: Connection, lab: Path) -> None:
    if not isinstance(client.client.server, str):
        pytest.skip("a server on stdio has one client")
    task = start(client, "lab_job").task_id
    with connected(client.client.server, LEGACY) as other:
        with pytest.raises(MCPError):
            get(other, task)
        assert not other.send(types.ListTasksRequest(), types.ListTasksResult).tasks


def test_a_task_tool_is_a_plain_call_where_the_revision_has_no_tasks(lab: Path) -> None:
    with connected(stdio(lab, *LAB), MODERN) as newer:
        assert newer.call("lab_risky").structured_content is True
        with pytest.raises(MCPError) as caught:
            get(newer, "any")
        assert caught.value.code == types.METHOD_NOT_FOUND
        assert json.loads(newer.call("lab_job").content[0].text) == [1, 2]


def test_a_task_that_ignores_its_end_keeps_no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tasks, "LAST_SECONDS", 0.01)

    async def close() -> bool:
        store, released = tasks.TaskStore(), asyncio.Event()

        async def stubborn(_: tasks.StoredTask) -> dict[str, Any]:
            while not released.is_set():
                with contextlib.suppress(asyncio.CancelledError):
                    await released.wait()
            return {}

        kept = store.start("me", None, stubborn)
        await asyncio.sleep(0)
        await store.close()
        assert kept.work is not None
        goes_on = not kept.work.done()
        released.set()
        await kept.work
        return goes_on

    assert asyncio.run(close())
