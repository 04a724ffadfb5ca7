"""What a rule can visit, besides the whole `Program` and each `Service`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.rules.search import texts
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.ir import Program, Service, Tool
    from toolspec.rules.search import Text
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document


@dataclass(frozen=True, slots=True)
class ToolVisit:
    """One tool, in its service."""

    service: Service
    tool: Tool

    def at(self, *steps: str | int) -> Span | None:
        """Return where something of the tool stands; the tool itself where it was left out."""
        return self.tool.place.at(*steps).span if self.tool.place else None


@dataclass(frozen=True, slots=True)
class DocumentVisit:
    """One document that a service is read from: every text in it, `x-` members included."""

    service: Service
    document: Document

    def texts(self, pattern: str) -> Iterator[Text]:
        """Yield the texts in which a pattern may match; a rule then looks closely (`search.py`)."""
        return texts(self.document, pattern)

    def span(self, text: Text) -> Span:
        """Return where a text stands."""
        place = self.document.place(*text.path)
        return place.key_span if text.is_key else place.value_span

    def subject(self, text: Text) -> Subject:
        """Return what a finding about a text is about: the tool that it belongs to, if any."""
        pointer = format_pointer(text.path)
        for tool in self.service.tools:
            place = tool.place
            if (
                place
                and place.document is self.document
                and text.path[: len(place.path)] == place.path
            ):
                return Subject(self.service.name, tool.names.full, pointer)
        return Subject(self.service.name, pointer=pointer)


def documents(program: Program) -> Iterator[DocumentVisit]:
    """Yield every document of a program once, with the first service that is read from it."""
    seen: set[int] = set()
    for service in program.services:
        tools = (tool.place for tool in service.tools)
        shared = (definition.schema.place for definition in service.definitions)
        for place in (service.place, *tools, *shared):
            if place is not None and id(place.document) not in seen:
                seen.add(id(place.document))
                yield DocumentVisit(service, place.document)
