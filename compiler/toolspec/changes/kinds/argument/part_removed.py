"""An argument has a part less in `allOf`."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` has one part less in `allOf`",
    mirror="part-added",
    callers="note",
    handlers="risk",
)
