"""From a service's documents, whose shape has been checked, to its program, references unresolved."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label
from toolspec.frontend.bind import kinds, safety, usage
from toolspec.frontend.bind.service import bind_auth, bind_service
from toolspec.frontend.bind.tool import Defaults, bind_tool
from toolspec.frontend.fields import Fields
from toolspec.ir import Definition, Formats, Schema

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.includes.unit import Unit
    from toolspec.ir import Service
    from toolspec.syntax.nodes import Document, JsonObject


def bind(unit: Unit, separator: str = "_", formats: Formats = Formats.ASSERT) -> Checked[Service]:
    """Return the service of a document and the files it includes: everything stated or derived.

    What needs resolved references or the whole build comes later: `Schema.bundle`, the wire
    `arguments` and the chunk of a stream (`normalise`), the names (`naming`). `separator` serves
    only the full names in findings, `formats` where the documents have none. Complains of contradictions inside a tool, of scopes and errors
    that are used and not declared, and of shared schemas that are defined twice.
    """
    root = Fields.of(unit.document.value, unit.document.place())
    stated = root.within("service")
    assert stated is not None
    auth = bind_auth(stated.within("auth"))
    defaults = Defaults.of(stated, formats)
    tools = []
    found = [*usage.reserved_name(stated), *usage.unknown_scopes(stated, auth)]
    for name, fields in _tools(unit.documents):
        tool = bind_tool(fields, name, defaults)
        tools.append(tool)
        full = f"{defaults.service}{separator}{name}"
        problems = (
            *safety.contradictions(fields, tool, full),
            *usage.problems(fields, tool, auth),
        )
        found += (problem.about(tool=full) for problem in problems)
    definitions = tuple(_definitions(unit.documents))
    found += _duplicates(definitions)
    service = bind_service(stated, auth, definitions, tuple(tools), _extensions(unit))
    service = replace(service, formats=defaults.formats)
    return Checked(service, tuple(each.about(service=service.name) for each in found))


def _extensions(unit: Unit) -> JsonObject:
    """Return the `x-*` members at the roots of a service's files; where two clash, the first."""
    found: JsonObject = {}
    for document in reversed(unit.documents):
        found |= Fields.of(document.value, document.place()).extensions
    return found


def _tools(documents: Iterable[Document]) -> Iterator[tuple[str, Fields]]:
    """Yield the tools in document order, those of included files after the service's own."""
    for document in documents:
        root = Fields.of(document.value, document.place())
        for fields in root.each("tools"):
            yield fields.text("name"), fields
        named = root.within("tools")
        for name, value in named.value.items() if named else ():
            yield name, Fields.of(value, document.place("tools", name))


def _definitions(documents: Iterable[Document]) -> Iterator[Definition]:
    for document in documents:
        shared = Fields.of(document.value, document.place()).within("$defs")
        for name, value in shared.value.items() if shared else ():
            yield Definition(name, Schema.of(value, document.place("$defs", name)))


def _duplicates(definitions: Iterable[Definition]) -> Iterator[Diagnostic]:
    first: dict[str, Definition] = {}
    for each in definitions:
        other = first.setdefault(each.name, each)
        here, there = each.schema.place, other.schema.place
        if other is each or here is None or there is None:
            continue
        yield kinds.DUPLICATE_DEFINITION.at(
            here.key_span,
            "defined again here",
            labels=[Label(there.key_span, "first defined here")],
            name=each.name,
        ).about(pointer=here.pointer)
