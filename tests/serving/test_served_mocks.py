"""The example services without handlers: every tool listed and called, in both eras."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import mcp_types as types
import pytest
from sampling import sampled
from served import LEGACY, MODERN, Connection, connected, http, stdio
from toolspec.shared.samples import sample

ALL = 40
"""Tools of the six services; of one that has two versions the highest is listed."""


@pytest.fixture(scope="module")
def address(repository: Path) -> Iterator[str]:
    with http(repository) as found:
        yield found


@pytest.fixture(
    scope="module",
    params=sampled([("stdio", LEGACY), ("stdio", MODERN), ("http", LEGACY), ("http", MODERN)], 2),
    ids=" ".join,
)
def client(request: pytest.FixtureRequest, repository: Path) -> Iterator[Connection]:
    transport, mode = request.param
    server: Any = stdio(repository) if transport == "stdio" else request.getfixturevalue("address")
    with connected(server, mode) as connection:
        yield connection


def is_modern(client: Connection) -> bool:
    return client.client.protocol_version == "2026-07-28"


def test_the_list_is_that_of_every_service(client: Connection, repository: Path) -> None:
    listed = client.portal.call(client.client.list_tools).tools
    file = "mcp.json" if is_modern(client) else "mcp-2025-11-25.json"
    manifests = sorted((repository / "generated").glob(f"*/{file}"))
    expected = [tool for each in manifests for tool in json.loads(each.read_text())["tools"]]
    assert len(expected) == ALL
    found = [tool.model_dump(by_alias=True, exclude_none=True, mode="json") for tool in listed]
    assert found == expected


def answered(client: Connection, tool: types.Tool, arguments: Any) -> Any:
    """Call a tool in the way that it allows: as a task where it has to be one."""
    if tool.execution is None or tool.execution.task_support != "required":
        return client.call(tool.name, arguments)
    return client.task_result(client.start(tool.name, arguments).task_id)


def test_every_tool_answers_what_it_promises(client: Connection) -> None:
    tools = client.portal.call(client.client.list_tools).tools
    assert len(tools) == ALL
    for tool in tools:
        arguments = sample(json.dumps(tool.input_schema), tool.name)
        result = answered(client, tool, arguments)
        assert not result.is_error, (tool.name, arguments, result)
        if tool.output_schema is not None:
            schema = jsonschema_rs.validator_for(tool.output_schema)
            schema.validate(result.structured_content)


def test_the_server_speaks_for_all_services(client: Connection) -> None:
    assert "Search before you create" in (client.client.instructions or "")
    assert client.client.server_info.name == "toolspec"


def test_an_example_answers_its_own_input(client: Connection) -> None:
    result = client.call("notes_search", {"query": "quantum bread"})
    assert result.structured_content == {"notes": [], "total": 0}
    gone = client.call("notes_delete", {"id": "n404"})
    assert gone.is_error
    error = gone.meta["toolspec"]["error"]
    assert (error["code"], error["message"]) == ("not_found", "There is no such note.")


def test_another_input_gets_the_first_example(client: Connection) -> None:
    result = client.call("notes_create", {"title": "Something else"})
    assert result.structured_content["title"] == "Shopping"


def test_the_same_seed_gives_the_same_values(client: Connection) -> None:
    one, other = (client.call("notes_statistics") for _ in range(2))
    assert one.structured_content == other.structured_content
