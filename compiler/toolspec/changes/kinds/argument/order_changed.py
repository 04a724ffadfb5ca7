"""The members of an object in an argument have another order."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the members of {at} of `{tool}` have another order",
    mirror="order-changed",
    models="note",
)
