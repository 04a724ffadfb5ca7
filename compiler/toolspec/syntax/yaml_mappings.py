"""Mappings that are more than string keys once each: merge keys, duplicates, keys of other types."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeAlias

from toolspec.diagnostics import Fix, Label, TextEdit
from toolspec.syntax import kinds, yaml_kinds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from collections.abc import Set as AbstractSet

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import SourceFile
    from toolspec.syntax.nodes import JsonObject
    from toolspec.syntax.yaml_locator import Marks

Via: TypeAlias = "tuple[tuple[int, int], ...]"


@dataclass(slots=True)
class MappingBuilder:
    """Builds one such mapping from its flat items; `Marks` describes their form.

    `via` names, for each key that was merged, the aliases that it came through and the mapping that it
    came from. `partial` has the mappings that lack something, this one too where `lacks` says so.
    What merging costs is bounded by the reader: every alias in it has been counted at its
    full size.
    """

    source: SourceFile
    marks: Marks
    report: Callable[[Diagnostic], None]
    partial: AbstractSet[int] = frozenset()
    lacks: bool = False
    via: dict[str, tuple[Via, int]] = field(default_factory=dict)

    def build(self, items: list[Any]) -> tuple[JsonObject, list[Any]]:
        """Return the mapping and the items that belong to it.

        The first of two equal keys stays. Own entries win over merged ones, an earlier merged mapping
        over a later one; what is merged stands where `<<` stood.
        """
        own = self._own_entries(items)
        flat: list[Any] = []
        for key, entry in own.items():
            if key != "<<" or self.source.text[entry[1]] in {'"', "'"}:
                flat += entry
                continue
            for merged, origin in self._merged(entry):
                if merged[0] not in own and merged[0] not in self.via:
                    flat += merged
                    self.via[merged[0]] = origin
        return dict(zip(flat[::6], flat[3::6], strict=True)), flat

    def _own_entries(self, items: list[Any]) -> dict[str, list[Any]]:
        entries: dict[str, list[Any]] = {}
        for at in range(0, len(items), 6):
            entry = items[at : at + 6]
            key, start, end = entry[:3]
            if not isinstance(key, str):
                self._refuse_key(key, start, end)
                if isinstance(key, (dict, list)):
                    continue
                entry[0] = key = self.source.text[start:end]
            if key in entries:
                first = self.source.span(*entries[key][1:3])
                labels = [Label(first, "first here")]
                span = self.source.span(start, end)
                self.report(kinds.DUPLICATE_KEY.at(span, "and again here", labels=labels, key=key))
            else:
                entries[key] = entry
        return entries

    def _refuse_key(self, key: object, start: int, end: int) -> None:
        span = self.source.span(start, end)
        what = _KIND_OF_KEY.get(type(key), "a number")
        fix = None
        if not isinstance(key, (dict, list)):
            fix = Fix("quote the key", (TextEdit(span, f'"{span.text}"'),))
        self.report(kinds.KEY_TYPE.at(span, fix=fix, what=what))

    def _merged(self, entry: list[Any]) -> Iterator[tuple[list[Any], tuple[Via, int]]]:
        """Yield every entry that `<<` brings, with the aliases that it comes through."""
        value, start, end = entry[3:]
        via: Via = ((start, end),) if start in self.marks.aliases else ()
        sources = [(value, via)]
        if isinstance(value, list):
            items = self.marks.items[id(value)]
            each = (items[at : at + 3] for at in range(0, len(items), 3))
            sources = [(v, (*via, (s, e)) if s in self.marks.aliases else via) for v, s, e in each]
        if not all(isinstance(mapping, dict) for mapping, _ in sources):
            self.lacks = True
            if not self._is_told(value, start):
                self.report(yaml_kinds.MERGE.at(self.source.span(start, end)))
            return
        for mapping, reached in sources:
            self.lacks = self.lacks or id(mapping) in self.partial
            items = self.marks.items[id(mapping)]
            for at in range(0, len(items), 6):
                yield items[at : at + 6], (reached, id(mapping))

    def _is_told(self, value: object, start: int) -> bool:
        """Whether all that is no mapping is an alias of nothing, which is told of where it stands."""
        one = [(value, start)]
        items = self.marks.items.get(id(value), [])
        each = zip(items[::3], items[1::3], strict=True) if isinstance(value, list) else one
        return all(isinstance(v, dict) or self._is_astray(s) for v, s in each)

    def _is_astray(self, start: int) -> bool:
        return self.source.text[start] == "*" and start not in self.marks.aliases


_KIND_OF_KEY: dict[type, str] = {
    type(None): "null",
    bool: "a boolean",
    dict: "a mapping",
    list: "a list",
}
