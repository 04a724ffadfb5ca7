"""Manifest of a service: the result of `tools/list` in the form of one revision.

The protocol allows one tool a name: of several versions the highest is listed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import Formats, TaskSupport
from toolspec.shared.result_form import META, is_wrapped
from toolspec.targets.extensions import PRESERVED, for_readers
from toolspec.targets.mcp.listed_schema import as_object, listed_schema
from toolspec.targets.target import Artifact, Emission
from toolspec.targets.versions import answering

if TYPE_CHECKING:
    from toolspec.ir import Annotations, Deprecation, Icon, Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.target import EmitContext


def view_2026_07_28(tool: Tool) -> JsonObject:
    """Return a tool for 2026-07-28: an output of any form, without task support.

    An output that may be null is wrapped, as for 2025-11-25: clients read null as no result at all.
    """
    output = tool.output.bundle
    if output is True:
        return _view(tool, {}, {})
    if is_wrapped(output, modern=True):
        return _view(tool, _output(tool, as_object(output)), {"wrapped": "result"})
    return _view(tool, _output(tool, output if isinstance(output, dict) else {"not": {}}), {})


def view_2025_11_25(tool: Tool) -> JsonObject:
    """Return a tool for 2025-11-25: an output that is an object, and task support, if any.

    An output of another form is wrapped as `{"result": …}`; `wrapped` in `_meta` lets server and
    client wrap and unwrap results.
    """
    output = tool.output.bundle
    schema: JsonObject = {} if output is True else _output(tool, as_object(output))
    if tool.task_support is not TaskSupport.FORBIDDEN:  # the protocol's default
        schema["execution"] = {"taskSupport": tool.task_support.value}
    wrapped = is_wrapped(output, modern=False)
    return _view(tool, schema, {"wrapped": "result"} if wrapped else {})


def _view(tool: Tool, rest: JsonObject, notes: JsonObject) -> JsonObject:
    view: JsonObject = {
        "name": tool.names.full,
        "title": tool.title,
        "description": tool.description,
        "inputSchema": listed_schema(tool.input.value, tool.arguments),
        **rest,
        "annotations": _annotations(tool.annotations),
    }
    if tool.icons:
        view["icons"] = [_icon(icon) for icon in tool.icons]
    if meta := _meta(tool, notes):
        view["_meta"] = meta
    return _with_preserved(view, tool.extensions.get(PRESERVED))


def _output(tool: Tool, schema: JsonObject) -> JsonObject:
    return {"outputSchema": listed_schema(tool.output.value, schema)}


def _annotations(hints: Annotations) -> JsonObject:
    return {
        "title": hints.title,
        "readOnlyHint": hints.read_only,
        "destructiveHint": hints.destructive,
        "idempotentHint": hints.idempotent,
        "openWorldHint": hints.open_world,
    }


def _icon(icon: Icon) -> JsonObject:
    return _without_empty(
        {
            "src": icon.src,
            "mimeType": icon.mime_type,
            "sizes": list(icon.sizes),
            "theme": icon.theme,
        }
    )


def _meta(tool: Tool, notes: JsonObject) -> JsonObject:
    """Return the author's extensions, and under one key the fields that MCP has no member for."""
    own = _without_empty(
        {
            "summary": "" if tool.summary == tool.description else tool.summary,
            "group": tool.group,
            "tags": list(tool.tags),
            "icon": tool.icon,
            "aliases": list(tool.aliases),
            "version": tool.version,
            "deprecated": _deprecation(tool.deprecated),
            "effects": [effect.value for effect in tool.effects],
            "risk": {"tier": tool.risk.tier, "reason": tool.risk.reason}
            if tool.risk.reason
            else {},
            "contentType": ""
            if tool.output_content_type == "application/json"
            else tool.output_content_type,
            "formats": "" if tool.formats is Formats.ASSERT else tool.formats.value,
            "streaming": tool.reduction.value if tool.streaming else "",
            **notes,
        }
    )
    meta = for_readers(tool.extensions)
    return {META: own, **meta} if own else meta


def _deprecation(deprecated: Deprecation | None) -> JsonObject | bool:
    """Return the details of a deprecation; `true` for one without details."""
    if deprecated is None:
        return {}
    details = {"since": deprecated.since, "use": deprecated.use, "remove": deprecated.remove}
    return _without_empty(dict(details)) or True


def _without_empty(members: JsonObject) -> JsonObject:
    """Return the members that are not empty."""
    return {key: value for key, value in members.items() if value}


def _with_preserved(view: JsonObject, preserved: JsonValue) -> JsonObject:
    """Return the view with the members that an importer preserved from the original entry.

    They are only added: members from the spec are never replaced.
    """
    if not isinstance(preserved, dict):
        return view
    merged = dict(view)
    for key, value in preserved.items():
        ours = merged.get(key)
        merged[key] = (
            _with_preserved(ours, value) if isinstance(ours, dict) else merged.get(key, value)
        )
    return merged


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
