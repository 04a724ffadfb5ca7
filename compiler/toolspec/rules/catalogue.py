"""What rules about all services need to know of each tool: light facts, which a build can keep."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.frontend.places import name_place
from toolspec.rules.leftovers import leftovers, used_definitions, uses
from toolspec.rules.members import members
from toolspec.syntax.nodes import Place
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.ir import Service, Tool
    from toolspec.providers.offers import Offers
    from toolspec.rules.leftovers import Leftover
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document
    from toolspec.syntax.pointer import Path


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """One tool; `parameters` are its top-level ones with their types, as far as these are stated.

    `tokens` is the estimate for the definition as a model reads it: name, description, arguments.
    `file` and `path` say where its name is written.
    """

    service: str
    name: str
    full_name: str
    title: str
    description: str
    group: str
    parameters: tuple[tuple[str, str], ...]
    is_read_only: bool
    tokens: int
    file: str = ""
    path: Path = ()


@dataclass(frozen=True, slots=True)
class ServiceFacts:
    """One service with its tools; `file` and `path` say where its name is written.

    `leftovers` are definitions to which nothing in it leads, `uses` those to which something does.
    """

    name: str
    title: str
    description: str
    version: str
    tools: tuple[ToolFacts, ...]
    file: str = ""
    path: Path = ()
    leftovers: tuple[Leftover, ...] = ()
    uses: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every service of a build, sorted by name, and the names of the targets it is made for.

    `documents` gives a document by its path, when a finding needs to say where something stands.
    `is_whole` says that no service of the project is missing: none was left out, none has an error.
    """

    services: tuple[ServiceFacts, ...]
    documents: Callable[[str], Document | None] = field(repr=False)
    targets: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def tools(self) -> Iterator[ToolFacts]:
        """Every tool, service by service."""
        for service in self.services:
            yield from service.tools

    def place(self, part: ToolFacts | ServiceFacts) -> Place | None:
        """Return where a tool or a service is named."""
        document = self.documents(part.file) if part.file else None
        return Place(document, part.path) if document else None

    def span(self, part: ToolFacts | ServiceFacts) -> Span | None:
        """Return the span of a tool's or a service's name."""
        place = self.place(part)
        return place.span if place else None

    @staticmethod
    def subject(tool: ToolFacts) -> Subject:
        """Return what a finding about a tool is about."""
        return Subject(tool.service, tool.full_name, format_pointer(tool.path))


def facts(service: Service, offers: Offers) -> ServiceFacts:
    """Return the facts of a service that has its names."""
    used = used_definitions(service)
    return ServiceFacts(
        service.name,
        service.title,
        service.description,
        service.version,
        tuple(_tool(service, tool, offers.neutral(tool)) for tool in service.tools),
        *_named_at(service),
        leftovers(service, used),
        uses(service, used),
    )


def _tool(service: Service, tool: Tool, tokens: int) -> ToolFacts:
    return ToolFacts(
        service.name,
        tool.name,
        tool.names.full,
        tool.title,
        tool.description,
        tool.group,
        tuple(_parameters(tool)),
        tool.annotations.read_only,
        tokens,
        *_named_at(tool),
    )


def _named_at(part: Service | Tool) -> tuple[str, Path]:
    place = name_place(part)
    return (place.document.source.path, place.path) if place else ("", ())


def _parameters(tool: Tool) -> Iterator[tuple[str, str]]:
    for name, schema in members(tool.arguments).items():
        stated = schema.get("type") if isinstance(schema, dict) else None
        yield name, stated if isinstance(stated, str) else ""
