"""A required parameter has a default."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Property,
    SchemaVisit,
    Severity,
    declare,
    edits,
    everywhere,
    property_names,
    together,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{names} {verb} required, so the default never applies",
    "take {it} out of `required`, or delete the default",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"default"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such parameters of a schema."""
    if "default" not in visit.survey.uses or not visit.is_input or visit.is_output:
        return
    properties = [
        member
        for member in visit.properties
        if member.is_required and "default" in member.schema and "const" not in member.schema
    ]
    if properties:
        yield together(properties, partial(_report, visit))


def _report(visit: SchemaVisit, properties: Sequence[Property]) -> Diagnostic:
    paths = [(*member.path, "default") for member in properties]
    fix = edits.fix("delete the default", everywhere(visit, paths, edits.delete_member))
    verb, it = ("is", "it") if len(properties) == 1 else ("are", "them")
    return visit.diagnostic(
        KIND, paths[0], fix=fix, names=property_names(properties), verb=verb, it=it
    )
