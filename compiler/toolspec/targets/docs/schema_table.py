"""A schema as a table: one row a member, nested members as dotted rows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from toolspec.sinks.markdown import cell, code
from toolspec.sinks.markdown_layout import table
from toolspec.targets.docs.constraints import compact, sentences
from toolspec.targets.docs.type_words import definition_name, options, plain, type_words, words_of

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonObject, JsonValue

_LETTERS = re.compile(r"[^\W_]+")
# A schema without any of them has nothing inside that could have a row of its own.
_INSIDE = frozenset(
    {
        *("properties", "patternProperties", "additionalProperties"),
        *("prefixItems", "items", "oneOf", "anyOf"),
    }
)


class Row(NamedTuple):
    """One member, every text ready for a cell."""

    name: str
    type: str
    required: str
    default: str
    about: str


@dataclass(frozen=True, slots=True)
class SchemaTable:
    """A schema: its type and what it says of the value as a whole, in sentences, and its members."""

    type: str
    about: str
    rows: tuple[Row, ...]

    @property
    def sentences(self) -> str:
        """What there is to read before the members."""
        words = self.type if self.type.startswith("`") else self.type[:1].upper() + self.type[1:]
        return f"{words}. {self.about}".rstrip()

    @property
    def inputs(self) -> str:
        """The members as a caller writes them; empty where there are none."""
        return table(("Name", "Type", "Required", "Default", "Description"), self.rows)

    @property
    def members(self) -> str:
        """The members as a caller reads them, who needs no default; empty where there are none."""
        rows = ((name, words, required, about) for name, words, required, _, about in self.rows)
        return table(("Name", "Type", "Always there", "Description"), rows)


def schema_table(schema: JsonValue) -> SchemaTable:
    """Return a self-contained schema as a table.

    A definition is laid out where it is met first; later rows name that place, so that the table is
    no longer than the schema and recursion ends.
    """
    flat = plain(schema, schema)
    writer = _Writer(schema)
    writer.members(flat, "")
    return SchemaTable(
        type=type_words(schema, schema),
        about=_about(flat),
        rows=tuple(writer.rows),
    )


class _Writer:
    """Collects rows; `places` remembers under which name each definition was laid out."""

    def __init__(self, root: JsonValue) -> None:
        self.root = root
        self.rows: list[Row] = []
        self.places: dict[str, str] = {"#": ""}

    def members(self, flat: JsonObject, name: str) -> str:
        """Write the rows of everything inside a value; return where they stand already, if they do."""
        self._object(flat, name)
        seen = self._array(flat, name)
        union = [(each, plain(each, self.root)) for each in options(flat)]
        union = [(each, inner) for each, inner in union if _has_members(inner)]
        for index, (each, inner) in enumerate(union, 1):
            label = _label(each, inner, index) if len(union) > 1 else ""
            seen = self._enter(each, inner, f"{name}{label}") or seen
        return seen

    def _object(self, flat: JsonObject, name: str) -> None:
        prefix = f"{name}." if name else ""
        listed = flat.get("required")
        required = {*listed} if isinstance(listed, list) else set()
        properties = flat.get("properties")
        if isinstance(properties, dict):
            for key, each in properties.items():
                self._row(f"{prefix}{key}", each, key=key, is_required=key in required)
        patterns = flat.get("patternProperties")
        if isinstance(patterns, dict):
            for key, each in patterns.items():
                self._row(f"{prefix}/{key}/", each, is_required=False)
        others = flat.get("additionalProperties")
        is_open = isinstance(others, dict) and bool(others)
        if is_open and (properties or _has_members(plain(others, self.root))):
            self._row(f"{prefix}*", others, is_required=False)

    def _array(self, flat: JsonObject, name: str) -> str:
        first = flat.get("prefixItems")
        for index, each in enumerate(first if isinstance(first, list) else ()):
            self._row(f"{name}[{index}]", each, is_required=True)
        items = flat.get("items")
        inner = plain(items, self.root)
        return self._enter(items, inner, f"{name}[]") if _has_members(inner) else ""

    def _row(self, name: str, schema: JsonValue, *, is_required: bool, key: str = "") -> None:
        flat = plain(schema, self.root)
        index = len(self.rows)
        about = _about(flat, key)
        if not _INSIDE.isdisjoint(flat) and (seen := self._enter(schema, flat, name)):
            about = f"{about} Members as in {seen}.".lstrip()
        row = Row(
            name=code(name),
            type=words_of(schema, flat, self.root),
            required="yes" if is_required else "",
            default=compact(flat["default"]) if "default" in flat else "",
            about=about,
        )
        self.rows.insert(index, row)

    def _enter(self, schema: JsonValue, flat: JsonObject, name: str) -> str:
        """Write what is inside a value; return where that stands already, if it does."""
        reference = schema.get("$ref") if isinstance(schema, dict) else None
        if isinstance(reference, str):
            if not _has_members(flat):
                return ""
            if reference in self.places:
                place = self.places[reference]
                return code(place) if place else "the whole"
            self.places[reference] = name
        return self.members(flat, name)


def _has_members(flat: JsonObject) -> bool:
    """Whether a value is more than a scalar: it has members of its own to show."""
    if _INSIDE.isdisjoint(flat):
        return False
    others = flat.get("additionalProperties")
    if flat.get("properties") or flat.get("prefixItems") or (isinstance(others, dict) and others):
        return True
    return "items" in flat or bool(options(flat))


def _label(schema: JsonValue, flat: JsonObject, index: int) -> str:
    """Return what tells a member of a union from the others, in parentheses."""
    if name := definition_name(schema):
        return f"({name})"
    title = flat.get("title")
    if isinstance(title, str) and title.strip():
        return f"({title.strip()})"
    return f"({_constant(flat) or f'option {index}'})"


def _constant(flat: JsonObject) -> str:
    """Return the one constant member by which an object of a union is known, as `type: image`."""
    properties = flat.get("properties")
    for key, each in properties.items() if isinstance(properties, dict) else ():
        if isinstance(each, dict) and isinstance(each.get("const"), str):
            return f"{key}: {each['const']}"
    return ""


def _about(flat: JsonObject, key: str = "") -> str:
    """Return what a schema says of a value: its description, else its title, then its conditions."""
    said = sentences(flat)
    words = flat.get("description") or flat.get("title")
    if isinstance(words, str) and words.strip() and not _repeats(words, key):
        said.insert(0, _sentence(cell(words)))
    return " ".join(said)


def _repeats(words: str, key: str) -> bool:
    """Whether a text has the letters of a key and no others: it says nothing new."""
    # A text of more than one separator a letter is read by nobody as a key.
    if len(words) > 2 * len(key):
        return False
    return _letters(words) == _letters(key)


def _letters(words: str) -> str:
    return "".join(_LETTERS.findall(words)).casefold()


def _sentence(words: str) -> str:
    """Return words that end as a sentence does, so that another can follow."""
    return words if words.endswith((".", "!", "?", ":", "…")) else f"{words}."
