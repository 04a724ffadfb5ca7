"""MCP transport of generated clients."""

from __future__ import annotations

try:
    from toolspec.serving.client.transport import McpTransport
except ModuleNotFoundError as missing:
    if (missing.name or "").partition(".")[0] == "toolspec":
        raise
    message = (
        "`McpTransport` needs the MCP SDK, which is not installed: "
        "run `pip install 'toolspec-runtime[mcp]'`"
    )
    raise ImportError(message, name=missing.name) from None

__all__ = ["McpTransport"]
