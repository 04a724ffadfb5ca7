"""Only invisible characters of a text changed."""

from toolspec.changes.api import SERVER, Change, JsonObject, declare
from toolspec.changes.texts import hidden_characters, text_at, visible

KIND = declare(
    __name__,
    "only invisible characters of {what} changed: {characters}",
    "delete the invisible characters",
    mirror="hidden-characters",
    models="break",
    reviewers="break",
)
REFINES = (
    "prose/description-changed",
    "prose/title-changed",
    "argument/description-changed",
    "argument/title-changed",
    "result/description-changed",
    "result/title-changed",
    "prose/instructions-changed",
)


def refined(change: Change, old: JsonObject, new: JsonObject) -> JsonObject | None:
    """Return the characters if the texts look alike."""
    before, after = text_at(old, change.old), text_at(new, change.new)
    if visible(before) != visible(after):
        return None
    characters = {*hidden_characters(before), *hidden_characters(after)}
    codes = ", ".join(f"U+{ord(each):04X}" for each in sorted(characters))
    place = change.place
    path, owner = "/".join(map(str, place.path)), place.tool or place.service
    return {
        "what": f"`{path}` of {f'`{owner}`' if owner else SERVER}",
        "characters": codes,
    }
