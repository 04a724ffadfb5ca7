"""The tools of a service have another order."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the tools of `{service}` have another order",
    mirror="order-changed",
    callers="note",
    models="note",
)
