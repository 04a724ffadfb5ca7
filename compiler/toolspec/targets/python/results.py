"""`results.py` of a service: the schemas of what its tools give, apart because only calls need them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.targets.python.definitions import definition, result_fields
from toolspec.targets.python.expressions import name, subscript
from toolspec.targets.python.imports import FUTURE, from_import
from toolspec.targets.python.model import Assign, Const, Dict, Module

if TYPE_CHECKING:
    from toolspec.ir import Service

_TABLE, _SCHEMAS = name("RESULTS"), name("ResultSchemas")


def results_module(service: Service) -> Module:
    """Return the module: a table by the name of the method."""
    entries = tuple(
        (Const(tool.names.method), definition(_SCHEMAS.id, result_fields(tool)))
        for tool in service.tools
    )
    doc = f"Schemas of what the tools of the service {service.name} give, loaded by the first call."
    table = Assign(_TABLE, Dict(entries), subscript("dict", name("str"), _SCHEMAS))
    return Module(doc, (FUTURE, from_import("toolspec.runtime", _SCHEMAS.id), table))
