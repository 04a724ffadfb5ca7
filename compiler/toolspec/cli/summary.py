"""What a compile did, in lines: each tool with its safety, then what was written."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolspec.cli.console import count
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.driver.build import Build
    from toolspec.driver.output import Change
    from toolspec.ir import Service, Tool

    Paint = Callable[[str, str], str]


def summarise(build: Build, paint: Paint) -> Iterator[str]:
    """Yield the lines of a compile's summary."""
    width = max((len(tool.names.full) for _, tool in build.program.tools), default=0)
    for service in build.program.services:
        title = printable(f"{service.title} {service.version}")
        yield f"{paint('bold', service.names.module)}  {title}"
        for tool in service.tools:
            safety, style = _safety(tool)
            marks = "".join(f", {mark}" for mark in _marks(tool))
            method = f"{service.names.class_stem}Handlers.{tool.names.method}"
            gap = " " * (width - len(tool.names.full))
            text = paint(style, f"{safety}{marks}") + " " * (28 - len(safety + marks))
            yield f"  {tool.names.full}{gap}  {text} {paint('dim', method)}"
        yield f"  {paint('dim', 'wrote ' + _files_of(service, build.changes))}"
    yield ""
    yield totals(build, paint)


def _safety(tool: Tool) -> tuple[str, str]:
    if tool.annotations.read_only:
        return "read-only", "green"
    return ("destructive", "red") if tool.annotations.destructive else ("writes", "yellow")


def _marks(tool: Tool) -> Iterator[str]:
    if tool.streaming:
        yield "streams"
    if tool.annotations.idempotent and not tool.annotations.read_only:
        yield "idempotent"
    if tool.deprecated:
        yield "deprecated"


def _files_of(service: Service, changes: tuple[Change, ...]) -> str:
    folder = f"{service.names.module}/"
    names = [
        each.path.removeprefix(folder)
        for each in changes
        if each.path.startswith(folder) and each.after is not None
    ]
    return f"{folder}{{{', '.join(names)}}}" if names else "nothing of its own"


def totals(build: Build, paint: Paint) -> str:
    """Return the last line of a summary: how much there is, and what became of the files."""
    services, tools = len(build.program.services), sum(1 for _ in build.program.tools)
    files = [change for change in build.changes if change.after is not None]
    written = sum(change.is_needed for change in files)
    removed = len(build.changes) - len(files)
    done = f"{written} written, {len(files) - written} unchanged"
    done += f", {removed} removed" if removed else ""
    out = os.path.relpath(build.out)
    head = paint("bold", f"{count(services, 'service')}, {count(tools, 'tool')}")
    return f"{head}: {count(len(files), 'file')} in {out}/ ({done})"
