"""Client module of a service (`client.py`): one typed method a tool, async and sync."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.ir import Idempotency, InputForm
from toolspec.targets.arguments import has_optional_arguments
from toolspec.targets.python.definitions import definition
from toolspec.targets.python.expressions import NONE, OBJECT, STRING, name, subscript, union
from toolspec.targets.python.identifiers import Identifier, Names
from toolspec.targets.python.imports import FUTURE, UNCHECKED, for_checkers, from_import
from toolspec.targets.python.model import (
    Assign,
    Attribute,
    Await,
    Call,
    Class,
    Const,
    Dict,
    Evaluate,
    Function,
    List,
    Module,
    Name,
    Parameter,
    Return,
)
from toolspec.targets.python.signatures import SELF, needed
from toolspec.targets.python.wrapping import documentation

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from toolspec.ir import Service, Tool
    from toolspec.targets.python.model import Expression, Statement
    from toolspec.targets.python.service_types import ServiceTypes, ToolTypes
    from toolspec.targets.python.signatures import Signatures

_INPUT, _OUTPUT, _KEY = name("input"), name("output"), name("idempotency_key")
_SELF = name("self")
_INSTANCE = name("instance")
# Fields of a tool definition that callers need.
_KNOWN = (
    "name",
    "full_name",
    "method",
    "title",
    "summary",
    "reduction",
    "mutation",
    "streaming",
    "read_only",
    "destructive",
    "idempotent",
    "open_world",
    "risk",
    "idempotency",
    "instances",
    "revert",
    "version",
    "permissions",
)
_PACKAGE = Call(Attribute(name("__name__"), Identifier("removesuffix")), (Const(".client"),))
_CLOSE_DOC = "Close the connection and stop its thread."
_DOC = """Calls the tools of {0}, in process or over a connection.

What reads runs freely. What changes something asks the `approver`, unless a rule of the
`policy` decides, and is refused where there is nobody to ask."""


@dataclass(frozen=True, slots=True)
class _Kind:
    """One of the two client classes, async or sync: its base and its iterator type."""

    base: Identifier
    iterator: str
    is_async: bool

    def answer(
        self,
        method: str,
        arguments: tuple[Expression, ...],
        keywords: tuple[tuple[Identifier, Expression], ...] = (),
    ) -> Expression:
        """Return the call of a method of the base, awaited in the class that is async."""
        call = Call(Attribute(_SELF, Identifier(method)), arguments, keywords)
        return Await(call) if self.is_async else call


_ASYNC = _Kind(Identifier("ServiceClient"), "AsyncIterator", is_async=True)
_SYNC = _Kind(Identifier("SyncServiceClient"), "Iterator", is_async=False)


def client_module(signatures: Signatures, fields: Sequence[Mapping[str, object]]) -> Module:
    """Return the module of the service's clients, given the fields of each tool.

    There is one client for asyncio, and one for other code.
    """
    service = signatures.service
    names = Names(frozenset(tool.names.method for tool in service.tools))
    close = names.give("close")
    callbacks = {
        tool.names.method: names.give(f"{tool.names.method}_with_callback")
        for tool, types in signatures.tools
        if types.chunk is not None
    }
    classes = [
        _client(signatures, kind, callbacks, (close,) if kind is _SYNC else ())
        for kind in (_ASYNC, _SYNC)
    ]
    functions = [each for made in classes for each in made.body if isinstance(each, Function)]
    runtime = [_ASYNC.base, _SYNC.base, *(["ToolDefinition"] if service.tools else [])]
    body: list[Statement] = [
        FUTURE,
        from_import("toolspec.runtime", *runtime),
        UNCHECKED,
        *for_checkers(needed(functions, signatures.types)),
        *_definitions(service, fields),
        *classes,
    ]
    return Module(f"Clients of the service {service.name}.", tuple(body))


def _definitions(service: Service, fields: Sequence[Mapping[str, object]]) -> Iterator[Statement]:
    """Yield the definition of each tool; its version is left empty unless the name has several."""
    versions = Counter(tool.names.full for tool in service.tools)
    for tool, every in zip(service.tools, fields, strict=True):
        known = {each: every[each] for each in _KNOWN}
        # A client finds schemas with bytes, and the service's modes, through the package.
        if every["base64"] == "bytes":
            known |= {"base64": "bytes", "package": _PACKAGE}
        elif service.modes:
            known["package"] = _PACKAGE
        if versions[tool.names.full] == 1:
            known["version"] = ""
        yield Assign(_constant(tool), definition("ToolDefinition", known))


def _client(
    signatures: Signatures,
    kind: _Kind,
    callbacks: dict[str, Identifier],
    close: tuple[Identifier, ...],
) -> Class:
    """Return one client class; `close` is the name of its closing method, if it has one."""
    methods: list[Statement] = []
    for tool, types in signatures.tools:
        methods.append(_method(tool, types, kind, signatures.types))
        if types.chunk is not None:
            callback = callbacks[tool.names.method]
            instance = signatures.types.instance
            methods.append(_delivery(tool, types, types.chunk, (kind, callback), instance))
    for each in close:
        done = Evaluate(Call(Attribute(_SELF, Identifier("_close"))))
        methods.append(Function(each, (SELF,), NONE, _CLOSE_DOC, (done,)))
    stem = f"{signatures.stem}{'' if kind.is_async else 'Sync'}Client"
    doc = _DOC.format(signatures.service.name)
    return Class(Identifier(stem), (kind.base,), doc, tuple(methods))


def _method(tool: Tool, types: ToolTypes, kind: _Kind, every: ServiceTypes) -> Function:
    """Return the method of a tool."""
    doc = documentation(tool.description, depth=2)
    named = Identifier(tool.names.method)
    extra = (*_instance(tool, every.instance), *_key(tool))
    parameters = (SELF, _input(tool, types), *extra)
    if types.chunk is None:
        made = kind.answer("_call", _given(tool), _chosen(tool))
        # Type checkers reject a function that is annotated with `Never` and returns.
        is_impossible = types.output.id in every.impossible
        returns: Expression = OBJECT if is_impossible else types.output
        body = (Assign(_OUTPUT, made, returns), Return(_OUTPUT))
        return Function(named, parameters, returns, doc, body, is_async=kind.is_async)
    stream = Call(Attribute(_SELF, Identifier("_stream")), _given(tool), _chosen(tool))
    iterator = subscript(kind.iterator, types.chunk)
    return Function(named, parameters, iterator, doc, (Return(stream),))


def _delivery(
    tool: Tool,
    types: ToolTypes,
    chunk: Name,
    made: tuple[_Kind, Identifier],
    instance: Expression,
) -> Function:
    """Return the method that passes a tool's chunks to callbacks given by keyword."""
    kind, named = made
    told = {"on_chunk": chunk, "on_complete": types.output, "on_error": name("ToolError")}
    listeners = tuple(
        Parameter(
            Identifier(each),
            _listener(taken) if each == "on_chunk" else union((_listener(taken), NONE)),
            None if each == "on_chunk" else NONE,
            keyword_only=True,
        )
        for each, taken in told.items()
    )
    given = (*_given(tool, always=True), *(name(each) for each in told))
    deliver = kind.answer("_deliver", given, _chosen(tool))
    doc = f"Pass each chunk of `{tool.names.full}` to `on_chunk`, and the result to `on_complete`."
    return Function(
        named,
        (SELF, _input(tool, types), *_instance(tool, instance), *listeners, *_key(tool)),
        NONE,
        documentation(doc, depth=2),
        (Evaluate(deliver),),
        is_async=kind.is_async,
    )


def _listener(taken: Expression) -> Expression:
    return subscript("Callable", List((taken,)), OBJECT)


def _input(tool: Tool, types: ToolTypes) -> Parameter:
    """Return the parameter for the arguments, optional where no argument is required."""
    if has_optional_arguments(tool):
        return Parameter(_INPUT.id, union((types.arguments, NONE)), NONE)
    return Parameter(_INPUT.id, types.arguments)


def _instance(tool: Tool, kind: Expression) -> tuple[Parameter, ...]:
    """Return the `instance` parameter, or nothing for a service without instances."""
    if not tool.instances:
        return ()
    return (Parameter(_INSTANCE.id, kind, keyword_only=True),)


def _chosen(tool: Tool) -> tuple[tuple[Identifier, Expression], ...]:
    return ((_INSTANCE.id, _INSTANCE),) if tool.instances else ()


def _key(tool: Tool) -> tuple[Parameter, ...]:
    """Return the `idempotency_key` parameter; the runtime generates a key where none is passed."""
    if tool.idempotency is Idempotency.NONE:
        return ()
    return (Parameter(_KEY.id, union((STRING, NONE)), NONE, keyword_only=True),)


def _given(tool: Tool, *, always: bool = False) -> tuple[Expression, ...]:
    """Return the arguments of the base class's methods: tool, arguments, and idempotency key."""
    is_text = tool.input_form is InputForm.TEXT
    arguments: Expression = Dict(((Const("input"), _INPUT),)) if is_text else _INPUT
    given = (_constant(tool), arguments)
    if tool.idempotency is not Idempotency.NONE:
        return (*given, _KEY)
    return (*given, NONE) if always else given


def _constant(tool: Tool) -> Name:
    return name(f"_{tool.names.method.upper()}")
