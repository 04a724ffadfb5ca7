"""Comparison of two sides: tools are matched, then their facts and schemas compared."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.changes.catalogue import entries_of_facts, entry, refinements
from toolspec.changes.change import SERVER, Change, Changes, Place
from toolspec.changes.contract import digest
from toolspec.changes.kind import gravest
from toolspec.changes.matching import (
    answering,
    bare_name,
    renamed_services,
    renamed_tools,
    version_of,
)
from toolspec.changes.proof import Prover
from toolspec.changes.removals import RemovalTerms, removal
from toolspec.changes.schemas import Flow, Readers, SchemaComparison
from toolspec.changes.side import OF_SETS, SERVICE_FACTS, TOOL_FACTS
from toolspec.changes.similarity import DUPLICATE, SimilarTools
from toolspec.shared.json_values import as_texts
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.changes.catalogue import Entry
    from toolspec.changes.side import Side
    from toolspec.shared.json_values import JsonObject, JsonValue

SCHEMAS = {"input": Flow.ARGUMENT, "output": Flow.RESULT, "chunk": Flow.RESULT}
"""The facts that are schemas of calls."""

_OF_THE_NAME = frozenset({"service", "tool", "python", "title", "version", "wireName"})
"""Facts that usually follow from the exact name of a tool."""

_UNNAMED = _OF_THE_NAME | {"aliases", "lowered", "wire"}

_DERIVED = frozenset({"wire"})
"""Facts that follow from all others, which only contracts have."""


def compare(
    old: Side,
    new: Side,
    *,
    readers: Readers = Readers.TOLERANT,
    removals: RemovalTerms | None = None,
    is_recorded: bool = False,
) -> Changes:
    """Return the changes from one side to another, in the order of services, tools and paths.

    A fact that one of the sides cannot show is compared nowhere, and named in the result. What is
    recorded is the same on every machine: no proof of it depends on the time.
    """
    prover = Prover(is_timed=not is_recorded)
    comparison = _Comparison(old, new, readers, removals or RemovalTerms(), prover)
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
    def __init__(
        self, old: Side, new: Side, readers: Readers, removals: RemovalTerms, prover: Prover
    ) -> None:
        self._old, self._new, self._readers, self._removals = old, new, readers, removals
        self._prover = prover
        self._facts = old.tool_facts & new.tool_facts
        self._owners = _owners(old.tools)
        self._aliases = {
            alias for facts in new.tools.values() for alias in as_texts(facts.get("aliases"))
        }
        self._service_facts = old.service_facts & new.service_facts
        self._services = renamed_services(old, new, self._facts - _UNNAMED)

    def close(self) -> None:
        self._prover.close()

    def changes(self) -> Iterator[Change]:
        """Yield all changes, each once."""
        for renaming in self._services.values():
            keeps = all(self._keeps_name(*pair) for pair in renaming.tools.items())
            slug = "service-renamed-keeping-names" if keeps else "service-renamed"
            yield Change(
                entry(f"lifecycle/{slug}").kind,
                Place(service=renaming.old),
                Place(service=renaming.new),
                {"service": renaming.old, "renamed": renaming.new, "tools": len(renaming.tools)},
            )
        for name in sorted(self._old.services):
            renamed = self._services.get(name)
            twin = renamed.new if renamed else name
            if twin in self._new.services:
                yield from self._service(name, twin)
        yield from self._tools()

    def _service(self, name: str, twin: str) -> Iterator[Change]:
        """Yield the changes of the facts of a service, which may have another name."""
        old, new = self._old.services[name], self._new.services[twin]
        if old is new:
            return
        changes = self._compared(
            entries_of_facts(is_of_service=True),
            old,
            new,
            (Place(service=name), Place(service=twin)),
            self._service_facts if name == twin else self._service_facts - {"title", "python"},
        )
        for change in changes:
            yield self._refined(change, old, new)

    def _keeps_name(self, name: str, twin: str) -> bool:
        kept = (bare_name(twin), *as_texts(self._new.tools[twin].get("aliases")))
        return bare_name(name) in kept

    def _tools(self) -> Iterator[Change]:
        """Yield the changes of tools: of their names first, then of those that both sides have."""
        before, after = self._shown(self._old), self._shown(self._new)
        pairs = {name: name for name in before if name in after}
        for renaming in self._services.values():
            pairs |= renaming.tools
        taken = {*pairs.values()}
        gone = [name for name in before if name not in pairs and not self._is_unresolved(name)]
        added = [name for name in after if name not in taken and not self._is_unresolved(name)]
        renamed = renamed_tools(before, after, gone, added, self._facts - _UNNAMED)
        for name, twin in renamed.items():
            yield from self._renamed(name, twin)
        pairs |= renamed
        pairs = {name: pairs[name] for name in before if name in pairs}
        answers = answering(after)
        for name in gone:
            if name not in renamed:
                yield self._gone(name, answers)
        taken = {*pairs.values()}
        yield from self._added([name for name in added if name not in taken], pairs)
        for name, twin in pairs.items():
            if name == twin:
                yield from self._restated(name)
        yield from self._order(pairs)
        for name, twin in (*pairs.items(), *_moved_answers(before, answers, pairs)):
            if before[name] is not after[twin]:
                yield from self._tool(name, twin)

    def _shown(self, side: Side) -> Mapping[str, JsonObject]:
        """Return the tools of a side, without versions that the other side cannot show."""
        if "version" in self._facts:
            return side.tools
        return {name: side.tools[name] for name in answering(side.tools).values()}

    def _renamed(self, name: str, twin: str) -> Iterator[Change]:
        if bare_name(name) == bare_name(twin):
            if "version" not in self._facts:
                return
            has_both = version_of(name) and version_of(twin)
            code = "tool/version-changed" if has_both else "tool/version-stated"
        elif self._keeps_name(name, twin):
            code = "tool/renamed-with-alias"
        else:
            code = "tool/renamed"
        places = self._place(self._old, name), self._place(self._new, twin)
        change = self._change(code, *places, {"tool": name, "renamed": twin})
        yield self._refined(change, self._old.tools[name], self._new.tools[twin])

    def _restated(self, name: str) -> Iterator[Change]:
        """Yield the change of a version that the name of a tool does not have, as on the wire."""
        versions = [str(side.tools[name].get("version", "")) for side in (self._old, self._new)]
        if "version" not in self._facts or versions[0] == versions[1] or version_of(name):
            return
        code = "tool/version-changed" if all(versions) else "tool/version-stated"
        old, new = (f"{name}@{version}" if version else name for version in versions)
        places = self._place(self._old, name), self._place(self._new, name)
        yield self._change(code, *places, {"tool": old, "renamed": new})

    def _gone(self, name: str, answers: Mapping[str, str]) -> Change:
        facts, code = self._old.tools[name], "tool/removed"
        values: JsonObject = {"tool": name, "other": answers.get(bare_name(name), "")}
        deprecation = facts.get("deprecated")
        if isinstance(deprecation, dict):
            service = self._new.services.get(str(facts.get("service")), {})
            version = str(service.get("version", ""))
            code, terms = removal(name, deprecation, version, self._removals)
            values |= terms
        return self._refined(
            self._change(code, self._place(self._old, name), None, values), facts, {}
        )

    def _added(self, added: list[str], pairs: Mapping[str, str]) -> Iterator[Change]:
        """Yield new tools, each with an older version of it, and with a tool that it resembles."""
        tools, older = self._new.tools, answering(pairs.values())
        similar = SimilarTools({twin: tools[twin] for twin in pairs.values()} if added else {})
        for name in added:
            like = similar.like(tools[name], DUPLICATE)
            others = (other for _, other in like if bare_name(other) != bare_name(name))
            former = self._old.removed.get(name, "")
            values: JsonObject = {
                "tool": name,
                "other": older.get(bare_name(name), ""),
                "similar": next(others, ""),
                "is_reused": former not in ("", digest(tools[name])),
            }
            change = self._change("tool/added", None, self._place(self._new, name), values)
            yield self._refined(change, {}, tools[name])

    def _order(self, pairs: Mapping[str, str]) -> Iterator[Change]:
        """Yield the services whose tools have another order."""
        former: dict[str, list[str]] = {}
        for twin in pairs.values():
            former.setdefault(self._place(self._new, twin).service, []).append(twin)
        now = {name: at for at, name in enumerate(self._new.tools)}
        for service, twins in former.items():
            if twins != sorted(twins, key=now.__getitem__):
                place = Place(service=service)
                yield self._change("tool/order-changed", place, place, {})

    def _is_unresolved(self, name: str) -> bool:
        """Return whether a tool is missing because it, or its service, does not compile."""
        hidden = {*self._old.unresolved, *self._new.unresolved}
        facts = self._old.tools.get(name) or self._new.tools.get(name) or {}
        return name in hidden or str(facts.get("service")) in hidden

    def _tool(self, name: str, twin: str) -> Iterator[Change]:
        old, new = self._old.tools[name], self._new.tools[twin]
        places = self._place(self._old, name), self._place(self._new, twin)
        facts = self._facts
        renamed = self._services.get(places[0].service)
        is_renamed = name != twin or (renamed is not None and renamed.new == places[1].service)
        if is_renamed:  # reported as a renaming, with all that follows from the name
            facts = facts - _OF_THE_NAME
            aliases: list[JsonValue] = [
                alias for alias in as_texts(new.get("aliases")) if alias != bare_name(name)
            ]
            new = {**new, "aliases": aliases}
        found = [
            *self._compared(entries_of_facts(is_of_service=False), old, new, places, facts),
            *(change for fact in SCHEMAS for change in self._schemas(fact, old, new, places)),
        ]
        for change in found:
            alias = str(change.values.get("name"))
            if change.code != "tool/alias-removed" or alias not in self._aliases:
                yield self._refined(self._with_owner(change, name, alias), old, new)

    def _with_owner(self, change: Change, name: str, alias: str) -> Change:
        """Return a change with the tool that had an alias before, if it is another one."""
        if change.code != "tool/alias-added":
            return change
        owner = self._owners.get(alias, name)
        other = "" if bare_name(owner) == bare_name(name) else owner
        return replace(change, values={**change.values, "owner": other})

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
            fact, *members = each.fact.split(".") if each.fact else ("",)
            before, after = _member(old, fact, members), _member(new, fact, members)
            shown = each.needs | {fact} - {""}
            if not shown <= facts or (fact and before == after):
                continue
            if each.needs:
                before, after = old, new
            if any(old.get(other) != new.get(other) for other in each.derived_from):
                continue
            assert each.found is not None, each.kind.code
            subject: JsonObject = {
                "service": places[1].service or SERVER,
                "tool": places[1].tool,
            }
            for values in each.found(before, after):
                path = (fact, *members) if fact else ()
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
        """Return a change under the gravest specific kind that fits."""
        fitting = [
            (each, values)
            for each in refinements(change.code)
            if each.refined is not None
            and each.needs <= self._facts | OF_SETS
            and (values := each.refined(change, old, new)) is not None
        ]
        if not fitting:
            return change
        specific, values = min(fitting, key=lambda fit: gravest(fit[0].kind.levels).rank)
        return replace(
            change,
            kind=specific.kind,
            values={**change.values, **values},
            least=change.levels if specific.keeps_levels else {},
        )

    def _change(
        self, code: str, old: Place | None, new: Place | None, values: JsonObject
    ) -> Change:
        place = new or old
        assert place is not None, "one side has the tool"
        service = place.service or SERVER
        return Change(entry(code).kind, old, new, {"service": service, **values})

    def _place(self, side: Side, name: str) -> Place:
        return Place(service=str(side.tools[name].get("service", "")), tool=name)


def _owners(tools: Mapping[str, JsonObject]) -> dict[str, str]:
    """Return the tools by the names under which they answer."""
    return {
        alias: exact
        for exact, facts in tools.items()
        for alias in (bare_name(exact), *as_texts(facts.get("aliases")))
    }


def _moved_answers(
    before: Iterable[str], answers: Mapping[str, str], pairs: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the versions that answered a bare name, with another one that answers it now."""
    for bare, exact in answering(before).items():
        if bare in answers and pairs.get(exact) != answers[bare]:
            yield exact, answers[bare]


def _member(facts: Mapping[str, JsonValue], fact: str, members: list[str]) -> JsonValue:
    value = facts.get(fact)
    for name in members:
        value = value.get(name) if isinstance(value, dict) else None
    return value
