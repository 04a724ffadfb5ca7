"""Choice of operations, and rules about what they do."""

from __future__ import annotations

import re
from enum import StrEnum
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.reading import METHODS
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic
    from toolspec.importers.openapi.model import Api, Operation

_TAG = "tag:"
_EFFECTS = ("read", "write", "destructive", "idempotent", "skip")
_PARTS = 3


class Group(StrEnum):
    """What becomes a service: each first tag, each first word of the paths, or the document."""

    TAG = "tag"
    PATH = "path"
    ONE = "one"


@dataclass(frozen=True, slots=True)
class Rule:
    """Effects of the operations with a method and a path that match."""

    methods: frozenset[str]
    pattern: str
    effects: frozenset[str]

    def matches(self, operation: Operation) -> bool:
        """Return whether the rule is about an operation."""
        is_method = not self.methods or operation.method in self.methods
        return is_method and fnmatchcase(operation.path, self.pattern)


@dataclass(frozen=True, slots=True)
class Selection:
    """Which operations become tools: patterns to include and exclude, and rules, of which the first wins."""

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rules: tuple[Rule, ...] = ()

    def effects(self, operation: Operation) -> frozenset[str]:
        """Return the effects of the first rule about an operation; empty without one."""
        return next((rule.effects for rule in self.rules if rule.matches(operation)), frozenset())

    def selected(self, api: Api) -> tuple[Operation, ...]:
        """Return the operations to import.

        `x-mcp` of the operation, its path or the document decides next to the patterns; the nearest
        one wins.
        """
        default = api.root.fields.get("x-mcp", True)
        return tuple(
            operation
            for operation in api.operations
            if operation.extension("x-mcp") is not False
            and (default is not False or operation.extension("x-mcp") is True)
            and not _is_disabled(operation)
            and (not self.include or any(_matches(pattern, operation) for pattern in self.include))
            and not any(_matches(pattern, operation) for pattern in self.exclude)
            and "skip" not in self.effects(operation)
        )


def read_rules(texts: Iterable[str]) -> Checked[tuple[Rule, ...]]:
    """Return the rules of some texts such as `POST /search* read`."""
    rules: list[Rule] = []
    diagnostics: list[Diagnostic] = []
    for text in texts:
        rule = _rule(text)
        if isinstance(rule, Rule):
            rules.append(rule)
        else:
            diagnostics.append(kinds.BAD_RULE.at(None, rule=text, problem=rule))
    return Checked(tuple(rules), tuple(diagnostics))


def _rule(text: str) -> Rule | str:
    words = text.split()
    if len(words) < _PARTS:
        return "it needs methods, a path and an effect"
    methods = {method.upper() for method in words[0].split(",")}
    if unknown := sorted(methods - {"*", *map(str.upper, METHODS)}):
        return f"`{unknown[0]}` is not a method"
    if not re.match(r"[/*]", words[1]):
        return "the pattern of a path begins with `/` or `*`"
    effects = frozenset(word for part in words[2:] for word in part.lower().split(",") if word)
    if unknown := sorted(effects.difference(_EFFECTS)):
        return f"`{unknown[0]}` is not an effect"
    if len(effects & {"read", "write", "destructive"}) > 1:
        return "`read`, `write` and `destructive` exclude each other"
    return Rule(frozenset() if "*" in methods else frozenset(methods), words[1], effects)


def _matches(pattern: str, operation: Operation) -> bool:
    if pattern.startswith(_TAG):
        return any(fnmatchcase(tag, pattern.removeprefix(_TAG)) for tag in operation.tags)
    return fnmatchcase(operation.path if pattern.startswith("/") else operation.id, pattern)


def _is_disabled(operation: Operation) -> bool:
    extension = operation.extension("x-speakeasy-mcp")
    return isinstance(extension, dict) and extension.get("disabled") is True
