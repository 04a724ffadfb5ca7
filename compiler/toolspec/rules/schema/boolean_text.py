"""Yes and no are written as texts."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "yes and no are the texts {values} here",
    "write `type: boolean`, and let the handler write the text where it is needed",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
_PAIRS = ({"true", "false"}, {"yes", "no"})
_TWO = 2


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each list of two such texts."""
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        if not isinstance(values, list) or len(values) != _TWO:
            continue
        texts = [value for value in values if isinstance(value, str)]
        if {text.casefold() for text in texts} in _PAIRS:
            named = " and ".join(f'"{text}"' for text in texts)
            yield visit.diagnostic(KIND, (*path, "enum"), values=named)
