"""Private tags, which begin with `_`: they are kept with a note, and shown to nobody."""

from __future__ import annotations


def is_private(tag: object) -> bool:
    """Return whether a tag is never shown."""
    return isinstance(tag, str) and tag.startswith("_")


def without_private_tags(value: object) -> object:
    """Return a result, of whatever tool, in which no note has a private tag."""
    if isinstance(value, list):
        return [without_private_tags(each) for each in value]
    if not isinstance(value, dict):
        return value
    shown = {name: without_private_tags(each) for name, each in value.items()}
    tags = shown.get("tags")
    if isinstance(tags, list):
        shown["tags"] = [tag for tag in tags if not is_private(tag)]
    return shown
