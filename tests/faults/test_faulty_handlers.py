"""Handlers that go wrong behind a server, in every way: each ends as designed, and the server goes on."""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.shared.exceptions import MCPError
from sampling import sampled
from served import LEGACY, MODERN, Connection, connected, http, stdio

HANDLERS = ("--handlers", "app:registry", "--approve", "auto")
MEBIBYTE = 1 << 20


@pytest.fixture(scope="module")
def address(faulty: Path) -> Iterator[str]:
    with http(faulty, *HANDLERS) as found:
        yield found


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((transport, mode), marks=marks, id=f"{transport} {mode}")
        for transport, mode, marks in (
            ("stdio", LEGACY, pytest.mark.prove),
            ("stdio", MODERN, pytest.mark.prove),
            ("http", LEGACY, pytest.mark.prove),
            ("http", MODERN, ()),
        )
    ],
)
def client(request: pytest.FixtureRequest, faulty: Path) -> Iterator[Connection]:
    transport, mode = request.param
    server: Any = (
        stdio(faulty, *HANDLERS) if transport == "stdio" else request.getfixturevalue("address")
    )
    with connected(server, mode) as connection:
        yield connection


@pytest.fixture(autouse=True)
def alive(client: Connection) -> Iterator[None]:
    """The process that answers after a fault is the one that answered before it."""
    before = value_of(client.call("faulty_ping"))
    yield
    assert value_of(client.call("faulty_ping")) == before


def value_of(result: Any) -> Any:
    assert not result.is_error, result
    found = result.structured_content
    return found["result"] if isinstance(found, dict) else found


def error_of(result: Any) -> dict[str, Any]:
    assert result.is_error, result
    found: dict[str, Any] = result.meta["toolspec"]["error"]
    return found


@pytest.mark.parametrize(
    ("tool", "category", "code"),
    sampled(
        [
            ("throw", "internal", "internal"),
            ("leave", "internal", "internal"),
            ("leave_thread", "internal", "internal"),
            ("astray", "internal", "internal"),
            ("close", "internal", "internal"),
            ("close_stream", "internal", "internal"),
            ("panic", "internal", "internal"),
            ("interrupt", "internal", "internal"),
            ("interrupt_stream", "internal", "internal"),
            ("interrupt_thread", "internal", "internal"),
            ("misshape", "output", "output"),
            ("unsayable", "output", "output"),
            ("hang", "timeout", "idle_timeout"),
            ("hang_thread", "timeout", "idle_timeout"),
            ("stubborn", "timeout", "idle_timeout"),
            ("endless", "timeout", "total_timeout"),
            ("endless_rush", "timeout", "total_timeout"),
            ("endless_stubborn", "timeout", "total_timeout"),
        ],
        3,
        rows=True,
    ),
)
def test_a_handler_that_goes_wrong_ends_with_its_error(
    client: Connection, tool: str, category: str, code: str
) -> None:
    error = error_of(client.call(f"faulty_{tool}"))
    assert (error["category"], error["code"]) == (category, code)
    assert error["request_id"]
    assert "s3cret" not in str(error)


@pytest.mark.parametrize("tool", sampled(["endless", "endless_rush", "endless_stubborn"], 1))
def test_a_stream_without_end_is_cut_where_somebody_listens(client: Connection, tool: str) -> None:
    result, reports = client.reports(f"faulty_{tool}")
    assert error_of(result)["code"] == "total_timeout"
    assert reports


def test_others_are_served_while_a_handler_rushes(client: Connection) -> None:
    async def both() -> list[Any]:
        rushing = client.client.call_tool("faulty_endless_rush", {})
        return await asyncio.gather(rushing, client.client.call_tool("faulty_slow", {}))

    rushed, slow = client.portal.call(both)
    assert error_of(rushed)["code"] == "total_timeout"
    assert value_of(slow) == 1


def test_ten_mebibytes_are_taken_or_clearly_refused(client: Connection, request: Any) -> None:
    text = "x" * (10 * MEBIBYTE)
    if "stdio" in request.node.name:
        assert value_of(client.call("faulty_measure", {"text": text})) == len(text)
        return
    with pytest.raises(MCPError) as caught:
        client.call("faulty_measure", {"text": text})
    assert caught.value.message


def test_three_mebibytes_are_taken_by_all(client: Connection) -> None:
    text = "é" * (3 * MEBIBYTE // 2)
    assert value_of(client.call("faulty_measure", {"text": text})) == len(text)


@pytest.mark.prove
@pytest.mark.parametrize("count", [200, 1000])
def test_many_calls_at_once_are_answered_or_told_when_to_come_back(
    client: Connection, count: int
) -> None:
    async def flood() -> list[Any]:
        call = client.client.call_tool
        calls = (call("faulty_crowd", {}, read_timeout_seconds=300) for _ in range(count))
        return await asyncio.gather(*calls)

    answers = client.portal.call(flood)
    ends = Counter("ok" if not each.is_error else error_of(each)["code"] for each in answers)
    # Handlers of earlier tests that did not stop when they were told to may still have their places.
    assert ends["ok"] >= 20
    assert ends["too_many_calls"] >= 1
    assert ends["ok"] + ends["too_many_calls"] == count, "none is lost"
    for each in answers:
        if each.is_error:
            error = error_of(each)
            assert (error["category"], error["retryable"]) == ("rate_limit", True)
            assert error["retry_after_ms"] > 0
    print(f"\n{count} calls at once: {dict(ends)}")


def test_a_locked_store_is_told_before_the_effect(client: Connection, faulty: Path) -> None:
    client.call("faulty_record", {"n": 0})
    before = value_of(client.call("faulty_recorded"))
    lock = sqlite3.connect(faulty / "calls.db", isolation_level=None)
    try:
        lock.execute("BEGIN EXCLUSIVE")
        for arguments in ({"n": 1}, {"n": 1, "idempotency_key": "locked"}):
            error = error_of(client.call("faulty_record", arguments))
            assert (error["category"], error["code"]) == ("unavailable", "store_unavailable")
            assert error["retryable"]
    finally:
        lock.close()
    assert value_of(client.call("faulty_recorded")) == before
    assert value_of(client.call("faulty_record", {"n": 1})) == before + 1


def test_a_full_disk_is_told_before_the_effect(client: Connection) -> None:
    before = value_of(client.call("faulty_recorded"))
    assert value_of(client.call("faulty_shrink", {"full": True}))
    try:
        for arguments in ({"n": 1}, {"n": 1, "idempotency_key": "full"}):
            error = error_of(client.call("faulty_record", arguments))
            assert (error["category"], error["code"]) == ("unavailable", "store_unavailable")
    finally:
        client.call("faulty_shrink", {"full": False})
    assert value_of(client.call("faulty_recorded")) == before
    assert value_of(client.call("faulty_record", {"n": 1})) == before + 1
