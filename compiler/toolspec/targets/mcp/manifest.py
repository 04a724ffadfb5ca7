"""Manifest of a service: the result of `tools/list` in the form of one revision.

The protocol allows one tool a name: of several versions the highest is listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.mcp.tool_view import view_2025_11_25, view_2026_07_28
from toolspec.targets.target import Artifact, Emission
from toolspec.targets.versions import answering

if TYPE_CHECKING:
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import EmitContext


def emit_2026_07_28(service: Service, context: EmitContext) -> Emission:
    """Return `<module>/mcp.json` of a service."""
    manifest: JsonObject = {
        "resultType": "complete",
        "ttlMs": context.options.get("ttlMs", 0),
        "cacheScope": context.options.get("cacheScope", "public"),
        "tools": [view_2026_07_28(tool) for tool in answering(service.tools)],
    }
    return _emission(f"{service.names.module}/mcp.json", manifest, context)


def emit_2025_11_25(service: Service, context: EmitContext) -> Emission:
    """Return `<module>/mcp-2025-11-25.json` of a service."""
    manifest: JsonObject = {"tools": [view_2025_11_25(tool) for tool in answering(service.tools)]}
    return _emission(f"{service.names.module}/mcp-2025-11-25.json", manifest, context)


def _emission(path: str, manifest: JsonObject, context: EmitContext) -> Emission:
    return Emission((Artifact(path, context.serializer.text(manifest)),))
