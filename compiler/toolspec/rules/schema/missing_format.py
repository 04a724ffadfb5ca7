"""The name of a string parameter implies a `format` that its schema lacks."""

import re
from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Location,
    Property,
    SchemaVisit,
    Severity,
    declare,
    edits,
    everywhere,
    property_names,
    text_of,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{names} {verb} no `format`",
    "add `format: {format}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_RESTRICTING = frozenset({"format", "pattern", "enum", "const", "contentEncoding"})
_NAMED = re.compile(
    r"(?:(?:.*_)?(url|uri|email|uuid|guid)|.*[a-z](Url|URL|Uri|Email|Uuid|UUID|Guid))"
)

_OF_NAMES = {"url": "uri", "uri": "uri", "email": "email", "uuid": "uuid", "guid": "uuid"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all parameters of a schema that lack the same format."""
    if not visit.is_input:
        return
    implied = [(member, name) for member in visit.properties if (name := _format(member))]
    for name in dict.fromkeys(name for _, name in implied):
        properties = [member for member, other in implied if other == name]
        yield together(properties, partial(_report, visit, name))


def _report(visit: SchemaVisit, name: str, properties: Sequence[Property]) -> Diagnostic:
    paths = [member.path for member in properties]
    fix = edits.fix("add the format", everywhere(visit, paths, partial(_state, name)))
    verb = "has" if len(properties) == 1 else "have"
    return visit.diagnostic(
        KIND, paths[0], fix=fix, names=property_names(properties), verb=verb, format=name
    )


def _state(name: str, location: Location) -> edits.Edits:
    return edits.insert_member(location, "format", name, after="type")


def _format(member: Property) -> str:
    """Return the format that a property's name implies; empty if it may be something else."""
    schema = member.schema
    is_bare = schema.get("type") == "string" and _RESTRICTING.isdisjoint(schema)
    return format_of(member.name) if is_bare and " or " not in text_of(schema) else ""


def format_of(name: str) -> str:
    """Return the format that a name implies, as `webhookUrl` does; else empty."""
    match = _NAMED.fullmatch(name)
    return _OF_NAMES[(match[1] or match[2]).casefold()] if match else ""
