"""Report format `sarif`: one run of SARIF 2.1.0 (OASIS, with errata 01), for code scanning.

A diagnostic with a location is a result; one without, about the command line or the configuration,
is a notification of the run, since services refuse results without location. Nothing depends on the
time or the machine. Columns count UTF-16 code units, as most viewers do.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from string import Formatter
from typing import TYPE_CHECKING, Final
from urllib.parse import quote

from toolspec.diagnostics import Severity, SuppressionSource
from toolspec.reports.report import Format
from toolspec.sinks.terminal import printable, printable_json
from toolspec.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic, DiagnosticKind, Fix, Subject, Suppression
    from toolspec.reports.report import Report
    from toolspec.source import Position, SourceFile, Span
    from toolspec.syntax.nodes import JsonObject, JsonValue


_SCHEMA: Final = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_IN_SOURCE: Final = {SuppressionSource.COMMENT, SuppressionSource.DOCUMENT}
# `{0}` in a message is an argument, `[text](target)` is a link (3.11.5, 3.11.6).
_BRACES: Final = re.compile(r"[{}]")
_LINK: Final = re.compile(r"\](?=\()")


def _render(report: Report) -> str:
    placed = [each for each in report.everything if each.span]
    # SARIF has no suppressed notifications, so they are left out.
    notified = [each for each in report.diagnostics if not each.span]
    rules, notices = _Kinds(placed), _Kinds(notified)
    artifacts = Artifacts(report.base)
    results: list[JsonValue] = [_result(each, rules, artifacts) for each in placed]
    run: JsonObject = {
        "tool": {
            "driver": {
                "name": "toolspec",
                "version": __version__,
                "rules": rules.described,
                **({"notifications": notices.described} if notified else {}),
            }
        },
        "invocations": [_invocation(notified, notices)],
        "originalUriBaseIds": artifacts.bases,
        "columnKind": "utf16CodeUnits",
        "artifacts": artifacts.described,
        "results": results,
    }
    return printable_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


class _Kinds:
    """Kinds of some diagnostics, in the order of their codes, with the index of each."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        kinds = {each.code: each.kind for each in diagnostics}
        self._index = {code: index for index, code in enumerate(sorted(kinds))}
        self.described: list[JsonValue] = [_rule(kinds[code]) for code in self._index]

    def index(self, code: str) -> int:
        """Return the index of a code among the descriptions."""
        return self._index[code]


def _rule(kind: DiagnosticKind) -> JsonObject:
    """Return the description of a kind: its title, the reason, and the fix."""
    family, _, slug = kind.code.partition("/")
    title = slug.replace("-", " ").capitalize()
    manual = kind.manual
    example = f"```yaml\n{manual.example.strip()}\n```" if manual.example else ""
    more = f"More: `toolspec explain {kind.code}`"
    page = (manual.why, _general(kind.hint), example, more)
    return {
        "id": kind.code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": manual.why or title},
        "help": {"text": manual.why or title, "markdown": "\n\n".join(filter(None, page))},
        "defaultConfiguration": {"level": str(kind.severity)},
        "properties": {"tags": [family]},
    }


def _general(template: str) -> str:
    """Return a kind's template with `…` for its parameters; empty where nothing is left."""
    parts = [(text, "" if name is None else "…") for text, name, *_ in Formatter().parse(template)]
    is_empty = not "".join(text for text, _ in parts).strip(" `")
    return "" if is_empty else "".join(text + filled for text, filled in parts)


def _result(diagnostic: Diagnostic, rules: _Kinds, artifacts: Artifacts) -> JsonObject:
    subject = diagnostic.subject
    result: JsonObject = {
        "ruleId": diagnostic.code,
        "ruleIndex": rules.index(diagnostic.code),
        "level": str(diagnostic.severity),
        "message": _said(diagnostic),
        "locations": [_location(diagnostic, artifacts)],
    }
    if diagnostic.labels:
        result["relatedLocations"] = [
            {
                "id": number,
                **artifacts.physical_location(label.span),
                "message": _message(label.text),
            }
            for number, label in enumerate(diagnostic.labels, 1)
        ]
    result["partialFingerprints"] = {"toolspec/v1": diagnostic.fingerprint}
    if diagnostic.fix:
        result["fixes"] = [_fix(diagnostic.fix, artifacts)]
    # In a run with suppressions every result states whether it is suppressed (3.27.23).
    found = diagnostic.suppression
    result["suppressions"] = [_suppression(found, artifacts)] if found else []
    result["properties"] = {"service": subject.service, "pointer": subject.pointer}
    return result


def _location(diagnostic: Diagnostic, artifacts: Artifacts) -> JsonObject:
    """Return the location of a diagnostic: in the file, and in the catalogue of tools."""
    assert diagnostic.span is not None
    location: JsonObject = artifacts.physical_location(diagnostic.span)
    if diagnostic.label:
        location["message"] = _message(diagnostic.label)
    logical = _logical(diagnostic.subject)
    if logical:
        location["logicalLocations"] = logical
    return location


def _logical(subject: Subject) -> list[JsonValue]:
    if subject.tool:
        return [{"fullyQualifiedName": printable(subject.tool), "kind": "function"}]
    if subject.service:
        return [{"fullyQualifiedName": printable(subject.service), "kind": "module"}]
    return []


def _fix(fix: Fix, artifacts: Artifacts) -> JsonObject:
    """Return a fix with its replacements by file, all relative to the unchanged text."""
    changes: dict[str, list[JsonValue]] = {}
    sources = {each.span.source.path: each.span.source for each in fix.edits}
    for each in fix.edits:
        replacement: JsonObject = {"deletedRegion": artifacts.region(each.span)}
        if each.new_text:
            replacement["insertedContent"] = {"text": each.new_text}
        changes.setdefault(each.span.source.path, []).append(replacement)
    return {
        "description": _message(fix.title),
        "artifactChanges": [
            {"artifactLocation": artifacts.location(sources[path]), "replacements": replacements}
            for path, replacements in changes.items()
        ],
        "properties": {"safe": fix.safe},
    }


def _suppression(suppression: Suppression, artifacts: Artifacts) -> JsonObject:
    found: JsonObject = {
        "kind": "inSource" if suppression.source in _IN_SOURCE else "external",
        "status": "accepted",
        "justification": printable(suppression.reason),
    }
    if suppression.span:
        found["location"] = artifacts.physical_location(suppression.span)
    until = {"until": suppression.until} if suppression.until else {}
    found["properties"] = {"source": str(suppression.source), **until}
    return found


def _invocation(notified: list[Diagnostic], notices: _Kinds) -> JsonObject:
    invocation: JsonObject = {
        "executionSuccessful": all(each.severity is not Severity.ERROR for each in notified)
    }
    if notified:
        invocation["toolConfigurationNotifications"] = [
            {
                "descriptor": {"id": each.code, "index": notices.index(each.code)},
                "level": str(each.severity),
                "message": _said(each),
            }
            for each in notified
        ]
    return invocation


def _said(diagnostic: Diagnostic) -> JsonObject:
    said = f"{diagnostic.message}; {diagnostic.help}" if diagnostic.help else diagnostic.message
    return _message(said)


def _message(text: str) -> JsonObject:
    """Return a message with literal text: markup and hidden characters are escaped."""
    return {"text": _LINK.sub(r"\\]", _BRACES.sub(r"\g<0>\g<0>", printable(text)))}


FORMAT = Format("sarif", _render)


_BASE: Final = "%SRCROOT%"
_WIDE: Final = re.compile("[\U00010000-\U0010ffff]")


class Artifacts:
    """The files of a run in order of first use; `base` leads to the project."""

    def __init__(self, base: str = "") -> None:
        self._base = base
        self._index: dict[str, int] = {}
        self._wide: dict[SourceFile, list[int]] = {}

    def physical_location(self, span: Span) -> JsonObject:
        """Return a location: a file and a region in it."""
        artifact = self.location(span.source)
        if not span.source.text:
            return {"physicalLocation": {"artifactLocation": artifact}}
        return {"physicalLocation": {"artifactLocation": artifact, "region": self.region(span)}}

    def location(self, source: SourceFile) -> JsonObject:
        """Return the address and index of a file."""
        index = self._index.setdefault(source.path, len(self._index))
        return {**_address(source.path, self._base), "index": index}

    def region(self, span: Span) -> JsonObject:
        """Return a span as lines and columns from 1, the end exclusive."""
        first, last = span.first, span.last
        return {
            "startLine": first.line,
            "startColumn": self._column(span.source, first),
            "endLine": last.line,
            "endColumn": self._column(span.source, last),
        }

    def _column(self, source: SourceFile, position: Position) -> int:
        """Return a column in UTF-16 code units, two for each character beyond the first plane."""
        wide = self._wide.get(source)
        if wide is None:
            # Computed once a file: it may be one line of a megabyte, with thousands of diagnostics.
            wide = (
                []
                if source.text.isascii()
                else list(map(re.Match.start, _WIDE.finditer(source.text)))
            )
            self._wide[source] = wide
        start = source.line_starts[position.line - 1]
        return (
            position.column
            + bisect_left(wide, start + position.column - 1)
            - bisect_left(wide, start)
        )

    @property
    def described(self) -> list[JsonValue]:
        """The description of each file used so far."""
        return [{"location": _address(path, self._base)} for path in self._index]

    @property
    def bases(self) -> JsonObject:
        """The base of relative addresses; its absolute path is not disclosed."""
        return {_BASE: {"description": {"text": "The folder that addresses start from."}}}


def _address(path: str, base: str) -> JsonObject:
    """Return a path as an address; an absolute one has no base."""
    if path.startswith("/"):
        return {"uri": f"file://{quote(path, errors='surrogatepass')}"}
    return {"uri": quote(base + path, errors="surrogatepass"), "uriBaseId": _BASE}
