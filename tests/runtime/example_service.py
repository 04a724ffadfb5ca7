"""Definitions as the Python target writes them, by hand, for the tests of the runtime."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.runtime import Registry, ServiceDefinition, ToolDefinition, bind_service

if TYPE_CHECKING:
    from collections.abc import Callable


def tool(name: str = "act", **fields: object) -> ToolDefinition:
    """Return a tool of service `demo`; schemas may be given as plain values."""
    given = {
        key: json.dumps(value) if key.endswith("_schema") and not isinstance(value, str) else value
        for key, value in fields.items()
    }
    full = {"name": name, "full_name": f"demo_{name}", "method": name, **given}
    return ToolDefinition(**full)  # type: ignore[arg-type]


def streaming(name: str = "tell", reduction: str = "join", **fields: object) -> ToolDefinition:
    """Return a streaming tool whose chunks are strings."""
    chunks: dict[str, object] = {"chunk_schema": {"type": "string"}, **fields}
    return tool(name, streaming=True, reduction=reduction, **chunks)


def service(*tools: ToolDefinition, **fields: object) -> ServiceDefinition:
    """Return the service `demo`."""
    return ServiceDefinition(name="demo", tools=tools, **fields)  # type: ignore[arg-type]


def bound(
    definition: ToolDefinition, handler: Callable[..., object], **options: object
) -> Registry:
    """Return a registry of one tool with one handler."""
    handlers = {definition.method: handler}
    return bind_service(service(definition), handlers, **options)  # type: ignore[arg-type]


OBJECT = {"type": "object"}
ANY = "true"


async def echo(input: object) -> object:
    """Return the input."""
    return input
