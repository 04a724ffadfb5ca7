"""Schemas module of a service (`schemas.py`): schemas for calls and their shared definitions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.definitions import as_json, definition, service_fields
from toolspec.targets.python.expressions import STRING, name, subscript
from toolspec.targets.python.imports import FUTURE, from_import
from toolspec.targets.python.model import Assign, Const, Dict, Module
from toolspec.targets.python.service_types import credentials_schema
from toolspec.targets.shared_definitions import SharedDefinitions

if TYPE_CHECKING:
    from toolspec.ir import Schema, Service, Tool
    from toolspec.targets.python.identifiers import Identifier
    from toolspec.targets.python.model import Statement

_TABLE, _SCHEMAS, _DEFINITIONS = name("SCHEMAS"), name("ToolSchemas"), name("DEFINITIONS")
_CONFIGURATION, _OF_SERVICE = name("CONFIGURATION"), name("ConfigurationSchemas")


class ServiceSchemas:
    """Schemas of a service and its tools, as JSON texts that refer to one table of definitions.

    Argument schemas without references are kept with the tool (`direct_arguments`), where tool
    lists find them, and such settings and credentials with the service; all others are in a module
    of their own (`module`).
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._shared = SharedDefinitions(service)
        self._deferred: dict[str, dict[str, object]] = {}
        self._direct: dict[str, str] = {}
        self._own: dict[str, str] = {}
        self._configuration: dict[str, str] = {}
        configuration = {"settings": service.settings, "credentials": credentials_schema(service)}
        for field, schema in configuration.items():
            if schema is not None:
                value, needed = self._shared.without_copies(schema.bundle, schema.shared)
                (self._configuration if needed else self._own)[field] = as_json(value)
        for tool in service.tools:
            self._read(tool)

    def service_fields(self, *, is_binary: bool = False) -> dict[str, object]:
        """Return the fields of the service definition, without its tools."""
        settings, credentials = self._own.get("settings"), self._own.get("credentials")
        fields = service_fields(self._service, settings, credentials, is_binary=is_binary)
        return {**fields, "package": name("__name__")} if self._configuration else fields

    def direct_arguments(self, tool: Tool) -> str | None:
        """Return the schema of the arguments if it needs no shared definition, else None."""
        return self._direct.get(tool.names.method)

    def module(self) -> Module:
        """Return the module: the schemas by method name, and the definitions."""
        entries = tuple(
            (Const(method), definition(_SCHEMAS.id, fields))
            for method, fields in self._deferred.items()
        )
        definitions = tuple(
            (Const(each), Const(as_json(entry))) for each, entry in self._shared.used.items()
        )
        of_service: tuple[Identifier, ...] = ()
        when = "loaded by the first call"
        if self._configuration:
            of_service, when = (_OF_SERVICE.id,), "loaded when it is bound"
        configuration = definition(_OF_SERVICE.id, self._configuration)
        body: tuple[Statement, ...] = (
            FUTURE,
            from_import("toolspec.runtime", *of_service, _SCHEMAS.id),
            *(Assign(_CONFIGURATION, configuration) for _ in of_service),
            Assign(_TABLE, Dict(entries), subscript("dict", STRING, _SCHEMAS)),
            Assign(_DEFINITIONS, Dict(definitions), subscript("dict", STRING, STRING)),
        )
        return Module(f"Schemas of the service {self._service.name}, {when}.", body)

    def _read(self, tool: Tool) -> None:
        arguments, needed = self._shared.without_copies(tool.arguments, tool.input.shared)
        fields: dict[str, object] = {"arguments": None}
        if needed:
            fields["arguments"] = as_json(arguments)
        else:
            self._direct[tool.names.method] = as_json(arguments)
        fields["output"] = self._text(tool.output)
        fields["chunk"] = self._text(tool.chunk) if tool.chunk else None
        self._deferred[tool.names.method] = fields

    def _text(self, schema: Schema) -> str:
        return as_json(self._shared.without_copies(schema.bundle, schema.shared)[0])
