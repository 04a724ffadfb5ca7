"""One schema says in two ways that a value may be null."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    JsonObject,
    Path,
    SchemaVisit,
    Severity,
    declare,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "that this may be null is said with `anyOf`, elsewhere in the schema with a list of types",
    "keep to one; the list is shorter: `type: [{type}, 'null']`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"anyOf"})
_PAIR = 2
_SCALARS = frozenset({"string", "number", "integer", "boolean"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all scalars with the long form, where the short one is used as well."""
    if "anyOf" not in visit.survey.uses:
        return
    found = [(path, kind) for path, node in visit.using("anyOf") if (kind := _or_null(node))]
    if found and any(isinstance(node["type"], list) for _, node in visit.typed("null")):
        yield together(found, partial(_tell, visit))


def _tell(visit: SchemaVisit, found: Sequence[tuple[Path, str]]) -> Diagnostic:
    return visit.diagnostic(KIND, (*found[0][0], "anyOf"), type=found[0][1])


def _or_null(node: JsonObject) -> str:
    """Return the scalar type of `anyOf: [a scalar, null]`; empty for anything else."""
    listed = node["anyOf"]
    stated = (
        [each.get("type") for each in listed if isinstance(each, dict)]
        if isinstance(listed, list)
        else []
    )
    kinds = [each for each in stated if isinstance(each, str) and each != "null"]
    is_pair = len(stated) == _PAIR and len(kinds) == 1 and "null" in stated
    return kinds[0] if is_pair and kinds[0] in _SCALARS else ""
