"""The baseline: fingerprints of existing diagnostics that are suppressed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver.filesystem import regular, replace_file
from toolspec.driver.lint import kinds
from toolspec.schema.shipped import read_schema
from toolspec.shared.records import dataclass, field
from toolspec.syntax import parse
from toolspec.syntax.conflicts import merge_conflicts

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document

NAME = "toolspec.baseline.json"
VERSION = 1
_RESTORE = "restore the file, or write it again with `toolspec baseline`"
_MERGE = "keep the entries of both sides, then run `toolspec baseline --prune`"


@dataclass(frozen=True, slots=True)
class Baseline:
    """Entries of a baseline by fingerprint, empty without a file; `span` is its beginning."""

    entries: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    span: Span | None = None


def read_baseline(root: Path) -> Checked[Baseline]:
    """Return the baseline of a project; report a file with unexpected content."""
    try:
        parsed = parse(NAME, regular(root / NAME).read_bytes())
    except FileNotFoundError:
        return Checked(Baseline())
    except OSError as error:
        return _broken(None, f"cannot be read: {error.strerror or error}")
    document = parsed.value
    for diagnostic in parsed.diagnostics:
        if diagnostic.span and (conflict := next(merge_conflicts(diagnostic.span.source), None)):
            return _broken(conflict.ours, "contains an unresolved merge conflict", _MERGE)
        return _broken(diagnostic.span, f"is not valid JSON: {diagnostic.message}")
    return _checked(document) if document else Checked(Baseline())


def entries_of(diagnostics: Iterable[Diagnostic]) -> dict[str, Mapping[str, str]]:
    """Return baseline entries by fingerprint, one for each location of a diagnostic."""
    return {
        part.fingerprint: {
            "fingerprint": part.fingerprint,
            "code": part.code,
            "tool": part.subject.tool,
            "message": part.message,
        }
        for one in diagnostics
        for part in one.parts or (one,)
    }


def write_baseline(root: Path, entries: Mapping[str, Mapping[str, str]]) -> Diagnostic | None:
    """Write the baseline of a project in one step, or remove it if it has no entries.

    Returns a diagnostic if the system refuses, and leaves the existing file.
    """
    path = root / NAME
    try:
        if entries:
            replace_file(path, _text(entries))
        else:
            path.unlink(missing_ok=True)
    except OSError as error:
        return kinds.BASELINE_UNWRITABLE.at(None, reason=error.strerror or str(error))
    return None


def _text(entries: Mapping[str, Mapping[str, str]]) -> str:
    keys = ("code", "tool", "message", "fingerprint")
    diagnostics = sorted(entries.values(), key=lambda entry: tuple(entry[key] for key in keys))
    body = {"baseline": VERSION, "diagnostics": diagnostics}
    return json.dumps(body, indent=2) + "\n"


def _checked(document: Document) -> Checked[Baseline]:
    """Return the baseline of a file, validated against its schema."""
    from toolspec.shared.explanation import explained

    schema = json.loads(read_schema("baseline.v1.schema.json"))
    for error in explained(schema, document.value):
        location = document.location(*error.path)
        return _broken(location.span, f"does not match its schema: {error.sentence}")
    entries: dict[str, Mapping[str, str]] = {}
    diagnostics = document.location("diagnostics").value
    for entry in diagnostics if isinstance(diagnostics, list) else ():
        if isinstance(entry, dict):
            entries[str(entry["fingerprint"])] = {key: str(text) for key, text in entry.items()}
    return Checked(Baseline(entries, document.source.span(0, 1)))


def _broken(span: Span | None, problem: str, advice: str = _RESTORE) -> Checked[Baseline]:
    broken = kinds.BAD_BASELINE.at(span, problem=problem, suggestion=advice)
    return Checked(Baseline(), (broken,))
