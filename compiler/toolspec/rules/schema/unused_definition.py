"""A definition is never used."""

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    Location,
    Path,
    ProjectFacts,
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
VISITS = ProjectFacts


def check(project: ProjectFacts) -> Diagnostics:
    """Yield one diagnostic for all unused definitions of a schema, and one for each of a service."""
    if not project.is_whole:
        return
    uses = (use for service in project.services for use in service.uses)
    # Used definitions, and everything that contains them, are not reported.
    used_paths = {(file, path[:length]) for file, path in uses for length in range(len(path) + 1)}
    for service in project.services:
        for unused_definition in service.unused_definitions:
            paths = [
                path
                for path in unused_definition.paths
                if (unused_definition.file, path) not in used_paths
            ]
            used_paths.update((unused_definition.file, path) for path in paths)
            document = project.documents(unused_definition.file) if paths else None
            if document:
                subject = partial(Subject, service.name, unused_definition.tool)
                yield together(
                    [document.location(*path) for path in paths], partial(_report, subject)
                )


def _report(subject: Callable[[str], Subject], locations: Sequence[Location]) -> Diagnostic:
    fix = edits.fix("delete", removal(locations))
    number = counted(len(locations), "definition is", "definitions are")
    about = subject(locations[0].pointer)
    return KIND.at(locations[0].span, subject=about, fix=fix, definitions=number)


def removal(locations: Iterable[Location]) -> edits.Edits:
    """Return the edits that delete definitions, and emptied containers; none if unclear."""
    by_container: dict[Path, list[Location]] = {}
    for location in locations:
        by_container.setdefault(location.path[:-1], []).append(location)
    targets: list[Location] = []
    for path, members in by_container.items():
        holder = members[0].document.location(*path)
        value = holder.value_or_none
        is_emptied = isinstance(value, dict) and len(value) == len(members)
        targets += [holder] if is_emptied else members
    deletions = [edits.delete_member(target) for target in targets]
    return tuple(edit for deletion in deletions for edit in deletion) if all(deletions) else ()
