"""Catalog entry of a tool: all its fields except the text of its schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.catalog.parts import (
    example_entry,
    hook_names,
    icon_entry,
    limits,
    permission_entry,
    scope_entry,
)
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.ir import Provenance, Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.catalog.schema_digests import SchemaDigests


def tool_entry(
    service: Service, tool: Tool, sizes: Mapping[str, int], digests: SchemaDigests
) -> JsonObject:
    """Return the catalog entry of a tool with its sizes; every member is always present."""
    return {
        "name": tool.names.full,
        "exactName": exact_name(tool),
        "service": service.name,
        "tool": tool.name,
        "python": _python_names(service, tool),
        "title": tool.title,
        "summary": tool.summary,
        "description": tool.description,
        "group": tool.group,
        "tags": list(tool.tags),
        "icons": [icon_entry(icon) for icon in tool.icons],
        "icon": tool.icon,
        "version": tool.version,
        "wireName": tool.wire_name,
        "aliases": list(tool.aliases),
        "deprecated": _deprecation(tool),
        **_behaviour(tool),
        **_demands(tool),
        "errors": [
            {"code": each.code, "description": each.description, "retryable": each.retryable}
            for each in tool.errors
        ],
        "examples": [example_entry(each) for each in tool.examples],
        "contentType": tool.output_content_type,
        "formats": tool.formats.value,
        "schemas": _digests(tool, digests),
        "tokens": dict(sizes),
        "source": _source(tool.provenance),
        "extensions": tool.extensions,
    }


def _python_names(service: Service, tool: Tool) -> JsonObject:
    stem = tool.names.type_stem
    return {
        "module": service.names.module,
        "method": tool.names.method,
        "input": f"{stem}Input",
        "output": f"{stem}Output",
        "chunk": f"{stem}Chunk" if tool.chunk else None,
    }


def _deprecation(tool: Tool) -> JsonValue:
    said = tool.deprecated
    if said is None:
        return None
    return {"since": said.since, "use": said.use, "remove": said.remove}


def _behaviour(tool: Tool) -> JsonObject:
    hints = tool.annotations
    return {
        "mutation": tool.mutation,
        "inputForm": tool.input_form.value,
        "streaming": tool.streaming,
        "reduction": tool.reduction.value if tool.streaming else None,
        "hints": {
            "readOnly": hints.read_only,
            "destructive": hints.destructive,
            "idempotent": hints.idempotent,
            "openWorld": hints.open_world,
        },
        "risk": {"tier": tool.risk.tier, "reason": tool.risk.reason},
        "effects": [effect.value for effect in tool.effects],
        "taskSupport": tool.task_support.value,
        "idempotency": tool.idempotency.value,
        "verify": tool.verify,
        "revert": tool.revert,
    }


def _demands(tool: Tool) -> JsonObject:
    return {
        "scopes": [scope_entry(rule) for rule in tool.scopes],
        "permissions": [permission_entry(each) for each in tool.permissions],
        "hooks": hook_names(tool.hooks),
        "timeout": limits(tool.timeout),
    }


def _digests(tool: Tool, digests: SchemaDigests) -> JsonObject:
    return {
        "input": digests.of(tool.arguments, tool.input),
        "output": digests.of(tool.output.bundle, tool.output),
        "chunk": digests.of(tool.chunk.bundle, tool.chunk) if tool.chunk else None,
    }


def _source(origin: Provenance) -> JsonObject:
    imported: JsonObject = {
        "kind": origin.kind,
        "location": origin.location,
        "member": origin.member,
    }
    return {
        "file": origin.file,
        "pointer": origin.pointer,
        "digest": origin.digest,
        "origin": None if origin.kind == "spec" and not origin.location else imported,
    }
