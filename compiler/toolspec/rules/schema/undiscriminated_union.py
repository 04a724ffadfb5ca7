"""Nothing discriminates the objects of a union."""

from itertools import combinations

from toolspec.rules.api import (
    Diagnostics,
    JsonObject,
    SchemaVisit,
    Severity,
    are_disjoint,
    branches,
    declare,
    is_object,
    lacks,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "nothing discriminates the {count} objects of this union",
    "require a member with a different constant in each: `kind: {{const: circle}}`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"anyOf", "oneOf"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each union with two objects that can be equal."""
    for keyword in ("anyOf", "oneOf"):
        for path, node in visit.using(keyword):
            union_path = (*path, keyword)
            objects = [branch for branch in branches(visit, union_path) if _is_described(branch)]
            pairs = combinations(objects, 2)
            if "properties" not in node and any(
                not are_disjoint(one, other) and not (lacks(one, other) or lacks(other, one))
                for one, other in pairs
            ):
                yield visit.diagnostic(KIND, union_path, count=len(objects))


def _is_described(branch: JsonObject) -> bool:
    return is_object(branch) and bool(branch.get("properties"))
