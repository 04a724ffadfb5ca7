"""The static table that generated code holds: a service and its tools, schemas as JSON text."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Literal, TypeAlias

    from toolspec.runtime.oauth import OAuth

    InputForm: TypeAlias = Literal["object", "text", "raw"]
    Reduction: TypeAlias = Literal["join", "list", "last"]
    TaskSupport: TypeAlias = Literal["forbidden", "optional", "required"]
    Idempotency: TypeAlias = Literal["none", "optional", "required"]
    Auth: TypeAlias = Literal["none", "oauth2", "custom"]
    Credentials: TypeAlias = Literal["perUser", "shared"]
    Formats: TypeAlias = Literal["assert", "annotate"]
    Base64: TypeAlias = Literal["str", "bytes"]


_SANDBOX_RISK = 1
"""The risk tier of a write that changes nothing real."""


class ToolSchemas(Record):
    """The schemas of a tool as JSON texts: its arguments, its result, and each chunk of a stream.

    They may refer to definitions of the service, which stand once for all tools in a table.
    """

    arguments: str = '{"type":"object"}'
    output: str = "true"
    chunk: str | None = None


class ConfigurationSchemas(Record):
    """The schemas of settings and credentials that refer to definitions of the service."""

    settings: str | None = None
    credentials: str | None = None


class _Deferred:
    """A schema that is taken from the package's `schemas` when it is first asked for, and kept.

    The definitions that it reaches come with it, so that it stands alone.
    """

    def __init__(self, schemas: type[ToolSchemas | ConfigurationSchemas], source: str) -> None:
        self._schemas = schemas
        self._source = source

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: ToolDefinition | ServiceDefinition | None, _: type) -> object:
        """Return the text; without a package, or asked of the class, the default."""
        if owner is None:
            return getattr(self._schemas, self._source)
        schemas, definitions = stored_schemas(owner)
        text: str | None = getattr(schemas, self._source)
        if text is not None and definitions:
            from toolspec.runtime.definitions import complete

            text = complete(text, definitions)
        vars(owner)[self._name] = text
        return text


def stored_schemas(
    owner: ToolDefinition | ServiceDefinition,
) -> tuple[ToolSchemas | ConfigurationSchemas, Mapping[str, str]]:
    """Return the schemas of a tool or a service as its package has them, and the shared definitions.

    Without a package, the defaults. Raises whatever a damaged package raises.
    """
    if not owner.package:
        return ToolSchemas() if isinstance(owner, ToolDefinition) else ConfigurationSchemas(), {}
    module = __import__(f"{owner.package}.schemas", fromlist=["SCHEMAS"])
    if isinstance(owner, ToolDefinition):
        return module.SCHEMAS[owner.method], module.DEFINITIONS
    return module.CONFIGURATION, module.DEFINITIONS


def _of_tool(source: str) -> str:
    return _Deferred(ToolSchemas, source)  # type: ignore[return-value]  # a descriptor, which gives one


def _of_service(source: str) -> str | None:
    return _Deferred(ConfigurationSchemas, source)  # type: ignore[return-value]  # the same


class ToolDefinition(Record):
    """One tool, as its spec resolved it.

    `method` names the handler. `arguments_schema` is what a caller sends; a handler receives the
    same but for `idempotency_key` and `instance`, and free-form text out of its `input`. `chunk_schema` and
    `reduction` are there where `streaming` is true. Timeouts are seconds.

    A list of tools has no use for most schemas: generated code keeps those of results, and all that
    refer to definitions of the service, in a module of its package, `schemas`. The first call loads it
    and puts together the schemas of its tool alone.
    """

    name: str
    full_name: str
    method: str
    title: str = ""
    description: str = ""
    summary: str = ""
    input_form: InputForm = "object"
    arguments_schema: str = _of_tool("arguments")
    output_schema: str = _of_tool("output")
    chunk_schema: str | None = _of_tool("chunk")
    package: str = ""
    """The generated package that the definition stands in."""
    reduction: Reduction | None = None
    mutation: bool = False
    streaming: bool = False
    read_only: bool = False
    destructive: bool = True
    idempotent: bool = False
    open_world: bool = True
    risk: int = 0
    task_support: TaskSupport = "forbidden"
    idempotency: Idempotency = "none"
    instances: tuple[str, ...] = ()
    """The values of the argument `instance`, where the service has several instances."""
    verify: bool = False
    revert: bool = False
    before: tuple[str, ...] = ()
    middleware: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    after_response: tuple[str, ...] = ()
    version: str = ""
    aliases: tuple[str, ...] = ()
    """Former names under which the tool still answers, each a whole name as `full_name` is."""
    scopes: tuple[tuple[str, ...], ...] = ()
    """All of them are needed, any name of each will do."""
    permissions: tuple[tuple[str, str, str], ...] = ()
    """Kind, resource and operation, asked for in this order before each run."""
    timeout_idle: float | None = None
    timeout_total: float | None = None
    output_content_type: str = "application/json"
    formats: Formats = "assert"
    """Whether `format` and `contentEncoding` are checked or only documented."""
    base64: Base64 = "str"
    """The Python type of base64 in handlers and clients; hooks and the wire have the text."""
    group: str = ""
    tags: tuple[str, ...] = ()
    errors: tuple[tuple[str, str, bool], ...] = ()
    """Code, description, and whether a repeat may help."""
    deprecated: tuple[str, str, str] | None = None
    """Since when, what to use instead, and when it goes."""
    source: str = ""
    """File and line of the definition."""
    mode: str = ""
    """The mode in which the service was bound; empty for the live one."""

    def in_mode(self, mode: str) -> ToolDefinition:
        """Return the definition for a mode: there the risk tier of a tool that writes is 1."""
        risk = min(self.risk, _SANDBOX_RISK)
        return ToolDefinition(**{**vars(self), "mode": mode, "risk": risk})


class ServiceDefinition(Record):
    """One service and its tools, in document order.

    `settings_schema` and `credentials_schema` are object schemas, or None where there is nothing to
    configure; `formats` applies to these two. `hooks` are the names that the service's tools use,
    once each.
    """

    name: str
    version: str = "0.1.0"
    title: str = ""
    description: str = ""
    instructions: str = ""
    icons: tuple[tuple[str, str, tuple[str, ...], str], ...] = ()
    """Source, media type, sizes and theme of each."""
    settings_schema: str | None = _of_service("settings")
    credentials_schema: str | None = _of_service("credentials")
    package: str = ""
    """The generated package whose `schemas` has the two where they refer to shared definitions."""
    auth: Auth = "none"
    oauth: OAuth | None = None
    """The authorization server, where `auth` is `oauth2`."""
    credentials: Credentials = "perUser"
    """Whose credentials a call uses."""
    formats: Formats = "assert"
    base64: Base64 = "str"
    instances: tuple[str, ...] = ()
    modes: tuple[str, ...] = ()
    """The modes in which the service can be bound besides the live one."""
    mode: str = ""
    """The one in which it was bound; empty for the live one."""
    hooks: tuple[str, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()

    def in_mode(self, mode: str) -> ServiceDefinition:
        """Return the definition for a mode: there the risk tier of what writes is 1."""
        if not mode:
            return self
        tools = tuple(tool.in_mode(mode) for tool in self.tools)
        return ServiceDefinition(**{**vars(self), "mode": mode, "tools": tools})
