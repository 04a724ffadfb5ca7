"""Manifest of a service: the result of `tools/list` in the form of one revision.

The protocol allows one tool a name: of several versions the highest is listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.targets.mcp.tool_view import view_2025_11_25, view_2026_07_28
from toolspec.targets.target import Artifact
from toolspec.targets.versions import answering

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import EmitRequest


def emit_2026_07_28(request: EmitRequest) -> Checked[Iterable[Artifact]]:
    """Return `<module>/mcp.json` of every service."""
    head: JsonObject = {
        "resultType": "complete",
        "ttlMs": request.options.get("ttlMs", 0),
        "cacheScope": request.options.get("cacheScope", "public"),
    }
    return Checked(
        Artifact(
            f"{service.names.module}/mcp.json",
            request.speller.text(
                {**head, "tools": [view_2026_07_28(tool) for tool in answering(service.tools)]}
            ),
        )
        for service in request.program.services
    )


def emit_2025_11_25(request: EmitRequest) -> Checked[Iterable[Artifact]]:
    """Return `<module>/mcp-2025-11-25.json` of every service."""
    return Checked(
        Artifact(
            f"{service.names.module}/mcp-2025-11-25.json",
            request.speller.text(
                {"tools": [view_2025_11_25(tool) for tool in answering(service.tools)]}
            ),
        )
        for service in request.program.services
    )
