"""Table of a schema: one row a member, nested members as dotted rows."""

from __future__ import annotations

import re
from collections import deque
from typing import TYPE_CHECKING

from toolspec.shared.canonical import canonical_json
from toolspec.targets.docs.constraints import sentences
from toolspec.targets.docs.markup import MARKDOWN
from toolspec.targets.docs.type_words import (
    Page,
    definition_name,
    options,
    plain,
    referred,
    type_words,
    words_of,
)
from toolspec.targets.docs.view import Row, SchemaView
from toolspec.targets.templates import Code

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.targets.docs.markup import Markup

_LETTERS = re.compile(r"[^\W_]+")
# A schema without any of these has nothing inside that could have a row.
_INSIDE = frozenset(
    {
        *("properties", "patternProperties", "additionalProperties"),
        *("prefixItems", "items", "oneOf", "anyOf"),
    }
)
_EMPTY = Code("")
# A definition nested in more definitions than this is described at the end of the table.
_DEEPEST = 6
_SEVERAL = 2


def schema_table(
    schema: JsonValue,
    links: Mapping[tuple[str, ...], str] | None = None,
    *,
    markup: Markup = MARKDOWN,
    is_type: bool = False,
) -> SchemaView:
    """Return a self-contained schema as a table.

    `links` lead to the definitions that have a section: rows only link to them. Any other
    definition is described at its first use; later rows refer to that row, so that the table is no
    longer than the schema and recursion ends. With `is_type` the schema is the one of a section, so
    that a reference to the whole is a link.
    """
    page = Page(schema, markup, links or {})
    flat = plain(schema, schema)
    if page.link(schema):
        return _view(type_words(schema, page), _about(_beside(schema), markup), ())
    writer = _Writer(page)
    writer.write(flat)
    kinds = words_of({} if is_type else schema, flat, page)
    about = " ".join(filter(None, (_about(flat, markup), _choice(flat, page))))
    return _view(kinds, about, tuple(writer.rows))


def _view(kinds: str, about: str, rows: tuple[Row, ...]) -> SchemaView:
    words = kinds[:1].upper() + kinds[1:]
    return SchemaView(
        sentences=Code(f"{words}. {about}".rstrip()),
        about=Code(about),
        rows=rows,
        has_defaults=any(row.default for row in rows),
    )


class _Writer:
    """Collects rows; `locations` has the row name under which each definition is described."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.markup = page.markup
        self.root = page.root
        self.rows: list[Row] = []
        self.locations: dict[tuple[str, ...], str] = {(): ""}
        self.waiting: deque[tuple[JsonObject, str]] = deque()
        self.level = 0

    def write(self, flat: JsonObject) -> None:
        """Write the rows of a value, then those of deferred definitions."""
        self.members(flat, "")
        while self.waiting:
            self.members(*self.waiting.popleft())

    def members(self, flat: JsonObject, name: str) -> str:
        """Write the rows of everything inside a value; return a sentence on rows elsewhere."""
        self.level += 1
        self._object(flat, name)
        cross_reference = self._array(flat, name)
        union = [(option, plain(option, self.root)) for option in options(flat)]
        union = [(option, inner) for option, inner in union if _has_members(inner)]
        for index, (option, inner) in enumerate(union, 1):
            label = _label(option, inner, index) if len(union) > 1 else ""
            cross_reference = self._enter(option, inner, f"{name}{label}") or cross_reference
        self.level -= 1
        return cross_reference

    def _object(self, flat: JsonObject, name: str) -> None:
        prefix = f"{name}." if name else ""
        listed = flat.get("required")
        required = {*listed} if isinstance(listed, list) else set()
        properties = flat.get("properties")
        if isinstance(properties, dict):
            for key, member in properties.items():
                self._row(f"{prefix}{key}", member, key=key, is_required=key in required)
        patterns = flat.get("patternProperties")
        if isinstance(patterns, dict):
            for key, pattern in patterns.items():
                self._row(f"{prefix}/{key}/", pattern, is_required=False)
        others = flat.get("additionalProperties")
        is_open = isinstance(others, dict) and bool(others)
        if is_open and (properties or _has_members(plain(others, self.root))):
            self._row(f"{prefix}*", others, is_required=False)

    def _array(self, flat: JsonObject, name: str) -> str:
        first = flat.get("prefixItems")
        for index, item in enumerate(first if isinstance(first, list) else ()):
            self._row(f"{name}[{index}]", item, is_required=True)
        items = flat.get("items")
        inner = plain(items, self.root)
        return self._enter(items, inner, f"{name}[]") if _has_members(inner) else ""

    def _row(self, name: str, schema: JsonValue, *, is_required: bool, key: str = "") -> None:
        link = self.page.link(schema)
        flat = _beside(schema) if link else plain(schema, self.root)
        index = len(self.rows)
        about = _about(flat, self.markup, key)
        if choice := _choice(flat, self.page):
            about = f"{about} {choice}".lstrip()
        if (
            not link
            and not _INSIDE.isdisjoint(flat)
            and (cross_reference := self._enter_unlinked(schema, flat, name))
        ):
            about = f"{about} {cross_reference}".lstrip()
        row = Row(
            path=name,
            name=Code(self.markup.code(name)),
            type=Code(link or words_of(schema, flat, self.page)),
            is_required=is_required,
            default=Code(self.markup.json(flat["default"])) if "default" in flat else _EMPTY,
            about=Code(about),
        )
        self.rows.insert(index, row)

    def _enter(self, schema: JsonValue, flat: JsonObject, name: str) -> str:
        """Write the rows inside a value; return a sentence if they are elsewhere in the table."""
        return "" if self.page.link(schema) else self._enter_unlinked(schema, flat, name)

    def _enter_unlinked(self, schema: JsonValue, flat: JsonObject, name: str) -> str:
        steps = referred(schema)
        if steps is not None:
            if not _has_members(flat):
                return ""
            if steps not in self.locations:
                if self.level <= _DEEPEST:
                    self.locations[steps] = name
                    return self.members(flat, name)
                self.locations[steps] = _free(definition_name(schema), self.locations)
                self.waiting.append((flat, self.locations[steps]))
            location = self.locations[steps]
            return f"Members as in {self.markup.code(location) if location else 'the whole'}."
        if self.level > _DEEPEST and isinstance(schema, dict) and "allOf" in schema:
            return "Its members are not shown here."
        return self.members(flat, name)


def _free(name: str, locations: Mapping[tuple[str, ...], str]) -> str:
    """Return a row name that no definition has yet."""
    used = {*locations.values()}
    number, candidate = 2, name
    while candidate in used:
        candidate, number = f"{name}{number}", number + 1
    return candidate


def _beside(schema: JsonValue) -> JsonObject:
    """Return the siblings of a schema's reference."""
    if not isinstance(schema, dict):
        return {}
    return {key: value for key, value in schema.items() if key not in {"$ref", "allOf", "$defs"}}


def _has_members(flat: JsonObject) -> bool:
    """Return whether a value has members or items to describe."""
    if _INSIDE.isdisjoint(flat):
        return False
    others = flat.get("additionalProperties")
    if flat.get("properties") or flat.get("prefixItems") or (isinstance(others, dict) and others):
        return True
    return "items" in flat or bool(options(flat))


def _label(schema: JsonValue, flat: JsonObject, index: int) -> str:
    """Return a label that identifies an option of a union, in parentheses."""
    if name := definition_name(schema):
        return f"({name})"
    title = flat.get("title")
    if isinstance(title, str) and title.strip():
        return f"({title.strip()})"
    return f"({_constant(flat) or f'option {index}'})"


def _constant(flat: JsonObject) -> str:
    """Return the constant member that identifies an object of a union, as `type: image`."""
    for key, schema in _members(flat):
        if isinstance(schema, dict) and isinstance(schema.get("const"), str):
            return f"{key}: {schema['const']}"
    return ""


def _choice(flat: JsonObject, page: Page) -> str:
    """Return a sentence on a union of objects, with the member that tells them apart."""
    union = [plain(option, page.root) for option in options(flat)]
    are_objects = all(isinstance(option.get("properties"), dict) for option in union)
    if len(union) < _SEVERAL or not are_objects:
        return ""
    name, values = _discriminator(union)
    if not name:
        return f"One of {len(union)} forms."
    shown = ", ".join(map(page.markup.json, values))
    return f"One of {len(union)} forms; {page.markup.code(name)} tells which: {shown}."


def _discriminator(union: Sequence[JsonObject]) -> tuple[str, list[JsonValue]]:
    """Return the member whose constant differs in each object of a union; empty without one."""
    constants = [
        {
            name: member["const"]
            for name, member in _members(option)
            if isinstance(member, dict) and "const" in member
        }
        for option in union
    ]
    for name in constants[0]:
        values = [found[name] for found in constants if name in found]
        if len({canonical_json(value) for value in values}) == len(union):
            return name, values
    return "", []


def _members(option: JsonObject) -> Iterable[tuple[str, JsonValue]]:
    properties = option.get("properties")
    return properties.items() if isinstance(properties, dict) else ()


def _about(flat: JsonObject, markup: Markup, key: str = "") -> str:
    """Return the description of a value, else its title, and its constraints as sentences."""
    texts = sentences(flat, markup)
    words = flat.get("description") or flat.get("title")
    if isinstance(words, str) and words.strip() and not _repeats(words, key):
        texts.insert(0, _sentence(markup.text(words)))
    return " ".join(texts)


def _repeats(words: str, key: str) -> bool:
    """Return whether a text has the letters of a key and no others, and so adds nothing."""
    # No reader sees the key in a text of more than one separator a letter.
    if len(words) > 2 * len(key):
        return False
    return _letters(words) == _letters(key)


def _letters(words: str) -> str:
    return "".join(_LETTERS.findall(words)).casefold()


def _sentence(words: str) -> str:
    """Return words that end as a sentence does, so that another can follow."""
    return words if words.endswith((".", "!", "?", ":", "…")) else f"{words}."
