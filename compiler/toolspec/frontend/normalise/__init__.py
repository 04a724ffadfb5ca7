"""Values derived from resolved schemas: wire arguments, chunks, HTTP requests."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked
from toolspec.frontend.normalise.arguments import with_arguments
from toolspec.frontend.normalise.chunks import with_chunk
from toolspec.frontend.normalise.http import with_http
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Service, Tool


def wire_arguments(service: Service) -> Checked[Service]:
    """Return the service with the form of each input and the schema of each call's arguments."""
    return _each_tool(service, partial(with_arguments, instances=service.instances))


def chunks(service: Service) -> Checked[Service]:
    """Return the service with the chunk of each stream, and how chunks combine to the result."""
    return _each_tool(service, with_chunk)


def http_requests(service: Service) -> Checked[Service]:
    """Return the service with the position of each argument in the HTTP request of its tool."""
    return _each_tool(service, partial(with_http, service=service))


PASSES: tuple[Callable[[Service], Checked[Service]], ...] = (wire_arguments, chunks, http_requests)


def _each_tool(service: Service, change: Callable[[Tool], Checked[Tool]]) -> Checked[Service]:
    tools = []
    diagnostics: list[Diagnostic] = []
    for tool in service.tools:
        changed = change(tool)
        tools.append(changed.value)
        name = "" if "names" in service.broken else service.name
        diagnostics += (
            diagnostic.about(service=name, tool=tool.names.full)
            for diagnostic in changed.diagnostics
        )
    return Checked(replace(service, tools=tuple(tools)), tuple(diagnostics))


__all__ = ["PASSES"]
