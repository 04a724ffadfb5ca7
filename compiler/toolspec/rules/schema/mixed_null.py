"""A schema allows null in two different ways."""

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
    "`anyOf` allows null here, a list of types allows it elsewhere in the schema",
    "use the shorter form: `type: [{type}, 'null']`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"anyOf"})
_PAIR = 2
_SCALARS = frozenset({"string", "number", "integer", "boolean"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all long forms in a schema that uses the short form as well."""
    if "anyOf" not in visit.survey.uses:
        return
    long_forms = [(path, kind) for path, node in visit.using("anyOf") if (kind := _or_null(node))]
    if long_forms and any(isinstance(node["type"], list) for _, node in visit.typed("null")):
        yield together(long_forms, partial(_report, visit))


def _report(visit: SchemaVisit, long_forms: Sequence[tuple[Path, str]]) -> Diagnostic:
    return visit.diagnostic(KIND, (*long_forms[0][0], "anyOf"), type=long_forms[0][1])


def _or_null(node: JsonObject) -> str:
    """Return the scalar type of `anyOf: [a scalar, null]`; empty for anything else."""
    listed = node["anyOf"]
    stated = (
        [item.get("type") for item in listed if isinstance(item, dict)]
        if isinstance(listed, list)
        else []
    )
    kinds = [kind for kind in stated if isinstance(kind, str) and kind != "null"]
    is_pair = len(stated) == _PAIR and len(kinds) == 1 and "null" in stated
    return kinds[0] if is_pair and kinds[0] in _SCALARS else ""
