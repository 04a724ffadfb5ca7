"""An argument has a new required member."""

from toolspec.changes.api import declare

KIND = declare(
    __name__,
    "`{name}` is new and required in {at} of `{tool}`",
    "make `{name}` optional, or give the tool a new name",
    callers="break",
    models="risk",
)
