"""The title of a part of a result changed."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "the title of {at} of `{tool}` changed from {before} to {after}",
    mirror="title-changed",
    models="note",
)
