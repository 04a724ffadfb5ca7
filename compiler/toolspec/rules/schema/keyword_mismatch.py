"""A keyword does not apply to the `type` beside it."""

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
    "`{keyword}` does not apply to {types}",
    "delete it, or correct the `type`: it applies to {applicable}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each such keyword beside a `type`."""
    for path, node in misfits(visit.kinds, visit.survey.nodes):
        for keyword in idle_keywords(node):
            keyword_path = (*path, keyword)
            fix = edits.fix(
                f"delete `{keyword}`", everywhere(visit, [keyword_path], edits.delete_member)
            )
            types, applicable = (
                alternatives(sorted(types_of(node))),
                alternatives(sorted(ABOUT[keyword])),
            )
            yield visit.diagnostic(
                KIND, keyword_path, fix=fix, keyword=keyword, types=types, applicable=applicable
            )
