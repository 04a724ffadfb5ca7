"""YAML reader: a loop over parser events that keeps the marks of every key and value.

The loop enforces limits before anything grows: nesting, and the size of the document with its
aliases and merge keys expanded. Explicit tags are rejected, including the seven of the core schema.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from toolspec.diagnostics import Checked, Label, did_you_mean
from toolspec.shared.records import dataclass, field
from toolspec.syntax import kinds, yaml_kinds
from toolspec.syntax.limits import MAX_BYTES, MAX_DEPTH, MAX_DIAGNOSTICS, too_many
from toolspec.syntax.nodes import Document
from toolspec.syntax.scalars import (
    CONSTANTS,
    NUMBER_STARTS,
    core_number,
    is_unsafe,
    number_problem,
    old_octal,
)
from toolspec.syntax.yaml_events import event_reader
from toolspec.syntax.yaml_locator import Marks, YamlLocator
from toolspec.syntax.yaml_mappings import MappingBuilder

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile
    from toolspec.syntax.nodes import JsonValue

_STRINGS = {str}
# Limits for suggestions, which compare names letter by letter.
_NAMES = 50
_NAME_LENGTH = 100


def read_yaml(source: SourceFile) -> Checked[Document | None]:
    """Return the document of a YAML text; None after a syntax error, or beyond a limit."""
    from yaml import YAMLError

    reader = _Reader(source)
    try:
        reader.run()
    except YAMLError as error:
        from toolspec.syntax.yaml_errors import explain

        reader.diagnostics.append(explain(source, error, last=reader.last))
        return Checked(None, tuple(reader.diagnostics))
    except _LimitError as error:
        reader.diagnostics.append(error.diagnostic)
        return Checked(None, tuple(reader.diagnostics))
    if not reader.items or (reader.items[0] is None and reader.items[1] == reader.items[2]):
        reader.diagnostics.append(kinds.EMPTY.at(source.span(0, 0)))
        return Checked(None, tuple(reader.diagnostics))
    locator = YamlLocator(source, reader.items, reader.marks)
    document = Document(source, reader.items[0], locator, frozenset(reader.partial))
    return Checked(document, tuple(reader.diagnostics))


class _LimitError(Exception):
    """Stops reading at a limit."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic


class _Anchor(NamedTuple):
    """An anchored value: its offsets, and its expanded size in characters."""

    value: JsonValue
    start: int
    end: int
    size: int


# A collection being read: index of its items, its start and anchor, and `expanded` at that point.
_Frame: TypeAlias = "tuple[int, int, str | None, int]"


@dataclass(slots=True)
class _Reader:
    """State of reading one document.

    `items` is flat: value, start, end for each key and each value not yet part of a completed
    collection, in order. When a collection ends, its items become a mapping or list in one step,
    and become its marks. `plain` caches the value of every plain scalar by its text.
    `expanded` counts the characters that aliases add to the text.
    """

    source: SourceFile
    items: list[Any] = field(default_factory=list)
    plain: dict[str, JsonValue] = field(default_factory=lambda: {**CONSTANTS})
    diagnostics: list[Diagnostic] = field(default_factory=list)
    marks: Marks = field(default_factory=Marks)
    stack: list[_Frame] = field(default_factory=list)
    anchors: dict[str, _Anchor | None] = field(default_factory=dict)
    heights: dict[int, int] = field(default_factory=dict)
    partial: set[int] = field(default_factory=set)
    expanded: int = 0

    @property
    def last(self) -> tuple[int, ...]:
        """Start and end of the latest value in the innermost open collection; empty if none."""
        first_item = self.stack[-1][0] if self.stack else 0
        return tuple(self.items[first_item:][-2:])

    def run(self) -> None:
        """Read to the end of the stream. Raises YAMLError and _LimitError."""
        import yaml

        next_event = event_reader(self.source.text)
        scalar, end = yaml.ScalarEvent, yaml.StreamEndEvent
        handlers = self._handlers()
        items, plain = self.items, self.plain
        while True:
            event = next_event()
            kind = type(event)
            if kind is scalar:
                value = event.value
                if event.tag is not None:
                    self._report_tag(event)
                elif event.implicit[0]:
                    value = plain[value] if value in plain else self._plain(event)
                start, stop = event.start_mark.index, event.end_mark.index
                items += (value, start, stop)
                if event.anchor is not None:
                    self.anchors[event.anchor] = _Anchor(value, start, stop, stop - start)
            elif kind is end:
                return
            else:
                handlers[kind](event)

    def _handlers(self) -> dict[type, Callable[[Any], None]]:
        import yaml

        return {
            yaml.MappingStartEvent: self._open,
            yaml.SequenceStartEvent: self._open,
            yaml.MappingEndEvent: self._close_mapping,
            yaml.SequenceEndEvent: self._close_sequence,
            yaml.AliasEvent: self._alias,
            yaml.DocumentStartEvent: self._start_document,
            yaml.DocumentEndEvent: lambda _: None,
            yaml.StreamStartEvent: lambda _: None,
        }

    def _start_document(self, event: Any) -> None:
        if self.items:
            offset = event.start_mark.index
            raise _LimitError(yaml_kinds.SEVERAL_DOCUMENTS.at(self.source.span(offset, offset + 3)))

    def _open(self, event: Any) -> None:
        anchor = event.anchor
        if event.tag is not None:
            self._report_tag(event)
        if anchor is not None:
            self.anchors[anchor] = None
        self.stack.append((len(self.items), event.start_mark.index, anchor, self.expanded))
        if len(self.stack) > MAX_DEPTH:
            raise self._too_deep(event)

    def _close_mapping(self, event: Any) -> None:
        first_item = self.stack[-1][0]
        items = self.items[first_item:]
        keys = items[::6]
        value = {}
        if {*map(type, keys)} == _STRINGS:
            value = dict(zip(keys, items[3::6], strict=True))
        if len(value) * 6 != len(items) or "<<" in value:
            builder = MappingBuilder(self.source, self.marks, self._report, self.partial)
            value, items = builder.build(items)
            if builder.is_partial:
                self.partial.add(id(value))
            self.marks.merged.update(((id(value), key), via) for key, via in builder.via.items())
        self._close(event, value, items)

    def _close_sequence(self, event: Any) -> None:
        items = self.items[self.stack[-1][0] :]
        self._close(event, items[::3], items)

    def _close(self, event: Any, value: Any, items: list[Any]) -> None:
        first_item, start, anchor, expanded = self.stack.pop()
        # The end mark of a block collection is the start of the next token: use its last value's.
        end = event.end_mark.index
        if event.start_mark.index == end and len(self.items) > first_item:
            end = self.items[-1]
        self.marks.items[id(value)] = items
        self.items[first_item:] = (value, start, end)
        if anchor is not None:
            size = end - start + self.expanded - expanded
            self.anchors[anchor] = _Anchor(value, start, end, size)

    def _alias(self, event: Any) -> None:
        start, end, name = event.start_mark.index, event.end_mark.index, event.anchor
        anchor = self.anchors.get(name)
        if anchor is None:
            self._report(self._unknown_alias(name, start, end))
            self.items += (None, start, end)
            return
        if len(self.stack) + self._height(anchor.value) > MAX_DEPTH:
            raise self._too_deep(event)
        self.expanded += anchor.size
        if self.expanded > MAX_BYTES:
            raise _LimitError(
                yaml_kinds.EXPANSION.at(self.source.span(start, end), limit=MAX_BYTES)
            )
        self.marks.aliases[start] = (anchor.start, anchor.end)
        self.items += (anchor.value, start, end)

    def _height(self, value: JsonValue) -> int:
        """Return the nesting depth of a completed value; each collection is visited once."""
        if not isinstance(value, (dict, list)):
            return 0
        if id(value) not in self.heights:
            inner = value.values() if isinstance(value, dict) else value
            self.heights[id(value)] = 1 + max(map(self._height, inner), default=0)
        return self.heights[id(value)]

    def _unknown_alias(self, name: str, start: int, end: int) -> Diagnostic:
        span = self.source.span(start, end)
        if name in self.anchors:
            anchor_start = next(
                start for _, start, anchor, _ in reversed(self.stack) if anchor == name
            )
            label = Label(
                self.source.span(anchor_start, anchor_start + len(name) + 1), "anchored here"
            )
            return yaml_kinds.ALIAS_CYCLE.at(span, labels=[label], name=name)
        names = [name for name in self.anchors if len(name) <= _NAME_LENGTH][-_NAMES:]
        suggestion = "define the anchor before the alias"
        if names and len(name) <= _NAME_LENGTH:
            suggestion = did_you_mean(name, names)
        return yaml_kinds.UNKNOWN_ALIAS.at(span, name=name, suggestion=suggestion)

    def _plain(self, event: Any) -> JsonValue:
        """Return the value of a plain scalar that is new or has an error."""
        literal: str = event.value
        value: JsonValue = literal
        if literal[:1] in NUMBER_STARTS:
            value = core_number(literal)
            if value is None or (type(value) is int and is_unsafe(value)):
                kind = number_problem(literal) or kinds.NOT_FINITE
                span = self.source.span(event.start_mark.index, event.end_mark.index)
                self._report(kind.at(span, literal=literal))
                return 0 if value is None else value
            if literal.lstrip("+-")[:1] == "0" and (octal := old_octal(literal)) is not None:
                span = self.source.span(event.start_mark.index, event.end_mark.index)
                digits = literal.lstrip("+-").lstrip("0")
                self._report(
                    yaml_kinds.LEADING_ZERO.at(
                        span, literal=literal, value=value, octal=octal, digits=digits
                    )
                )
                return value
        self.plain[literal] = value
        return value

    def _report_tag(self, event: Any) -> None:
        start = self.source.text.index("!", event.start_mark.index)
        tag = self.source.text[start : event.end_mark.index + 40].split(maxsplit=1)[0]
        self._report(yaml_kinds.TAG.at(self.source.span(start, start + len(tag)), tag=tag))

    def _too_deep(self, event: Any) -> _LimitError:
        span = self.source.span(event.start_mark.index, event.end_mark.index)
        return _LimitError(kinds.DEPTH.at(span, limit=MAX_DEPTH))

    def _report(self, diagnostic: Diagnostic) -> None:
        if len(self.diagnostics) >= MAX_DIAGNOSTICS:
            raise _LimitError(too_many(diagnostic))
        self.diagnostics.append(diagnostic)
