"""Draws the line: what a project's findings are now becomes its baseline."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.driver import build
from toolspec.driver.linting.baseline import entries_of, read_baseline, write_baseline
from toolspec.driver.linting.settling import is_open, stops

if TYPE_CHECKING:
    from toolspec.driver.build import Request
    from toolspec.driver.pipeline import Progress


@dataclass(frozen=True, slots=True)
class Drawn:
    """How many findings a baseline holds, and how many came and went since the one before."""

    held: int = 0
    new: int = 0
    gone: int = 0


def draw_line(request: Request, progress: Progress, *, only_prunes: bool = False) -> Checked[Drawn]:
    """Write the baseline of a request, which has to ask for none; return what it holds.

    Errors that nobody can allow are handed back, and nothing is written. A request of some paths only
    adds: what was not looked at is kept. To prune is to take out what is not found any more.
    """
    checked = build.check(request, progress)
    found = [each for each in checked.diagnostics if each.suppression is None]
    if stops(found):
        errors = (each for each in found if not is_open(each))
        return Checked(Drawn(), tuple(errors))
    root = checked.value.project.root
    read = read_baseline(root)
    if only_prunes and not read.ok:
        return Checked(Drawn(), read.diagnostics)
    old, now = read.value.entries, entries_of(filter(is_open, found))
    if only_prunes:
        now = {key: entry for key, entry in now.items() if key in old}
    elif request.paths:
        now = {**old, **now}
    problem = write_baseline(root, now)
    drawn = Drawn(len(now), len(now.keys() - old.keys()), len(old.keys() - now.keys()))
    return Checked(drawn, (problem,) if problem else ())
