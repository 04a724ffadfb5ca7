"""Facts of compiled services, in full: defaults are filled in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.changes.side import SERVICE_FACTS, TOOL_FACTS, Side
from toolspec.targets.catalog.entries import SchemaDigests, service_entry, tool_entry
from toolspec.targets.extensions import PRESERVED, for_readers
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from toolspec.ir import Program, Service, Tool
    from toolspec.shared.json_values import JsonObject, JsonValue

_NOT_YET = frozenset({"wire", "losses"})


def program_side(program: Program, label: str) -> Side:
    """Return the side of a compiled program."""
    digests = {service.name: SchemaDigests(service) for service in program.services}
    return Side(
        label,
        {service.name: _service(service, digests[service.name]) for service in program.services},
        {
            exact_name(tool): _tool(service, tool, digests[service.name])
            for service, tool in program.tools
        },
        tool_facts=frozenset(TOOL_FACTS) - _NOT_YET,
    )


def _service(service: Service, digests: SchemaDigests) -> JsonObject:
    entry = service_entry(service, digests)
    auth = entry["auth"]
    assert isinstance(auth, dict)
    fields = service.auth.fields
    entry["auth"] = {
        **{key: item for key, item in auth.items() if key != "fieldsDigest"},
        "fields": fields.bundle if fields else None,
    }
    entry["settings"] = service.settings.bundle if service.settings else None
    return {fact: entry[fact] for fact in SERVICE_FACTS}


def _tool(service: Service, tool: Tool, digests: SchemaDigests) -> JsonObject:
    entry = tool_entry(service, tool, {}, digests)
    entry["input"], entry["output"] = tool.arguments, tool.output.bundle
    entry["chunk"] = tool.chunk.bundle if tool.chunk else None
    entry["instances"] = list(tool.instances)
    entry["extensions"] = _extensions(tool)
    if tool.annotations.read_only:  # the other two mean nothing for it
        hints = {"destructive": False, "idempotent": True}
        entry["hints"] = {**_mapping(entry["hints"]), **hints}
    return {fact: entry[fact] for fact in TOOL_FACTS if fact not in _NOT_YET}


def _extensions(tool: Tool) -> JsonObject:
    """Return the extensions as a list of tools shows them, with members that an import preserved."""
    preserved = _mapping(_mapping(tool.extensions.get(PRESERVED)).get("_meta"))
    return {**for_readers(tool.extensions), **preserved}


def _mapping(value: JsonValue) -> JsonObject:
    return value if isinstance(value, dict) else {}
