"""Tool with every field of a ToolDefinition (language.md), and its parts."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from toolspec.ir.http import HttpBinding
    from toolspec.ir.names import ToolNames
    from toolspec.ir.schema import Schema
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location


DEFAULT_ICON = "wrench"
"""The Lucide icon of a tool without one."""


class InputForm(StrEnum):
    """Form of a handler's input: a typed object, one free-form string, or the raw arguments."""

    OBJECT = "object"
    TEXT = "text"
    RAW = "raw"


class Reduction(StrEnum):
    """Combination of chunks to the result: strings joined, items listed, or the last one alone."""

    JOIN = "join"
    LIST = "list"
    LAST = "last"


class TaskSupport(StrEnum):
    """Whether a call may run as a task (MCP 2025-11-25, `execution.taskSupport`)."""

    FORBIDDEN = "forbidden"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Idempotency(StrEnum):
    """Whether a call takes an `idempotency_key` argument."""

    NONE = "none"
    OPTIONAL = "optional"
    REQUIRED = "required"


class Formats(StrEnum):
    """Whether `format` and `contentEncoding` are checked or only documented."""

    ASSERT = "assert"
    ANNOTATE = "annotate"


class Effect(StrEnum):
    """An effect outside the service's own data."""

    MONEY = "money"
    MESSAGE = "message"
    DELETE = "delete"
    EXTERNAL = "external"
    CREDENTIAL = "credential"


class PermissionKind(StrEnum):
    """Kind of resource that a permission covers."""

    FILE = "file"
    WEB = "web"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class Annotations:
    """MCP's tool annotations, all of them set; `stated` names those that the author wrote."""

    title: str
    read_only: bool
    destructive: bool
    idempotent: bool
    open_world: bool
    stated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Permission:
    """A resource approved before each run; `operation` is empty for a tool."""

    kind: PermissionKind
    resource: str
    operation: str = ""


@dataclass(frozen=True, slots=True)
class ScopeRule:
    """One requirement, satisfied by any of its scopes. All rules of a list are required."""

    any_of: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Timeout:
    """Limits in seconds; None for no limit. Progress or a chunk restarts `idle`."""

    idle: float | None = None
    total: float | None = None


@dataclass(frozen=True, slots=True)
class CallLimits:
    """Limits of a call; None for the server's."""

    result_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Hooks:
    """Names of hooks that the service's hook class supplies, in the order in which they run."""

    middleware: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    after_response: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every name once, in order of first appearance."""
        of = (*self.before, *self.middleware, *self.after, *self.after_response)
        return tuple(dict.fromkeys(of))


@dataclass(frozen=True, slots=True)
class Icon:
    """An MCP icon object."""

    src: str
    mime_type: str = ""
    sizes: tuple[str, ...] = ()
    theme: str = ""


@dataclass(frozen=True, slots=True)
class Deprecation:
    """Version of the deprecation, the replacement, and the date or version of removal."""

    since: str = ""
    use: str = ""
    remove: str = ""


@dataclass(frozen=True, slots=True)
class DeclaredError:
    """An error that a caller can expect."""

    code: str
    description: str
    retryable: bool = False


@dataclass(frozen=True, slots=True)
class Example:
    """An example call: its input, and either its output or the code of its error."""

    title: str
    input: JsonValue
    output: JsonValue = None
    error: str = ""
    location: Location | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Risk:
    """Risk tier: 0 reads, 2 writes, 3 destroys; `reason` is the author's, for a raised tier."""

    tier: int
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Provenance:
    """Origin of a definition. `digest` is the SHA-256 of its canonical JSON.

    `kind`, `location` and `member` are recorded by an importer.
    """

    file: str
    pointer: str
    line: int
    digest: str
    kind: str = "spec"
    location: str = ""
    member: str = ""


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool, complete: its fields as written, with all derived values filled in.

    `arguments` is the wire schema of a call's arguments: an object, self-contained, with
    `idempotency_key` where the tool takes one, `instance` where the service has several (then
    `instances` are their names), and `{"input": string}` for free-form text. `input` is the schema
    of the handler's input. `chunk` is None unless `streaming`.
    """

    name: str
    names: ToolNames
    title: str
    description: str
    summary: str
    input: Schema
    input_form: InputForm
    arguments: JsonObject
    output: Schema
    mutation: bool
    annotations: Annotations
    risk: Risk
    provenance: Provenance
    streaming: bool = False
    chunk: Schema | None = None
    reduction: Reduction = Reduction.LAST
    task_support: TaskSupport = TaskSupport.FORBIDDEN
    group: str = ""
    tags: tuple[str, ...] = ()
    icons: tuple[Icon, ...] = ()
    icon: str = ""
    version: str = ""
    wire_name: str = ""
    aliases: tuple[str, ...] = ()
    deprecated: Deprecation | None = None
    output_content_type: str = "application/json"
    formats: Formats = Formats.ASSERT
    http: HttpBinding | None = None
    permissions: tuple[Permission, ...] = ()
    scopes: tuple[ScopeRule, ...] = ()
    verify: bool = False
    revert: bool = False
    hooks: Hooks = field(default_factory=Hooks)
    idempotency: Idempotency = Idempotency.NONE
    instances: tuple[str, ...] = ()
    timeout: Timeout = field(default_factory=Timeout)
    limits: CallLimits = field(default_factory=CallLimits)
    errors: tuple[DeclaredError, ...] = ()
    examples: tuple[Example, ...] = ()
    effects: tuple[Effect, ...] = ()
    extensions: JsonObject = field(default_factory=dict)
    location: Location | None = field(default=None, compare=False, repr=False)
    broken: frozenset[str] = field(default=frozenset(), compare=False, repr=False)
    """The fields without a value, because the document has an error there."""
