"""Binds a service's validated documents to its program, with unresolved references."""

from __future__ import annotations

from collections import defaultdict
from itertools import chain
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label
from toolspec.frontend.bind import kinds, safety, usage
from toolspec.frontend.bind.service import bind_auth, bind_service, without_meaning
from toolspec.frontend.bind.tool import Defaults, bind_tool
from toolspec.frontend.fields import Fields
from toolspec.frontend.naming.join import full_name
from toolspec.ir import Definition, Formats, Schema
from toolspec.ir.partial import partial_tool, unless_broken
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.includes.unit import Unit
    from toolspec.ir import Service
    from toolspec.syntax.nodes import Document, JsonObject
    from toolspec.syntax.pointer import Path

# Name of a tool or service whose name is missing; `broken` lists it, and nothing shows it.
UNNAMED = "?"
_INHERITED = ("scopes", "permissions", "timeout", "before")


def bind(unit: Unit, separator: str = "_", formats: Formats = Formats.ASSERT) -> Checked[Service]:
    """Return the service of a document and its included files, stated and derived fields alike.

    Later stages add what needs resolved references or the whole build: `Schema.bundle`, the wire
    `arguments` and the chunk of a stream (`normalise`), the names of Python (`naming`). `formats`
    is the default. Reports contradictions inside a tool, undeclared scopes and errors, and shared
    schemas that are defined twice. Broken parts of the documents are left out, and `broken` of a
    tool or the service names the fields that lack them.
    """
    location = unit.document.location("service")
    root = Fields.of(unit.document.value, unit.document.location())
    stated = root.within("service") or Fields({}, location)
    broken = _broken_members(unit.documents)
    declared_name = (location / "name").value_or_none
    is_named = isinstance(declared_name, str) and bool(declared_name.strip())
    name = declared_name if isinstance(declared_name, str) and is_named else UNNAMED
    missing = without_meaning(_broken_of_service(unit, broken), is_named=is_named)
    auth = bind_auth(stated.within("auth"))
    scopes = usage.known_scopes(auth)
    defaults = Defaults.of(stated, name, formats, missing)
    tools = []
    diagnostics = [*usage.reserved_name(stated)] if "name" not in missing else []
    if "auth" not in missing:
        diagnostics += usage.unknown_scopes(stated, scopes)
    for tool_name, fields in _tools(unit.documents):
        path = fields.location.path
        lacks = broken.get((fields.location.document.source.path, path), frozenset())
        full = ""
        if tool_name and is_named:
            wire_name = fields.text("wireName")
            full = full_name(name, tool_name, defaults.naming, wire_name, separator)
        tool = bind_tool(fields, tool_name or UNNAMED, full, defaults, lacks)
        if "names" in tool.broken and tool_name and is_named and "wireName" not in lacks:
            tool = replace(tool, broken=tool.broken - {"names"})
        tools.append(tool)
        readable = partial_tool(tool)
        checks = (
            safety.contradictions(readable, full),
            safety.lowered_risk(fields, readable),
            usage.unknown_errors(readable),
            usage.misplaced(fields, readable),
        )
        problems = [*chain.from_iterable(map(unless_broken, checks) if tool.broken else checks)]
        if "auth" not in missing:
            problems += usage.unknown_scopes(fields, scopes)
        diagnostics += (problem.about(tool=full) for problem in problems)
    definitions = tuple(_definitions(unit.documents))
    diagnostics += _duplicates(definitions)
    service = bind_service(
        stated,
        name,
        auth=auth,
        definitions=definitions,
        tools=tuple(tools),
        root_extensions=_extensions(unit),
        broken=missing,
    )
    service = replace(service, formats=defaults.formats)
    subject = name if is_named else ""
    return Checked(service, tuple(diagnostic.about(service=subject) for diagnostic in diagnostics))


def _broken_members(documents: Iterable[Document]) -> dict[tuple[str, Path], frozenset[str]]:
    """Return the broken members of each mapping, by file and path."""
    members: defaultdict[tuple[str, Path], set[str]] = defaultdict(set)
    for document in documents:
        for path in document.broken:
            members[document.source.path, path[:-1]].add(str(path[-1]))
    return {holder: frozenset(names) for holder, names in members.items()}


def _broken_of_service(
    unit: Unit, broken: Mapping[tuple[str, Path], frozenset[str]]
) -> Iterator[str]:
    """Yield the broken members of a service, with `tools` or `definitions` if one is missing."""
    yield from broken.get((unit.document.source.path, ("service",)), ())
    lists = {"tools": "tools", "$defs": "definitions"}
    for document in unit.documents:
        path = document.source.path
        whole = broken.get((path, ()), frozenset())
        if "service" in whole:
            yield from ("name", "description", "auth", "settings", *_INHERITED)
        for key, field in lists.items():
            if key in whole:
                yield field
        if (path, ("tools",)) in broken:
            yield "tools"
        if "include" in whole:
            yield from lists.values()
    if not unit.is_whole:
        yield from lists.values()


def _extensions(unit: Unit) -> JsonObject:
    """Return the `x-*` members at the roots of a service's files; the first wins."""
    extensions: JsonObject = {}
    for document in reversed(unit.documents):
        extensions |= Fields.of(document.value, document.location()).extensions
    return extensions


def _tools(documents: Iterable[Document]) -> Iterator[tuple[str, Fields]]:
    """Yield the tools in document order, those of included files after the main document's.

    An invalid name is yielded as it is written.
    """
    for document in documents:
        root = Fields.of(document.value, document.location())
        for index, value in enumerate(root.items("tools")):
            if ("tools", index) not in document.broken:
                fields = Fields.of(value, document.location("tools", index))
                declared_name = (fields.location / "name").value_or_none
                yield declared_name if isinstance(declared_name, str) else "", fields
        tools_by_name = root.within("tools")
        for name, value in tools_by_name.value.items() if tools_by_name else ():
            yield name, Fields.of(value, document.location("tools", name))


def _definitions(documents: Iterable[Document]) -> Iterator[Definition]:
    for document in documents:
        shared = Fields.of(document.value, document.location()).within("$defs")
        for name, value in shared.value.items() if shared else ():
            yield Definition(name, Schema.of(value, document.location("$defs", name)))


def _duplicates(definitions: Iterable[Definition]) -> Iterator[Diagnostic]:
    first: dict[str, Definition] = {}
    for definition in definitions:
        other = first.setdefault(definition.name, definition)
        here, there = definition.schema.location, other.schema.location
        if other is definition or here is None or there is None:
            continue
        yield kinds.DUPLICATE_DEFINITION.at(
            here.key_span,
            "defined again here",
            labels=[Label(there.key_span, "first defined here")],
            name=definition.name,
        ).about(pointer=here.pointer)
