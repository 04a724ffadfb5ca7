"""The description of a part of a result changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the description of {at} of `{tool}` changed from {before} to {after}",
    mirror="description-changed",
    models="note",
)
