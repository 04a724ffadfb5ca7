"""View of a service: what the templates of the Python target read.

Every `Code` is Python made by the compiler; everything else is data, which a template writes as a
literal. Fields are only added within a version of the view; whatever else changes raises
`VIEW_VERSION`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from toolspec.targets.templates import Code, Scalar

VIEW_VERSION = 1


@dataclass(frozen=True, slots=True)
class Field:
    """A keyword argument of a definition; a `value` that is a tuple is `Code` already."""

    name: Code
    value: Scalar | Code


@dataclass(frozen=True, slots=True)
class Import:
    """`from source import names`; a wide one does not fit on one line."""

    source: Code
    names: tuple[Code, ...]
    is_wide: bool


# Imports as isort groups them: standard library, runtime, generated package.
Sections: TypeAlias = "tuple[tuple[Import, ...], ...]"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter after `self`; an optional one has the default None."""

    name: Code
    type: Code
    is_optional: bool = False
    is_keyword: bool = False


@dataclass(frozen=True, slots=True)
class Method:
    """A method without its body. A wide head does not fit on one line; types are broken for that.

    `tool` is the full name of its tool, empty for a hook.
    """

    name: Code
    parameters: tuple[Parameter, ...]
    returns: Code
    doc: str
    is_async: bool
    is_wide: bool
    streams: bool
    tool: str


@dataclass(frozen=True, slots=True)
class ClientMethod:
    """A method of a client, which passes its `arguments` to `self.<call>`.

    `call` is `_call` (returns the result), `_stream` (returns an iterator over chunks) or
    `_deliver` (passes chunks to callbacks). A wide call does not fit on one line; a wide head has
    no room for `self._call(` after the type of the result.
    """

    method: Method
    call: Code
    arguments: tuple[Code, ...]
    call_is_wide: bool
    head_is_wide: bool


@dataclass(frozen=True, slots=True)
class Class:
    """A class of handlers, stubs or hooks."""

    name: Code
    methods: tuple[Method, ...]


@dataclass(frozen=True, slots=True)
class Client:
    """A client class; the synchronous one has a method that closes it, named `close`."""

    name: Code
    base: Code
    is_async: bool
    methods: tuple[ClientMethod, ...]
    close: Code | None


@dataclass(frozen=True, slots=True)
class Type:
    """A declaration of `types.py`.

    `form` is `class` (a TypedDict with `fields`), `call` (the functional form of one, whose keys
    are any texts) or `alias` (of `type`).
    """

    name: Code
    form: str
    doc: str
    type: Code | None
    fields: tuple[tuple[str | Code, Code], ...]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: its texts, and the fields of its definitions.

    `definition` has the fields for the package, `client_definition` those for the client, where
    its name is `constant`. `schemas` are the fields of its entry in `schemas.py`, which fit on one line
    if they are short.
    """

    name: str
    full_name: str
    title: str
    description: str
    summary: str
    method: str
    constant: Code
    definition: tuple[Field, ...]
    client_definition: tuple[Field, ...]
    schemas: tuple[Field, ...]
    schemas_fit: bool


@dataclass(frozen=True, slots=True)
class Service:
    """A service, as all templates but `package.py.jinja` read it.

    `id` is its name for use inside of documentation and comments. `stem` is the prefix of its class
    names. `hooks` is None if it has none, and `oauth` unless it
    authenticates with OAuth. `handlers_type` is the type of the first parameter of `bind`, and
    `bind_options` are the parameters that not every service has. `exports` are the classes outside
    of its package, with their modules. `configuration` are the schemas of settings and credentials
    that need `definitions`, the shared definitions of the service as JSON texts by name.
    """

    name: str
    id: Code
    title: str
    description: str
    stem: Code
    tools: tuple[Tool, ...]
    streams: bool
    definition: tuple[Field, ...]
    oauth: tuple[Field, ...] | None
    handlers: Class
    stubs: Class
    hooks: Class | None
    has_second_methods: bool
    handler_imports: Sections
    handlers_type: Code
    bind_options: tuple[Parameter, ...]
    bind_imports: Sections
    exports: tuple[tuple[str, str], ...]
    stub_imports: Sections
    stub_exports: tuple[Import, ...]
    stub_types: tuple[Import, ...]
    clients: tuple[Client, ...]
    client_imports: Sections
    configuration: tuple[Field, ...]
    definitions: tuple[tuple[str, str], ...]
    types_doc: str
    types: tuple[Type, ...]
    type_names: tuple[str, ...]
    typing_names: tuple[Code, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """A service as the top package reads it; `package` is a local name for its module."""

    module: Code
    package: Code
    handlers: Code
    type: Code


@dataclass(frozen=True, slots=True)
class Build:
    """All services of a build, for the top package."""

    version: str
    services: tuple[Part, ...]
    imports: Sections
