"""`client.py` of a service: one typed method a tool over any transport."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from toolspec.ir import Idempotency, InputForm
from toolspec.targets.python.expressions import NONE, OBJECT, STRING, name, subscript, union
from toolspec.targets.python.identifiers import Identifier
from toolspec.targets.python.imports import FUTURE, for_checkers, from_import
from toolspec.targets.python.model import (
    Assign,
    Attribute,
    Await,
    Call,
    Class,
    Const,
    Dict,
    Function,
    If,
    Module,
    Operator,
    Parameter,
    Quoted,
    Return,
    Subscript,
    Test,
)
from toolspec.targets.python.signatures import SELF, needed
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from toolspec.ir import Tool
    from toolspec.targets.python.model import Expression, Statement
    from toolspec.targets.python.service_types import ToolTypes
    from toolspec.targets.python.signatures import Signatures

_TRANSPORT = Attribute(name("self"), Identifier("_transport"))
_INPUT, _ARGUMENTS, _KEY = name("input"), name("arguments"), name("idempotency_key")


def client_module(signatures: Signatures) -> Module:
    """Return the module of the service's client."""
    service = signatures.service
    unbounded = signatures.types.unbounded
    versions = Counter(tool.names.full for tool in service.tools)
    methods = tuple(
        _method(tool, types, versions[tool.names.full] > 1, types.told.id in unbounded)
        for tool, types in signatures.tools
    )
    start = Function(
        Identifier("__init__"),
        (SELF, Parameter(Identifier("transport"), name("Transport"))),
        NONE,
        body=(Assign(_TRANSPORT, name("transport")),),
    )
    is_cast = any(types.told.id not in unbounded for _, types in signatures.tools)
    body: list[Statement] = [FUTURE]
    body.append(from_import("typing", "TYPE_CHECKING", *(["cast"] if is_cast else [])))
    sources = [*needed(methods, signatures.types), ("toolspec.runtime", "Transport")]
    body.extend(for_checkers(sources))
    doc = f"Calls the tools of {service.name}, in process or over a connection."
    body.append(Class(Identifier(f"{signatures.stem}Client"), (), doc, (start, *methods)))
    return Module(f"Client of the service {service.name}.", tuple(body))


def _method(tool: Tool, types: ToolTypes, is_one_of_several: bool, is_unbounded: bool) -> Function:
    """Return a method; a tool of several versions is asked for by its own."""
    parameters = [SELF, Parameter(_INPUT.id, types.input)]
    arguments: Expression = _INPUT
    if tool.input_form is InputForm.TEXT:
        arguments = Dict(((Const("input"), _INPUT),))
    body: list[Statement] = []
    if tool.idempotency is not Idempotency.NONE:
        body.extend(_keyed(tool, arguments))
        arguments = _ARGUMENTS
        optional = tool.idempotency is Idempotency.OPTIONAL
        kind = union((STRING, NONE)) if optional else STRING
        parameters.append(Parameter(_KEY.id, kind, NONE if optional else None, keyword_only=True))
    version = f"@{tool.version}" if is_one_of_several and tool.version else ""
    answer = _call(f"{tool.names.full}{version}", types, arguments)
    body.append(Return(answer if is_unbounded else _cast(types, answer)))
    return Function(
        Identifier(tool.names.method),
        tuple(parameters),
        types.answer,
        documentation(tool.description, depth=2),
        tuple(body),
        is_async=types.chunk is None,
    )


def _keyed(tool: Tool, arguments: Expression) -> tuple[Statement, ...]:
    """Return the statements that put the idempotency key among the arguments."""
    kind = subscript("dict", STRING, OBJECT)
    spread = arguments.entries if isinstance(arguments, Dict) else ((None, arguments),)
    entry = (Const(_KEY.id), _KEY)
    if tool.idempotency is Idempotency.REQUIRED:
        return (Assign(_ARGUMENTS, Dict((*spread, entry)), kind),)
    given = Test(_KEY, Operator(negated=True, membership=False), NONE)
    put = Assign(Subscript(_ARGUMENTS.id, (entry[0],)), _KEY)
    return (Assign(_ARGUMENTS, Dict(spread), kind), If(given, (put,)))


def _call(asked: str, types: ToolTypes, arguments: Expression) -> Expression:
    """Return the call of the transport."""
    sent = (Const(asked), arguments)
    if types.chunk is not None:
        return Call(Attribute(_TRANSPORT, Identifier("stream")), sent)
    return Await(Call(Attribute(_TRANSPORT, Identifier("call")), sent))


def _cast(types: ToolTypes, answer: Expression) -> Call:
    """Return the answer, taken for what the schema says it is: the server has checked it."""
    return Call(name("cast"), (Quoted(types.answer), answer))
