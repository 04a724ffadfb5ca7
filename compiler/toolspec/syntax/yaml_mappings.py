"""YAML mappings with merge keys, duplicate keys, or keys that are not strings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from toolspec.diagnostics import Fix, Label, TextEdit
from toolspec.shared.records import dataclass, field
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
    """Builds one mapping from its flat items; `Marks` describes their form.

    `via` has, for each merged key, the aliases and the mapping that it came from. `partial` has
    incomplete mappings, including this one if `is_partial` is set. The reader bounds the cost of
    merging, since it counts every alias at its full size.
    """

    source: SourceFile
    marks: Marks
    report: Callable[[Diagnostic], None]
    partial: AbstractSet[int] = frozenset()
    is_partial: bool = False
    via: dict[str, tuple[Via, int]] = field(default_factory=dict)

    def build(self, items: list[Any]) -> tuple[JsonObject, list[Any]]:
        """Return the mapping and its items.

        The first of two equal keys wins. Own entries take precedence over merged ones, earlier
        merged mappings over later ones; merged entries are placed at `<<`.
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
        for index in range(0, len(items), 6):
            entry = items[index : index + 6]
            key, start, end = entry[:3]
            if not isinstance(key, str):
                self._report_key(key, start, end)
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

    def _report_key(self, key: object, start: int, end: int) -> None:
        span = self.source.span(start, end)
        what = _KIND_OF_KEY.get(type(key), "a number")
        fix = None
        if not isinstance(key, (dict, list)):
            fix = Fix("quote the key", (TextEdit(span, f'"{span.text}"'),))
        self.report(kinds.KEY_TYPE.at(span, fix=fix, what=what))

    def _merged(self, entry: list[Any]) -> Iterator[tuple[list[Any], tuple[Via, int]]]:
        """Yield every entry merged by `<<`, with its aliases."""
        value, start, end = entry[3:]
        via: Via = ((start, end),) if start in self.marks.aliases else ()
        sources = [(value, via)]
        if isinstance(value, list):
            items = self.marks.items[id(value)]
            entries = (items[at : at + 3] for at in range(0, len(items), 3))
            sources = [
                (v, (*via, (s, e)) if s in self.marks.aliases else via) for v, s, e in entries
            ]
        if not all(isinstance(mapping, dict) for mapping, _ in sources):
            self.is_partial = True
            if not self._is_reported(value, start):
                self.report(yaml_kinds.MERGE.at(self.source.span(start, end)))
            return
        for mapping, aliases in sources:
            self.is_partial = self.is_partial or id(mapping) in self.partial
            items = self.marks.items[id(mapping)]
            for at in range(0, len(items), 6):
                yield items[at : at + 6], (aliases, id(mapping))

    def _is_reported(self, value: object, start: int) -> bool:
        """Return whether all non-mappings are aliases without an anchor, which the reader reports."""
        single = [(value, start)]
        items = self.marks.items.get(id(value), [])
        values_and_starts = (
            zip(items[::3], items[1::3], strict=True) if isinstance(value, list) else single
        )
        return all(isinstance(v, dict) or self._is_unknown_alias(s) for v, s in values_and_starts)

    def _is_unknown_alias(self, start: int) -> bool:
        return self.source.text[start] == "*" and start not in self.marks.aliases


_KIND_OF_KEY: dict[type, str] = {
    type(None): "null",
    bool: "a boolean",
    dict: "a mapping",
    list: "a list",
}
