"""Schemas in generated code: those that a list of tools needs, and those of results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.definitions import as_json, service_fields
from toolspec.targets.python.service_types import credentials_schema
from toolspec.targets.shared_definitions import SharedDefinitions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.ir import Schema, Service, Tool
    from toolspec.syntax.nodes import JsonValue


class ServiceSchemas:
    """Schemas of a service and its tools, as JSON texts that refer to two tables of definitions.

    Arguments, settings and credentials are kept with the service in `__init__.py`, where lists of
    tools and `bind` find them, together with the `definitions` that they need. The module
    `schemas.py` has the schemas of results, by method name (`results`), and the definitions that
    only these need (`result_definitions`).
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._shared = SharedDefinitions(service)
        self._own: dict[str, str] = {}
        self.configuration: dict[str, str] = {}
        schemas = {"settings": service.settings, "credentials": credentials_schema(service)}
        for field, schema in schemas.items():
            if schema is not None:
                value, needed = self._shared.without_copies(schema.bundle, schema.shared)
                (self.configuration if needed else self._own)[field] = as_json(value)
        self.arguments = {tool.names.method: self._arguments(tool) for tool in service.tools}
        listed = self._shared.used
        self.results = {tool.names.method: self._results(tool) for tool in service.tools}
        self.definitions = _texts(listed)
        self.result_definitions = _texts(
            {name: each for name, each in self._shared.used.items() if name not in listed}
        )

    def service_fields(self, *, is_binary: bool = False) -> dict[str, object]:
        """Return the fields of the service definition, without its tools."""
        settings, credentials = self._own.get("settings"), self._own.get("credentials")
        return service_fields(self._service, settings, credentials, is_binary=is_binary)

    def _arguments(self, tool: Tool) -> dict[str, object]:
        """Return the field with the schema of a tool's arguments: `arguments` if it has references."""
        value, needed = self._shared.without_copies(tool.arguments, tool.input.shared)
        return {"arguments" if needed else "arguments_schema": as_json(value)}

    def _results(self, tool: Tool) -> dict[str, object]:
        chunk = self._text(tool.chunk) if tool.chunk else None
        return {"output": self._text(tool.output), "chunk": chunk}

    def _text(self, schema: Schema) -> str:
        return as_json(self._shared.without_copies(schema.bundle, schema.shared)[0])


def _texts(definitions: Mapping[str, JsonValue]) -> tuple[tuple[str, str], ...]:
    return tuple((name, as_json(entry)) for name, entry in definitions.items())
