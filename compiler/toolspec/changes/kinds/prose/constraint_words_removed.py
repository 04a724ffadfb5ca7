"""A description has fewer words that forbid or require."""

from toolspec.changes.api import Change, JsonObject, declare
from toolspec.changes.texts import constraint_words, text_at

KIND = declare(
    __name__,
    "the description of `{tool}` no longer says {words}",
    "keep the words, or enforce the rule in the schema or the handler",
    models="risk",
    reviewers="risk",
    is_guess=True,
)
REFINES = ("prose/description-changed",)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return the words that occur less often than before."""
    before = constraint_words(text_at(old, change.old))
    after = constraint_words(text_at(new, change.new))
    words = sorted((before - after).keys())
    return {"words": ", ".join(f"`{word}`" for word in words)} if words else None
