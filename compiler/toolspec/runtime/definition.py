"""Static definitions of services and tools in generated code, with schemas as JSON text."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, TypeAlias, TypeVar

    from toolspec.runtime.oauth import OAuth

    InputForm: TypeAlias = Literal["object", "text", "raw"]
    Reduction: TypeAlias = Literal["join", "list", "last"]
    TaskSupport: TypeAlias = Literal["forbidden", "optional", "required"]
    Idempotency: TypeAlias = Literal["none", "optional", "required"]
    Auth: TypeAlias = Literal["none", "oauth2", "custom"]
    Credentials: TypeAlias = Literal["perUser", "shared"]
    Formats: TypeAlias = Literal["assert", "annotate"]
    Base64: TypeAlias = Literal["str", "bytes"]
    T = TypeVar("T", str, None)
    _Found: TypeAlias = tuple[str | None, Mapping[str, str]]


RESULT_BYTES = 1_000_000
"""Maximum size of a result that a server sends, unless the tool has a limit of its own.

It leaves room for the rest of the message: clients accept events of up to 1 MiB.
"""

_SANDBOX_RISK = 1
"""The risk tier of writes in a mode other than live."""


class ToolSchemas(Record):
    """Schemas of a tool's result and of the chunks of its stream, as JSON text.

    They may refer to definitions of the service, which are stored once for all tools.
    """

    output: str = "true"
    chunk: str | None = None


class ConfigurationSchemas(Record):
    """Schemas of settings and credentials that refer to definitions of the service."""

    settings: str | None = None
    credentials: str | None = None


class _Completed:
    """Descriptor of a self-contained schema, made on first use.

    `find` returns its text, and definitions; those that the schema refers to are added to it.
    """

    def __init__(self, find: Callable[[Any], _Found], default: str | None) -> None:
        self._find = find
        self._default = default

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: ToolDefinition | ServiceDefinition | None, _: type) -> object:
        """Return the schema; the default for the class, and for a definition without one."""
        if owner is None:
            return self._default
        text, definitions = self._find(owner)
        if text is None:
            text = self._default
        elif definitions:
            from toolspec.shared.reachability import complete

            text = complete(text, definitions)
        vars(owner)[self._name] = text
        return text


def _completed(find: Callable[[Any], _Found], default: T) -> T:
    return _Completed(find, default)  # type: ignore[return-value]  # a descriptor of it


def stored_schemas(tool: ToolDefinition) -> tuple[ToolSchemas, Mapping[str, str]]:
    """Return the schemas of a tool's result, and the definitions that only results refer to.

    Without a package, the defaults. Exceptions of a damaged package propagate.
    """
    if not tool.package:
        return ToolSchemas(), {}
    module = __import__(f"{tool.package}.schemas", fromlist=["SCHEMAS"])
    return module.SCHEMAS[tool.method], module.DEFINITIONS


def service_of(tool: ToolDefinition) -> ServiceDefinition | None:
    """Return the service of a tool as its package defines it; None without a package."""
    if not tool.package:
        return None
    service: ServiceDefinition = __import__(tool.package, fromlist=["SERVICE"]).SERVICE
    return service


def _definitions(tool: ToolDefinition) -> Mapping[str, str]:
    service = service_of(tool)
    return service.definitions if service else {}


def _arguments(tool: ToolDefinition) -> _Found:
    return tool.arguments, _definitions(tool) if tool.arguments else {}


def _result(name: str) -> Callable[[ToolDefinition], _Found]:
    def find(tool: ToolDefinition) -> _Found:
        schemas, definitions = stored_schemas(tool)
        return getattr(schemas, name), {**_definitions(tool), **definitions}

    return find


def _configuration(name: str) -> Callable[[ServiceDefinition], _Found]:
    def find(service: ServiceDefinition) -> _Found:
        return getattr(service.configuration, name), service.definitions

    return find


class ToolDefinition(Record):
    """One tool as compiled from its spec.

    `method` names the handler. `summary` is empty if it equals the description. `arguments_schema`
    validates the caller's arguments; a handler receives them without `idempotency_key` and
    `instance`, and free-form text unwrapped from `input`. `chunk_schema` and `reduction` are set if
    `streaming` is true. Timeouts are seconds.

    Listing tools needs only the arguments, so generated code keeps result schemas in the module
    `schemas` of its package. The first call imports it and assembles the schemas of its tool only.
    """

    name: str
    full_name: str
    method: str
    title: str = ""
    description: str = ""
    summary: str = ""
    input_form: InputForm = "object"
    arguments: str | None = None
    """The schema of the arguments, if it refers to definitions of the service."""
    arguments_schema: str = _completed(_arguments, '{"type":"object"}')
    output_schema: str = _completed(_result("output"), "true")
    chunk_schema: str | None = _completed(_result("chunk"), None)
    package: str = ""
    """The generated package that contains the definition."""
    reduction: Reduction | None = None
    mutation: bool = False
    streaming: bool = False
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True
    risk: int = 0
    assumed_destructive: bool = False
    """Whether the risk tier is 3 only because nothing says that the tool is not destructive."""
    task_support: TaskSupport = "forbidden"
    idempotency: Idempotency = "none"
    instances: tuple[str, ...] = ()
    """Values of the argument `instance`, if the service has several instances."""
    verify: bool = False
    revert: bool = False
    before: tuple[str, ...] = ()
    middleware: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    after_response: tuple[str, ...] = ()
    version: str = ""
    aliases: tuple[str, ...] = ()
    """Former names of the tool, each a full name like `full_name`."""
    scopes: tuple[tuple[str, ...], ...] = ()
    """All entries are required; any name within an entry satisfies it."""
    permissions: tuple[tuple[str, str, str], ...] = ()
    """Kind, resource and operation, checked in this order before each run."""
    timeout_idle: float | None = None
    timeout_total: float | None = None
    result_bytes: int = RESULT_BYTES
    """Maximum size in bytes of a result as a server sends it: as text, and structured."""
    output_content_type: str = "application/json"
    formats: Formats = "assert"
    """Whether `format` and `contentEncoding` are validated or only documented."""
    base64: Base64 = "str"
    """The Python type of base64 in handlers and clients; hooks and the wire use strings."""
    group: str = ""
    tags: tuple[str, ...] = ()
    errors: tuple[tuple[str, str, bool], ...] = ()
    """Code, description, and whether a retry may succeed."""
    deprecated: tuple[str, str, str] | None = None
    """Version of deprecation, replacement, and version of removal."""
    source: str = ""
    """File of the definition, where it is not that of the service."""
    origin: tuple[str, str, str] | None = None
    """Kind, location and member of what the definition was imported from, as its `source` says."""
    mode: str = ""
    """The mode in which the service was bound; empty for live."""

    def in_mode(self, mode: str) -> ToolDefinition:
        """Return the definition for a mode, in which a writing tool has risk tier 1."""
        risk = min(self.risk, _SANDBOX_RISK)
        return ToolDefinition(**{**vars(self), "mode": mode, "risk": risk})


class ServiceDefinition(Record):
    """One service and its tools, in document order.

    `settings_schema` and `credentials_schema` are object schemas, or None without configuration;
    `formats` applies to both. `hooks` are the distinct hook names that the tools use.
    """

    name: str
    version: str = "0.1.0"
    title: str = ""
    description: str = ""
    instructions: str = ""
    icons: tuple[tuple[str, str, tuple[str, ...], str], ...] = ()
    """Source, media type, sizes and theme of each."""
    definitions: Mapping[str, str] = {}
    """Definitions as JSON text that schemas of arguments and of the configuration refer to."""
    configuration: ConfigurationSchemas = ConfigurationSchemas()
    """The schemas of settings and credentials that refer to definitions of the service."""
    settings_schema: str | None = _completed(_configuration("settings"), None)
    credentials_schema: str | None = _completed(_configuration("credentials"), None)
    auth: Auth = "none"
    oauth: OAuth | None = None
    """The authorization server, if `auth` is `oauth2`."""
    credentials: Credentials = "perUser"
    """Whether credentials are per user or shared."""
    formats: Formats = "assert"
    base64: Base64 = "str"
    instances: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    """Modes besides live in which the service can be bound."""
    mode: str = ""
    """The mode in which it was bound; empty for live."""
    hooks: tuple[str, ...] = ()
    source: str = ""
    """File of the definition."""
    tools: tuple[ToolDefinition, ...] = ()

    @property
    def has_user_credentials(self) -> bool:
        """Whether each caller has credentials of its own."""
        return self.auth != "none" and self.credentials == "perUser"

    def in_mode(self, mode: str) -> ServiceDefinition:
        """Return the definition for a mode, in which writing tools have risk tier 1."""
        if not mode:
            return self
        tools = tuple(tool.in_mode(mode) for tool in self.tools)
        return ServiceDefinition(**{**vars(self), "mode": mode, "tools": tools})
