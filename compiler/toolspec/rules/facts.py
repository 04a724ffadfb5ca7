"""Facts about services and tools for rules about a whole project, small enough to cache."""

from __future__ import annotations

from functools import lru_cache
from sys import intern
from typing import TYPE_CHECKING, Any, NamedTuple

from toolspec.diagnostics import Subject
from toolspec.frontend.locations import name_location
from toolspec.rules.visits import written
from toolspec.schema.definitions import unused_definitions
from toolspec.schema.walk import members, survey
from toolspec.shared.keywords import CONTAINERS
from toolspec.shared.records import dataclass, field, field_values, replace
from toolspec.syntax.nodes import Location
from toolspec.syntax.pointer import format_pointer
from toolspec.syntax.yaml_locator import YamlLocator

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.ir import Schema, Service, Tool
    from toolspec.providers.lowered_tools import LoweredTools
    from toolspec.source import SourceFile, Span
    from toolspec.syntax.nodes import Document
    from toolspec.syntax.pointer import Path


class UnusedDefinition(NamedTuple):
    """Unused definitions in one schema, or one of the service, by their paths in a file.

    `tool` is the full name of the tool with the schema. Another document may use them.
    """

    tool: str
    file: str
    paths: tuple[Path, ...]


def used_definitions(service: Service) -> frozenset[str]:
    """Return the names of the definitions that a service uses, also of other documents."""
    return frozenset(name for _, _, schema in written(service) for _, name in schema.shared)


def find_unused_definitions(service: Service, used: frozenset[str]) -> tuple[UnusedDefinition, ...]:
    """Return the unused definitions, schema by schema, with those that only unused ones use."""
    schemas = [(tool.names.full if tool else "", own) for tool, _, own in written(service)]
    unused = [_leftover(name, schema, _inside(schema)) for name, schema in schemas]
    for definition in service.definitions:
        paths = _inside(definition.schema)
        unused.append(
            _leftover("", definition.schema, paths if definition.name in used else ((), *paths))
        )
    return tuple(schema for schema in unused if schema.file and schema.paths)


def uses(service: Service, used: frozenset[str]) -> tuple[tuple[str, Path], ...]:
    """Return file and path of each used definition, those of other documents included."""
    locations = (
        definition.schema.location for definition in service.definitions if definition.name in used
    )
    return tuple(
        (location.document.source.path, location.path) for location in locations if location
    )


def _inside(schema: Schema) -> tuple[Path, ...]:
    root = schema.value
    is_holding = isinstance(root, dict) and any(container in root for container in CONTAINERS)
    return unused_definitions(survey(root)) if is_holding else ()


def _leftover(tool: str, schema: Schema, paths: tuple[Path, ...]) -> UnusedDefinition:
    location = schema.location
    if location is None:
        return UnusedDefinition(tool, "", ())
    absolute = tuple((*location.path, *path) for path in paths)
    locator = location.document.locator
    if isinstance(locator, YamlLocator):
        # An alias is a use, which is no reference in the value.
        absolute = tuple(path for path in absolute if not locator.is_aliased(path))
    return UnusedDefinition(tool, location.document.source.path, absolute)


@dataclass(frozen=True, slots=True)
class ToolFacts:
    """Facts about one tool; `parameters` are the top-level ones with their types, where stated.

    `tokens` is the estimate for the definition as a model reads it: name, description, arguments.
    `file`, `path` and `offsets` locate its name.
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
    offsets: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class ServiceFacts:
    """Facts about one service and its tools; `file`, `path` and `offsets` locate its name.

    `offsets` are where the name begins and ends in the text of a YAML file. Without them, as in JSON
    and behind an alias, the document is parsed again for a diagnostic.
    `uses` has file and path of each used definition.
    """

    name: str
    title: str
    description: str
    version: str
    tools: tuple[ToolFacts, ...]
    file: str = ""
    path: Path = ()
    offsets: tuple[int, int] | None = None
    unused_definitions: tuple[UnusedDefinition, ...] = ()
    uses: tuple[tuple[str, Path], ...] = ()


@dataclass(frozen=True, slots=True)
class ProjectFacts:
    """Every service of a build, sorted by name, and the names of its targets.

    `documents` and `sources` return a document or its text by its path, for the locations of
    diagnostics. `is_whole` means that no service of the project is missing: none was left out, none
    has an error.
    """

    services: tuple[ServiceFacts, ...]
    documents: Callable[[str], Document | None] = field(repr=False)
    sources: Callable[[str], SourceFile | None] = field(repr=False)
    targets: tuple[str, ...] = ()
    is_whole: bool = True

    @property
    def tools(self) -> Iterator[ToolFacts]:
        """Every tool, service by service."""
        for service in self.services:
            yield from service.tools

    def span(self, part: ToolFacts | ServiceFacts) -> Span | None:
        """Return the span of a tool's or a service's name."""
        if part.offsets:
            source = self.sources(part.file)
            return source.span(*part.offsets) if source else None
        document = self.documents(part.file) if part.file else None
        return Location(document, part.path).span if document else None

    @staticmethod
    def subject(tool: ToolFacts) -> Subject:
        """Return the subject of diagnostics about a tool."""
        return Subject(tool.service, tool.full_name, format_pointer(tool.path))


def service_facts(service: Service, lowered_tools: LoweredTools) -> ServiceFacts:
    """Return the facts of a service whose names are resolved."""
    used = used_definitions(service)
    return ServiceFacts(
        service.name,
        service.title,
        service.description,
        service.version,
        tuple(_tool(service, tool, lowered_tools.neutral(tool)) for tool in service.tools),
        *_named_at(service),
        find_unused_definitions(service, used),
        uses(service, used),
    )


def facts_to_json(facts: ServiceFacts) -> object:
    """Return facts as arrays for JSON."""
    return field_values(replace(facts, tools=tuple(map(field_values, facts.tools))))


# Whatever `json.loads` returns: a value of another form raises one of its errors.
def facts_from_json(stored: Any) -> ServiceFacts:
    """Return the facts that `facts_to_json` encoded. Raises ValueError or TypeError for others."""
    name, title, description, version, tools, file, path, offsets, unused, uses = stored
    return ServiceFacts(
        name,
        title,
        description,
        version,
        tuple(map(_tool_from_json, tools)),
        *_named_at_from_json(file, path, offsets),
        tuple(UnusedDefinition(tool, of, tuple(map(tuple, paths))) for tool, of, paths in unused),
        tuple((of, tuple(path)) for of, path in uses),
    )


def _tool_from_json(stored: Any) -> ToolFacts:
    service, name, full_name, title, description, group, parameters, *rest = stored
    is_read_only, tokens, file, path, offsets = rest
    return ToolFacts(
        intern(service),
        name,
        full_name,
        title,
        description,
        group,
        tuple(_pair(parameter, kind) for parameter, kind in parameters),
        is_read_only,
        tokens,
        *_named_at_from_json(file, path, offsets),
    )


@lru_cache(maxsize=4096)
def _pair(parameter: str, kind: str) -> tuple[str, str]:
    """Return a parameter with its type: one object for all tools, which have many of the same."""
    return parameter, kind


def _named_at_from_json(
    file: str, path: Any, offsets: Any
) -> tuple[str, Path, tuple[int, int] | None]:
    steps = tuple(intern(step) if isinstance(step, str) else step for step in path)
    if offsets is None:
        return intern(file), steps, None
    start, end = offsets
    return intern(file), steps, (int(start), int(end))


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


def _named_at(part: Service | Tool) -> tuple[str, Path, tuple[int, int] | None]:
    location = name_location(part)
    if location is None:
        return "", (), None
    offsets = None
    # A YAML document has the marks of every name, and JSON is read once more for the first one.
    if isinstance(location.document.locator, YamlLocator):
        span = location.span
        offsets = None if span.via else (span.start, span.end)
    return location.document.source.path, location.path, offsets


def _parameters(tool: Tool) -> Iterator[tuple[str, str]]:
    for name, schema in members(tool.arguments).items():
        stated = schema.get("type") if isinstance(schema, dict) else None
        # Tools have many parameters of the same names.
        yield intern(name), intern(stated) if isinstance(stated, str) else ""
