"""Summary of a compile: each tool with its size and safety, then the written files."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from toolspec.cli.console import count
from toolspec.providers.tool_sizes import by_target, shown
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from toolspec.driver.build import Build
    from toolspec.driver.output import Change
    from toolspec.driver.service_summary import ServiceSummary

    Paint = Callable[[str, str], str]


def summarise(build: Build, paint: Paint) -> Iterator[str]:
    """Yield the lines of a compile's summary."""
    tools = [tool for service in build.summaries for tool in service.tools]
    width = max((len(tool.name) for tool in tools), default=0)
    digits = max((len(shown(tool.sizes)) for tool in tools), default=0)
    has_methods = any(target.name == "python" for target in build.targets)
    for service in build.summaries:
        title = printable(f"{service.title} {service.version}")
        yield f"{paint('bold', service.module)}  {title}, about {shown(service.sizes)} tokens"
        for tool in service.tools:
            safety = ", ".join((tool.safety, *tool.marks))
            size = f"{shown(tool.sizes):>{digits}}"
            line = f"  {tool.name:<{width}}  {size}  {paint(_STYLES[tool.safety], safety)}"
            if has_methods:
                method = paint("dim", f"{service.class_stem}Handlers.{tool.method}")
                line += f"{' ' * (28 - len(safety))} {method}"
            yield line
        if sizes := _by_target(service.sizes):
            yield f"  {paint('dim', sizes)}"
        if files := _written(service, build.changes):
            yield f"  {paint('dim', 'wrote ' + files)}"
    yield ""
    yield totals(build, paint)


_STYLES = {"read-only": "green", "writes": "yellow", "destructive": "red"}


def _by_target(sizes: Mapping[str, int]) -> str:
    """Return the tokens of a service by target; empty if all targets are equal."""
    targets: dict[int, list[str]] = {}
    for name, size in by_target(sizes).items():
        targets.setdefault(size, []).append(name)
    parts = (f"{size:,} for {', '.join(names)}" for size, names in sorted(targets.items()))
    return f"tokens: {'; '.join(parts)}" if len(targets) > 1 else ""


def _written(service: ServiceSummary, changes: tuple[Change, ...]) -> str:
    """Return the written files of a service; empty if all are unchanged."""
    folder = f"{service.module}/"
    names = [
        change.path.removeprefix(folder)
        for change in changes
        if change.path.startswith(folder) and change.after is not None and change.is_needed
    ]
    return f"{folder}{{{', '.join(names)}}}" if names else ""


def totals(build: Build, paint: Paint) -> str:
    """Return the last line of a summary: totals and the state of the files."""
    services, tools = len(build.summaries), sum(len(service.tools) for service in build.summaries)
    files = [change for change in build.changes if change.after is not None]
    written = sum(change.is_needed for change in files)
    removed = len(build.changes) - len(files)
    done = f"{written} written, {len(files) - written} unchanged"
    done += f", {removed} removed" if removed else ""
    out = os.path.relpath(build.out)
    head = paint("bold", f"{count(services, 'service')}, {count(tools, 'tool')}")
    return f"{head}: {count(len(files), 'file')} in {out}/ ({done})"
