"""A tool takes a secret or an identity number."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.arguments import folded
from toolspec.changes.texts import value_at
from toolspec.shared.secret_names import SECRET_NAMES

KIND = declare(
    __name__,
    "`{tool}` takes `{name}` now, which is secret",
    "get it from `auth` or `settings`",
    callers="break",
    handlers="risk",
    models="risk",
    reviewers="break",
)
_SECRET = (
    *SECRET_NAMES, "creditcard", "cardnumber", "cvv", "iban", "passport", "passportnumber",
    "socialsecuritynumber", "ssn", "taxid",
)  # fmt: skip
REFINES = ("argument/property-added", "argument/required-property-added")
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if the new argument is secret by its schema or its name."""
    del old
    schema = value_at(new, change.new)
    is_marked = isinstance(schema, dict) and (
        schema.get("writeOnly") is True or schema.get("format") == "password"
    )
    return {} if is_marked or folded(str(change.values["name"])).endswith(_SECRET) else None
