"""Matching of the tools of two sides: which tool is which, by names, versions, aliases and content."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.changes.similarity import SAME_TOOL, SimilarTools
from toolspec.changes.versions import is_lower
from toolspec.shared.canonical import canonical_json
from toolspec.shared.json_values import as_texts
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import TypeAlias

    from toolspec.changes.side import Side
    from toolspec.shared.json_values import JsonObject

    Tools: TypeAlias = Mapping[str, JsonObject]
    _Key: TypeAlias = Callable[[JsonObject, str], str]


def renamed_tools(
    old: Tools, new: Tools, gone: Sequence[str], added: Sequence[str], facts: frozenset[str]
) -> dict[str, str]:
    """Return the new name of each tool that is gone under its name, where it is found.

    A tool that keeps the old name as an alias comes first, then another version, another case, equal
    content in the facts `facts`, and at last similar content. Each new name is taken once.
    """
    kept = {bare_name(name) for name in old if name in new}
    keys: tuple[_Key, ...] = (
        lambda _, name: "" if bare_name(name) in kept else bare_name(name),
        lambda _, name: name.casefold(),
        lambda tool, _: canonical_json({fact: tool.get(fact) for fact in sorted(facts)}),
    )
    left = {name: old[name] for name in gone}
    free = {name: new[name] for name in added}
    pairs: dict[str, str] = {}
    by_key = tuple(partial(_by_key, key) for key in keys)
    ways: tuple[Callable[[Tools, Tools], list[tuple[str, str]]], ...]
    ways = (_by_alias, *by_key, _by_similarity)
    for way in ways:
        for name, twin in way(left, free):
            if name in left and twin in free:
                pairs[name] = twin
                del left[name], free[twin]
    return pairs


@dataclass(frozen=True, slots=True)
class ServiceRenaming:
    """A service under its former and its new name, with the new names of its tools."""

    old: str
    new: str
    tools: Mapping[str, str]


def renamed_services(old: Side, new: Side, facts: frozenset[str]) -> dict[str, ServiceRenaming]:
    """Return the services that have another name, by their former names.

    At least half of the tools of both have the same local name, and equal content in the facts
    `facts`. Then all with the same local name are the same tool.
    """
    hidden = {*old.unresolved, *new.unresolved}
    gone = old.services.keys() - new.services.keys() - hidden
    added = new.services.keys() - old.services.keys() - hidden
    before, now = _local_tools(old, gone if added else ()), _local_tools(new, added if gone else ())
    renamings: dict[str, ServiceRenaming] = {}
    for name, tools in before.items():
        for twin, others in now.items():
            shared = tools.keys() & others.keys()
            same = [
                each
                for each in shared
                if all(
                    old.tools[tools[each]].get(fact) == new.tools[others[each]].get(fact)
                    for fact in facts
                )
            ]
            if same and 2 * len(same) >= max(len(tools), len(others)):
                twins = {tools[each]: others[each] for each in tools if each in shared}
                renamings[name] = ServiceRenaming(name, twin, twins)
                del now[twin]
                break
    return renamings


def _local_tools(side: Side, services: Iterable[str]) -> dict[str, dict[tuple[str, str], str]]:
    """Return the tools of some services by local name and version, by service."""
    tools: dict[str, dict[tuple[str, str], str]] = {name: {} for name in sorted(services)}
    for name, facts in side.tools.items():
        service = str(facts.get("service"))
        if service in tools:
            tools[service][str(facts.get("tool")), str(facts.get("version"))] = name
    return tools


def bare_name(exact: str) -> str:
    """Return an exact name without its version."""
    return exact.partition("@")[0]


def answering(tools: Iterable[str]) -> dict[str, str]:
    """Return the exact name that answers each bare name: that of the highest version."""
    highest: dict[str, str] = {}
    for exact in tools:
        bare = bare_name(exact)
        if bare not in highest or is_lower(version_of(highest[bare]), version_of(exact)):
            highest[bare] = exact
    return highest


def version_of(exact: str) -> str:
    """Return the version in an exact name; empty if there is none."""
    return exact.partition("@")[2]


def _by_alias(left: Tools, free: Tools) -> list[tuple[str, str]]:
    """Return tools of one service of which the new one has the old name as an alias."""
    owners: dict[str, list[str]] = {}
    for name, facts in free.items():
        for alias in as_texts(facts.get("aliases")):
            owners.setdefault(alias, []).append(name)
    twins = {name: owners.get(bare_name(name), []) for name in left}
    return [
        (name, found[0])
        for name, found in twins.items()
        if len(found) == 1 and left[name].get("service") == free[found[0]].get("service")
    ]


def _by_key(key: _Key, left: Tools, free: Tools) -> list[tuple[str, str]]:
    """Return tools with the same key, if no other tool of their side has it."""
    owners, twins = _grouped(key, left), _grouped(key, free)
    return [
        (found[0], twins[value][0])
        for value, found in owners.items()
        if value and len(found) == len(twins.get(value, ())) == 1
    ]


def _grouped(key: _Key, tools: Tools) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for name, facts in tools.items():
        groups.setdefault(key(facts, name), []).append(name)
    return groups


def _by_similarity(left: Tools, free: Tools) -> list[tuple[str, str]]:
    """Return tools that resemble each other, the most similar pair first."""
    if not left or not free:
        return []
    similar = SimilarTools(free)
    scored = [
        (-score, name, twin)
        for name, facts in left.items()
        for score, twin in similar.like(facts, SAME_TOOL)
    ]
    return [(name, twin) for _, name, twin in sorted(scored)]
