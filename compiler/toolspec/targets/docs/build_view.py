"""View of a service for the templates, built from the service."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.ir import (
    DEFAULT_ICON,
    AuthKind,
    Credentials,
    Formats,
    Idempotency,
    InputForm,
    Naming,
    Reduction,
    TaskSupport,
)
from toolspec.providers.tool_sizes import by_target, shown
from toolspec.shared.records import as_dict, replace
from toolspec.shared.tokens import BYTES
from toolspec.targets.docs.calling import ProgramOptions, calls, examples
from toolspec.targets.docs.markup import MARKDOWN
from toolspec.targets.docs.schema_table import schema_table
from toolspec.targets.docs.types import Types
from toolspec.targets.docs.view import (
    AuthView,
    DeprecationView,
    ErrorView,
    Group,
    Named,
    NotesView,
    PermissionView,
    SafetyClass,
    ServiceError,
    ServiceView,
    SizeTable,
    SourceView,
    ToolLink,
    ToolView,
)
from toolspec.targets.extensions import for_readers
from toolspec.targets.safety import by_safety
from toolspec.targets.sizes import sizes
from toolspec.targets.templates import Code
from toolspec.targets.versions import exact_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolspec.ir import Auth, Deprecation, Service, Timeout, Tool
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.providers.tool_sizes import Sizes
    from toolspec.targets.docs.markup import Markup
    from toolspec.targets.docs.view import SchemaView

_SEVERAL = 2


def service_view(
    service: Service,
    lowered_tools: LoweredTools,
    options: ProgramOptions,
    markup: Markup = MARKDOWN,
) -> ServiceView:
    """Return the view of a service in a markup."""
    types, measured = Types(service, markup), sizes(service, lowered_tools)
    every = [_tool(tool, types, measured.each[exact_name(tool)]) for tool in service.tools]
    common, common_flags = _common_notes(every), _common_flags(every)
    tools = tuple(_own(tool, common, common_flags) for tool in every)
    return ServiceView(
        name=service.name,
        title=service.title,
        version=service.version,
        file=service.file,
        category=service.category,
        description=service.description,
        instructions=service.instructions,
        has_prefix=service.naming is not Naming.AS_WRITTEN,
        asserts_formats=service.formats is Formats.ASSERT,
        tools=tools,
        common=None if common == _NOTHING else common,
        common_flags=common_flags,
        groups=_groups(service.tools, tools),
        calls=calls(service, options),
        settings=types.described(service.settings) if service.settings else None,
        auth=None if service.auth.kind is AuthKind.NONE else _auth(service.auth, types),
        instances=tuple(
            Named(instance.name, instance.title, instance.description)
            for instance in service.instances
        ),
        modes=tuple(Named(mode.name, "", mode.description) for mode in service.modes),
        errors=_errors(service.tools, markup),
        extensions=for_readers(service.extensions),
        safety=_safety(service.tools, markup),
        sizes=_sizes(service.tools, measured, markup),
        types=types.views(),
        token_bytes=BYTES,
    )


def _groups(tools: Sequence[Tool], views: Sequence[ToolView]) -> tuple[Group, ...]:
    """Return the tools by group in order of first appearance; those without a group come last."""
    by_group: dict[str, list[ToolView]] = {}
    for tool, view in zip(tools, views, strict=True):
        by_group.setdefault(tool.group, []).append(view)
    if ungrouped := by_group.pop("", None):
        by_group[""] = ungrouped
    return tuple(Group(name, tuple(members)) for name, members in by_group.items())


def _auth(auth: Auth, types: Types) -> AuthView:
    return AuthView(
        is_oauth=auth.kind is AuthKind.OAUTH2,
        is_per_user=auth.credentials is Credentials.PER_USER,
        authorization_url=auth.authorization_url,
        token_url=auth.token_url,
        fields=types.described(auth.fields) if auth.fields else None,
        authorize_parameters=auth.authorize_parameters,
        token_response=auth.token_response,
        scopes=tuple(Named(scope.name, "", scope.description) for scope in auth.scopes),
    )


def _errors(tools: Sequence[Tool], markup: Markup) -> tuple[ServiceError, ...]:
    """Return the errors that tools declare, in order of first appearance."""
    links: dict[tuple[str, str, bool], list[Code]] = {}
    for tool in tools:
        for error in tool.errors:
            key = (error.code, error.description, error.retryable)
            links.setdefault(key, []).append(Code(markup.tool(tool)))
    return tuple(ServiceError(*key, tools=tuple(tool_links)) for key, tool_links in links.items())


def _safety(tools: Sequence[Tool], markup: Markup) -> tuple[SafetyClass, ...]:
    return tuple(
        SafetyClass(
            key,
            tuple(
                ToolLink(Code(markup.tool(tool)), tool.summary or tool.title) for tool in members
            ),
        )
        for key, members in by_safety(tools).items()
        if members
    )


def _sizes(tools: Sequence[Tool], measured: Sizes, markup: Markup) -> SizeTable | None:
    """Return the sizes of tools by target; None if all targets agree."""
    each_size = [measured.each[exact_name(tool)] for tool in tools]
    if all(len({*by_target(size).values()}) == 1 for size in each_size):
        return None
    targets = tuple(by_target(measured.together))
    return SizeTable(
        targets=targets,
        rows=tuple(
            (Code(markup.tool(tool)), _size_row(size, targets))
            for tool, size in zip(tools, each_size, strict=True)
        ),
    )


def _size_row(size: Mapping[str, int], targets: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{size[name]:,}" if name in size else "–" for name in targets)


def _tool(tool: Tool, types: Types, size: Mapping[str, int]) -> ToolView:
    notes, flags = _notes(tool), _flags(tool)
    return ToolView(
        name=exact_name(tool),
        family=tool.names.full,
        link=Code(types.markup.tool(tool)),
        title=tool.title,
        summary=tool.summary or tool.title,
        description=tool.description,
        flags=flags,
        tokens=shown(size),
        version=tool.version,
        aliases=tool.aliases,
        icon="" if tool.icon == DEFAULT_ICON else tool.icon,
        deprecated=_deprecated(tool.deprecated),
        takes_anything=tool.input_form is InputForm.RAW,
        parameters=schema_table(tool.arguments, types.links(tool.input), markup=types.markup),
        result=types.described(tool.output),
        content_type=""
        if tool.output_content_type == "application/json"
        else tool.output_content_type,
        reduction=tool.reduction.value if tool.streaming else "",
        chunk=_chunk(tool, types),
        risk_tier=tool.risk.tier,
        risk_reason=tool.risk.reason,
        notes=notes,
        own_notes=notes,
        own_flags=flags,
        errors=tuple(
            ErrorView(error.code, error.description, error.retryable) for error in tool.errors
        ),
        extensions=for_readers(tool.extensions),
        examples=examples(tool),
        source=SourceView(tool.provenance.file, tool.provenance.location, tool.provenance.member),
    )


def _notes(tool: Tool) -> NotesView:
    idempotency = tool.idempotency
    return NotesView(
        tags=tool.tags,
        effects=tuple(effect.value for effect in tool.effects),
        scopes=tuple(rule.any_of for rule in tool.scopes),
        permissions=tuple(
            PermissionView(permission.kind.value, permission.resource, permission.operation)
            for permission in tool.permissions
        ),
        ignores_formats=tool.formats is Formats.ANNOTATE,
        request=f"{tool.http.method} {tool.http.server}{tool.http.path}" if tool.http else "",
        idempotency="" if idempotency is Idempotency.NONE else idempotency.value,
        timeouts=_timeouts(tool.timeout),
        result_bytes=tool.limits.result_bytes,
        task_support="" if tool.task_support is TaskSupport.FORBIDDEN else tool.task_support.value,
        verify=tool.verify,
        revert=tool.revert,
    )


_NOTHING = NotesView((), (), (), (), False, "", "", (), None, "", False, False)  # noqa: FBT003 - as the fields are named


def _common_notes(tools: Sequence[ToolView]) -> NotesView:
    """Return the facts that hold for all of several tools."""
    if len(tools) < _SEVERAL:
        return _NOTHING
    first = as_dict(tools[0].notes)
    others = [as_dict(tool.notes) for tool in tools[1:]]
    shared = {
        name: value
        for name, value in first.items()
        if all(values[name] == value for values in others)
    }
    return replace(_NOTHING, **shared)


def _common_flags(tools: Sequence[ToolView]) -> tuple[str, ...]:
    if len(tools) < _SEVERAL:
        return ()
    return tuple(flag for flag in tools[0].flags if all(flag in tool.flags for tool in tools))


def _own(tool: ToolView, common: NotesView, flags: Sequence[str]) -> ToolView:
    """Return a tool with the facts that do not hold for all."""
    nothing, shared = as_dict(_NOTHING), as_dict(common)
    left_out = {name: nothing[name] for name, value in shared.items() if value != nothing[name]}
    own_flags = tuple(flag for flag in tool.flags if flag not in flags)
    return replace(tool, own_notes=replace(tool.notes, **left_out), own_flags=own_flags)


def _flags(tool: Tool) -> tuple[str, ...]:
    hints = tool.annotations
    flags = (
        "read-only" if hints.read_only else "destructive" if hints.destructive else "writes",
        "idempotent" if hints.idempotent else "",
        "open world" if hints.open_world else "",
        "streams" if tool.streaming else "",
        f"risk tier {tool.risk.tier}" if tool.risk.reason else "",
        "deprecated" if tool.deprecated else "",
    )
    return tuple(filter(None, flags))


def _deprecated(deprecation: Deprecation | None) -> DeprecationView | None:
    if deprecation is None:
        return None
    return DeprecationView(deprecation.since, deprecation.use, deprecation.remove)


def _chunk(tool: Tool, types: Types) -> SchemaView | None:
    """Return the type of a chunk where the result does not imply it."""
    if tool.chunk is None or tool.reduction is not Reduction.LAST:
        return None
    return None if tool.chunk.bundle == tool.output.bundle else types.described(tool.chunk)


def _timeouts(timeout: Timeout) -> tuple[str, ...]:
    limits = ((timeout.idle, "without progress"), (timeout.total, "in total"))
    return tuple(f"{_seconds(number)} {words}" for number, words in limits if number is not None)


def _seconds(number: float) -> str:
    return "1 second" if number == 1 else f"{number:g} seconds"
