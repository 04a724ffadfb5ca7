"""Locations of facts in the documents that they are written in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from toolspec.changes.listed import exact_name
from toolspec.targets import versions

if TYPE_CHECKING:
    from toolspec.changes.change import Place
    from toolspec.importers.dump import Dump
    from toolspec.ir import Program, Schema, Service, Tool
    from toolspec.shared.json_values import Path
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document, Location

_MEMBERS = {
    "input": "inputSchema",
    "output": "outputSchema",
    "chunk": "chunkSchema",
    "settings": "settings",
    "contentType": "outputContentType",
    "hints": "annotations",
}
"""Members of a document by the facts that have other names."""

_LISTED = {**_MEMBERS, "extensions": "_meta"}
"""Members of a tool in a list of tools."""


class Locations(Protocol):
    """Finds the locations of facts."""

    def find(self, place: Place) -> Span | None:
        """Return the span of a fact, or of the nearest part around it; None if there is none."""
        ...


class ProgramLocations:
    """Finds the locations of facts in the documents of a program."""

    def __init__(self, program: Program) -> None:
        self._services = {service.name: service for service in program.services}
        self._tools = {
            versions.exact_name(tool): (service, tool) for service, tool in program.tools
        }

    def find(self, place: Place) -> Span | None:
        """Return the span of a fact, or of the nearest part around it; None if there is none."""
        service, tool = self._tools.get(place.tool, (self._services.get(place.service), None))
        if service is None:
            return None
        location = _of_tool(service, tool, place.path) if tool else _of_service(service, place.path)
        return location.span if location else None


class DumpLocations:
    """Finds the locations of facts in a list of tools."""

    def __init__(self, dump: Dump) -> None:
        self._tools = {exact_name(tool.members): tool.location for tool in dump.tools}
        self._whole = dump.location

    def find(self, place: Place) -> Span | None:
        """Return the span of a fact, or of the nearest part around it; None if there is none."""
        location = self._tools.get(place.tool)
        if location is None:
            return None if place.tool else self._whole.span
        fact, *steps = place.path or ("name",)
        if fact == "hints":
            steps = [f"{name}Hint" for name in steps]
        return location.at(_LISTED.get(str(fact), str(fact)), *steps).span


class ContractLocations:
    """Finds the locations of facts in a contract."""

    def __init__(self, document: Document) -> None:
        self._document = document

    def find(self, place: Place) -> Span | None:
        """Return the span of a fact, or of the nearest part around it."""
        block = ("tools", place.tool) if place.tool else ("services", place.service)
        return self._document.location().at(*block, "facts", *place.path).span


def _of_tool(service: Service, tool: Tool, path: Path) -> Location | None:
    fact, *steps = path or ("name",)
    schemas = {"input": tool.input, "output": tool.output, "chunk": tool.chunk}
    schema = schemas.get(str(fact))
    if schema:
        return _of_schema(service, schema, steps)
    if tool.location is None:
        return None
    if fact == "hints":
        return _of_hint(tool.location, steps)
    return tool.location.at(_MEMBERS.get(str(fact), str(fact)), *steps)


def _of_hint(tool: Location, steps: list[str | int]) -> Location:
    """Return the location of a hint; where none is stated, `mutation` decides."""
    stated = tool.at("annotations", *(f"{name}Hint" for name in steps))
    return tool / "mutation" if stated.value_or_none is None else stated


def _of_service(service: Service, path: Path) -> Location | None:
    fact, *steps = path or ("name",)
    if fact == "settings" and service.settings:
        return _of_schema(service, service.settings, steps)
    location = service.location
    return location.at(_MEMBERS.get(str(fact), str(fact)), *steps) if location else None


def _of_schema(service: Service, schema: Schema, steps: list[str | int]) -> Location | None:
    """Return the location of a subschema, which may be that of a definition of the service."""
    if len(steps) > 1 and steps[0] == "$defs":
        name = dict(schema.shared).get(str(steps[1]))
        for definition in service.definitions:
            if definition.name == name and definition.schema.location:
                return definition.schema.location.at(*steps[2:])
    return schema.location.at(*steps) if schema.location else None
