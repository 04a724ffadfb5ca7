"""`results.py` of a service: the schemas of what its tools give, apart because only calls need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.definitions import definition, result_fields
from toolspec.targets.python.expressions import name, subscript
from toolspec.targets.python.imports import FUTURE, from_import
from toolspec.targets.python.model import Assign, Const, Dict, Function, Module, Return

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Service

LOADER = name("_results")
_TABLE, _SCHEMAS = name("RESULTS"), name("ResultSchemas")
_HOME = ".results"
_LOADER_DOC = "Return the schemas of what the tools give, by method: a call needs them, no list."


def results_module(service: Service) -> Module:
    """Return the module: a table by the name of the method."""
    entries = tuple(
        (Const(tool.names.method), definition(_SCHEMAS.id, result_fields(tool)))
        for tool in service.tools
    )
    doc = f"Schemas of what the tools of the service {service.name} give, loaded by the first call."
    table = Assign(_TABLE, Dict(entries), subscript("dict", name("str"), _SCHEMAS))
    return Module(doc, (FUTURE, from_import("toolspec.runtime", _SCHEMAS.id), table))


def loader() -> Function:
    """Return the function of another module of the service that loads the table."""
    body = (from_import(_HOME, _TABLE.id), Return(_TABLE))
    returns = subscript("Mapping", name("str"), _SCHEMAS)
    return Function(LOADER.id, (), returns, _LOADER_DOC, body)


def needed_by_loader() -> Iterator[tuple[str, str]]:
    """Yield where the names in that function's signature come from, as (source, name)."""
    yield "collections.abc", "Mapping"
    yield "toolspec.runtime", _SCHEMAS.id
