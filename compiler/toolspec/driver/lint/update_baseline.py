"""Writes the current diagnostics of a project as its baseline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import build
from toolspec.driver.lint.baseline import entries_of, read_baseline, write_baseline
from toolspec.driver.lint.suppressions import has_unsuppressed_errors, is_suppressible
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.driver.build import Progress, Request


@dataclass(frozen=True, slots=True)
class BaselineDiff:
    """Number of baseline entries, and of those added and removed."""

    entries: int = 0
    added: int = 0
    removed: int = 0


def update_baseline(
    request: Request, progress: Progress, *, only_prunes: bool = False
) -> Checked[BaselineDiff]:
    """Write the baseline of a request, which must not use one; return the counts.

    Errors that cannot be suppressed are returned, and nothing is written. A request of some paths
    only adds: entries of other documents stay. `only_prunes` removes entries that match nothing any
    more.
    """
    checked = build.check(request, progress)
    diagnostics = [
        diagnostic for diagnostic in checked.diagnostics if diagnostic.suppression is None
    ]
    if has_unsuppressed_errors(diagnostics):
        errors = (diagnostic for diagnostic in diagnostics if not is_suppressible(diagnostic))
        return Checked(BaselineDiff(), tuple(errors))
    root = checked.value.project.root
    read = read_baseline(root)
    if only_prunes and not read.ok:
        return Checked(BaselineDiff(), read.diagnostics)
    old, now = read.value.entries, entries_of(filter(is_suppressible, diagnostics))
    if only_prunes:
        now = {key: entry for key, entry in now.items() if key in old}
    elif request.paths:
        now = {**old, **now}
    problem = write_baseline(root, now)
    diff = BaselineDiff(len(now), len(now.keys() - old.keys()), len(old.keys() - now.keys()))
    return Checked(diff, (problem,) if problem else ())
