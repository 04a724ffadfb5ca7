"""Selection of rules: severities, options, and the configuration that set them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.shared.records import dataclass, field, replace

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject


@dataclass(frozen=True, slots=True)
class Setting:
    """The setting of one code: its severity (None: off), its stated options, its source."""

    severity: Severity | None
    options: JsonObject = field(default_factory=dict)
    set_by: str = ""


@dataclass(frozen=True, slots=True)
class Choice:
    """One table of a configuration. Words are codes or families; a severity of None is off."""

    select: frozenset[str] = frozenset()
    ignore: frozenset[str] = frozenset()
    severity: Mapping[str, Severity | None] = field(default_factory=dict)

    @property
    def words(self) -> frozenset[str]:
        """Every word in the table."""
        return self.select | self.ignore | self.severity.keys()

    def decide(self, code: str, before: Setting, own: Severity, by: str = "") -> Setting:
        """Return the setting of a code after this table; `own` is the code's default severity.

        A code takes precedence over its family. A severity for a code turns it on; for a family it
        changes rules that are on.
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
    """A choice for the documents that match some patterns, relative to the project's root."""

    paths: tuple[str, ...]
    choice: Choice

    @property
    def name(self) -> str:
        """Its description in `set_by`."""
        return f"override {', '.join(self.paths)}: "


@dataclass(frozen=True, slots=True)
class Plan:
    """The setting of every code: a rule without one is off. Without settings, all run by default.

    Every override with a matching pattern applies to a document, in order, so the last one that
    names a code wins. `own` are default severities, needed for overrides only. `installed` are the
    codes of other distributions' rules that the configuration names.
    """

    settings: Mapping[str, Setting] | None = None
    overrides: tuple[Override, ...] = ()
    own: Mapping[str, Severity] = field(default_factory=dict)
    installed: tuple[str, ...] = ()
    _known: dict[str, Mapping[str, Setting]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def runs(self, code: str) -> bool:
        """Return whether a rule is on for any document."""
        if self.settings is None:
            return True
        base = self.settings.get(code, _OFF)
        return base.severity is not None or any(
            override.choice.decide(code, base, Severity.NOTE).severity
            for override in self.overrides
        )

    def options(self, code: str) -> JsonObject:
        """Return the stated options of a rule, which are the same for every document."""
        return (self.settings or {}).get(code, _OFF).options

    def at(self, path: str) -> Mapping[str, Setting]:
        """Return the settings for a document, by code; the path is the one that spans have."""
        if self.settings is None or not self.overrides:
            return self.settings or {}
        if path not in self._known:
            self._known[path] = self._overridden(path)
        return self._known[path]

    def with_severities(self, diagnostics: Iterable[Diagnostic]) -> Iterator[Diagnostic]:
        """Yield diagnostics with their severity in this plan, without those that are off.

        A diagnostic without a setting keeps the severity of its kind: it is not a rule, or
        not configured.
        """
        for diagnostic in diagnostics:
            path = diagnostic.span.source.path if diagnostic.span else ""
            setting = self.at(path).get(diagnostic.code)
            if setting is None or setting.severity is diagnostic.severity:
                yield diagnostic
            elif setting.severity:
                yield replace(diagnostic, configured=setting.severity)

    def _overridden(self, path: str) -> Mapping[str, Setting]:
        settings = self.settings or {}
        for override in self.overrides:
            if any(matches(pattern, path) for pattern in override.paths):
                settings = {
                    code: override.choice.decide(code, settings.get(code, _OFF), own, override.name)
                    for code, own in self.own.items()
                }
        return settings


_OFF = Setting(None)


def matches(pattern: str, path: str) -> bool:
    """Return whether a pattern matches a path or a folder above it.

    `*` and `?` match within one part of a path, `**` matches any number of parts.
    """
    return _compiled(pattern).fullmatch(path) is not None


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    signs = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.findall(r"\*\*/|\*\*|\*|\?|[^*?]+", pattern.removeprefix("./").rstrip("/"))
    return re.compile("".join(signs.get(part) or re.escape(part) for part in parts) + "(?:/.*)?")
