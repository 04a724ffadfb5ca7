"""Manifests for the Model Context Protocol: `tools/list` results, one file a service and revision.

A revision is a row in a table, with its differences from the common view of a tool.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.mcp.header import check_headers
from toolspec.targets.mcp.kinds import KINDS, REPEATED_DEFINITIONS
from toolspec.targets.mcp.repetition import check_repetition
from toolspec.targets.target import Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import Emission, EmitContext


def _emit_2026_07_28(service: Service, context: EmitContext) -> Emission:
    from toolspec.targets.mcp.manifest import emit_2026_07_28

    return emit_2026_07_28(service, context)


def _definition_2026_07_28(tool: Tool, _: EmitContext) -> JsonObject:
    from toolspec.targets.mcp.manifest import view_2026_07_28

    return view_2026_07_28(tool)


def _check_2026_07_28(service: Service, context: EmitContext) -> Iterator[Diagnostic]:
    yield from check_headers(service)
    yield from check_repetition(service, "mcp-2026-07-28", context.serializer)


def _emit_2025_11_25(service: Service, context: EmitContext) -> Emission:
    from toolspec.targets.mcp.manifest import emit_2025_11_25

    return emit_2025_11_25(service, context)


def _definition_2025_11_25(tool: Tool, _: EmitContext) -> JsonObject:
    from toolspec.targets.mcp.manifest import view_2025_11_25

    return view_2025_11_25(tool)


def _check_2025_11_25(service: Service, context: EmitContext) -> Iterator[Diagnostic]:
    yield from check_repetition(service, "mcp-2025-11-25", context.serializer)


TARGETS: tuple[Target, ...] = (
    Target(
        name="mcp-2026-07-28",
        summary="the tools/list result of MCP 2026-07-28, as <service>/mcp.json",
        emit_service=_emit_2026_07_28,
        check_service=_check_2026_07_28,
        definition=_definition_2026_07_28,
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
        emit_service=_emit_2025_11_25,
        check_service=_check_2025_11_25,
        definition=_definition_2025_11_25,
        kinds=(REPEATED_DEFINITIONS,),
    ),
)
