"""`schemas.py` of a service: schemas that only calls need, and the definitions that they share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.definitions import as_json, definition
from toolspec.targets.python.expressions import STRING, name, subscript
from toolspec.targets.python.imports import FUTURE, from_import
from toolspec.targets.python.model import Assign, Const, Dict, Module
from toolspec.targets.shared_definitions import SharedDefinitions

if TYPE_CHECKING:
    from toolspec.ir import Schema, Service, Tool

_TABLE, _SCHEMAS, _DEFINITIONS = name("SCHEMAS"), name("ToolSchemas"), name("DEFINITIONS")


class ServiceSchemas:
    """The schemas of the tools of a service, each as JSON text that refers to one table.

    Arguments that refer to nothing stand with the tool (`direct_arguments`), where a list of tools finds
    them; all others are in a module of their own (`module`).
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._shared = SharedDefinitions(service)
        self._deferred: dict[str, dict[str, object]] = {}
        self._direct: dict[str, str] = {}
        for tool in service.tools:
            self._read(tool)

    def direct_arguments(self, tool: Tool) -> str | None:
        """Return the schema of the arguments if it needs nothing of the table."""
        return self._direct.get(tool.names.method)

    def module(self) -> Module:
        """Return the module: a table by the name of the method, and the definitions."""
        entries = tuple(
            (Const(method), definition(_SCHEMAS.id, fields))
            for method, fields in self._deferred.items()
        )
        definitions = tuple(
            (Const(each), Const(as_json(entry))) for each, entry in self._shared.used.items()
        )
        doc = f"Schemas of the tools of the service {self._service.name}, loaded by the first call."
        body = (
            FUTURE,
            from_import("toolspec.runtime", _SCHEMAS.id),
            Assign(_TABLE, Dict(entries), subscript("dict", STRING, _SCHEMAS)),
            Assign(_DEFINITIONS, Dict(definitions), subscript("dict", STRING, STRING)),
        )
        return Module(doc, body)

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
