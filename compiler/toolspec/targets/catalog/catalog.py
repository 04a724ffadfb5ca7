"""The whole catalogue: services, tools, and the tools by what a caller has to fear of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.sinks.json_text import json_text
from toolspec.targets.catalog.service_entry import service_entry
from toolspec.targets.catalog.tool_entry import tool_entry
from toolspec.targets.safety import by_safety
from toolspec.targets.target import Artifact
from toolspec.targets.versions import exact_name
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.ir import Program
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.target import EmitRequest

PATH = "catalog.json"
FORMAT = 1


def emit(request: EmitRequest) -> Checked[Iterable[Artifact]]:
    """Return `catalog.json`; its contract is `schemas/catalog.v1.schema.json`."""
    return Checked((Artifact(PATH, json_text(catalog(request.program))),))


def catalog(program: Program) -> JsonObject:
    """Return the catalogue as a value: services by name, tools in document order."""
    safety = by_safety(tool for _, tool in program.tools)
    return {
        "catalog": FORMAT,
        "generator": {"name": "toolspec", "version": __version__},
        "separator": program.separator,
        "services": [service_entry(service) for service in program.services],
        "tools": [tool_entry(service, tool) for service, tool in program.tools],
        "bySafety": {key: [exact_name(tool) for tool in tools] for key, tools in safety.items()},
    }
