"""Manifests for the Model Context Protocol: what `tools/list` answers, one file a service and revision.

A revision is a row in a table: what it says of a tool beyond what all of them say.
"""

from toolspec.targets.mcp.kinds import KINDS
from toolspec.targets.mcp.manifest import check_2026_07_28, emit_2025_11_25, emit_2026_07_28
from toolspec.targets.target import Target

TARGETS: tuple[Target, ...] = (
    Target(
        name="mcp-2026-07-28",
        summary="the tools/list result of MCP 2026-07-28, as <service>/mcp.json",
        emit=emit_2026_07_28,
        check=check_2026_07_28,
        options={
            "type": "object",
            "properties": {
                "ttlMs": {
                    "type": "integer",
                    "minimum": 0,
                    "default": 0,
                    "description": "Milliseconds for which a client may keep the list.",
                },
                "cacheScope": {
                    "enum": ["public", "private"],
                    "default": "public",
                    "description": "`private` if the list that is served depends on who asks.",
                },
            },
            "additionalProperties": False,
        },
        kinds=KINDS,
    ),
    Target(
        name="mcp-2025-11-25",
        summary="the tools/list result of MCP 2025-11-25, as <service>/mcp-2025-11-25.json",
        emit=emit_2025_11_25,
    ),
)
