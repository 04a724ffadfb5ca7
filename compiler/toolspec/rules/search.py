"""Finds the texts of a document that match a pattern: jsonschema-rs looks through it, in linear time."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from toolspec.schema.error_paths import paths_of
from toolspec.syntax.nodes import value_at

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jsonschema_rs import Draft202012Validator

    from toolspec.syntax.nodes import Document, JsonObject
    from toolspec.syntax.pointer import Path

# A backslash that begins an escape by which JSON or YAML can write or hide any character, and those of
# a space; `\n`, `\r` and `\t` are too usual to stop at.
_ESCAPE = re.compile(r"\\[uUxNabefv0/_LP \t\r\n]")


_PROSE = (("description",), ("instructions",), ("summary",), ("title",), ("$comment",))


@dataclass(frozen=True, slots=True)
class Text:
    """A text somewhere in a document: a value, or the key of the value at its path."""

    path: Path
    text: str
    is_key: bool = False

    @property
    def is_prose(self) -> bool:
        """Whether it was written for people and models to read."""
        return not self.is_key and self.path[-1:] in _PROSE


def texts(document: Document, pattern: str) -> Iterator[Text]:
    """Yield every text in which a pattern of Rust's `regex` may match: values, and keys beside one.

    Where the source has no escapes, one look at it as it stands tells that there is nothing.
    """
    source = document.source.text
    whole = document.value if _ESCAPE.search(source) else source
    if _without(pattern).is_valid(whole):
        return
    for error in _without(pattern).iter_errors(document.value):
        for path in paths_of(error, document.value):
            match value_at(document.value, path):
                case str() as text:
                    yield Text(path, text)
                case dict() as mapping:
                    yield from (Text((*path, key), key, is_key=True) for key in mapping)


@cache
def _without(pattern: str) -> Draft202012Validator:
    """Return a schema of the values in which no text matches."""
    from jsonschema_rs import Draft202012Validator, RegexOptions

    matches: JsonObject = {"type": "string", "pattern": pattern}
    schema: JsonObject = {
        "not": matches,
        "propertyNames": {"not": matches},
        "items": {"$ref": "#"},
        "additionalProperties": {"$ref": "#"},
    }
    return Draft202012Validator(schema, pattern_options=RegexOptions(), offline=True)
