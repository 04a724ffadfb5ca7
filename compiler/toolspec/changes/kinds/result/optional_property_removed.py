"""An optional member of a result is gone."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is gone from {at} of `{tool}`, where it was optional",
    "deprecate `{name}` first",
    mirror="property-added",
    callers="risk",
    models="risk",
)
