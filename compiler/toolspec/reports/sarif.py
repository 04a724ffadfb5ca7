"""Report format `sarif`: one run of SARIF 2.1.0 (OASIS, with errata 01), for code scanning.

A diagnostic with a location is a result. One without, about the command line or the configuration,
is a notification of the run, since code scanning services refuse results without a location.
Nothing depends on the time or the machine. Columns count UTF-16 code units, as most viewers do.
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
    located = [diagnostic for diagnostic in report.everything if diagnostic.span]
    # SARIF has no suppressed notifications: they are left out.
    unlocated = [diagnostic for diagnostic in report.diagnostics if not diagnostic.span]
    rules, notices = _Kinds(located), _Kinds(unlocated)
    artifacts = Artifacts(report.base)
    results: list[JsonValue] = [_result(diagnostic, rules, artifacts) for diagnostic in located]
    run: JsonObject = {
        "tool": {
            "driver": {
                "name": "toolspec",
                "version": __version__,
                "rules": rules.described,
                **({"notifications": notices.described} if unlocated else {}),
            }
        },
        "invocations": [_invocation(unlocated, notices)],
        "originalUriBaseIds": artifacts.bases,
        "columnKind": "utf16CodeUnits",
        "artifacts": artifacts.described,
        "results": results,
    }
    return printable_json({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}) + "\n"


class _Kinds:
    """Kinds of diagnostics, in the order of their codes, with the index of each."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        kinds = {diagnostic.code: diagnostic.kind for diagnostic in diagnostics}
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
    page = (manual.why, _without_parameters(kind.hint), example, more)
    return {
        "id": kind.code,
        "shortDescription": {"text": title},
        "fullDescription": {"text": manual.why or title},
        "help": {"text": manual.why or title, "markdown": "\n\n".join(filter(None, page))},
        "defaultConfiguration": {"level": str(kind.severity)},
        "properties": {"tags": [family]},
    }


def _without_parameters(template: str) -> str:
    """Return a kind's template with `…` for its parameters; empty if it has no other text."""
    parts = [(text, "" if name is None else "…") for text, name, *_ in Formatter().parse(template)]
    is_empty = not "".join(text for text, _ in parts).strip(" `")
    return "" if is_empty else "".join(text + ellipsis for text, ellipsis in parts)


def _result(diagnostic: Diagnostic, rules: _Kinds, artifacts: Artifacts) -> JsonObject:
    subject = diagnostic.subject
    result: JsonObject = {
        "ruleId": diagnostic.code,
        "ruleIndex": rules.index(diagnostic.code),
        "level": str(diagnostic.severity),
        "message": _message_and_help(diagnostic),
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
    suppression = diagnostic.suppression
    result["suppressions"] = [_suppression(suppression, artifacts)] if suppression else []
    result["properties"] = {"service": subject.service, "pointer": subject.pointer}
    return result


def _location(diagnostic: Diagnostic, artifacts: Artifacts) -> JsonObject:
    """Return the location of a diagnostic: in the file, and the tool or service."""
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
    sources = {edit.span.source.path: edit.span.source for edit in fix.edits}
    for edit in fix.edits:
        replacement: JsonObject = {"deletedRegion": artifacts.region(edit.span)}
        if edit.new_text:
            replacement["insertedContent"] = {"text": edit.new_text}
        changes.setdefault(edit.span.source.path, []).append(replacement)
    return {
        "description": _message(fix.title),
        "artifactChanges": [
            {"artifactLocation": artifacts.location(sources[path]), "replacements": replacements}
            for path, replacements in changes.items()
        ],
        "properties": {"safe": fix.safe},
    }


def _suppression(suppression: Suppression, artifacts: Artifacts) -> JsonObject:
    described: JsonObject = {
        "kind": "inSource" if suppression.source in _IN_SOURCE else "external",
        "status": "accepted",
        "justification": printable(suppression.reason),
    }
    if suppression.span:
        described["location"] = artifacts.physical_location(suppression.span)
    until = {"until": suppression.until} if suppression.until else {}
    described["properties"] = {"source": str(suppression.source), **until}
    return described


def _invocation(unlocated: list[Diagnostic], notices: _Kinds) -> JsonObject:
    invocation: JsonObject = {
        "executionSuccessful": all(
            diagnostic.severity is not Severity.ERROR for diagnostic in unlocated
        )
    }
    if unlocated:
        invocation["toolConfigurationNotifications"] = [
            {
                "descriptor": {"id": diagnostic.code, "index": notices.index(diagnostic.code)},
                "level": str(diagnostic.severity),
                "message": _message_and_help(diagnostic),
            }
            for diagnostic in unlocated
        ]
    return invocation


def _message_and_help(diagnostic: Diagnostic) -> JsonObject:
    hint = f"; {diagnostic.help}" if diagnostic.help else ""
    return _message(f"{diagnostic.message}{hint}")


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
