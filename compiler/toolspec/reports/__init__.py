"""Reports: renderers of diagnostics, one module a format, found by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Unpack

from toolspec.reports.report import Format, Report, ReportStyle
from toolspec.shared.packages import submodules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic


def names() -> tuple[str, ...]:
    """Return the names of all formats, sorted: the modules here that declare a `FORMAT`."""
    return tuple(name for name in submodules(__path__) if find(name))


def find(name: str) -> Format | None:
    """Return the format of a name; None for an unknown name."""
    if name not in submodules(__path__):
        return None
    form = getattr(import_module(f"{__name__}.{name}"), "FORMAT", None)
    return form if isinstance(form, Format) else None


def render(name: str, diagnostics: Iterable[Diagnostic], **style: Unpack[ReportStyle]) -> str:
    """Return a report of diagnostics in a format, with a line end after each line.

    Raises LookupError for a format that does not exist.
    """
    form = find(name)
    if form is None:
        message = f"no report format `{name}`; expected one of {', '.join(names())}"
        raise LookupError(message)
    ordered = sorted(diagnostics, key=lambda diagnostic: diagnostic.order)
    reported = tuple(diagnostic for diagnostic in ordered if diagnostic.suppression is None)
    suppressed = tuple(diagnostic for diagnostic in ordered if diagnostic.suppression is not None)
    return form.render(Report(reported, suppressed, **style))
