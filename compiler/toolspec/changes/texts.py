"""Texts in facts: visible characters, words of constraints, schemas without texts."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING
from unicodedata import category, normalize

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.changes.change import Place
    from toolspec.shared.json_values import JsonValue

_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
_SELECTORS = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0000-\U000e01ef]")
_WORDS = re.compile(
    r"\b(?:must|never|only|always|cannot|required|mandatory|forbidden|do not|don't|not)\b",
    re.IGNORECASE,
)
_ANNOTATIONS = frozenset({"description", "title", "examples", "$comment"})
_NAMED = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
_VALUES = frozenset({"const", "enum", "default"})


def value_at(facts: Mapping[str, JsonValue], place: Place | None) -> JsonValue:
    """Return the value at the path of a place; None if there is none."""
    value: JsonValue = dict(facts)
    for step in place.path if place else ():
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def text_at(facts: Mapping[str, JsonValue], place: Place | None) -> str:
    """Return the text at the path of a place; empty if there is none."""
    value = value_at(facts, place)
    return value if isinstance(value, str) else ""


def all_texts(value: JsonValue) -> list[str]:
    """Return all texts in a value, apart from keys."""
    texts: list[str] = []
    waiting = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            texts.append(item)
        elif isinstance(item, dict):
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item
    return texts


def hidden_characters(text: str) -> list[str]:
    """Return the characters of a text that no person sees, in order."""
    return [character for character in text if _is_hidden(character)]


def visible(text: str) -> str:
    """Return a text as people see it: without hidden characters, composed."""
    return normalize("NFC", "".join(each for each in text if not _is_hidden(each)))


def constraint_words(text: str) -> Counter[str]:
    """Return how often each word that forbids or requires occurs in a text."""
    return Counter(word.lower() for word in _WORDS.findall(visible(text)))


def without_annotations(schema: JsonValue) -> JsonValue:
    """Return a schema without its texts; members of the same names are kept."""
    if isinstance(schema, list):
        return [without_annotations(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    kept: dict[str, JsonValue] = {}
    for key, value in schema.items():
        if key in _NAMED and isinstance(value, dict):
            kept[key] = {name: without_annotations(item) for name, item in value.items()}
        elif key in _VALUES:
            kept[key] = value
        elif key not in _ANNOTATIONS:
            kept[key] = without_annotations(value)
    return kept


def _is_hidden(character: str) -> bool:
    if character in "\t\n" or (character.isascii() and character.isprintable()):
        return False
    return (
        category(character) in ("Cc", "Cf")
        or character in _BLANK
        or _SELECTORS.match(character) is not None
    )
