"""A single object wraps all arguments."""

from toolspec.rules.api import Diagnostics, Role, SchemaVisit, Severity, declare, meant, members

KIND = declare(
    __name__,
    Severity.WARNING,
    "`{name}` wraps all arguments in one object",
    "move the members of `{name}` to the top",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"properties", "$ref"})
# Generic names of a wrapper; an object with any other name may be a parameter in its own right.
_GENERIC_NAMES = frozenset(
    {
        "arguments", "args", "body", "data", "input", "inputs", "kwargs", "options", "param",
        "parameters", "params", "payload", "req", "request",
    }
)  # fmt: skip


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for arguments that are a single object with a generic name."""
    if visit.role is not Role.INPUT:
        return
    root = visit.schema.bundle
    if len(members(root)) != 1:
        return
    name, schema = next(iter(members(root).items()))
    inner = meant(schema, root)
    is_object = isinstance(inner, dict) and bool(inner.get("properties"))
    if is_object and name.casefold().rpartition("_")[2] in _GENERIC_NAMES:
        yield visit.diagnostic(KIND, ("properties", name), name=name)
