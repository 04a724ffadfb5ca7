"""Requests to a server over HTTP, as a client of either era sends them."""

from __future__ import annotations

import json
from typing import Any

import httpx2
from toolspec.serving.certificates import certificates

JSON = {"accept": "application/json, text/event-stream", "content-type": "application/json"}
LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}


def send_request(method: str, address: str, **options: Any) -> httpx2.Response:
    """Send a request over a connection of its own, without reading the certificates again."""
    return httpx2.request(method, address, verify=certificates(), **options)


def bearer(token: str) -> dict[str, str]:
    return {"authorization": f"Bearer {token}"}


def call(
    address: str,
    tool: str,
    arguments: Any = None,
    headers: Any = None,
    client: httpx2.Client | None = None,
    **params: Any,
) -> httpx2.Response:
    """Send a call of 2026, over a connection of its own unless there is a client."""
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}},
    }
    body = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {"name": tool, "arguments": arguments or {}, "_meta": meta, **params},
    }
    era = {"mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call", "mcp-name": tool}
    headers = {**JSON, **era, **(headers or {})}
    if client:
        return client.post(address, json=body, headers=headers)
    return send_request("POST", address, json=body, headers=headers, timeout=30)


def message(response: httpx2.Response) -> Any:
    """Return the message in a response, the last one of a stream."""
    text = response.text
    if text.startswith(("event:", "data:", ":")):
        text = [line[6:] for line in text.splitlines() if line.startswith("data: {")][-1]
    return json.loads(text)


def value(response: httpx2.Response) -> Any:
    """Return the structured result in a response."""
    return message(response)["result"]["structuredContent"]
