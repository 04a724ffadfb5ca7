"""Binds a tool: its members, the defaults of its service, and derived fields."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

from toolspec.frontend.bind.http import bind_http, default_security
from toolspec.frontend.bind.parts import (
    bind_hooks,
    bind_icons,
    bind_permissions,
    bind_scopes,
    bind_timeout,
    first_sentence,
    nest,
    title,
)
from toolspec.frontend.bind.safety import bind_risk
from toolspec.ir import (
    DEFAULT_ICON,
    Annotations,
    CallLimits,
    DeclaredError,
    Deprecation,
    Effect,
    Example,
    Formats,
    Hooks,
    HttpSecurity,
    Idempotency,
    InputForm,
    Naming,
    Permission,
    Provenance,
    Reduction,
    Schema,
    ScopeRule,
    TaskSupport,
    Timeout,
    Tool,
    ToolNames,
)
from toolspec.shared.canonical import canonical_json
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from toolspec.frontend.fields import Fields
    from toolspec.syntax.nodes import JsonValue

NO_ARGUMENTS: JsonValue = {"type": "object", "additionalProperties": False}
# Fields of a Tool without a meaning if a member of the document is broken.
_DERIVED = {
    "name": ("name", "names"),
    "wireName": ("wire_name", "names"),
    "title": ("title", "annotations"),
    "description": ("description", "summary"),
    "inputSchema": ("input", "input_form", "arguments"),
    "outputSchema": ("output", "chunk", "reduction"),
    "chunkSchema": ("chunk", "reduction"),
    "mutation": ("mutation", "annotations", "risk"),
    "streaming": ("streaming", "chunk", "reduction"),
    "annotations": ("annotations", "risk"),
    "taskSupport": ("task_support",),
    "outputContentType": ("output_content_type",),
    "idempotency": ("idempotency", "arguments"),
    "effects": ("effects", "risk"),
    "source": ("provenance",),
    **dict.fromkeys(("middleware", "before", "after", "afterResponse"), ("hooks",)),
}
HINTS = ("readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")


@dataclass(frozen=True, slots=True)
class Defaults:
    """Defaults that a service declares for its tools.

    A tool's scopes, timeout and formats replace the service's; its permissions and hooks are added
    to them.
    """

    service: str
    naming: Naming
    scopes: tuple[ScopeRule, ...]
    permissions: tuple[Permission, ...]
    timeout: Timeout
    hooks: Hooks
    formats: Formats
    security: tuple[HttpSecurity, ...] = ()
    broken: frozenset[str] = frozenset()

    @classmethod
    def of(cls, service: Fields, name: str, formats: Formats, broken: Iterable[str]) -> Defaults:
        """Return the defaults of a service; `formats` is the default of the project.

        `broken` names the service's members with an error.
        """
        return cls(
            name,
            Naming(service.text("names", Naming.PREFIXED)),
            bind_scopes(service),
            bind_permissions(service),
            bind_timeout(service),
            bind_hooks(service),
            Formats(service.text("formats", formats)),
            default_security(service.within("auth")),
            frozenset(broken),
        )


def bind_tool(
    fields: Fields,
    name: str,
    full: str,
    defaults: Defaults,
    broken: AbstractSet[str] = frozenset(),
) -> Tool:
    """Return the tool; its schemas are unresolved, `arguments` empty, a chunk only if stated.

    `full` is its full name. `broken` names the members that have an error or are missing.
    """
    mutation = fields.flag("mutation")
    description = fields.text("description")
    shown = _title(fields, name)
    annotations = bind_annotations(fields, shown, mutation=mutation)
    effects = tuple(Effect(text) for text in fields.texts("effects"))
    input_schema = fields.schema("inputSchema")
    output = fields.schema("outputSchema") or Schema(True, True, broken=None)  # noqa: FBT003
    return Tool(
        name=name,
        names=ToolNames(full, method="", type_stem=""),
        title=shown,
        description=description,
        summary=fields.text("summary") or first_sentence(description),
        input=input_schema or Schema.of(NO_ARGUMENTS, fields.location),
        input_form=InputForm.RAW
        if input_schema and input_schema.value is True
        else InputForm.OBJECT,
        arguments={},
        output=output,
        mutation=mutation,
        annotations=annotations,
        risk=bind_risk(fields, annotations, effects),
        provenance=_provenance(fields, name),
        streaming=fields.flag("streaming"),
        chunk=fields.schema("chunkSchema"),
        reduction=Reduction.LAST,
        task_support=TaskSupport(fields.text("taskSupport", TaskSupport.FORBIDDEN)),
        group=fields.text("group"),
        tags=fields.texts("tags"),
        icons=bind_icons(fields),
        icon=fields.text("icon") or DEFAULT_ICON,
        version=fields.text("version"),
        wire_name=fields.text("wireName"),
        aliases=fields.texts("aliases"),
        deprecated=_deprecation(fields.within("deprecated")),
        output_content_type=fields.text("outputContentType", "application/json"),
        formats=Formats(fields.text("formats", defaults.formats)),
        http=bind_http(fields, defaults.security),
        permissions=tuple(dict.fromkeys((*defaults.permissions, *bind_permissions(fields)))),
        scopes=bind_scopes(fields) if "scopes" in fields else defaults.scopes,
        verify=fields.flag("verify"),
        revert=fields.flag("revert"),
        hooks=nest(defaults.hooks, bind_hooks(fields)),
        idempotency=Idempotency(fields.text("idempotency", Idempotency.NONE)),
        timeout=bind_timeout(fields) if "timeout" in fields else defaults.timeout,
        limits=_limits(fields.within("limits")),
        errors=_errors(fields),
        examples=_examples(fields),
        effects=effects,
        extensions=fields.all_extensions,
        location=fields.location,
        broken=frozenset(_without_meaning(broken, fields, defaults)),
    )


def _limits(fields: Fields | None) -> CallLimits:
    stated = None if fields is None else fields.get("resultBytes")
    return CallLimits(int(stated) if isinstance(stated, (int, float)) else None)


def _without_meaning(broken: AbstractSet[str], fields: Fields, defaults: Defaults) -> Iterator[str]:
    """Yield the fields of a Tool that have no meaning because of broken members."""
    for member in broken:
        yield from _DERIVED.get(member, (member,))
    for field in defaults.broken & {"permissions", "hooks", "names"}:
        yield field
    for field in defaults.broken & {"scopes", "timeout"}:
        if field not in fields:
            yield field


def bind_annotations(fields: Fields, shown: str, *, mutation: bool) -> Annotations:
    """Return the MCP hints; those not stated are derived from `mutation` (language.md)."""
    stated = fields.within("annotations")
    if stated is None:
        return Annotations(shown, not mutation, mutation, not mutation, open_world=True)
    return Annotations(
        title=stated.text("title") or shown,
        read_only=stated.flag("readOnlyHint", default=not mutation),
        destructive=stated.flag("destructiveHint", default=mutation),
        idempotent=stated.flag("idempotentHint", default=not mutation),
        open_world=stated.flag("openWorldHint", default=True),
        stated=tuple(key for key in ("title", *HINTS) if key in stated),
    )


def _title(fields: Fields, name: str) -> str:
    """Return the stated title, else that of the annotations, else one made from the name."""
    if "title" in fields:
        return fields.text("title")
    annotations = fields.within("annotations")
    return (annotations.text("title") if annotations else "") or title(name)


class _LateProvenance(Provenance):
    """Provenance whose `line` and `digest` are computed on first access: a check reads neither."""

    __slots__ = ("_content", "_location")

    def __getattr__(self, name: str) -> Any:
        """Return a field on its first access, while its slot is still empty."""
        value: object
        if name == "line":
            value = self._location.key_span.first.line
        elif name == "digest":
            value = sha256(canonical_json(self._content).encode("ascii")).hexdigest()
        else:
            raise AttributeError(name)
        object.__setattr__(self, name, value)
        return value


def _provenance(fields: Fields, name: str) -> Provenance:
    """Return the location of the definition, and the digest of its content.

    The digest includes the name in either form of `tools`: an equal list and map have equal
    digests.
    """
    location, origin = fields.location, fields.within("source")
    members = {
        "file": location.document.source.path,
        "pointer": location.pointer,
        "kind": origin.text("kind", "spec") if origin else "spec",
        "location": origin.text("location") if origin else "",
        "member": origin.text("member") if origin else "",
        "_content": {**fields.value, "name": name},
        "_location": location,
    }
    provenance = _LateProvenance.__new__(_LateProvenance)
    for member, value in members.items():
        object.__setattr__(provenance, member, value)
    return provenance


def _deprecation(fields: Fields | None) -> Deprecation | None:
    if fields is None:
        return None
    return Deprecation(fields.text("since"), fields.text("use"), fields.text("remove"))


def _errors(fields: Fields) -> tuple[DeclaredError, ...]:
    return tuple(
        DeclaredError(error.text("code"), error.text("description"), error.flag("retryable"))
        for error in fields.each("errors")
    )


def _examples(fields: Fields) -> tuple[Example, ...]:
    return tuple(
        Example(
            title=example.text("title"),
            input=example.get("input") if "input" in example else {},
            output=example.get("output"),
            error=example.text("error"),
            location=example.location,
        )
        for example in fields.each("examples")
    )
