"""Comparison of two sides: tools are matched, then their facts and schemas compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.changes.catalogue import entries_of_facts, entry, refinements
from toolspec.changes.change import Change, Changes, Place
from toolspec.changes.proof import Prover
from toolspec.changes.schemas import Flow, Readers, SchemaComparison
from toolspec.changes.side import SERVICE_FACTS, TOOL_FACTS
from toolspec.shared.canonical import canonical_json
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.changes.catalogue import Entry
    from toolspec.changes.side import Side
    from toolspec.shared.json_values import JsonObject, JsonValue

SCHEMAS = {"input": Flow.ARGUMENT, "output": Flow.RESULT, "chunk": Flow.RESULT}
"""The facts that are schemas of calls."""

_OF_THE_NAME = frozenset({"service", "tool", "python", "title", "wireName"})
"""Facts that usually follow from the name of a tool."""

_UNNAMED = frozenset({"tool", "service", "python", "aliases", "wire", "losses", "wireName"})

_DERIVED = frozenset({"wire"})
"""Facts that follow from all others, which only contracts have."""


def compare(old: Side, new: Side, *, readers: Readers = Readers.TOLERANT) -> Changes:
    """Return the changes from one side to another, in the order of services, tools and paths.

    A fact that one of the sides cannot show is compared nowhere, and named in the result.
    """
    comparison = _Comparison(old, new, readers)
    try:
        changes = sorted(comparison.changes(), key=lambda change: change.order)
    finally:
        comparison.close()
    hidden = [
        fact
        for facts, one, other in (
            (SERVICE_FACTS, old.service_facts, new.service_facts),
            (TOOL_FACTS, old.tool_facts, new.tool_facts),
        )
        for fact in facts
        if (fact in one) != (fact in other) and fact not in _DERIVED
    ]
    unresolved = dict.fromkeys((*old.unresolved, *new.unresolved))
    return Changes(tuple(changes), tuple(dict.fromkeys(hidden)), tuple(unresolved))


class _Comparison:
    def __init__(self, old: Side, new: Side, readers: Readers) -> None:
        self._old, self._new, self._readers = old, new, readers
        self._prover = Prover()
        self._facts = old.tool_facts & new.tool_facts
        self._service_facts = old.service_facts & new.service_facts

    def close(self) -> None:
        self._prover.close()

    def changes(self) -> Iterator[Change]:
        """Yield all changes, each once."""
        for name in sorted(self._old.services.keys() & self._new.services.keys()):
            old, new = self._old.services[name], self._new.services[name]
            place = Place(service=name)
            if old is not new:
                changes = self._compared(
                    entries_of_facts(is_of_service=True),
                    old,
                    new,
                    (place, place),
                    self._service_facts,
                )
                for change in changes:
                    yield self._refined(change, old, new)
        before, after = self._old.tools, self._new.tools
        pairs = {name: name for name in before if name in after}
        gone = [name for name in before if name not in pairs and not self._is_unresolved(name)]
        added = [name for name in after if name not in pairs and not self._is_unresolved(name)]
        for name, twin in self._renamed(gone, added):
            pairs[name] = twin
            gone.remove(name)
            added.remove(twin)
            keeps_name = name in _texts(after[twin].get("aliases"))
            code = "tool/renamed-with-alias" if keeps_name else "tool/renamed"
            values: JsonObject = {"tool": name, "renamed": twin}
            yield self._change(
                code, self._place(self._old, name), self._place(self._new, twin), values
            )
        for name in gone:
            is_announced = before[name].get("deprecated") is not None
            code = "tool/deprecated-removed" if is_announced else "tool/removed"
            yield self._change(code, self._place(self._old, name), None, {"tool": name})
        for name in added:
            yield self._change("tool/added", None, self._place(self._new, name), {"tool": name})
        for name, twin in pairs.items():
            if before[name] is not after[twin]:
                yield from self._tool(name, twin)

    def _is_unresolved(self, name: str) -> bool:
        """Return whether a tool is missing because it, or its service, does not compile."""
        hidden = {*self._old.unresolved, *self._new.unresolved}
        facts = self._old.tools.get(name) or self._new.tools.get(name) or {}
        return name in hidden or str(facts.get("service")) in hidden

    def _renamed(self, gone: list[str], added: list[str]) -> Iterator[tuple[str, str]]:
        """Yield pairs of a name that is gone and a new one for the same tool."""
        by_content: dict[str, list[str]] = {}
        for name in added:
            for old in _texts(self._new.tools[name].get("aliases")):
                if old in gone:
                    by_content.setdefault(f"alias {old}", []).append(name)
            by_content.setdefault(self._content(self._new.tools[name]), []).append(name)
        taken: set[str] = set()
        for name in [*gone]:
            content = self._content(self._old.tools[name])
            twins = by_content.get(f"alias {name}") or by_content.get(content, [])
            twins = [twin for twin in twins if twin not in taken]
            if len(twins) == 1:
                taken.add(twins[0])
                yield name, twins[0]

    def _content(self, tool: JsonObject) -> str:
        """Return what a tool is apart from its names: two with equal content are one tool, renamed."""
        return canonical_json(
            {fact: tool.get(fact) for fact in sorted(self._facts - _UNNAMED - {"service", "title"})}
        )

    def _tool(self, name: str, twin: str) -> Iterator[Change]:
        old, new = self._old.tools[name], self._new.tools[twin]
        places = self._place(self._old, name), self._place(self._new, twin)
        facts = self._facts
        if name != twin:  # reported as a renaming, with all that follows from the name
            facts = facts - _OF_THE_NAME
            aliases: list[JsonValue] = [
                alias for alias in _texts(new.get("aliases")) if alias != name
            ]
            new = {**new, "aliases": aliases}
        found = [
            *self._compared(entries_of_facts(is_of_service=False), old, new, places, facts),
            *(change for fact in SCHEMAS for change in self._schemas(fact, old, new, places)),
        ]
        for change in found:
            if change.code != "tool/alias-added" or change.values.get("name") != name:
                yield self._refined(change, old, new)  # the alias of a renamed tool is its old name

    def _compared(
        self,
        entries: tuple[Entry, ...],
        old: JsonObject,
        new: JsonObject,
        places: tuple[Place, Place],
        facts: frozenset[str],
    ) -> Iterator[Change]:
        """Yield the changes of the facts that both sides show."""
        for each in entries:
            fact, *members = each.fact.split(".")
            before, after = _member(old, fact, members), _member(new, fact, members)
            if fact not in facts or before == after:
                continue
            if any(old.get(other) != new.get(other) for other in each.derived_from):
                continue
            assert each.found is not None, each.kind.code
            subject: JsonObject = {"service": places[1].service, "tool": places[1].tool}
            for values in each.found(before, after):
                path = (fact, *members)
                yield Change(
                    each.kind,
                    replace(places[0], path=path),
                    replace(places[1], path=path),
                    {**subject, **values},
                )

    def _schemas(
        self, fact: str, old: JsonObject, new: JsonObject, places: tuple[Place, Place]
    ) -> Iterator[Change]:
        before, after = old.get(fact), new.get(fact)
        if fact not in self._facts or (fact == "chunk" and None in (before, after)):
            return
        if json.dumps(before) == json.dumps(after):  # the order of members counts
            return
        flow = SCHEMAS[fact]
        comparison = SchemaComparison(
            True if before is None else before,
            True if after is None else after,
            flow,
            self._prover,
            formats="annotate" not in (old.get("formats"), new.get("formats")),
            readers=self._readers,
        )
        for edit in comparison.edits():
            values: JsonObject = {
                "service": places[1].service,
                "tool": places[1].tool,
                **edit.values,
            }
            yield Change(
                entry(f"{flow}/{edit.slug}").kind,
                None if edit.old_path is None else replace(places[0], path=(fact, *edit.old_path)),
                None if edit.new_path is None else replace(places[1], path=(fact, *edit.new_path)),
                values,
                edit.proof,
            )

    def _refined(self, change: Change, old: JsonObject, new: JsonObject) -> Change:
        """Return a change under the most specific kind that fits."""
        for each in refinements(change.code):
            assert each.refined is not None, each.kind.code
            values = each.refined(change, old, new)
            if values is not None:
                return replace(change, kind=each.kind, values={**change.values, **values})
        return change

    def _change(
        self, code: str, old: Place | None, new: Place | None, values: JsonObject
    ) -> Change:
        place = new or old
        assert place is not None, "one side has the tool"
        return Change(entry(code).kind, old, new, {"service": place.service, **values})

    def _place(self, side: Side, name: str) -> Place:
        return Place(service=str(side.tools[name].get("service", "")), tool=name)


def _member(facts: Mapping[str, JsonValue], fact: str, members: list[str]) -> JsonValue:
    value = facts.get(fact)
    for name in members:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _texts(value: JsonValue) -> list[str]:
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
