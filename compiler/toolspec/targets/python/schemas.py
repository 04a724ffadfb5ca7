"""Schemas module of a service (`schemas.py`): schemas for calls and their shared definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.definitions import as_json, service_fields
from toolspec.targets.python.service_types import credentials_schema
from toolspec.targets.shared_definitions import SharedDefinitions
from toolspec.targets.templates import Code

if TYPE_CHECKING:
    from toolspec.ir import Schema, Service, Tool


class ServiceSchemas:
    """Schemas of a service and its tools, as JSON texts that refer to one table of definitions.

    Argument schemas without references are kept with the tool (`direct_arguments`), where tool
    lists find them, and such settings and credentials with the service. All others are in a module
    of their own: those of tools in `deferred`, by method name, those of the service in
    `configuration`.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._shared = SharedDefinitions(service)
        self.deferred: dict[str, dict[str, object]] = {}
        self._direct: dict[str, str] = {}
        self._own: dict[str, str] = {}
        self.configuration: dict[str, str] = {}
        schemas = {"settings": service.settings, "credentials": credentials_schema(service)}
        for field, schema in schemas.items():
            if schema is not None:
                value, needed = self._shared.without_copies(schema.bundle, schema.shared)
                (self.configuration if needed else self._own)[field] = as_json(value)
        for tool in service.tools:
            self._read(tool)

    def service_fields(self, *, is_binary: bool = False) -> dict[str, object]:
        """Return the fields of the service definition, without its tools."""
        settings, credentials = self._own.get("settings"), self._own.get("credentials")
        fields = service_fields(self._service, settings, credentials, is_binary=is_binary)
        return {**fields, "package": Code("__name__")} if self.configuration else fields

    def direct_arguments(self, tool: Tool) -> str | None:
        """Return the schema of the arguments if it needs no shared definition, else None."""
        return self._direct.get(tool.names.method)

    @property
    def definitions(self) -> tuple[tuple[str, str], ...]:
        """The shared definitions that these schemas need, by name."""
        return tuple((each, as_json(entry)) for each, entry in self._shared.used.items())

    def _read(self, tool: Tool) -> None:
        arguments, needed = self._shared.without_copies(tool.arguments, tool.input.shared)
        fields: dict[str, object] = {"arguments": None}
        if needed:
            fields["arguments"] = as_json(arguments)
        else:
            self._direct[tool.names.method] = as_json(arguments)
        fields["output"] = self._text(tool.output)
        fields["chunk"] = self._text(tool.chunk) if tool.chunk else None
        self.deferred[tool.names.method] = fields

    def _text(self, schema: Schema) -> str:
        return as_json(self._shared.without_copies(schema.bundle, schema.shared)[0])
