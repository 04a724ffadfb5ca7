"""`registry.py` of a service: the static table of its tools, and `bind`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.targets.python.definitions import definition, service_fields
from toolspec.targets.python.expressions import NONE, OBJECT, STRING, name, subscript, union
from toolspec.targets.python.hooks import hook_uses
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import FUTURE, UNCHECKED, for_checkers, from_import
from toolspec.targets.python.model import (
    Assign,
    Call,
    Const,
    Dots,
    Function,
    List,
    Module,
    Parameter,
    Return,
    Tuple,
)
from toolspec.targets.python.results import LOADER, loader, needed_by_loader
from toolspec.targets.python.signatures import homes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolspec.targets.python.model import Expression, Statement
    from toolspec.targets.python.signatures import Signatures

SERVICE = name("SERVICE")
_CHECKS = (
    (Identifier("output_check"), name("OutputCheck"), Const("strict")),
    (Identifier("log"), union((name("Logger"), NONE)), NONE),
)
_FUNCTIONS = subscript("Mapping", STRING, subscript("Callable", Dots(), OBJECT))
_BIND_DOC = """Return a registry of this service.

The handlers are an object with its methods, a module, or a mapping of functions by
name. A result that breaks its schema is no result, unless `output_check` is "warn" or
"off". Raises BindError for everything that does not fit, in one message."""


def registry_module(signatures: Signatures, tools: Sequence[Mapping[str, object]]) -> Module:
    """Return the module, given the fields of each tool: the table, and the function that binds it."""
    service = signatures.service
    runtime = ["ServiceDefinition", *(["ToolDefinition"] if tools else []), "bind_service"]
    about = definition("ServiceDefinition", service_fields(service))
    table = Tuple(
        tuple(definition("ToolDefinition", {**each, "results": LOADER}) for each in tools)
    )
    listed = replace(about, keywords=(*about.keywords, (Identifier("tools"), table)))
    body: tuple[Statement, ...] = (
        FUTURE,
        from_import("toolspec.runtime", *runtime),
        UNCHECKED,
        *for_checkers(_needed(signatures)),
        *([loader()] if tools else []),
        Assign(SERVICE, listed),
        _bind(signatures),
    )
    return Module(f"The tools of the service {service.name} as a table.", body)


def _bind(signatures: Signatures) -> Function:
    handlers = union((name(f"{signatures.stem}Handlers"), _FUNCTIONS))
    parameters = [Parameter(Identifier("handlers"), handlers)]
    types = signatures.types
    settings, credentials = types.given_settings, types.given_credentials
    optional: dict[str, Expression] = {}
    if settings != NONE:
        optional["settings"] = settings
    if credentials != NONE:
        optional["credentials"] = union((credentials, _provider(credentials)))
    if any(hook_uses(signatures.service)):
        optional["hooks"] = union((name(f"{signatures.stem}Hooks"), _FUNCTIONS))
    passed = []
    for option, kind in optional.items():
        parameter = Identifier(option)
        parameters.append(Parameter(parameter, union((kind, NONE)), NONE, keyword_only=True))
        passed.append((parameter, name(option)))
    for parameter, kind, usual in _CHECKS:
        parameters.append(Parameter(parameter, kind, usual, keyword_only=True))
        passed.append((parameter, name(parameter)))
    return Function(
        Identifier("bind"),
        tuple(parameters),
        name("Registry"),
        _BIND_DOC,
        (Return(Call(name("bind_service"), (SERVICE, name("handlers")), tuple(passed))),),
    )


def _provider(credentials: Expression) -> Expression:
    """Return the type of a function from a caller to the credentials of that caller."""
    caller = List((union((STRING, NONE)),))
    return subscript("Callable", caller, union((credentials, subscript("Awaitable", credentials))))


def _needed(signatures: Signatures) -> Iterator[tuple[str, str]]:
    yield "collections.abc", "Callable"
    yield "collections.abc", "Mapping"
    yield "logging", "Logger"
    yield "toolspec.runtime", "Registry"
    yield "toolspec.runtime.service", "OutputCheck"
    if signatures.service.tools:
        yield from needed_by_loader()
    yield ".handlers", f"{signatures.stem}Handlers"
    if any(hook_uses(signatures.service)):
        yield ".handlers", f"{signatures.stem}Hooks"
    types = signatures.types
    if types.given_credentials != NONE:
        yield "collections.abc", "Awaitable"
    given = types.given_settings, types.given_credentials
    yield from homes(given, frozenset(types.declared))
