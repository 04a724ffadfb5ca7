"""Differences of scope requirements: each rule is a set of scopes, any of which is enough."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonValue

Rule = frozenset[str]


class ScopeEdits(NamedTuple):
    """Rules that are new or gone, and the scopes that were added to or removed from another rule."""

    added: list[Rule]
    removed: list[Rule]
    more: list[Rule]
    fewer: list[Rule]


def scope_edits(old: JsonValue, new: JsonValue) -> ScopeEdits:
    """Return the differences of two lists of rules; each rule is part of one at most."""
    before, after = _rules(old), _rules(new)
    edits = ScopeEdits([rule for rule in after if rule not in before], [], [], [])
    for rule in before:
        if rule in after:
            continue
        twin = next((other for other in edits.added if rule < other or other < rule), None)
        if twin is None:
            edits.removed.append(rule)
            continue
        edits.added.remove(twin)
        (edits.more if rule < twin else edits.fewer).append(rule ^ twin)
    return edits


def _rules(value: JsonValue) -> list[Rule]:
    rules = value if isinstance(value, list) else []
    return [frozenset(map(str, rule)) for rule in rules if isinstance(rule, list)]
