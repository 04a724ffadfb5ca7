"""A name says what kind of text it is, and no `format` does."""

import re
from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Place,
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
    __name__, Severity.NOTE, "{names} {verb} no `format`", "state it: `format: {format}`"
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties"})
_SAYING = frozenset({"format", "pattern", "enum", "const", "contentEncoding"})
_NAMED = re.compile(
    r"(?:(?:.*_)?(url|uri|email|uuid|guid)|.*[a-z](Url|URL|Uri|Email|Uuid|UUID|Guid))"
)

_OF_NAMES = {"url": "uri", "uri": "uri", "email": "email", "uuid": "uuid", "guid": "uuid"}


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all parameters of a schema that lack the same format."""
    if not visit.is_input:
        return
    found = [(each, named) for each in visit.properties if (named := _format(each))]
    for named in dict.fromkeys(named for _, named in found):
        such = [each for each, known in found if known == named]
        yield together(such, partial(_tell, visit, named))


def _tell(visit: SchemaVisit, named: str, found: Sequence[Property]) -> Diagnostic:
    paths = [each.path for each in found]
    fix = edits.fix("state the format", everywhere(visit, paths, partial(_state, named)))
    verb = "has" if len(found) == 1 else "have"
    return visit.diagnostic(
        KIND, paths[0], fix=fix, names=property_names(found), verb=verb, format=named
    )


def _state(named: str, place: Place) -> edits.Edits:
    return edits.insert_member(place, "format", named, after="type")


def _format(found: Property) -> str:
    """Return the format that a name stands for; empty where it may be something else."""
    schema = found.schema
    is_bare = schema.get("type") == "string" and _SAYING.isdisjoint(schema)
    return format_of(found.name) if is_bare and " or " not in text_of(schema) else ""


def format_of(name: str) -> str:
    """Return the format that a name implies, as `webhookUrl` does; else empty."""
    found = _NAMED.fullmatch(name)
    return _OF_NAMES[(found[1] or found[2]).casefold()] if found else ""
