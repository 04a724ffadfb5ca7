"""Finds the services that include requested parts; only a service can validate its parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.driver.pipeline import is_service, read_service

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.driver.workspace import Workspace


def find_including_services(
    names: tuple[str, ...], workspace: Workspace, search: Workspace
) -> tuple[str, ...]:
    """Return names plus every service document that includes one of the parts among them.

    `search` is a separate workspace: what it reads is not part of the request, but the result
    depends on it.
    """
    read = ((name, workspace.document(name).value) for name in names)
    parts = frozenset(name for name, each in read if each is not None and not is_service(each))
    if not parts:
        return names
    known = search.sources(search.project.config.specs, search.root).value
    asked = {*names}
    others = (name for name in known if name not in asked)
    found = tuple(sorted((*names, *_homes(parts, others, search))))
    workspace.stamps.update(search.stamps)
    return found


def _homes(parts: frozenset[str], names: Iterable[str], workspace: Workspace) -> Iterator[str]:
    separator = workspace.project.config.separator
    for name in names:
        parsed = workspace.document(name)
        if parsed.value is not None and is_service(parsed.value):
            workspace.used.clear()
            read_service(parsed.value, parsed.diagnostics, workspace, separator, [])
            if parts & workspace.used:
                yield name
