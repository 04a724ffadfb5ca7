"""Reports of the changes between two versions: one module a form, and existing report formats."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.reports.changes.comparison import Comparison


class Form(StrEnum):
    """Format of a report of changes."""

    TEXT = "text"
    SHORT = "short"
    JSON = "json"
    MARKDOWN = "markdown"
    GITHUB = "github"
    SARIF = "sarif"
    JUNIT = "junit"


_OWN = {Form.TEXT: "text", Form.SHORT: "text", Form.JSON: "json", Form.MARKDOWN: "markdown"}


def render_changes(form: Form, comparison: Comparison) -> str:
    """Return a report of changes in a format, with a line end after each line."""
    module = import_module(f"{__name__}.{_OWN.get(form, 'diagnostics')}")
    report: str = module.render(comparison, form)
    return report
