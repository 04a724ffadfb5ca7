"""A value can have several types."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, alternatives, declare

KIND = declare(
    __name__,
    Severity.NOTE,
    "the value can be {types}",
    "use one type, or describe each case in a branch of `anyOf`",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"type"})
# More than these, and the list says that anything is welcome.
_MAX_TYPES = 3


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each list of two or three types besides null."""
    if sum(map(len, visit.kinds.values())) == len(visit.survey.uses.get("type", ())):
        return  # each states one type
    for path, node in visit.using("type"):
        stated = node["type"]
        if not isinstance(stated, list):
            continue
        types = [type_ for type_ in map(str, stated) if type_ != "null"]
        if "number" in types and "integer" in types:
            types.remove("integer")
        if 1 < len(types) <= _MAX_TYPES:
            yield visit.diagnostic(KIND, (*path, "type"), types=alternatives(types))
