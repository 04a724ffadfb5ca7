"""View of the docs templates: the values that a page shows.

Every `str` is escaped when a template writes it. `Markdown` is text of the compiler, which is
written as it is. `VIEW_VERSION` changes when a field is renamed or removed, or gets another meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from toolspec.shared.records import dataclass, field_values
from toolspec.targets.templates import Code

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.syntax.nodes import JsonObject, JsonValue

VIEW_VERSION = 2

Markdown: TypeAlias = Code


@dataclass(frozen=True, slots=True)
class IndexView:
    """All services of a build, as `index` in `README.md.jinja`."""

    tools: int
    """Number of tools of all services."""
    services: tuple[IndexEntry, ...]
    """The services, by name."""
    safety: tuple[SafetyClass, ...]
    """The safety classes that have tools."""
    token_bytes: int
    """Bytes that are counted as one token."""
    has_changelog: bool = False
    """Whether there is a page `changelog.md`."""


@dataclass(frozen=True, slots=True)
class ChangelogView:
    """What was accepted of the contract, as `changelog` in `changelog.md.jinja`."""

    entries: tuple[ChangelogEntry, ...]
    """The changes of one day and service each, the newest first."""


@dataclass(frozen=True, slots=True)
class ChangelogEntry:
    """The changes of a service on one day."""

    day: str
    """The day, as `2027-01-31`."""
    service: str
    """The name of the service."""
    version: str
    """The version of the service on that day; may be empty."""
    changes: tuple[AcceptedView, ...]
    """The changes, those of the service first."""


@dataclass(frozen=True, slots=True)
class AcceptedView:
    """An accepted change."""

    name: str
    """The name of the tool, or of the service."""
    level: str
    """`break`, `risk` or `note`."""
    code: str
    """The code of the kind of change."""
    message: str
    """What changed."""
    reason: str
    """Why it was accepted; may be empty."""
    until: str
    """The last day of an acceptance for a time; empty for always."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """A service in the index."""

    name: str
    """Name of the service."""
    title: str
    """Title for people."""
    page: Markdown
    """File name of the service's page."""
    version: str
    """Version of the service."""
    tools: int
    """Number of tools."""
    tokens: str
    """Size of all definitions in tokens: a number, or the range over targets."""
    description: str
    """Description; may have several paragraphs."""


@dataclass(frozen=True, slots=True)
class SafetyClass:
    """A safety class with its tools."""

    key: str
    """`readOnly`, `writes`, `destructive`, `idempotent` or `openWorld`."""
    tools: tuple[ToolLink, ...]
    """The tools of the class."""


@dataclass(frozen=True, slots=True)
class ToolLink:
    """A tool where it is only named."""

    link: Markdown
    """Link to the tool's section, with its name as text."""
    summary: str
    """One line on the tool."""


@dataclass(frozen=True, slots=True)
class ServiceView:
    """A service, as `service` in `service.md.jinja`."""

    name: str
    """Name of the service."""
    title: str
    """Title for people."""
    version: str
    """Version of the service."""
    file: str
    """File of most of its tools."""
    category: str
    """Category; empty without one."""
    description: str
    """Description; may have several paragraphs."""
    instructions: str
    """Instructions for a model; empty without any."""
    has_prefix: bool
    """Whether names of tools begin with the name of the service."""
    asserts_formats: bool
    """Whether the formats of values are checked."""
    tools: tuple[ToolView, ...]
    """The tools, in the order of the document."""
    common: NotesView | None
    """Facts that hold for all tools; none for a single tool, or without any."""
    common_flags: tuple[str, ...]
    """Flags that all tools have."""
    groups: tuple[Group, ...]
    """The same tools by group; the group without a name is last."""
    calls: Calls
    """Examples of calls from programs."""
    settings: SchemaView | None
    """Settings of the service; none without any."""
    auth: AuthView | None
    """Credentials of the service; none if it needs no credentials."""
    instances: tuple[Named, ...]
    """Instances of the service."""
    modes: tuple[Named, ...]
    """Modes of the service besides the live one."""
    errors: tuple[ServiceError, ...]
    """Errors that tools declare, each once."""
    extensions: Mapping[str, JsonValue]
    """The `x-` members of the service."""
    safety: tuple[SafetyClass, ...]
    """The safety classes that have tools."""
    sizes: SizeTable | None
    """Sizes of the tools by target; none if all targets agree."""
    types: tuple[TypeView, ...]
    """Definitions that tools share."""
    token_bytes: int
    """Bytes that are counted as one token."""


@dataclass(frozen=True, slots=True)
class Calls:
    """Examples of a call from a program."""

    client: str
    """Expression that makes a client of the handlers of one's own."""
    configuration: JsonObject
    """Entry for the configuration of an MCP client."""
    snippets: tuple[Snippet, ...]
    """Programs that call one of the tools; none without a tool."""
    connect: Connections
    """Configurations and programs that connect clients to a server of the service."""


@dataclass(frozen=True, slots=True)
class Connections:
    """Configurations and programs that connect a client to a server over HTTP."""

    clients: tuple[tuple[Snippet, Snippet], ...]
    """For each client, how it connects without a token, where it signs in if it has to, and with one."""
    scopes: tuple[str, ...]
    """Scopes that tools of the service need, by name."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """A program that calls a tool, or the configuration of a client."""

    key: str
    """`python`, `mcp`, `shell` or `jsonrpc`; the name of a client for connections."""
    title: str
    """Title for people."""
    language: str
    """Language: `python`, `sh`, `json` or `ts`."""
    text: str
    """The program; pass it to the filter `program`."""


@dataclass(frozen=True, slots=True)
class AuthView:
    """Credentials of a service."""

    is_oauth: bool
    """Whether callers sign in with OAuth 2.0."""
    is_per_user: bool
    """Whether each caller has an account of their own."""
    authorization_url: str
    """Address at which access is granted; empty without one."""
    token_url: str
    """Address from which tokens come; empty without one."""
    fields: SchemaView | None
    """Fields of the credentials; none with OAuth 2.0."""
    authorize_parameters: tuple[tuple[str, str], ...]
    """Further parameters of the authorization URL, each with its value."""
    token_response: tuple[tuple[str, str], ...]
    """Roles with the members of the token response that have other names."""
    scopes: tuple[Named, ...]
    """Scopes of the service."""


@dataclass(frozen=True, slots=True)
class Named:
    """An instance, a mode or a scope."""

    name: str
    """Name in calls and configurations."""
    title: str
    """Title for people; empty for modes and scopes."""
    description: str
    """Description."""


@dataclass(frozen=True, slots=True)
class ServiceError:
    """An error that tools of a service declare."""

    code: str
    """Code of the error."""
    description: str
    """Condition under which it occurs."""
    retryable: bool
    """Whether the same call may succeed later."""
    tools: tuple[Markdown, ...]
    """Links to the tools."""


@dataclass(frozen=True, slots=True)
class SizeTable:
    """Sizes of tools in tokens, by target."""

    targets: tuple[str, ...]
    """Names of the targets: one column each."""
    rows: tuple[tuple[Markdown, tuple[str, ...]], ...]
    """Links to the tools, each with a size for each target; a dash where it is not sent."""


@dataclass(frozen=True, slots=True)
class Group:
    """Tools of one group."""

    name: str
    """Name of the group; empty for tools without one."""
    tools: tuple[ToolView, ...]
    """Tools of the group."""


@dataclass(frozen=True, slots=True)
class ToolView:
    """A tool, as `tool` in `_tool.md.jinja`."""

    name: str
    """Name of this tool and version; no two tools share one."""
    family: str
    """Name without the version."""
    link: Markdown
    """Link to the tool's section."""
    title: str
    """Title for people."""
    summary: str
    """One line on the tool."""
    description: str
    """Description; may have several paragraphs."""
    flags: tuple[str, ...]
    """Safety and other flags, in words."""
    tokens: str
    """Size in tokens: a number, or the range over targets."""
    version: str
    """Version; empty without one."""
    aliases: tuple[str, ...]
    """Other names that the tool answers to."""
    icon: str
    """Icon; empty for the default one."""
    deprecated: DeprecationView | None
    """Details of the deprecation; none if the tool is not deprecated."""
    takes_anything: bool
    """Whether arguments reach the tool unchecked."""
    parameters: SchemaView
    """Schema of the arguments."""
    result: SchemaView
    """Schema of the result."""
    content_type: str
    """Content type of the result; empty for JSON."""
    reduction: str
    """How chunks become a result: `join`, `list` or `last`; empty if the tool does not stream."""
    chunk: SchemaView | None
    """Schema of a chunk; none where the result implies it."""
    notes: NotesView
    """Facts about calls of the tool."""
    own_notes: NotesView
    """Those that do not hold for all tools of the service."""
    own_flags: tuple[str, ...]
    """Flags that do not hold for all tools of the service."""
    risk_tier: int
    """Risk tier, 0 to 3."""
    risk_reason: str
    """Reason for the tier; empty if it follows from the flags."""
    errors: tuple[ErrorView, ...]
    """Errors that the tool declares."""
    extensions: Mapping[str, JsonValue]
    """The `x-` members of the tool."""
    examples: tuple[ExampleView, ...]
    """Examples of calls."""
    source: SourceView
    """Origin of the tool."""

    @property
    def has_notes(self) -> bool:
        """Whether there is anything to list."""
        return bool(
            self.version or self.aliases or self.icon or self.risk_reason or self.own_notes.has_any
        )


@dataclass(frozen=True, slots=True)
class NotesView:
    """Facts about calls, each empty where there is nothing to state."""

    tags: tuple[str, ...]
    """Tags."""
    effects: tuple[str, ...]
    """Effects on the world."""
    scopes: tuple[tuple[str, ...], ...]
    """Scopes that a call needs: one of each group."""
    permissions: tuple[PermissionView, ...]
    """Permissions that are asked for before each run."""
    ignores_formats: bool
    """Whether formats are documented and not checked."""
    request: str
    """Method and URL of the HTTP request that does the work; empty without one."""
    idempotency: str
    """`required` or `optional` if calls may have an idempotency key; empty otherwise."""
    timeouts: tuple[str, ...]
    """Time limits, in words."""
    result_bytes: int | None
    """Maximum size of a result, if declared."""
    task_support: str
    """`optional`, `required`, or empty."""
    verify: bool
    """Whether results are verified."""
    revert: bool
    """Whether the effect can be reverted."""

    @property
    def has_any(self) -> bool:
        """Whether there is anything to state."""
        return any(value not in (None, "", (), False) for value in field_values(self))


@dataclass(frozen=True, slots=True)
class DeprecationView:
    """Details of a deprecation, each empty if not given."""

    since: str
    """Version since which the tool is deprecated."""
    use: str
    """Tool to use instead."""
    remove: str
    """Version or date of the removal."""


@dataclass(frozen=True, slots=True)
class PermissionView:
    """A permission that a tool asks for."""

    kind: str
    """`file`, `web` or `tool`."""
    resource: str
    """Files, host or tool."""
    operation: str
    """Operation; empty for any."""


@dataclass(frozen=True, slots=True)
class ErrorView:
    """An error that a tool declares."""

    code: str
    """Code of the error."""
    description: str
    """Condition under which it occurs."""
    retryable: bool
    """Whether the same call may succeed later."""


@dataclass(frozen=True, slots=True)
class ExampleView:
    """An example of a call."""

    title: str
    """Title for people."""
    input: JsonValue
    """Arguments."""
    output: JsonValue
    """Result; null for a call that fails."""
    error: str
    """Code of the error that the call fails with; empty for one that succeeds."""
    is_made: bool = False
    """Whether the compiler made it, since the author wrote none."""


@dataclass(frozen=True, slots=True)
class SourceView:
    """Origin of a tool."""

    file: str
    """Document that declares it."""
    imported_from: str
    """Original from which an importer made it; empty without one."""
    member: str
    """Part of the original; empty for the whole."""


@dataclass(frozen=True, slots=True)
class TypeView:
    """A definition that tools share."""

    name: str
    """Name of the definition."""
    anchor: str
    """Fragment of its section."""
    schema: SchemaView
    """Its members."""


@dataclass(frozen=True, slots=True)
class SchemaView:
    """A schema in words, with a row for each member."""

    sentences: Markdown
    """Type of the value, and sentences on it."""
    about: Markdown
    """The sentences without the type."""
    rows: tuple[Row, ...]
    """The members, nested ones with dotted names."""
    has_defaults: bool
    """Whether any member has a default."""


@dataclass(frozen=True, slots=True)
class Row:
    """A member of a schema."""

    path: str
    """Dotted name."""
    name: Markdown
    """Dotted name as code."""
    type: Markdown
    """Type in words, or a link to a shared type."""
    is_required: bool
    """Whether the member is always there."""
    default: Markdown
    """Default as code; empty without one."""
    about: Markdown
    """Description and constraints as sentences."""
