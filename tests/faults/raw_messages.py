"""Messages of MCP as they stand on the wire, for clients that do not do as they should."""

from __future__ import annotations

from typing import Any

HEADERS = {"accept": "application/json, text/event-stream", "content-type": "application/json"}


def message(method: str, params: Any, number: int | None = None) -> dict[str, Any]:
    called = {"jsonrpc": "2.0", "method": method, "params": params}
    return called if number is None else {**called, "id": number}


HELLO = message(
    "initialize",
    {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "goes", "version": "1"},
    },
    1,
)
READY = message("notifications/initialized", {})
MODERN_META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "goes", "version": "1"},
    "io.modelcontextprotocol/clientCapabilities": {},
}
