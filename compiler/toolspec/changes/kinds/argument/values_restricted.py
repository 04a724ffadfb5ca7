"""An argument that was free has a list of values."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "{at} of `{tool}` is one of {values} now",
    "list the values in the description, and check them in the handler",
    mirror="values-freed",
    callers="break",
    models="note",
)
