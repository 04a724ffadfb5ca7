"""A branch of a `oneOf` is contained in another one."""

from itertools import permutations

from toolspec.rules.api import (
    Diagnostics,
    Label,
    SchemaVisit,
    Severity,
    branches,
    declare,
    is_inside,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "another branch accepts every value of this one, so `oneOf` rejects them",
    "write `anyOf`, or delete one of the two",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"oneOf"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for the first such branch of each union."""
    for path, _ in visit.using("oneOf"):
        union = (*path, "oneOf")
        pairs = permutations(enumerate(branches(visit, union)), 2)
        contained = ((one, other) for (one, a), (other, b) in pairs if is_inside(a, b))
        for inner, outer in list(contained)[:1]:
            location = visit.location(*union, outer)
            labels = [Label(location.span, "this one")] if location else []
            yield visit.diagnostic(KIND, (*union, inner), labels=labels)
