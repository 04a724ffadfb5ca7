"""An `enum` of two strings represents a boolean."""

from toolspec.rules.api import Diagnostics, SchemaVisit, Severity, declare

KIND = declare(
    __name__,
    Severity.WARNING,
    "the values {values} represent a boolean",
    "write `type: boolean`, and convert it in the handler",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})
_PAIRS = ({"true", "false"}, {"yes", "no"})
_TWO = 2


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each `enum` of two such strings."""
    for path, node in visit.using("enum") if visit.is_input else ():
        values = node["enum"]
        if not isinstance(values, list) or len(values) != _TWO:
            continue
        texts = [value for value in values if isinstance(value, str)]
        if {text.casefold() for text in texts} in _PAIRS:
            listed_texts = " and ".join(f'"{text}"' for text in texts)
            yield visit.diagnostic(KIND, (*path, "enum"), values=listed_texts)
