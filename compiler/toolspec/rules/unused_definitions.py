"""Used and unused definitions of a service."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from toolspec.rules.visits import written
from toolspec.schema.definitions import unused_definitions
from toolspec.schema.keywords import CONTAINERS
from toolspec.schema.walk import survey

if TYPE_CHECKING:
    from toolspec.ir import Schema, Service
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
    return UnusedDefinition(
        tool, location.document.source.path, tuple((*location.path, *path) for path in paths)
    )
