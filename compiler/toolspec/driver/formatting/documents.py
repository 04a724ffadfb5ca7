"""Formats the documents of a project: compares and writes."""

from __future__ import annotations

from itertools import takewhile
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.driver import kinds, rewriting_kinds
from toolspec.driver.analysis import in_order, is_service
from toolspec.driver.build import plan_build
from toolspec.driver.formatting.form import formatted
from toolspec.driver.formatting.nodes import UnprintableError
from toolspec.driver.formatting.orders import FREE, order_of, root_order
from toolspec.driver.rewriting import Rewrite, refusal
from toolspec.frontend import shape
from toolspec.shared.records import dataclass
from toolspec.source import SourceFile
from toolspec.syntax import parse

if TYPE_CHECKING:
    from pathlib import Path

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.build import Progress, Request
    from toolspec.driver.workspace import Workspace
    from toolspec.source import Span
    from toolspec.syntax.nodes import Document


@dataclass(frozen=True, slots=True)
class FormatResult:
    """Result of formatting: files that are not formatted, and diagnostics.

    `count` counts the documents that can be formatted, whether or not they were. `root` is the folder
    that the names of files are relative to.
    """

    files: tuple[Rewrite, ...]
    count: int
    diagnostics: tuple[Diagnostic, ...]
    root: Path


def format_documents(
    request: Request, *, write: bool = True, progress: Progress = lambda _: None
) -> FormatResult:
    """Format the documents of a request; without `write` only report those that would change.

    A document with an error of syntax or shape is left as it is, and its errors are reported.
    """
    plan = plan_build(request)
    count = 0
    diagnostics = [
        diagnostic for diagnostic in plan.diagnostics if diagnostic.severity is Severity.ERROR
    ]
    files: list[Rewrite] = []
    for name in plan.build.documents:
        progress(name)
        file = _formatted(name, plan.workspace, diagnostics)
        count += file is not None
        if file and file.before != file.after:
            files.append(file)
    root = plan.build.project.root
    if write:
        files = [file for file in files if not _problem(file, root, diagnostics)]
    return FormatResult(tuple(files), count, in_order(diagnostics), root)


def unformatted(file: Rewrite) -> Diagnostic:
    """Return the diagnostic of an unformatted file, at its first line that would change."""
    return rewriting_kinds.UNFORMATTED.at(_first_change(file), path=file.name)


def _problem(file: Rewrite, root: Path, diagnostics: list[Diagnostic]) -> bool:
    """Write a file; return whether that failed, with the reason added to the diagnostics."""
    problem = refusal(file.path, file.name, root) or file.write()
    if problem:
        diagnostics.append(problem)
    return problem is not None


def _formatted(name: str, workspace: Workspace, diagnostics: list[Diagnostic]) -> Rewrite | None:
    try:
        snapshot = workspace.snapshot(name)
    except OSError as error:
        reason = error.strerror or str(error)
        diagnostics.append(kinds.UNREADABLE.at(None, path=name, reason=reason))
        return None
    if snapshot is None:
        diagnostics.append(workspace.irregular(name))
        return None
    data = snapshot.data
    parsed = parse(name, data)
    errors = [
        diagnostic for diagnostic in parsed.diagnostics if diagnostic.severity is Severity.ERROR
    ]
    if parsed.value is not None:
        errors += (
            diagnostic
            for diagnostic in _shape(parsed.value)
            if diagnostic.severity is Severity.ERROR
        )
    diagnostics += errors
    if errors or parsed.value is None or root_order(parsed.value.value) is FREE:
        return None  # leave the files of other tools in the same folder alone
    try:
        after = formatted(name, data, parsed.value)
    except UnprintableError as error:
        span = None if error.line is None else _line(parsed.value.source, error.line)
        diagnostics.append(rewriting_kinds.BROKEN.at(span, path=name, reason=str(error)))
        return None
    return Rewrite(workspace.root / name, name, data, after)


def _shape(document: Document) -> tuple[Diagnostic, ...]:
    """Return the shape errors of a service, or of a part that declares itself as one."""
    value = document.value
    if is_service(document):
        return shape.check(document, shape.Form.SERVICE)
    if root_order(value) is order_of("#"):
        return shape.check(document, shape.Form.FRAGMENT_AS_WRITTEN)
    return ()


def _first_change(file: Rewrite) -> Span:
    before, after = (data.decode("utf-8").lstrip("\ufeff") for data in (file.before, file.after))
    lines = zip(before.split("\n"), after.split("\n"), strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], lines))
    return _line(SourceFile(file.name, before), min(same, before.count("\n")))


def _line(source: SourceFile, number: int) -> Span:
    """Return the span of a line, counted from 0, without surrounding blanks."""
    start = source.line_starts[number]
    line = source.line(number + 1).rstrip()
    return source.span(start + len(line) - len(line.lstrip()), start + len(line))
