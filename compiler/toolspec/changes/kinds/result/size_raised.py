"""A result can exceed what a model reads of one."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.texts import value_at
from toolspec.shared.tokens import BYTES

KIND = declare(
    __name__,
    "`{keyword}` of {at} of `{tool}` is {after} now, and was {before}: more than 25,000 tokens",
    "keep a bound, or page the result",
    models="risk",
    is_guess=True,
)
_TOKENS = 25_000
_LIMITS = {"maxItems": _TOKENS, "maxProperties": _TOKENS, "maxLength": _TOKENS * BYTES}
REFINES = ("result/bound-relaxed",)
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return no further values if only the former bound kept the part within 25,000 tokens."""
    limit = _LIMITS.get(str(change.values.get("keyword")))
    before, after = value_at(old, change.old), value_at(new, change.new)
    if limit is None or not isinstance(before, (int, float)) or before > limit:
        return None
    return {} if not isinstance(after, (int, float)) or after > limit else None
