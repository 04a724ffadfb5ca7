"""A value of an `enum` does not match the `type`."""

from toolspec.rules.api import (
    Diagnostics,
    SchemaVisit,
    Severity,
    alternatives,
    declare,
    has_type,
    shown,
    types_of,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{value} in `enum` is not of type {types}",
    "delete it, or add its type: `type: [{all_types}]`{quotes}",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"enum"})


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield a diagnostic for each value of another type, unless all are."""
    for path, node in visit.using("enum"):
        values, types = node["enum"], types_of(node)
        if not types or not isinstance(values, list):
            continue
        if "string" in types and set(map(type, values)) == {str}:
            continue
        outside = [
            index
            for index, value in enumerate(values)
            if not any(has_type(value, type_) for type_ in types)
        ]
        if len(outside) == len(values):
            continue  # such a schema is unsatisfiable, which is a separate error
        for index in outside:
            value = values[index]
            own = next(type_name for type_name in _TYPES if has_type(value, type_name))
            yield visit.diagnostic(
                KIND,
                (*path, "enum", index),
                value=shown(value),
                types=alternatives(sorted(types)),
                quotes="; put it in quotes if it is a string"
                if "string" in types and own in _SCALARS
                else "",
                all_types=", ".join((*sorted(types), "'null'" if own == "null" else own)),
            )


_SCALARS = ("boolean", "integer", "number")
_TYPES = (*_SCALARS, "null", "string", "array", "object")
