"""Visits of rules to tools, schemas and documents."""

from __future__ import annotations

from collections import defaultdict
from enum import StrEnum
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, cast

from toolspec.diagnostics import Subject, Vocabulary
from toolspec.ir.partial import partial_service
from toolspec.rules.levels import DefinitionLevels
from toolspec.rules.search import texts
from toolspec.rules.words import style_of
from toolspec.schema.definitions import unused_definitions, without
from toolspec.schema.walk import emptied, members, survey
from toolspec.shared.records import dataclass, replace
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from toolspec.diagnostics import Diagnostic, DiagnosticKind, Fix, Label
    from toolspec.ir import Schema, Service, Tool
    from toolspec.rules.search import Text
    from toolspec.schema.walk import Survey
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document, JsonObject, JsonValue, Location
    from toolspec.syntax.pointer import Path


class Role(StrEnum):
    """Use of a schema in its service."""

    INPUT = "input"
    OUTPUT = "output"
    CHUNK = "chunk"
    SETTINGS = "settings"
    CREDENTIALS = "credentials"
    DEFINITION = "definition"


class ToolNames:
    """Names of a service's tools, for lookups."""

    def __init__(self, service: Service) -> None:
        self._service = service

    @cached_property
    def full(self) -> Vocabulary:
        """The full names, in the order of the tools."""
        return Vocabulary(tool.names.full for tool in self._service.tools)

    @cached_property
    def aliases(self) -> frozenset[str]:
        """The aliases of all tools."""
        return frozenset(alias for tool in self._service.tools for alias in tool.aliases)

    @cached_property
    def styles(self) -> frozenset[str]:
        """The styles of the tools' own names, and the empty one, which fits every other."""
        return frozenset({"", *(style_of(tool.name) for tool in self._service.tools)})

    def __contains__(self, name: str) -> bool:
        return name in self.full or name in self.aliases


@dataclass(frozen=True, slots=True)
class ToolVisit:
    """One tool in its service; `names` are those of all the service's tools."""

    service: Service
    tool: Tool
    names: ToolNames

    @property
    def subject(self) -> Subject:
        """The subject of diagnostics about the tool."""
        return tool_subject(self.service, self.tool)

    def location(self, *steps: str | int) -> Location | None:
        """Return the location of a part of the tool."""
        return self.tool.location.at(*steps) if self.tool.location else None

    def at(self, *steps: str | int) -> Span | None:
        """Return the span of a part of the tool, or of the tool itself if it is absent."""
        location = self.location(*steps)
        return location.span if location else None


def tool_subject(service: Service, tool: Tool) -> Subject:
    """Return the subject of diagnostics about a tool."""
    pointer = tool.location.pointer if tool.location else ""
    return Subject(_service_name(service), _full_name(tool), pointer)


class Property(NamedTuple):
    """A declared member of a schema; `path` leads to the member's schema."""

    name: str
    path: Path
    schema: JsonObject
    is_required: bool


@dataclass(frozen=True, slots=True)
class SchemaVisit:
    """One schema as its author wrote it, with an index of its subschemas.

    `roles` are its uses: those of a definition include the ones of schemas that refer to it. `tool`
    is None for a schema of the whole service. `properties` are those at any depth, `kinds` the
    numbers of subschemas by type. Unused definitions inside are not indexed. `levels` is shared by
    all schemas of the service.
    """

    service: Service
    tool: Tool | None
    role: Role
    roles: frozenset[Role]
    schema: Schema
    survey: Survey
    properties: tuple[Property, ...]
    kinds: Mapping[str, Sequence[int]]
    levels: DefinitionLevels

    @property
    def is_input(self) -> bool:
        """Whether a model writes values of the schema."""
        return Role.INPUT in self.roles

    @property
    def is_output(self) -> bool:
        """Whether a tool returns values of the schema."""
        return Role.OUTPUT in self.roles or Role.CHUNK in self.roles

    @property
    def subject(self) -> Subject:
        """The subject of diagnostics about the schema."""
        location = self.schema.location
        pointer = location.pointer if location else ""
        return Subject(_service_name(self.service), _full_name(self.tool), pointer)

    def using(self, *keywords: str) -> list[tuple[Path, JsonObject]]:
        """Return each subschema that uses one of some keywords, once, with its path."""
        uses, nodes = self.survey.uses, self.survey.nodes
        numbers: Iterable[int] = uses.get(keywords[0], ())
        if len(keywords) > 1:
            numbers = dict.fromkeys(chain(*(uses.get(keyword, ()) for keyword in keywords)))
        # A subschema that uses a keyword is no boolean.
        return cast("list[tuple[Path, JsonObject]]", [nodes[number] for number in numbers])

    def typed(self, kind: str) -> Iterator[tuple[Path, JsonObject]]:
        """Yield each subschema with a type, alone or among others, with its path."""
        for number in self.kinds.get(kind, ()):
            path, node = self.survey.nodes[number]
            if isinstance(node, dict):
                yield path, node

    def location(self, *steps: str | int) -> Location | None:
        """Return the location of a part of the schema."""
        return self.schema.location.at(*steps) if self.schema.location else None

    def diagnostic(
        self,
        kind: DiagnosticKind,
        path: Path,
        label: str = "",
        *,
        labels: Iterable[Label] = (),
        fix: Fix | None = None,
        **parameters: object,
    ) -> Diagnostic:
        """Return a diagnostic at a path in the schema: a keyword, or a subschema by its key."""
        location = self.location(*path)
        span = location.span if location else None
        pointer = location.pointer if location else format_pointer(path)
        subject = Subject(_service_name(self.service), _full_name(self.tool), pointer)
        return kind.at(span, label, labels=labels, subject=subject, fix=fix, **parameters)


@dataclass(frozen=True, slots=True)
class DocumentVisit:
    """One document of a service, with every text in it, `x-` members included."""

    service: Service
    document: Document

    @property
    def subject(self) -> Subject:
        """The default subject of diagnostics in the document."""
        return Subject(_service_name(self.service))

    def texts(self, pattern: str) -> Iterator[Text]:
        """Yield the texts that may match a pattern, for closer examination (`search.py`)."""
        return texts(self.document, pattern)

    def span(self, text: Text) -> Span:
        """Return the span of a text."""
        location = self.document.location(*text.path)
        return location.key_span if text.is_key else location.value_span

    def about(self, text: Text) -> Subject:
        """Return the subject of diagnostics about a text, with the tool around it, if any."""
        pointer = format_pointer(text.path)
        for tool in self.service.tools:
            location = tool.location
            if (
                location
                and location.document is self.document
                and text.path[: len(location.path)] == location.path
            ):
                return Subject(_service_name(self.service), _full_name(tool), pointer)
        return Subject(_service_name(self.service), pointer=pointer)


def _service_name(service: Service) -> str:
    return "" if "name" in service.broken else service.name


def _full_name(tool: Tool | None) -> str:
    return tool.names.full if tool and "names" not in tool.broken else ""


def documents(services: Iterable[Service]) -> Iterator[DocumentVisit]:
    """Yield every document of some services once, with the first service that uses it."""
    visited: set[int] = set()
    for service in services:
        tools = (tool.location for tool in service.tools)
        shared = (definition.schema.location for definition in service.definitions)
        for location in (service.location, *tools, *shared):
            if location is not None and id(location.document) not in visited:
                visited.add(id(location.document))
                yield DocumentVisit(service, location.document)


def schemas(service: Service) -> Iterator[SchemaVisit]:
    """Yield every schema that a service's author wrote: of tools, definitions and settings.

    Unreadable schemas are left out, as are subschemas with an error.
    """
    users: dict[str, set[Role]] = {}
    partial = partial_service(service)
    levels = DefinitionLevels()
    for tool, role, schema in written(service):
        for _, name in schema.shared:
            users.setdefault(name, set()).add(role)
        if schema.broken is not None:
            yield _visit(partial, tool, frozenset({role}), schema, levels=levels)
    for definition in service.definitions:
        roles = frozenset({Role.DEFINITION, *users.get(definition.name, ())})
        if definition.schema.broken is not None:
            yield _visit(
                partial, None, roles, definition.schema, levels=levels, role=Role.DEFINITION
            )


def written(service: Service) -> Iterator[tuple[Tool | None, Role, Schema]]:
    """Yield the schemas that can refer to definitions."""
    for tool in service.tools:
        for role, schema in _schemas_of(tool):
            yield tool, role, schema
    for role, own in ((Role.SETTINGS, service.settings), (Role.CREDENTIALS, service.auth.fields)):
        if own is not None:
            yield None, role, own


def _schemas_of(tool: Tool) -> Iterator[tuple[Role, Schema]]:
    """Yield the schemas written in a tool; a derived chunk is part of its output."""
    if "input" not in tool.broken:
        yield Role.INPUT, tool.input
    if "output" not in tool.broken:
        yield Role.OUTPUT, tool.output
    chunk = None if "chunk" in tool.broken else tool.chunk
    if chunk and chunk.location and chunk.location.path[-1:] == ("chunkSchema",):
        yield Role.CHUNK, chunk


def _visit(  # noqa: PLR0913 - the fields of a visit
    service: Service,
    tool: Tool | None,
    roles: frozenset[Role],
    schema: Schema,
    *,
    levels: DefinitionLevels,
    role: Role | None = None,
) -> SchemaVisit:
    if schema.broken:
        intact = emptied(schema.value, schema.broken)
        schema = replace(schema, value=intact, bundle=intact)
    surveyed = survey(schema.value)
    if unused := unused_definitions(surveyed):
        surveyed = survey(without(schema.value, unused))
    properties, kinds = tuple(_properties(surveyed)), _kinds(surveyed)
    role = role or min(roles)
    return SchemaVisit(service, tool, role, roles, schema, surveyed, properties, kinds, levels)


def _kinds(surveyed: Survey) -> Mapping[str, Sequence[int]]:
    """Return the numbers of the subschemas with a type, by type."""
    kinds: defaultdict[str, list[int]] = defaultdict(list)
    for number in surveyed.uses.get("type", ()):
        node = surveyed.nodes[number][1]
        stated = node["type"] if isinstance(node, dict) else None
        for kind in stated if isinstance(stated, list) else (stated,):
            kinds[str(kind)].append(number)
    return kinds


def _properties(surveyed: Survey) -> Iterator[Property]:
    for number in surveyed.uses.get("properties", ()):
        path, node = surveyed.nodes[number]
        assert isinstance(node, dict), "it uses a keyword"
        required = _names(node.get("required"))
        for name, schema in members(node).items():
            if isinstance(schema, dict):
                yield Property(name, (*path, "properties", name), schema, name in required)


def _names(required: JsonValue) -> frozenset[str]:
    listed = required if isinstance(required, list) else ()
    return frozenset(name for name in listed if isinstance(name, str))
