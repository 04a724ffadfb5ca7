"""`registry.py` of a service: the static table of its tools, and `bind`."""

from __future__ import annotations

from dataclasses import astuple
from json import JSONEncoder
from typing import TYPE_CHECKING

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
from toolspec.targets.python.service_types import credentials_schema
from toolspec.targets.python.signatures import homes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.ir import Schema, Service, Tool
    from toolspec.syntax.nodes import JsonValue
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

# What the runtime takes a field for that is not given: such fields are left out, as are empty ones.
_TOOL_DEFAULTS: Mapping[str, object] = {
    "input_form": "object",
    "mutation": False,
    "streaming": False,
    "read_only": False,
    "destructive": True,
    "idempotent": False,
    "open_world": True,
    "risk": 0,
    "task_support": "forbidden",
    "idempotency": "none",
    "verify": False,
    "revert": False,
    "output_content_type": "application/json",
}
_SERVICE_DEFAULTS: Mapping[str, object] = {"auth": "none"}
_COMPACT = JSONEncoder(separators=(",", ":"), check_circular=False)
_EMPTY: tuple[object, ...] = (None, "", ())


def registry_module(signatures: Signatures, separator: str) -> Module:
    """Return the module: the service's definition, and the function that binds it."""
    service = signatures.service
    runtime = ["ServiceDefinition", *(["ToolDefinition"] if service.tools else []), "bind_service"]
    tools = tuple(definition(_tool(service, tool, separator)) for tool in service.tools)
    about = tuple(_given(_service(service), _SERVICE_DEFAULTS))
    listed = (Identifier("tools"), Tuple(tools))
    body: tuple[Statement, ...] = (
        FUTURE,
        from_import("toolspec.runtime", *runtime),
        UNCHECKED,
        *for_checkers(_needed(signatures)),
        Assign(SERVICE, Call(name("ServiceDefinition"), keywords=(*about, listed))),
        _bind(signatures),
    )
    return Module(f"The tools of the service {service.name} as a table.", body)


def definition(fields: Mapping[str, object]) -> Call:
    """Return a definition of a tool with these fields, but for those that have their usual value."""
    return Call(name("ToolDefinition"), keywords=tuple(_given(fields, _TOOL_DEFAULTS)))


def _service(service: Service) -> dict[str, object]:
    return {
        "name": service.name,
        "version": service.version,
        "title": service.title,
        "description": service.description,
        "instructions": service.instructions,
        "settings_schema": _schema(service.settings),
        "credentials_schema": _schema(credentials_schema(service)),
        "auth": service.auth.kind.value,
        "hooks": tuple(dict.fromkeys(hook for _, hook in hook_uses(service))),
    }


def _tool(service: Service, tool: Tool, separator: str) -> dict[str, object]:
    """Return the fields of a tool: what it is, how it behaves, what it needs."""
    aliases = tuple(f"{service.name}{separator}{alias}" for alias in tool.aliases)
    return {**_interface(tool), **_behaviour(tool), "aliases": aliases, **_terms(tool)}


def _interface(tool: Tool) -> dict[str, object]:
    return {
        "name": tool.name,
        "full_name": tool.names.full,
        "method": tool.names.method,
        "title": tool.title,
        "description": tool.description,
        "summary": tool.summary,
        "input_form": tool.input_form.value,
        "arguments_schema": _json(tool.arguments),
        "output_schema": _schema(tool.output),
        "chunk_schema": _schema(tool.chunk),
        "reduction": tool.reduction.value if tool.streaming else None,
    }


def _behaviour(tool: Tool) -> dict[str, object]:
    hints, hooks = tool.annotations, tool.hooks
    return {
        "mutation": tool.mutation,
        "streaming": tool.streaming,
        "read_only": hints.read_only,
        "destructive": hints.destructive,
        "idempotent": hints.idempotent,
        "open_world": hints.open_world,
        "risk": tool.risk.tier,
        "task_support": tool.task_support.value,
        "idempotency": tool.idempotency.value,
        "verify": tool.verify,
        "revert": tool.revert,
        "before": hooks.before,
        "middleware": hooks.middleware,
        "after": hooks.after,
        "after_response": hooks.after_response,
        "version": tool.version,
    }


def _terms(tool: Tool) -> dict[str, object]:
    deprecated = tool.deprecated
    return {
        "scopes": tuple(rule.any_of for rule in tool.scopes),
        "permissions": tuple(
            (each.kind.value, each.resource, each.operation) for each in tool.permissions
        ),
        "timeout_idle": tool.timeout.idle,
        "timeout_total": tool.timeout.total,
        "output_content_type": tool.output_content_type,
        "group": tool.group,
        "tags": tool.tags,
        "errors": tuple((each.code, each.description, each.retryable) for each in tool.errors),
        "deprecated": astuple(deprecated) if deprecated else None,
        "source": f"{tool.provenance.file}:{tool.provenance.line}",
    }


def _given(
    fields: Mapping[str, object], defaults: Mapping[str, object]
) -> Iterator[tuple[Identifier, Expression]]:
    for field, value in fields.items():
        if value not in _EMPTY and not (field in defaults and value == defaults[field]):
            yield Identifier(field), _value(value)


def _value(value: object) -> Expression:
    if isinstance(value, tuple):
        return Tuple(tuple(_value(each) for each in value))
    if value is None or isinstance(value, (str, int, float)):
        return Const(value)
    message = f"no value of a definition: {value!r}"
    raise TypeError(message)


def _schema(schema: Schema | None) -> str | None:
    return None if schema is None else _json(schema.bundle)


def _json(value: JsonValue) -> str:
    """Return compact JSON in ASCII, keys in the author's order."""
    return _COMPACT.encode(value)


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
    yield ".handlers", f"{signatures.stem}Handlers"
    if any(hook_uses(signatures.service)):
        yield ".handlers", f"{signatures.stem}Hooks"
    types = signatures.types
    if types.given_credentials != NONE:
        yield "collections.abc", "Awaitable"
    given = types.given_settings, types.given_credentials
    yield from homes(given, frozenset(types.declared))
