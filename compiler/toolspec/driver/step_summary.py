"""GitHub's step summary: a file that the workflow names in its environment."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.driver import kinds
from toolspec.reports.step_summary import step_summary

if TYPE_CHECKING:
    from toolspec.diagnostics import Diagnostic


def append_step_summary(diagnostics: tuple[Diagnostic, ...]) -> tuple[Diagnostic, ...]:
    """Append the findings to the file of `GITHUB_STEP_SUMMARY`; nothing where there is none.

    Complains of a file that can't be written.
    """
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return ()
    try:
        with Path(path).open("a", encoding="utf-8", newline="\n") as file:
            file.write(step_summary(diagnostics))
    except OSError as error:
        reason = error.strerror or str(error)
        return (kinds.SUMMARY_UNWRITABLE.at(None, path=path, reason=reason),)
    return ()
