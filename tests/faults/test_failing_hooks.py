"""A hook that is told of errors and lets out a cancellation of its own: the server goes on for all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from mcp.shared.exceptions import MCPError
from sampling import sampled
from served import LEGACY, MODERN, connected, http, stdio

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HANDLERS = ("--handlers", "app:hooked", "--approve", "auto")


@pytest.fixture(scope="module")
def address(faulty: Path) -> Iterator[str]:
    with http(faulty, *HANDLERS) as found:
        yield found


@pytest.mark.parametrize("mode", [LEGACY, MODERN])
@pytest.mark.parametrize("transport", sampled(["stdio", "http"], 1))
def test_a_failing_hook_ends_neither_its_call_nor_the_server(
    request: pytest.FixtureRequest, faulty: Path, transport: str, mode: str
) -> None:
    on_http = transport == "http"
    server: Any = request.getfixturevalue("address") if on_http else stdio(faulty, *HANDLERS)
    with connected(server, mode) as client:
        for tool, category in (("throw", "internal"), ("close", "internal"), ("slow", "")):
            result = client.call(f"faulty_{tool}")
            error = result.meta["toolspec"]["error"] if result.is_error else {"category": ""}
            assert error["category"] == category
        with pytest.raises(MCPError):
            client.call("faulty_nothing")
        assert not client.call("faulty_ping").is_error
