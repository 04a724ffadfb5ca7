"""A new text gives the model orders, or hides something from people."""

from toolspec.changes.api import Change, JsonObject, JsonValue, declare
from toolspec.changes.texts import all_texts, value_at
from toolspec.shared.suspect_texts import suspicion

KIND = declare(
    __name__,
    "a new text of `{subject}` {suspicion}",
    "say only what the tool does",
    callers="break",
    models="break",
    reviewers="break",
)
_FACTS = ("title", "summary", "description", "input", "output", "chunk")
REFINES = (
    "argument/constant-changed", "argument/default-added", "argument/default-changed",
    "argument/description-changed", "argument/example-changed", "argument/property-added",
    "argument/required-property-added", "argument/title-changed", "result/constant-changed",
    "result/description-changed", "result/example-changed", "result/property-added",
    "result/title-changed", "prose/description-changed", "prose/instructions-changed",
    "prose/service-description-changed", "prose/summary-changed", "prose/title-changed", "tool/added",
)  # fmt: skip
KEEPS_LEVELS = True


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return what is suspect about a text that was not there."""
    if change.code == "tool/added":
        value: JsonValue = [new.get(fact) for fact in _FACTS]
    else:
        value = value_at(new, change.new)
    known = {suspicion(text) for text in all_texts(value_at(old, change.old))}
    found = (suspicion(text) for text in all_texts(value))
    what = next((each for each in found if each and each not in known), "")
    subject = change.place.tool or change.place.service
    return {"subject": subject, "suspicion": what} if what else None
