"""The examples of a part of a result changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the examples of {at} of `{tool}` changed from {before} to {after}",
    mirror="example-changed",
    models="note",
)
