"""Findings to text: one module a format, found by name; pure functions of the findings."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from toolspec.reports.report import Format, Report

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic

WIDTH = 120


def names() -> tuple[str, ...]:
    """Return the names of all formats, sorted: the modules here that declare a `FORMAT`."""
    return tuple(sorted(each.name for each in iter_modules(__path__) if find(each.name)))


def find(name: str) -> Format | None:
    """Return the format of a name; None where there is none."""
    if name not in {each.name for each in iter_modules(__path__)}:
        return None
    found = getattr(import_module(f"{__name__}.{name}"), "FORMAT", None)
    return found if isinstance(found, Format) else None


def render(
    name: str,
    diagnostics: Iterable[Diagnostic],
    *,
    color: bool = False,
    verbose: bool = False,
    width: int = WIDTH,
) -> str:
    """Return the findings in a format, in the order of a report, with a line end after each line.

    `width` is the number of terminal columns that source lines are cut to. Raises LookupError for a
    format that does not exist.
    """
    form = find(name)
    if form is None:
        message = f"no report format `{name}`; known are {', '.join(names())}"
        raise LookupError(message)
    ordered = tuple(sorted(diagnostics, key=lambda each: each.order))
    return form.render(Report(ordered, color=color, verbose=verbose, width=width))
