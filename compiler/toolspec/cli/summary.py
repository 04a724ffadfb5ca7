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

    Paint = Callable[[str, str], str]


def summarise(build: Build, paint: Paint) -> tuple[str, str]:
    """Return the summary of a compile, and that of the next compile if no document changes."""
    files = [change for change in build.changes if change.after is not None]
    written = _written(files)
    now: list[str] = []
    later: list[str] = []
    for module, lines in _services(build, paint):
        now += lines
        later += lines
        if module in written:
            names = ", ".join(written[module])
            now.append(f"  {paint('dim', f'wrote {module}/{{{names}}}')}")
    now += ["", totals(build, paint)]
    later += ["", _totals(build, paint, 0, len(files), 0)]
    return "\n".join([*now, ""]), "\n".join([*later, ""])


def _services(build: Build, paint: Paint) -> Iterator[tuple[str, list[str]]]:
    """Yield the module of each service, and its lines."""
    digits = width = 0
    for service in build.summaries:
        for tool in service.tools:
            digits, width = max(digits, len(shown(tool.sizes))), max(width, len(tool.name))
    has_methods = any(target.name == "python" for target in build.targets)
    for service in build.summaries:
        title = printable(f"{service.title} {service.version}")
        head = f"{paint('bold', service.module)}  {title}, about {shown(service.sizes)} tokens"
        lines = [head]
        for tool in service.tools:
            safety = ", ".join((tool.safety, *tool.marks))
            painted = paint(_STYLES[tool.safety], safety)
            line = f"  {tool.name:<{width}}  {shown(tool.sizes):>{digits}}  {painted}"
            if has_methods:
                method = paint("dim", f"{service.class_stem}Handlers.{tool.method}")
                line += f"{' ' * (28 - len(safety))} {method}"
            lines.append(line)
        if by_targets := _by_target(service.sizes):
            lines.append(f"  {paint('dim', by_targets)}")
        yield service.module, lines


_STYLES = {"read-only": "green", "writes": "yellow", "destructive": "red"}


def _by_target(sizes: Mapping[str, int]) -> str:
    """Return the tokens of a service by target; empty if all targets are equal."""
    targets: dict[int, list[str]] = {}
    for name, size in by_target(sizes).items():
        targets.setdefault(size, []).append(name)
    parts = (f"{size:,} for {', '.join(names)}" for size, names in sorted(targets.items()))
    return f"tokens: {'; '.join(parts)}" if len(targets) > 1 else ""


def _written(files: list[Change]) -> dict[str, list[str]]:
    """Return the written files of each folder of the output folder."""
    written: dict[str, list[str]] = {}
    for change in files:
        if change.is_needed:
            folder, _, name = change.path.partition("/")
            written.setdefault(folder, []).append(name)
    return written


def totals(build: Build, paint: Paint) -> str:
    """Return the last line of a summary: totals and the state of the files."""
    files = [change for change in build.changes if change.after is not None]
    written = sum(change.is_needed for change in files)
    return _totals(build, paint, written, len(files) - written, len(build.changes) - len(files))


def _totals(build: Build, paint: Paint, written: int, unchanged: int, removed: int) -> str:
    services, tools = len(build.summaries), sum(len(service.tools) for service in build.summaries)
    done = f"{written} written, {unchanged} unchanged"
    done += f", {removed} removed" if removed else ""
    out = os.path.relpath(build.out)
    head = paint("bold", f"{count(services, 'service')}, {count(tools, 'tool')}")
    return f"{head}: {count(written + unchanged, 'file')} in {out}/ ({done})"
