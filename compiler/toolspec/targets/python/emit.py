"""Emitter of generated Python: five modules and a stub a service, and the top package."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.ir import ServiceNames
from toolspec.targets.python import kinds
from toolspec.targets.python.build_package import build_package
from toolspec.targets.python.client import client_module
from toolspec.targets.python.definitions import tool_fields
from toolspec.targets.python.gate import is_safe
from toolspec.targets.python.handlers import handlers_module
from toolspec.targets.python.render import render
from toolspec.targets.python.schemas import ServiceSchemas
from toolspec.targets.python.service_package import service_package, service_stub
from toolspec.targets.python.service_types import listed, service_types
from toolspec.targets.python.signatures import Signatures
from toolspec.targets.target import Artifact, Emission

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service
    from toolspec.syntax.nodes import JsonObject
    from toolspec.targets.python.model import Module
    from toolspec.targets.target import EmitContext

PATH = "__init__.py"


def emit_service(service: Service, context: EmitContext) -> Emission:
    """Return the Python modules of a service, and its names for the top package.

    A module that fails the gate is left out and reported by a diagnostic.
    """
    modules = _checked(_modules(service, is_binary=context.options.get("base64") == "bytes"))
    note: JsonObject = {"module": service.names.module, "classStem": service.names.class_stem}
    return Emission(modules.value, note, modules.diagnostics)


def emit_project(notes: Sequence[JsonObject], _: EmitContext) -> Checked[Iterable[Artifact]]:
    """Return the top package from the notes on all services."""
    names = [ServiceNames(str(each["module"]), str(each["classStem"])) for each in notes]
    return _checked(((PATH, build_package(names)),))


def _checked(modules: Iterable[tuple[str, Module]]) -> Checked[Iterable[Artifact]]:
    artifacts: list[Artifact] = []
    diagnostics: list[Diagnostic] = []
    for path, module in modules:
        text = render(module)
        if is_safe(module, text):
            artifacts.append(Artifact(path, text))
        else:
            diagnostics.append(kinds.UNSAFE_OUTPUT.at(None, path=path))
    return Checked(artifacts, tuple(diagnostics))


def _modules(service: Service, *, is_binary: bool = False) -> Iterator[tuple[str, Module]]:
    """Yield each module of a service with its path below the output folder."""
    signatures = Signatures(service, service_types(service, is_binary=is_binary))
    folder = service.names.module
    schemas = ServiceSchemas(service)
    tools = [
        tool_fields(tool, schemas.direct_arguments(tool), is_binary=is_binary)
        for tool in service.tools
    ]
    fields = schemas.service_fields(is_binary=is_binary)
    yield f"{folder}/__init__.py", service_package(signatures, fields, tools)
    yield f"{folder}/__init__.pyi", service_stub(signatures)
    yield f"{folder}/types.py", listed(signatures.types)
    yield f"{folder}/handlers.py", handlers_module(signatures)
    yield f"{folder}/schemas.py", schemas.module()
    yield f"{folder}/client.py", client_module(signatures, tools)
