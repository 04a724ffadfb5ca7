"""Text edits for fixes: delete, replace, insert, rename; every other byte stays as it is.

Each returns the edits for one change of a document, whether YAML in block or flow style or JSON;
none if the change is ambiguous: the text is shared (an alias, a merge key), or has an unusual form.
`fix` makes a Fix of them, or returns None without edits.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, TextEdit
from toolspec.sinks.yaml_literal import json_literal, yaml_literal, yaml_quoted
from toolspec.syntax.nodes import Location

if TYPE_CHECKING:
    from toolspec.source import SourceFile, Span
    from toolspec.syntax.nodes import JsonValue

Edits = tuple[TextEdit, ...]

_REST_OF_LINE = re.compile(r"(?:[ \t]+#[^\n]*|[ \t]*)(?:\r?\n|$)")
_COMMA_AFTER = re.compile(r"\s*,[ \t]*(?:\r?\n[ \t]*)?")
_COMMA_BEFORE = re.compile(r",\s*$")
_BLANK_LINES = re.compile(r"(?:[ \t]*\r?\n)*")
_INDENT = re.compile(r"[ \t]*")
# Text that may precede the first key of a block mapping, if its column is the indent.
_BEFORE_KEY = re.compile(r" *(?:- +)*")
_DASH = re.compile(r" *- +")
# The header of a block scalar that includes the blank lines after it.
_KEEPS_LINES = re.compile(r"[|>][0-9]?\+[0-9]?[ \t]*(?:#.*)?\r?$", re.MULTILINE)
# A longer collection in block style is written over several lines.
_LONG = 80
# Maximum distance of a member from its preceding comma; no text has more blanks there.
_REACH = 400


def fix(title: str, edits: Edits, *, safe: bool = False) -> Fix | None:
    """Return the fix with some edits, or None without edits."""
    return Fix(title, edits, safe=safe) if edits else None


def member_span(location: Location) -> Span:
    """Return the span from a member's key to the end of its value."""
    spans = location.spans
    key, value = spans.key, spans.value
    if key is None or key.source is not value.source or key.end > value.start:
        return location.key_span
    return key.source.span(key.start, value.end)


def delete_member(location: Location) -> Edits:
    """Return the edit that deletes a member with its line or comma, and the comment on its line.

    The only member of a mapping in block style stays, since an empty block mapping is null.
    """
    span = _own(location)
    holder = _holder(location).value_or_none
    if span is None or not isinstance(holder, dict):
        return ()
    text = span.source.text
    if _is_flow(_holder(location)):
        return _delete_in_flow(span)
    line_start = text.rfind("\n", 0, span.start) + 1
    if len(holder) == 1:
        return ()
    end = _end_of_lines(span)
    if end is not None and _INDENT.fullmatch(text, line_start, span.start):
        return (TextEdit(span.source.span(line_start, end), ""),)
    after = None if end is None else _INDENT.match(text, end)
    if after and _BEFORE_KEY.fullmatch(text, line_start, span.start):
        # The first member of a list item: the next member moves up behind the dash.
        column = span.start - line_start
        if after.end() - after.start() == column and text[after.end() : after.end() + 1] != "#":
            return (TextEdit(span.source.span(span.start, after.end()), ""),)
    return ()


def delete_item(location: Location) -> Edits:
    """Return the edit that deletes an item of a list with its lines or comma; the only item stays."""
    spans, holder = location.spans, _holder(location)
    items, span = holder.value_or_none, spans.value
    if spans.via or holder.spans.via or not isinstance(items, list) or len(items) == 1:
        return ()
    if _is_flow(holder):
        return _delete_in_flow(span)
    text = span.source.text
    line_start = text.rfind("\n", 0, span.start) + 1
    end = _end_of_lines(span)
    if end is None or not _DASH.fullmatch(text, line_start, span.start):
        return ()
    return (TextEdit(span.source.span(line_start, end), ""),)


def replace_value(location: Location, value: JsonValue) -> Edits:
    """Return the edit that replaces a value; its anchor stays."""
    spans = location.spans
    if spans.via:
        return ()
    literal = _literal(location, value)
    if spans.value.start == spans.value.end and spans.key:
        literal = f" {literal}"  # an empty value: only the colon is there
    return (TextEdit(spans.value, literal),)


def insert_member(holder: Location, key: str, value: JsonValue, *, after: str = "") -> Edits:
    """Return the edit that adds a member to a mapping, after a named member or as the last one."""
    mapping = holder.value_or_none
    spans = holder.spans
    if spans.via or not isinstance(mapping, dict) or key in mapping:
        return ()
    member = _own(holder / after) if after in mapping else None
    if _is_flow(holder):
        member_text = f"{_literal(holder, key)}: {_literal(holder, value)}"
        return _insert_in_flow(holder, member, member_text)
    first = next((span for name in mapping if (span := _own(holder / name))), None)
    if first is None:
        return ()
    text = first.source.text
    line_start = text.rfind("\n", 0, first.start) + 1
    if not _BEFORE_KEY.fullmatch(text, line_start, first.start):
        return ()
    lines = _block(key, value, " " * (first.start - line_start))
    return _insert_lines(member or spans.value, lines)


def rename_key(location: Location, name: str) -> Edits:
    """Return the edit that renames a member's key; its quotes stay."""
    holder, span = _holder(location).value_or_none, _own(location)
    key = location.spans.key
    if span is None or key is None or not isinstance(holder, dict) or name in holder:
        return ()
    return (TextEdit(key, _respelt(location, key, name)),)


def _own(location: Location) -> Span | None:
    """Return the span of a member, key to end, or None if its text is shared.

    A value that is an alias ends with the alias: its anchor is elsewhere.
    """
    spans, holder = location.spans, _holder(location).spans
    key = spans.key
    if not location.path or key is None or holder.via:
        return None
    if not holder.value.start <= key.start < holder.value.end:
        return None
    end = spans.via[0].end if spans.via else max(spans.value.end, key.end)
    return key.source.span(key.start, end) if key.end <= end <= holder.value.end else None


def _holder(location: Location) -> Location:
    return Location(location.document, location.path[:-1])


def _is_json(source: SourceFile) -> bool:
    return source.path.lower().endswith(".json")


def _is_flow(location: Location) -> bool:
    return location.spans.value.text[:1] in {"{", "["}


def _literal(location: Location, value: JsonValue) -> str:
    return json_literal(value) if _is_json(location.document.source) else yaml_literal(value)


def _respelt(location: Location, span: Span, text: str) -> str:
    """Return a text as a scalar in the quotes of the one in a span."""
    quote = span.text[:1]
    if _is_json(location.document.source):
        return json_literal(text)
    if quote == '"':
        return yaml_quoted(text)
    if quote == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return yaml_literal(text)


def _delete_in_flow(span: Span) -> Edits:
    text = span.source.text
    after = _COMMA_AFTER.match(text, span.end)
    if after:
        end = after.end()
        if text[end : end + 1] == "#":  # a comment after the comma stays, and the blank before it
            end = text.index(",", span.end) + 1
        return (TextEdit(span.source.span(span.start, end), ""),)
    before = _COMMA_BEFORE.search(text, max(0, span.start - _REACH), span.start)
    start = before.start() if before else span.start
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if "#" in line and not _is_json(span.source):
        start = span.start  # it may be a comma of a comment; YAML allows one too many
    return (TextEdit(span.source.span(start, span.end), ""),)


def _insert_in_flow(holder: Location, member: Span | None, member_text: str) -> Edits:
    """Return the insertion after a member, on a separate line if that member has one."""
    mapping, span = holder.value_or_none, holder.spans.value
    assert isinstance(mapping, dict)
    if member is None and mapping:
        member = _own(holder / next(reversed(mapping)))
        if member is None:
            return ()
    if member is None:
        at = span.start + 1
        return (TextEdit(span.source.span(at, at), member_text),)
    text = span.source.text
    line_start = text.rfind("\n", 0, member.start) + 1
    gap = " "
    if _INDENT.fullmatch(text, line_start, member.start) and line_start > span.start:
        gap = _line_end(text) + text[line_start : member.start]
    return (TextEdit(span.source.span(member.end, member.end), f",{gap}{member_text}"),)


def _insert_lines(before: Span, lines: tuple[str, ...]) -> Edits:
    """Return the insertion of lines after the line on which a span ends."""
    end = _end_of_lines(before)
    if end is None:
        return ()
    text = before.source.text
    line_end = _line_end(text)
    inserted = line_end.join(lines)
    is_open = not text.endswith("\n", 0, end)  # the last line of the file has no line feed
    inserted = line_end + inserted if is_open else inserted + line_end
    return (TextEdit(before.source.span(end, end), inserted),)


def _end_of_lines(span: Span) -> int | None:
    """Return the end of the last line of a span; None if more text follows on it.

    Blank lines that a block scalar keeps belong to it.
    """
    text = span.source.text
    rest = _REST_OF_LINE.match(text, span.end)
    if rest is None:
        return None
    if _KEEPS_LINES.search(text, span.start, span.end):
        blank = _BLANK_LINES.match(text, rest.end())
        return blank.end() if blank else rest.end()
    return rest.end()


def _line_end(text: str) -> str:
    first = text.find("\n")
    return "\r\n" if first > 0 and text[first - 1] == "\r" else "\n"


def _block(key: str, value: JsonValue, indent: str) -> tuple[str, ...]:
    """Return the lines of a member in block style: one, unless its value is a large collection."""
    line = f"{indent}{yaml_literal(key)}: {yaml_literal(value)}"
    if len(line) <= _LONG or not isinstance(value, (dict, list)):
        return (line,)
    head = f"{indent}{yaml_literal(key)}:"
    deeper = f"{indent}  "
    if isinstance(value, list):
        return (head, *(f"{deeper}- {yaml_literal(item)}" for item in value))
    return (head, *(row for name, item in value.items() for row in _block(name, item, deeper)))
