"""A definition is never used."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from toolspec.rules.api import (
    Catalogue,
    Diagnostic,
    Diagnostics,
    Path,
    Place,
    Severity,
    Subject,
    counted,
    declare,
    edits,
    together,
)

KIND = declare(
    __name__,
    Severity.WARNING,
    "{definitions} never used",
    "delete it",
)
VISITS = Catalogue


def check(catalogue: Catalogue) -> Diagnostics:
    """Yield one diagnostic for all unused definitions of a schema, and one for each of a service."""
    if not catalogue.is_whole:
        return
    uses = (each for service in catalogue.services for each in service.uses)
    # What is used is told already, and so is all in which it stands.
    used = {(file, path[:length]) for file, path in uses for length in range(len(path) + 1)}
    for service in catalogue.services:
        for each in service.unused_definitions:
            paths = [path for path in each.paths if (each.file, path) not in used]
            used.update((each.file, path) for path in paths)
            document = catalogue.documents(each.file) if paths else None
            if document:
                subject = partial(Subject, service.name, each.tool)
                yield together([document.place(*path) for path in paths], partial(_report, subject))


def _report(subject: Callable[[str], Subject], places: Sequence[Place]) -> Diagnostic:
    fix = edits.fix("delete", removal(places))
    number = counted(len(places), "definition is", "definitions are")
    about = subject(places[0].pointer)
    return KIND.at(places[0].span, subject=about, fix=fix, definitions=number)


def removal(places: Iterable[Place]) -> edits.Edits:
    """Return the edits that delete definitions, and emptied containers; none if unclear."""
    by_container: dict[Path, list[Place]] = {}
    for place in places:
        by_container.setdefault(place.path[:-1], []).append(place)
    targets: list[Place] = []
    for path, inside in by_container.items():
        holder = inside[0].document.place(*path)
        value = holder.value_or_none
        is_all = isinstance(value, dict) and len(value) == len(inside)
        targets += [holder] if is_all else inside
    deletions = [edits.delete_member(each) for each in targets]
    return tuple(edit for each in deletions for edit in each) if all(deletions) else ()
