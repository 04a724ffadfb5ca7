"""Checks the suppressions that `suppressions.py` applied: expired, unused, unknown, too broad.

Imported only if there are any.
"""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from toolspec.diagnostics import Fix, Label, SuppressionSource, TextEdit
from toolspec.driver.lint import codes
from toolspec.frontend.allow_syntax import kinds
from toolspec.frontend.allow_syntax.parsed import RISKS, is_live
from toolspec.frontend.edits import fix
from toolspec.syntax.limits import limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.driver.lint.baseline import Baseline
    from toolspec.driver.lint.lint import ConfiguredSuppression, LintContext, UsedSuppressions
    from toolspec.frontend.allow_syntax.parsed import DocumentSuppression, SuppressedCode
    from toolspec.source import Span

_SHOWN = 5


def check_suppressions(
    lint_context: LintContext,
    suppressions: Iterable[DocumentSuppression],
    used: UsedSuppressions,
    *,
    is_all: bool,
) -> Iterator[Diagnostic]:
    """Yield diagnostics about suppressions.

    A suppression is reported as unused only if everything was checked that it could be about:
    `is_all` means that all documents were checked; some rules also need all services.
    """
    for _, several in groupby(suppressions, key=lambda suppression: suppression.span.source.path):
        yield from limited(_of_documents(several, lint_context, used, is_all=is_all))
    is_all = is_all and lint_context.is_whole
    yield from of_project(
        lint_context.lint.allowed, lint_context.today, used.allowed, is_all=is_all
    )
    if is_all:
        yield from _stale(lint_context.baseline, used.fingerprints)


def _of_documents(
    suppressions: Iterable[DocumentSuppression],
    lint_context: LintContext,
    used: UsedSuppressions,
    *,
    is_all: bool,
) -> Iterator[Diagnostic]:
    for suppression in suppressions:
        unused = {
            named
            for named in suppression.named
            if named not in used.named
            and (lint_context.is_whole or not codes.needs_all_services(named.code))
        }
        for named in suppression.named:
            if not codes.is_change(named.code):
                yield from _about_code(named, suppression)
        valid = [named for named in suppression.named if codes.is_configurable(named.code)]
        yield from of_document(suppression, valid, lint_context.today, unused if is_all else set())


def of_document(
    suppression: DocumentSuppression,
    valid: list[SuppressedCode],
    today: str,
    unused: set[SuppressedCode],
) -> Iterator[Diagnostic]:
    """Yield a diagnostic if the suppression of some codes expired or is unused."""
    if not valid:
        return
    if not is_live(suppression.until, today):
        listed = _listed(named.code for named in valid)
        yield kinds.EXPIRED.at(suppression.span, codes=listed, until=suppression.until)
        return
    unneeded = [named for named in valid if named in unused]
    if unneeded:
        change = _without(suppression, unneeded)
        span = suppression.span if len(unneeded) == len(suppression.named) else unneeded[0].span
        yield kinds.UNUSED.at(span, fix=change, codes=_listed(named.code for named in unneeded))


def _about_code(named: SuppressedCode, suppression: DocumentSuppression) -> Iterator[Diagnostic]:
    code = named.code
    if codes.is_configurable(code):
        if suppression.until == "" and f"{code}/".startswith(RISKS):
            is_comment = suppression.source is SuppressionSource.COMMENT
            until = "until 2027-01-31" if is_comment else "until: 2027-01-31"
            yield kinds.NO_END.at(named.span, code=code, until=until)
        if "/" not in code:
            yield kinds.BROAD.at(named.span, what=f"the whole family `{code}`")
    elif codes.is_error_only(code):
        yield kinds.NOT_SUPPRESSIBLE.at(named.span, code=code)
    else:
        yield kinds.UNKNOWN.at(named.span, code=code, suggestion=codes.suggestion(code))


def of_project(
    allowed: tuple[ConfiguredSuppression, ...], today: str, used: set[int], *, is_all: bool
) -> Iterator[Diagnostic]:
    """Yield diagnostics about suppressions in the configuration: too broad, expired or unused."""
    for at, suppression in enumerate(allowed):
        what = f"the whole family `{suppression.rule}`" if "/" not in suppression.rule else ""
        what = what or ("every document" if suppression.is_everywhere else "")
        if what:
            yield kinds.BROAD.at(suppression.span, what=what)
        if not is_live(suppression.until, today):
            yield kinds.EXPIRED.at(
                suppression.span, codes=f"`{suppression.rule}`", until=suppression.until
            )
        elif is_all and at not in used:
            yield kinds.UNUSED.at(suppression.span, codes=f"`{suppression.rule}`")


def _stale(baseline: Baseline, used: set[str]) -> Iterator[Diagnostic]:
    """Yield one diagnostic for all baseline entries that matched nothing."""
    stale = {key: entry for key, entry in baseline.entries.items() if key not in used}
    if not stale or baseline.span is None:
        return
    source = baseline.span.source
    locations: list[tuple[Span, str]] = []
    for key, entry in list(stale.items())[:_SHOWN]:
        start = source.text.find(f'"{key}"')
        about = f"`{entry['code']}`" + (f" of `{entry['tool']}`" if entry["tool"] else "")
        locations.append((source.span(start, start + len(key) + 2), about))
    (first, text), *others = locations
    labels = [Label(span, about) for span, about in others]
    is_one = len(stale) == 1
    count = "1 entry" if is_one else f"{len(stale)} entries"
    verb = "is" if is_one else "are"
    yield kinds.STALE.at(first, text, labels=labels, count=count, verb=verb)


def _without(suppression: DocumentSuppression, unneeded: list[SuppressedCode]) -> Fix | None:
    """Return a fix that removes codes or the whole suppression, or None if it is ambiguous."""
    if suppression.source is not SuppressionSource.COMMENT:
        return fix("delete the suppression", suppression.removal, safe=True)
    source, span = suppression.span.source, suppression.span
    kept = [named.span.text for named in suppression.named if named not in unneeded]
    if kept:
        listed = source.span(suppression.named[0].span.start, suppression.named[-1].span.end)
        edit = TextEdit(listed, ", ".join(kept))
        return Fix("delete the unused codes", (edit,), safe=True)
    text = source.text
    line = source.line_starts[span.first.line - 1]
    before = len(text[line : span.start].rstrip())
    end = text.find("\n", span.end)
    is_alone = before == 0
    start = line if is_alone else line + before
    stop = (len(text) if end < 0 else end + 1) if is_alone else span.end
    return Fix("delete the suppression", (TextEdit(source.span(start, stop), ""),), safe=True)


def _listed(words: Iterable[str]) -> str:
    quoted = [f"`{word}`" for word in words]
    *most, last = quoted
    return f"{', '.join(most)} and {last}" if most else last
