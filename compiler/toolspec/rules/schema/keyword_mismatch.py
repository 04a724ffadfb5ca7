"""A keyword is about another type than the one that is stated."""

from toolspec.rules.api import (
    ABOUT,
    Diagnostics,
    SchemaVisit,
    Severity,
    alternatives,
    declare,
    edits,
    everywhere,
    idle_keywords,
    misfits,
    types_of,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{keyword}` says nothing about {types}",
    "delete it, or correct the `type`: it is about {about}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each such keyword beside a `type`."""
    for path, node in misfits(visit.kinds, visit.survey.nodes):
        for keyword in idle_keywords(node):
            at = (*path, keyword)
            fix = edits.fix(f"delete `{keyword}`", everywhere(visit, [at], edits.delete_member))
            types, about = (
                alternatives(sorted(types_of(node))),
                alternatives(sorted(ABOUT[keyword])),
            )
            yield visit.diagnostic(KIND, at, fix=fix, keyword=keyword, types=types, about=about)
