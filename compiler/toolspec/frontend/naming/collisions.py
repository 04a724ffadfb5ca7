"""Collisions of names, and names that are too long: each pair once, with both locations."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from toolspec.diagnostics import Label, Subject
from toolspec.frontend.locations import alias_span, hook_span, name_span, public_name_span
from toolspec.frontend.naming import kinds
from toolspec.frontend.naming.identifiers import KEYWORDS, RESERVED_METHODS
from toolspec.ir import Naming, Service, Tool
from toolspec.syntax.limits import limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.ir import Program
    from toolspec.source import Span

LONGEST = 64
COMFORTABLE = 40
SHOWN = 100

_LEGAL = re.compile(r"[A-Za-z0-9_-]+")
_ILLEGAL = re.compile(r"[^A-Za-z0-9_]+")


class _Claim(NamedTuple):
    """A part of the program that needs a name, for itself or for one of its fields."""

    name: str
    part: Service | Tool
    field: str = ""

    @property
    def words(self) -> str:
        if isinstance(self.part, Service):
            return f"service `{self.part.name}`"
        version = f"@{self.part.version}" if self.part.version else ""
        tool = f"tool `{self.part.name}{version}`"
        return f"`{self.field}` of {tool}" if self.field else tool

    @property
    def span(self) -> Span | None:
        if self.field and self.part.location:
            return (self.part.location / self.field).value_span
        return name_span(self.part)


class _Meetings:
    """Colliding claims of one scope; a pair is reported once, for its first shared name."""

    def __init__(self) -> None:
        self._reported: set[tuple[int, int]] = set()

    def among(self, claims: Iterable[_Claim]) -> Iterator[tuple[_Claim, _Claim]]:
        """Yield each later claim of a name together with the first one."""
        holders: dict[str, _Claim] = {}
        for claim in claims:
            first = holders.setdefault(claim.name, claim)
            if first is claim:
                continue
            pair = (id(first.part), id(claim.part))
            if pair not in self._reported:
                self._reported.add(pair)
                yield first, claim


def find_collisions(program: Program) -> Iterator[Diagnostic]:
    """Yield a diagnostic for every long name, and for collisions of two names up to a limit."""
    yield from limited(_collisions(program))
    for service in program.services:
        yield from _wire_names(service)
        yield from _hooks(service)
        yield from _lengths(service)


def _collisions(program: Program) -> Iterator[Diagnostic]:
    yield from _services(program.services)
    yield from _public_names(program)
    yield from _aliases(program)
    for service in program.services:
        yield from _tools(service)


def claims(service: Service) -> tuple[str, ...]:
    """Return keys of everything that a service names, sorted.

    Two services without a common key have no collision with each other.
    """
    names = service.names
    keys = {
        f"service {service.name.casefold()}",
        f"package {names.module}",
        f"class {names.class_stem}",
    }
    for tool in service.tools:
        for name in (tool.names.full, *tool.aliases):
            keys.update(f"tool {form(name)}" for form, _, _ in _FORMS)
    return tuple(sorted(keys))


def _services(services: tuple[Service, ...]) -> Iterator[Diagnostic]:
    meetings = _Meetings()
    for pair in meetings.among(_Claim(service.name, service) for service in services):
        yield _duplicate(kinds.DUPLICATE_SERVICE, *pair)
    for pair in meetings.among(_Claim(service.name.casefold(), service) for service in services):
        yield _case(*pair)
    for pair in meetings.among(_Claim(service.names.module, service) for service in services):
        yield _python("package", *pair)
    for pair in meetings.among(_Claim(service.names.class_stem, service) for service in services):
        yield _python("class", *pair)


def _tools(service: Service) -> Iterator[Diagnostic]:
    meetings = _Meetings()
    for pair in meetings.among(
        _Claim(f"{tool.name}@{tool.version}", tool) for tool in service.tools
    ):
        yield _duplicate(kinds.DUPLICATE_TOOL, *pair)
    yield from _unreachable(service)
    spellings = {tool.name: _Claim(tool.name.casefold(), tool) for tool in service.tools}
    for pair in meetings.among(spellings.values()):
        yield _case(*pair)
    for pair in meetings.among(_methods(service)):
        yield _python("method", *pair)
    for pair in meetings.among(_Claim(tool.names.type_stem, tool) for tool in service.tools):
        yield _python("type", *pair)


def _unreachable(service: Service) -> Iterator[Diagnostic]:
    """Yield diagnostics for tools without a version beside versions of the same name."""
    versions = {tool.name: tool for tool in service.tools if tool.version}
    for tool in service.tools:
        if not tool.version and (other := versions.get(tool.name)):
            yield kinds.UNREACHABLE_TOOL.at(
                name_span(tool),
                "no version",
                labels=_labels(name_span(other), f"version {other.version}"),
                subject=_subject(tool),
                name=tool.name,
            )


def _methods(service: Service) -> Iterator[_Claim]:
    """Yield claims of methods: those of each tool, and of its other declarations."""
    for tool in service.tools:
        yield _Claim(tool.names.method, tool)
        if tool.verify:
            yield _Claim(tool.names.verify, tool, "verify")
        if tool.revert:
            yield _Claim(tool.names.revert, tool, "revert")


def _hooks(service: Service) -> Iterator[Diagnostic]:
    """Yield diagnostics for hooks with a reserved name, which generated code uses as it is."""
    reported: set[str] = set()
    parts: tuple[Service | Tool, ...] = (service, *service.tools)
    for part in parts:
        for hook in part.hooks.names:
            if hook in KEYWORDS | RESERVED_METHODS and hook not in reported:
                reported.add(hook)
                yield kinds.RESERVED_HOOK.at(
                    hook_span(part, hook), subject=_subject(part), hook=hook
                )


def _public_names(program: Program) -> Iterator[Diagnostic]:
    """Yield diagnostics for full names that collide for some provider, ignoring case.

    Two names with a prefix cannot collide (`join`). The lowered names of one service are checked
    with each provider.
    """
    if all(service.naming is Naming.PREFIXED for service in program.services):
        return
    reported: set[tuple[int, int]] = set()
    for form, kind, parameters in _FORMS:
        holders: dict[str, tuple[Service, Tool]] = {}
        for service, tool in program.tools:
            owner, first = holders.setdefault(form(tool.names.full), (service, tool))
            if Naming.AS_WRITTEN not in (owner.naming, service.naming):
                continue
            is_same_service = owner.name == service.name
            is_reported_there = (
                first.name.casefold() == tool.name.casefold() or kind is kinds.SENT_NAME
            )
            if (is_same_service and is_reported_there) or (id(first), id(tool)) in reported:
                continue
            reported.add((id(first), id(tool)))
            texts = {
                "first": first.names.full,
                "second": tool.names.full,
                "name": form(tool.names.full),
            }
            yield kind.at(
                public_name_span(tool),
                f"`{tool.names.full}` of service `{service.name}`",
                labels=_labels(
                    public_name_span(first), f"`{first.names.full}` of service `{owner.name}`"
                ),
                subject=_subject(tool),
                **{key: texts[key] for key in parameters},  # type: ignore[arg-type] # message parameters
            )


def _sent_name(name: str) -> str:
    """Return a name for providers that allow letters, digits, `_` and `-` only, ignoring case."""
    is_legal = _LEGAL.fullmatch(name) is not None
    return (name if is_legal else _ILLEGAL.sub("_", name).strip("_")).casefold()


_FORMS = (
    (str, kinds.SHARED_NAME, ("name",)),
    (str.casefold, kinds.CASE_COLLISION, ("first", "second")),
    (_sent_name, kinds.SENT_NAME, ("first", "second", "name")),
)


def _wire_names(service: Service) -> Iterator[Diagnostic]:
    """Yield diagnostics for wire names in a service whose names have a prefix."""
    if service.naming is Naming.AS_WRITTEN:
        return
    for tool in service.tools:
        if tool.wire_name:
            yield kinds.UNUSED_WIRE_NAME.at(
                public_name_span(tool),
                "not used",
                labels=_labels(name_span(service), "its names have a prefix"),
                subject=_subject(tool),
                service=service.name,
                full=tool.names.full,
                name=tool.wire_name,
            )


def _aliases(program: Program) -> Iterator[Diagnostic]:
    """Yield diagnostics for aliases that are also a name or an alias of another tool.

    Versions of one tool may share an alias.
    """
    if not any(tool.aliases for _, tool in program.tools):
        return
    tools_by_name: dict[str, Tool] = {}
    for _, tool in program.tools:
        tools_by_name.setdefault(tool.names.full, tool)
    owners: dict[str, Tool] = {}
    for _, tool in program.tools:
        for alias in tool.aliases:
            holder, owner = tools_by_name.get(alias), owners.setdefault(alias, tool)
            if holder is not None and holder.names.full == tool.names.full:
                yield _alias(tool, alias, "its full name", public_name_span(holder))
            elif holder is not None:
                yield _alias(
                    tool, alias, f"the full name of tool `{holder.name}`", name_span(holder)
                )
            elif owner.names.full != tool.names.full:
                other = f"an alias of `{owner.names.full}`"
                yield _alias(tool, alias, other, alias_span(owner, alias))


def _lengths(service: Service) -> Iterator[Diagnostic]:
    tools: dict[str, Tool] = {}
    for tool in service.tools:
        tools.setdefault(tool.names.full, tool)
    if service.names.prefix and tools and len(service.names.prefix) >= LONGEST:
        longest = max(tools, key=len)
        yield _too_long(kinds.TOO_LONG, service, longest, LONGEST)
        return
    for name, tool in tools.items():
        if len(name) > LONGEST:
            yield _too_long(kinds.TOO_LONG, tool, name, LONGEST)
        elif len(name) > COMFORTABLE:
            yield _too_long(kinds.LONG_NAME, tool, name, COMFORTABLE)


def _duplicate(kind: DiagnosticKind, first: _Claim, second: _Claim) -> Diagnostic:
    return kind.at(
        second.span,
        "the second",
        labels=_labels(first.span, "the first"),
        subject=_subject(second.part),
        name=second.part.name,
    )


def _case(first: _Claim, second: _Claim) -> Diagnostic:
    return kinds.CASE_COLLISION.at(
        second.span,
        second.words,
        labels=_labels(first.span, first.words),
        subject=_subject(second.part),
        first=first.part.name,
        second=second.part.name,
    )


def _python(what: str, first: _Claim, second: _Claim) -> Diagnostic:
    return kinds.PYTHON_COLLISION.at(
        second.span,
        second.words,
        labels=_labels(first.span, first.words),
        subject=_subject(second.part),
        first=first.words,
        second=second.words,
        what=what,
        name=second.name,
    )


def _too_long(kind: DiagnosticKind, part: Service | Tool, name: str, limit: int) -> Diagnostic:
    return kind.at(
        public_name_span(part) if isinstance(part, Tool) else name_span(part),
        subject=_subject(part),
        name=name if len(name) <= SHOWN else f"{name[:SHOWN]}…",
        length=len(name),
        limit=limit,
        excess=len(name) - limit,
    )


def _alias(tool: Tool, alias: str, other: str, other_span: Span | None) -> Diagnostic:
    return kinds.ALIAS_COLLISION.at(
        alias_span(tool, alias),
        labels=_labels(other_span, other),
        subject=_subject(tool),
        alias=alias,
        tool=tool.name,
        other=other,
    )


def _labels(span: Span | None, text: str) -> tuple[Label, ...]:
    return () if span is None else (Label(span, text),)


def _subject(part: Service | Tool) -> Subject:
    pointer = part.location.pointer if part.location else ""
    if isinstance(part, Service):
        return Subject(part.name, pointer=pointer)
    return Subject(tool=part.names.full, pointer=pointer)
