"""Whole catalogue: services, tools, and tools by safety class."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.sinks.json_text import json_text, spelled_array, spelled_items
from toolspec.targets.catalog.schema_digests import SchemaDigests
from toolspec.targets.catalog.service_entry import service_entry
from toolspec.targets.catalog.tool_entry import tool_entry
from toolspec.targets.notes import members
from toolspec.targets.safety import CLASSES, by_safety
from toolspec.targets.sizes import sizes
from toolspec.targets.target import Artifact
from toolspec.targets.versions import exact_name
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.ir import Service
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import EmitContext

PATH = "catalog.json"
FORMAT = 1


def note(service: Service, lowered_tools: LoweredTools) -> JsonObject:
    """Return the parts of the catalogue for one service, each list serialized for its position."""
    known, digests = sizes(service, lowered_tools), SchemaDigests(service)
    safety = {
        key: [exact_name(tool) for tool in tools] for key, tools in by_safety(service.tools).items()
    }
    return {
        "services": spelled_items([service_entry(service, digests)], 2),
        "tools": spelled_items(
            [
                tool_entry(service, tool, known.each[exact_name(tool)], digests)
                for tool in service.tools
            ],
            2,
        ),
        "bySafety": {key: spelled_items(names, 3) for key, names in safety.items()},
    }


def emit_project(notes: Sequence[JsonObject], context: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return `catalog.json` from its parts; see `schemas/catalog.v1.schema.json`."""
    return Checked((Artifact(PATH, json_text(catalog(notes, context.separator))),))


def catalog(notes: Sequence[JsonObject], separator: str) -> JsonObject:
    """Return the catalogue as a value: services by name, tools in document order."""
    safety = [members(each, "bySafety") for each in notes]
    return {
        "catalog": FORMAT,
        "generator": {"name": "toolspec", "version": __version__},
        "separator": separator,
        "services": spelled_array((str(each["services"]) for each in notes), 2),
        "tools": spelled_array((str(each["tools"]) for each in notes), 2),
        "bySafety": {key: spelled_array((str(each[key]) for each in safety), 3) for key in CLASSES},
    }
