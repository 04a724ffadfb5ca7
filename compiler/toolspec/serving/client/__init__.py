"""The other end of a connection: what a generated client calls an MCP server through."""

from __future__ import annotations

from toolspec.serving.client.transport import McpTransport

__all__ = ["McpTransport"]
