"""Views of a service and of a build, from the program."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.ir import Idempotency, InputForm
from toolspec.shared.records import dataclass, replace
from toolspec.targets.arguments import has_optional_arguments
from toolspec.targets.python import view
from toolspec.targets.python.code import (
    WIDTH,
    escape,
    flat,
    flat_code,
    nested,
    type_code,
)
from toolspec.targets.python.definitions import (
    http_argument_fields,
    http_fields,
    oauth_fields,
    stated,
    tool_fields,
)
from toolspec.targets.python.expressions import (
    NONE,
    OBJECT,
    STRING,
    Dots,
    List,
    Name,
    name,
    subscript,
    union,
)
from toolspec.targets.python.hooks import hook_uses
from toolspec.targets.python.identifiers import Identifier, Names
from toolspec.targets.python.imports import grouped, in_order
from toolspec.targets.python.records import Alias, names_used
from toolspec.targets.python.schemas import ServiceSchemas
from toolspec.targets.python.service_types import FROM_TYPING, service_types
from toolspec.targets.python.signatures import (
    Parameter,
    Signature,
    Signatures,
    homes,
    tool_documentation,
)
from toolspec.targets.python.wrapping import documentation
from toolspec.targets.templates import Code
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.ir import Service, ServiceNames, Tool
    from toolspec.targets.python.code import Value
    from toolspec.targets.python.expressions import Expression
    from toolspec.targets.python.records import Declaration
    from toolspec.targets.python.service_types import ToolTypes

_FUNCTIONS = subscript("Mapping", STRING, subscript("Callable", Dots(), OBJECT))
_INSTANCE = Identifier("instance")
_KEY = Identifier("idempotency_key")
_DEFAULT = " = None"
_PLAIN = re.compile(r"[A-Za-z0-9_.-]+")
# For each hook role: its parameters besides the call, its return type, its documentation.
_ROLES: dict[str, tuple[tuple[Parameter, ...], Expression, str]] = {
    "before": ((), NONE, "Runs before the handler: raise to stop the call."),
    "middleware": (
        (Parameter(Identifier("next"), name("Next")),),
        OBJECT,
        "Runs around the handler: return the result of `await next()`, or a replacement.",
    ),
    "after": (
        (Parameter(Identifier("result"), OBJECT),),
        OBJECT,
        "Runs after the handler: return a replacement for the result, or None.",
    ),
    "afterResponse": (
        (Parameter(Identifier("outcome"), name("Outcome")),),
        NONE,
        "Runs after the call, also after an error; it cannot change the outcome.",
    ),
}


def build_view(services: Sequence[ServiceNames]) -> view.Build:
    """Return the view of a build from the names of its services."""
    parts = []
    needed = [("toolspec.runtime", "Registry")]
    for service in services:
        module, handlers = Identifier(service.module), Identifier(f"{service.class_stem}Handlers")
        kind = union((Name(handlers), name("Registry"), NONE))
        written = _option(Parameter(module, kind, is_optional=True))
        parts.append(view.Part(module, Identifier(f"_package_{module}"), handlers, written.type))
        needed.append((f".{module}.handlers", handlers))
    return view.Build(__version__, tuple(parts), _imports(needed))


def service_view(service: Service, *, is_binary: bool = False) -> view.Service:
    """Return the view of a service; with `is_binary`, base64 is `bytes`."""
    return _Maker(service, is_binary=is_binary).make()


class _Maker:
    """Makes the view of one service."""

    def __init__(self, service: Service, *, is_binary: bool) -> None:
        self._service = service
        self._is_binary = is_binary
        self._types = service_types(service, is_binary=is_binary)
        self._declared = frozenset(self._types.declared)
        self._signatures = Signatures(service, self._types)
        self._stem = service.names.class_stem
        self._names = Names(frozenset(tool.names.method for tool in service.tools))
        self._close = self._names.give("close")

    def make(self) -> view.Service:
        """Return the view."""
        service, types = self._service, self._types
        schemas = ServiceSchemas(service)
        written = [_awaitable(each) for _, each in self._signatures.handlers()]
        stubs = [replace(each, is_async=each.streams) for each in written]
        hooks = _hooks(service)
        clients = self._clients()
        return view.Service(
            name=service.name,
            id=_plain(service.name),
            title=service.title,
            description=service.description,
            stem=Code(self._stem),
            tools=tuple(self._tools(schemas)),
            streams=any(tool.streaming for tool in service.tools),
            definition=_fields(schemas.service_fields(is_binary=self._is_binary), 4),
            oauth=None if (oauth := oauth_fields(service.auth)) is None else _fields(oauth, 8),
            handlers=self._class("Handlers", written),
            stubs=self._class("Stubs", stubs),
            hooks=self._class("Hooks", hooks) if hooks else None,
            http=self._http(),
            has_second_methods=len(written) > len(service.tools),
            handler_imports=self._type_imports(
                kind for each in (*written, *hooks) for kind in each.types
            ),
            handlers_type=_option(Parameter(Identifier("handlers"), self._handlers_type())).type,
            bind_options=tuple(map(_option, self._bind_options())),
            bind_imports=_imports(self._bind_needs()),
            exports=tuple(sorted((each, home) for home, each in self._locations())),
            stub_imports=_imports(
                pair
                for pair in {*self._bind_needs(), ("toolspec.runtime", "ServiceDefinition")}
                if not pair[0].startswith(".")
            ),
            stub_exports=tuple(_exports(self._locations())),
            stub_types=tuple(_exports(pair for pair in self._bind_needs() if pair[0] == ".types")),
            clients=tuple(_client(each, signatures) for each, signatures in clients),
            client_imports=self._type_imports(
                kind for _, calls in clients for call in calls for kind in call.signature.types
            ),
            configuration=_fields(schemas.configuration, 4),
            definitions=schemas.definitions,
            result_definitions=schemas.result_definitions,
            types_doc=types.doc,
            types=tuple(map(_type, types.declarations)),
            type_names=tuple(map(str, in_order(types.declared))),
            typing_names=tuple(_typing_names(types.declarations)),
        )

    def _tools(self, schemas: ServiceSchemas) -> Iterator[view.Tool]:
        for tool in self._service.tools:
            arguments = schemas.arguments[tool.names.method]
            fields = tool_fields(tool, arguments, is_binary=self._is_binary)
            if tool.provenance.file == self._service.file:
                del fields["source"]
            yield view.Tool(
                tool.name,
                tool.names.full,
                tool.title,
                tool.description,
                tool.summary,
                tool.names.method,
                _fields({**fields, "package": Code("__name__")}, 12),
                entry := _fields(schemas.results[tool.names.method], 8),
                _fit(f'    "{tool.names.method}": ToolSchemas(', entry, "),"),
            )

    def _http(self) -> view.HttpClass | None:
        """Return the handlers that send requests; None if no tool has one."""
        sent = [
            (tool.http, replace(each, is_async=True))
            for tool, each in self._signatures.handlers()
            if tool.http is not None and each.name == tool.names.method
        ]
        if not sent:
            return None
        kind = _ClientKind(
            Identifier(f"{self._stem}HttpHandlers"), Identifier("HttpHandlers"), None
        )
        calls = [
            _ClientCall(each, Code("_stream" if each.streams else "_call"), _sent(each))
            for _, each in sent
        ]
        return view.HttpClass(
            name=kind.name,
            requests=tuple(
                view.HttpRequest(
                    str(each.name),
                    _fields(http_fields(http), 8),
                    tuple(
                        _fields(http_argument_fields(argument), 16) for argument in http.arguments
                    ),
                )
                for http, each in sent
            ),
            methods=tuple(_clientmethod_view(call, kind) for call in calls),
            imports=self._type_imports(kind for _, each in sent for kind in each.types),
            has_arguments=any(http.arguments for http, _ in sent),
        )

    def _class(self, suffix: str, methods: Iterable[Signature]) -> view.Class:
        return view.Class(Identifier(f"{self._stem}{suffix}"), tuple(map(method_view, methods)))

    def _locations(self) -> Iterator[tuple[str, str]]:
        """Yield the classes of a service outside of its package, as (source, name)."""
        yield ".client", f"{self._stem}Client"
        yield ".client", f"{self._stem}SyncClient"
        yield ".handlers", f"{self._stem}Handlers"
        yield ".handlers", f"{self._stem}Stubs"
        if any(tool.http for tool in self._service.tools):
            yield ".http", f"{self._stem}HttpHandlers"
        if any(hook_uses(self._service)):
            yield ".handlers", f"{self._stem}Hooks"

    def _handlers_type(self) -> Expression:
        return union((name(f"{self._stem}Handlers"), _FUNCTIONS))

    def _bind_options(self) -> Iterator[Parameter]:
        """Yield the parameters of `bind` that not every service has."""
        types = self._types
        if types.given_settings != NONE:
            kind = self._by_instance(types.given_settings)
            yield _keyword("settings", union((kind, NONE)))
        if (given := types.given_credentials) != NONE:
            kinds = (self._by_instance(given), self._provider(given), NONE)
            yield _keyword("credentials", union(kinds))
        if any(hook_uses(self._service)):
            yield _keyword("hooks", union((name(f"{self._stem}Hooks"), _FUNCTIONS, NONE)))

    def _by_instance(self, kind: Expression) -> Expression:
        """Return a configuration's type, as a mapping by instance name if there are instances."""
        if not self._service.instances:
            return kind
        return subscript("Mapping", self._types.instance, kind)

    def _provider(self, credentials: Expression) -> Expression:
        """Return the type of a function from a caller, and an instance, to credentials."""
        instance = (self._types.instance,) if self._service.instances else ()
        caller = List((union((STRING, NONE)), *instance))
        result = union((credentials, NONE))
        return subscript("Callable", caller, union((result, subscript("Awaitable", result))))

    def _bind_needs(self) -> Iterator[tuple[str, str]]:
        yield "collections.abc", "Callable"
        yield "collections.abc", "Mapping"
        yield "logging", "Logger"
        yield "toolspec.runtime", "Registry"
        yield "toolspec.runtime.service", "OutputCheck"
        yield ".handlers", f"{self._stem}Handlers"
        if any(hook_uses(self._service)):
            yield ".handlers", f"{self._stem}Hooks"
        types = self._types
        if types.given_credentials != NONE:
            yield "collections.abc", "Awaitable"
        given = [types.given_settings, types.given_credentials]
        if self._service.instances:
            given.append(types.instance)
        yield from homes(given, self._declared)

    def _type_imports(self, kinds: Iterable[Expression]) -> view.Sections:
        return _imports(homes(kinds, self._declared))

    def _clients(self) -> tuple[tuple[_ClientKind, list[_ClientCall]], ...]:
        """Return the asynchronous and the synchronous client, each with its methods."""
        stem = self._stem
        callbacks = {
            tool.names.method: self._names.give(f"{tool.names.method}_with_callback")
            for tool, types in self._signatures.tools
            if types.chunk is not None
        }
        kinds = (
            _ClientKind(Identifier(f"{stem}Client"), Identifier("ServiceClient"), None),
            _ClientKind(
                Identifier(f"{stem}SyncClient"), Identifier("SyncServiceClient"), self._close
            ),
        )
        return tuple((kind, list(self._client_calls(kind, callbacks))) for kind in kinds)

    def _client_calls(
        self, kind: _ClientKind, callbacks: Mapping[str, Identifier]
    ) -> Iterator[_ClientCall]:
        for tool, types in self._signatures.tools:
            instance = (Code("instance=instance"),) if tool.instances else ()
            main, passed = self._main(tool, types, kind), _passed(tool)
            key = () if tool.idempotency is Idempotency.NONE else (_KEY,)
            call = Code("_stream" if types.chunk else "_call")
            yield _ClientCall(main, call, (*passed, *key, *instance))
            if types.chunk is not None:
                deliver = self._delivery(tool, types, types.chunk, callbacks[tool.names.method])
                listeners = (Code("on_chunk"), Code("on_complete"), Code("on_error"))
                arguments = (*passed, *(key or (Code("None"),)), *listeners, *instance)
                signature = replace(deliver, is_async=kind.is_async)
                yield _ClientCall(signature, Code("_deliver"), arguments)

    def _main(self, tool: Tool, types: ToolTypes, kind: _ClientKind) -> Signature:
        """Return the method of a tool."""
        parameters = (_input(tool, types), *self._instance(tool), *_key(tool))
        doc = tool_documentation(tool.description)
        method = Identifier(tool.names.method)
        if types.chunk is not None:
            iterator = subscript("AsyncIterator" if kind.is_async else "Iterator", types.chunk)
            return Signature(method, parameters, iterator, doc, tool=tool.names.full)
        # Type checkers reject a function that is annotated with `Never` and returns.
        is_impossible = types.output.id in self._types.impossible
        returns = OBJECT if is_impossible else types.output
        is_async = kind.is_async
        return Signature(method, parameters, returns, doc, is_async=is_async, tool=tool.names.full)

    def _delivery(self, tool: Tool, types: ToolTypes, chunk: Name, method: Identifier) -> Signature:
        """Return the method that passes a tool's chunks to callbacks given by keyword."""
        callbacks = {"on_complete": types.output, "on_error": name("ToolError")}
        listeners = [_keyword("on_chunk", _listener(chunk), is_optional=False)] + [
            _keyword(callback, union((_listener(taken), NONE)))
            for callback, taken in callbacks.items()
        ]
        full = tool.names.full
        doc = f"Pass each chunk of `{full}` to `on_chunk`, and the result to `on_complete`."
        parameters = (_input(tool, types), *self._instance(tool), *listeners, *_key(tool))
        return Signature(method, parameters, NONE, documentation(doc, depth=2), tool=full)

    def _instance(self, tool: Tool) -> tuple[Parameter, ...]:
        """Return the `instance` parameter, or nothing for a service without instances."""
        if not tool.instances:
            return ()
        return (_keyword(_INSTANCE, self._types.instance, is_optional=False),)


@dataclass(frozen=True, slots=True)
class _ClientKind:
    """One of the two clients; only the synchronous one has a method to `close` it."""

    name: Identifier
    base: Identifier
    close: Identifier | None

    @property
    def is_async(self) -> bool:
        return self.close is None


@dataclass(frozen=True, slots=True)
class _ClientCall:
    """A method of a client, with the method of its base that it calls and the arguments."""

    signature: Signature
    call: Code
    arguments: tuple[Code, ...]


def _plain(name: str) -> Code:
    """Return a service's name as code. Raises ValueError for one that could end a docstring."""
    if not _PLAIN.fullmatch(name):
        message = f"no name of a service: {name!r}"
        raise ValueError(message)
    return Code(name)


def _client(kind: _ClientKind, calls: Iterable[_ClientCall]) -> view.Client:
    methods = tuple(_clientmethod_view(call, kind) for call in calls)
    return view.Client(kind.name, kind.base, kind.is_async, methods, kind.close)


def _clientmethod_view(each: _ClientCall, kind: _ClientKind) -> view.ClientMethod:
    prefix = "await " if kind.is_async else ""
    if each.call == "_call":
        prefix = f"output: {flat(each.signature.returns)} = {prefix}"
    elif each.call == "_stream":
        prefix = "return "
    head = f"{' ' * 8}{prefix}self.{each.call}("
    return view.ClientMethod(
        method_view(each.signature),
        each.call,
        each.arguments,
        call_is_wide=len(head) + len(", ".join(each.arguments)) + len(")") > WIDTH,
        head_is_wide=len(head) > WIDTH,
    )


def method_view(signature: Signature) -> view.Method:
    """Return a method of a class at the top level of a module."""
    parameters = [
        f"{parameter.name}: {flat(parameter.type)}{_DEFAULT if parameter.is_optional else ''}"
        for parameter in signature.parameters
    ]
    if any(parameter.is_keyword for parameter in signature.parameters):
        parameters.append("*")
    start = f"    {'async ' if signature.is_async else ''}def {signature.name}("
    inside = ", ".join(("self", *parameters))
    is_wide = len(f"{start}{inside}) -> {flat(signature.returns)}:") > WIDTH
    is_listed = is_wide and len(inside) > WIDTH - 8
    return view.Method(
        signature.name,
        tuple(_parameter(parameter, 8, is_wide=is_listed) for parameter in signature.parameters),
        type_code(signature.returns, 4, len("    ) -> "), len(":"))
        if is_wide
        else flat_code(signature.returns),
        signature.doc,
        signature.is_async,
        is_wide,
        is_listed,
        signature.streams,
        signature.tool,
    )


def _parameter(each: Parameter, indent: int, *, is_wide: bool = True) -> view.Parameter:
    """Return a parameter; a wide one has a line of its own."""
    if is_wide:
        after = len(",") + (len(_DEFAULT) if each.is_optional else 0)
        kind = type_code(each.type, indent, indent + len(each.name) + len(": "), after, bare=False)
    else:
        kind = flat_code(each.type)
    return view.Parameter(each.name, kind, each.is_optional, each.is_keyword)


def _option(each: Parameter) -> view.Parameter:
    """Return a parameter of a function at the top level of a module."""
    return _parameter(each, 4)


def _keyword(parameter: str, kind: Expression, *, is_optional: bool = True) -> Parameter:
    return Parameter(Identifier(parameter), kind, is_optional, is_keyword=True)


def _hooks(service: Service) -> list[Signature]:
    """Return a method for each hook, in the role in which it is used first."""
    found: dict[str, Signature] = {}
    call = Parameter(Identifier("call"), name("Call"))
    for role, hook in hook_uses(service):
        if hook not in found:
            parameters, returns, doc = _ROLES[role]
            wrapped = documentation(doc, depth=2)
            taken = (call, *parameters)
            method = Signature(Identifier(hook), taken, returns, wrapped, is_async=True)
            found[hook] = _awaitable(method) if role == "afterResponse" else method
    return list(found.values())


def _awaitable(method: Signature) -> Signature:
    """Return a method that may be a plain `def` or a coroutine; generators are unchanged."""
    if not method.is_async:
        return method
    returns = union((subscript("Awaitable", method.returns), method.returns))
    return replace(method, returns=returns, is_async=False)


def _input(tool: Tool, types: ToolTypes) -> Parameter:
    """Return the parameter for the arguments, optional where no argument is required."""
    if has_optional_arguments(tool):
        return Parameter(Identifier("input"), union((types.arguments, NONE)), is_optional=True)
    return Parameter(Identifier("input"), types.arguments)


def _key(tool: Tool) -> tuple[Parameter, ...]:
    """Return the `idempotency_key` parameter; the runtime generates a key where none is passed."""
    if tool.idempotency is Idempotency.NONE:
        return ()
    return (_keyword(_KEY, union((STRING, NONE))),)


def _passed(tool: Tool) -> tuple[Code, ...]:
    """Return the method's name and the arguments, as the methods of a client's base take them."""
    is_text = tool.input_form is InputForm.TEXT
    return escape(tool.names.method), Code('{"input": input}' if is_text else "input")


def _sent(method: Signature) -> tuple[Code, ...]:
    return escape(str(method.name)), *(parameter.name for parameter in method.parameters)


def _listener(taken: Expression) -> Expression:
    return subscript("Callable", List((taken,)), OBJECT)


def _fields(values: Mapping[str, object], indent: int) -> tuple[view.Field, ...]:
    """Return the fields of a definition that are not empty or a default."""
    return tuple(_field(Identifier(key), value, indent) for key, value in stated(values))


def _field(key: Identifier, value: Value | Code, indent: int) -> view.Field:
    if isinstance(value, tuple):
        value = nested(value, indent, indent + len(key) + len("="))
    return view.Field(key, value)


def _fit(start: str, fields: Iterable[view.Field], end: str) -> bool:
    """Return whether a call with some fields, each a text, fits on one line."""
    room = WIDTH - len(start) - len(end) + len(", ")
    for field in fields:
        # A literal is longer than its text, and schemas are long.
        is_long = isinstance(field.value, str) and len(field.value) > room
        room -= WIDTH if is_long else len(f"{field.name}={escape(field.value)}, ")
    return room >= 0


def _imports(names: Iterable[tuple[str, str]]) -> view.Sections:
    """Return imports below `if TYPE_CHECKING:`, as isort sorts them."""
    return tuple(
        tuple(_import(source, found) for source, found in section) for section in grouped(names)
    )


def _import(source: str, names: Sequence[str]) -> view.Import:
    line = f"    from {source} import {', '.join(names)}"
    return view.Import(Code(source), tuple(map(Identifier, names)), len(line) > WIDTH)


def _exports(names: Iterable[tuple[str, str]]) -> Iterator[view.Import]:
    """Yield an import for each (source, name), which is exported under the same name."""
    for section in grouped(names):
        for source, found in section:
            for each in found:
                line = f"from {source} import {each} as {each}"
                yield view.Import(Code(source), (Identifier(each),), len(line) > WIDTH)


def _type(declaration: Declaration) -> view.Type:
    declared, doc = declaration.name, declaration.doc
    if isinstance(declaration, Alias):
        before = len(f"{declared}: TypeAlias = ")
        return view.Type(declared, "alias", doc, _alias_code(declaration.type, before), ())
    if declaration.is_class:
        fields: list[tuple[str | Code, Code]] = [
            (Identifier(key), type_code(kind, 4, 4 + len(key) + len(": ")))
            for key, kind in declaration.fields
        ]
        return view.Type(declared, "class", doc, None, tuple(fields))
    fields = [
        (key, type_code(kind, 8, 8 + len(escape(key)) + len(": "), len(","), bare=False))
        for key, kind in declaration.fields
    ]
    return view.Type(declared, "call", doc, None, tuple(fields))


def _alias_code(kind: Expression, before: int) -> Code:
    """Return the type of an alias; a name moves to the next line if it then fits."""
    code = type_code(kind, 0, before)
    is_moved = before + len(code) > WIDTH >= max(before + len("("), 4 + len(code))
    return Code(f"(\n    {code}\n)") if isinstance(kind, Name) and is_moved else code


def _typing_names(declarations: Iterable[Declaration]) -> Iterator[Code]:
    used = names_used(declarations)
    return (Code(each) for each in FROM_TYPING if each in used)
