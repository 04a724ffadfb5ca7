"""View of a service: the values that the templates of the Python target read.

A `Code` is Python made by the compiler, and is written as it is. Every other value is data, which a
template writes as a literal. `VIEW_VERSION` changes when a field is renamed or removed, or gets
another meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.targets.templates import Code, Scalar

VIEW_VERSION = 1


@dataclass(frozen=True, slots=True)
class Service:
    """A service, as `service` in all templates but `package.py.jinja` and `handler_class.py.jinja`."""

    name: str
    """Name as in the spec."""
    id: Code
    """The name for use inside of documentation and comments."""
    title: str
    """Title for people."""
    description: str
    """Description; may have several paragraphs."""
    stem: Code
    """Prefix of the names of its classes."""
    tools: tuple[Tool, ...]
    """The tools in the order of the spec."""
    streams: bool
    """Whether a tool streams."""
    definition: tuple[Field, ...]
    """Arguments of its `ServiceDefinition` besides `oauth` and `tools`."""
    oauth: tuple[Field, ...] | None
    """Arguments of its `OAuth` definition; None for other kinds of authentication."""
    handlers: Class
    """Protocol of the handlers, with the methods that verify and revert."""
    stubs: Class
    """Handlers that raise `not_implemented`."""
    hooks: Class | None
    """Protocol of the hooks; None without any."""
    http: HttpClass | None
    """Handlers that send HTTP requests; None if no tool has one."""
    has_second_methods: bool
    """Whether a tool has a method that verifies or reverts."""
    handler_imports: Sections
    """Imports for the types of handlers and hooks."""
    handlers_type: Code
    """Type of the first parameter of `bind`."""
    bind_options: tuple[Parameter, ...]
    """Parameters of `bind` that not every service has: settings, credentials, hooks."""
    bind_imports: Sections
    """Imports for the types of `bind`."""
    exports: tuple[tuple[str, str], ...]
    """Classes that the package imports on first access, each with its module."""
    stub_imports: Sections
    """Imports of `__init__.pyi` that are not of the generated package."""
    stub_exports: tuple[Import, ...]
    """Imports of `__init__.pyi` that export the classes, one name each."""
    stub_types: tuple[Import, ...]
    """Imports of `__init__.pyi` that export the types of `bind`, one name each."""
    clients: tuple[Client, ...]
    """The asynchronous client, and the synchronous one."""
    client_imports: Sections
    """Imports for the types of the clients."""
    configuration: tuple[Field, ...]
    """Schemas of settings and credentials that need `definitions`."""
    definitions: tuple[tuple[str, str], ...]
    """Shared definitions that arguments, settings and credentials need, as JSON by name."""
    result_definitions: tuple[tuple[str, str], ...]
    """Shared definitions that only results need, as JSON by name."""
    types_doc: str
    """Documentation of `types.py`."""
    types: tuple[Type, ...]
    """Declarations of `types.py`, in an order that Python can load."""
    type_names: tuple[str, ...]
    """Names of the declarations, sorted."""
    typing_names: tuple[Code, ...]
    """Names that the declarations need of `typing`."""


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its texts, and the arguments of its definitions."""

    name: str
    """Name in the service."""
    full_name: str
    """Name with that of the service, as models see it."""
    title: str
    """Title for people."""
    description: str
    """Description; may have several paragraphs."""
    summary: str
    """First sentence of the description."""
    method: str
    """Name of its method in handlers and clients."""
    definition: tuple[Field, ...]
    """Arguments of its `ToolDefinition` in the package."""
    schemas: tuple[Field, ...]
    """Arguments of its `ToolSchemas`."""
    schemas_fit: bool
    """Whether these fit on one line."""


@dataclass(frozen=True, slots=True)
class Field:
    """A keyword argument."""

    name: Code
    """Name of the parameter."""
    value: Scalar | Code
    """The value; a tuple is code already, with one item a line where it is long."""


@dataclass(frozen=True, slots=True)
class Class:
    """A class of handlers, stubs or hooks."""

    name: Code
    """Name of the class."""
    methods: tuple[Method, ...]
    """The methods in the order of the tools."""


@dataclass(frozen=True, slots=True)
class Method:
    """A method without its body."""

    name: Code
    """Name of the method."""
    parameters: tuple[Parameter, ...]
    """Parameters after `self`, those by keyword last."""
    returns: Code
    """Type of the result."""
    doc: str
    """Documentation, wrapped for a method of a class."""
    is_async: bool
    """Whether it is an `async def`."""
    is_wide: bool
    """Whether its head does not fit on one line; its types are broken for that."""
    is_listed: bool
    """Whether its parameters do not fit on one line either: each has a line of its own."""
    streams: bool
    """Whether it is a generator."""
    tool: str
    """Full name of its tool; empty for a hook."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter after `self`."""

    name: Code
    """Name of the parameter."""
    type: Code
    """Its type."""
    is_optional: bool = False
    """Whether it has the default None."""
    is_keyword: bool = False
    """Whether it can only be passed by keyword."""


@dataclass(frozen=True, slots=True)
class Client:
    """A client class."""

    name: Code
    """Name of the class."""
    base: Code
    """Name of its base class in `toolspec.runtime`."""
    is_async: bool
    """Whether its methods are coroutines."""
    methods: tuple[ClientMethod, ...]
    """The methods in the order of the tools."""
    close: Code | None
    """Name of the method that closes the connection; None in the asynchronous client."""


@dataclass(frozen=True, slots=True)
class ClientMethod:
    """A method of a client, which passes arguments to `self.<call>`."""

    method: Method
    """The method."""
    call: Code
    """`_call` returns the result, `_stream` an iterator, and `_deliver` passes chunks to callbacks."""
    arguments: tuple[Code, ...]
    """The arguments of that call."""
    call_is_wide: bool
    """Whether the call does not fit on one line."""
    head_is_wide: bool
    """Whether the type of the result leaves no room for `self._call(` on its line."""


@dataclass(frozen=True, slots=True)
class HttpClass:
    """A class of handlers that send HTTP requests."""

    name: Code
    """Name of the class."""
    requests: tuple[HttpRequest, ...]
    """The requests in the order of the tools."""
    methods: tuple[ClientMethod, ...]
    """A method for each request, which passes its arguments to `self.<call>`."""
    imports: Sections
    """Imports for the types of the methods."""
    has_arguments: bool
    """Whether a request has arguments."""


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """The HTTP request of a tool."""

    method: str
    """Name of the method that sends it."""
    binding: tuple[Field, ...]
    """Arguments of its `HttpBinding` besides `arguments`."""
    arguments: tuple[tuple[Field, ...], ...]
    """Arguments of the `HttpArgument` of each argument."""


@dataclass(frozen=True, slots=True)
class Type:
    """A declaration of `types.py`."""

    name: Code
    """Name of the type."""
    form: str
    """`class` for a TypedDict, `call` for one whose keys may be any text, or `alias`."""
    doc: str
    """Documentation, wrapped; may be empty."""
    type: Code | None
    """Type that an alias stands for."""
    fields: tuple[tuple[str | Code, Code], ...]
    """Keys of a TypedDict with their types: names in a class, else texts."""


@dataclass(frozen=True, slots=True)
class Import:
    """`from source import names`."""

    source: Code
    """Module, with dots in front if it is of the generated package."""
    names: tuple[Code, ...]
    """Imported names as isort orders them."""
    is_wide: bool
    """Whether it does not fit on one line."""


# Imports as isort groups them: standard library, runtime, generated package.
Sections: TypeAlias = "tuple[tuple[Import, ...], ...]"


@dataclass(frozen=True, slots=True)
class Build:
    """All services of a build, as `build` in `package.py.jinja`."""

    version: str
    """Version of the compiler."""
    services: tuple[Part, ...]
    """The services, by name."""
    imports: Sections
    """Imports for the types of `build_registry`."""


@dataclass(frozen=True, slots=True)
class HandlerClass:
    """A class that `toolspec handlers` writes or adds stubs to, as the view of `handler_class.py.jinja`."""

    name: Code
    """Name of the class; another one where only its body is added."""
    base: Code | None
    """Protocol of the handlers; None where only the body is added."""
    documentation: str
    """Documentation; empty where only the body is added."""
    methods: tuple[Method, ...]
    """The stubs."""
    not_implemented: Code
    """Name of the error that a stub raises."""


@dataclass(frozen=True, slots=True)
class Part:
    """A service in the top package."""

    module: Code
    """Name of its package, and of the parameter for it."""
    package: Code
    """Local name of its package."""
    handlers: Code
    """Name of its handlers' Protocol."""
    type: Code
    """Type of the parameter for it."""
