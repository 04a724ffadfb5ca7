"""Which rules run, how much their findings weigh, with which options, and who said so."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class Setting:
    """What holds for one code: its severity (None: off), the options that are stated, who set it."""

    severity: Severity | None
    options: JsonObject = field(default_factory=dict)
    set_by: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """What one table of a configuration says. A word is a code or a family; a severity of None is off."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, Severity | None] = field(default_factory=dict)

    @property
    def words(self) -> frozenset[str]:
        """Every word that it speaks of."""
        return self.select | self.ignore | self.severity.keys()

    def decide(self, code: str, before: Setting, own: Severity, by: str = "") -> Setting:
        """Return what holds for a code after this, `own` being what it weighs where nothing is said.

        A code is stronger than its family. A severity for a code turns it on; for a family it weighs
        what is on.
        """
        severity, set_by = before.severity, before.set_by
        own = severity or own
        for word in (code.partition("/")[0], code):
            if word in self.select:
                severity, set_by = severity or own, f"{by}select {word}"
            if word in self.ignore:
                severity, set_by = None, f"{by}ignore {word}"
            if word in self.severity:
                stated = self.severity[word]
                own = stated or own
                if stated is None or severity or word == code:
                    severity, set_by = stated, f"{by}severity {word}"
        return replace(before, severity=severity, set_by=set_by)


@dataclass(frozen=True, slots=True)
class Override:
    """What is said of the documents that some patterns name, relative to the project's root."""

    paths: tuple[str, ...]
    choice: Choice

    @property
    def name(self) -> str:
        """How `set_by` calls it."""
        return f"override {', '.join(self.paths)}: "


@dataclass(frozen=True, slots=True)
class Plan:
    """What holds for every code: a rule that has no setting is off. Without settings, all run as they are.

    Every override whose patterns match a document counts for it, in order, so the last that says
    something of a code wins. `own` is what a code weighs by itself; only overrides need it.
    `installed` are the codes of other distributions' rules that the configuration speaks of.
    """

    settings: Mapping[str, Setting] | None = None
    overrides: tuple[Override, ...] = ()
    own: Mapping[str, Severity] = field(default_factory=dict)
    installed: tuple[str, ...] = ()
    _known: dict[str, Mapping[str, Setting]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def runs(self, code: str) -> bool:
        """Whether a rule is on for any document."""
        if self.settings is None:
            return True
        base = self.settings.get(code, _OFF)
        return base.severity is not None or any(
            each.choice.decide(code, base, Severity.NOTE).severity for each in self.overrides
        )

    def options(self, code: str) -> JsonObject:
        """Return the options of a rule that are stated; they are the same for every document."""
        return (self.settings or {}).get(code, _OFF).options

    def at(self, path: str) -> Mapping[str, Setting]:
        """Return what holds in a document, by code; the path is the one that spans have."""
        if self.settings is None or not self.overrides:
            return self.settings or {}
        if path not in self._known:
            self._known[path] = self._overridden(path)
        return self._known[path]

    def weigh(self, found: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield findings with their severity of this plan, without those that are off where they are.

        What has no setting weighs what its kind says: it is no rule, and nobody spoke of it.
        """
        for each in found:
            setting = self.at(each.span.source.path if each.span else "").get(each.code)
            if setting is None or setting.severity is each.severity:
                yield each
            elif setting.severity:
                yield replace(each, weight=setting.severity)

    def _overridden(self, path: str) -> Mapping[str, Setting]:
        settings = self.settings or {}
        for each in self.overrides:
            if any(matches(pattern, path) for pattern in each.paths):
                settings = {
                    code: each.choice.decide(code, settings.get(code, _OFF), own, each.name)
                    for code, own in self.own.items()
                }
        return settings


_OFF = Setting(None)


def matches(pattern: str, path: str) -> bool:
    """Whether a pattern names a path or a folder above it.

    `*` and `?` stay in one part of a path, `**` is any number of parts.
    """
    return _compiled(pattern).fullmatch(path) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    signs = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern.removeprefix("./").rstrip("/"))
    return re.compile("".join(signs.get(each) or re.escape(each) for each in parts) + "(?:/.*)?")
