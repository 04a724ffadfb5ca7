"""`toolspec revert`: reverts calls of the journal that a server or `toolspec call` wrote."""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import call_options as option
from toolspec.cli.exit_codes import Exit
from toolspec.cli.generated_package import generated_package, project_store, refuse
from toolspec.cli.options import not_empty
from toolspec.cli.prompt import confirmed, has_terminal
from toolspec.sinks.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.runtime.registry import Registry
    from toolspec.runtime.stores import Entry

_MOST_SHOWN = 20


class Which(StrEnum):
    """The calls to revert."""

    LAST = "last"
    ALL = "all"


_Which = Annotated[Which, typer.Argument(help="The last call, or all, newest first.")]
_Caller = Annotated[
    str | None,
    typer.Option("--caller", metavar="NAME", callback=not_empty, help="Only calls of this caller."),
]
_Tool = Annotated[
    str | None,
    typer.Option("--tool", metavar="NAME", callback=not_empty, help="Only calls of this tool."),
]
_DryRun = Annotated[bool, typer.Option("--dry-run", help="Print the calls; nothing is reverted.")]
_Yes = Annotated[bool, typer.Option("--yes", "-y", help="Revert without asking.")]


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("revert")(revert)


def revert(
    which: _Which = Which.LAST,
    *,
    handlers: option.Handlers = None,
    settings: option.Settings = None,
    mode: option.Mode = None,
    store: option.Store = None,
    caller: _Caller = None,
    tool: _Tool = None,
    yes: _Yes = False,
    dry_run: _DryRun = False,
) -> None:
    """Revert calls of tools with `revert: true`, by their handlers, from the journal of a store.

    The store is that of `serve`; a finished registry has its own. Asks before it acts. Exits 0 if
    every call is reverted, 1 if not, 2 for wrong usage.
    """
    if not handlers:
        refuse(("reverts need the handlers of the calls: name them with --handlers",))
    from toolspec.runtime.client.portal import Portal
    from toolspec.runtime.errors import ToolError
    from toolspec.serving.errors import ServeError

    try:
        registry = _registry(tuple(handlers), settings or "", mode or "", store or "")
        if tool:
            tool = _full_name(registry, tool)
        with Portal() as portal:
            portal.adopt(registry)
            entries = portal.run(lambda: registry.journal_entries(caller=caller, tool=tool))
            chosen = _chosen(entries, which)
            if not chosen:
                print("toolspec: no call to revert", file=sys.stderr)
                return
            _approve(chosen, yes=yes, dry_run=dry_run)
            ids = [entry.id for entry in chosen]
            outcomes = portal.run(lambda: registry.revert_all(entries=ids))
    except ServeError as fault:
        refuse(fault.lines)
    except ToolError as error:
        refuse((error.message,))
    for outcome in outcomes:
        reason = f": {outcome.message}" if outcome.message else ""
        print(printable(f"{outcome.status}  {outcome.tool}  {outcome.entry}{reason}"))
    if len(outcomes) < len(chosen) or any(each.status != "reverted" for each in outcomes):
        raise typer.Exit(Exit.DIAGNOSTICS)


def _registry(handlers: tuple[str, ...], settings: str, mode: str, store: str) -> Registry:
    """Return the registry of the handlers, with the journal of its own or of the store."""
    from toolspec.serving.handlers import ServeRequest, assemble
    from toolspec.serving.options import Options
    from toolspec.serving.package import load_package
    from toolspec.serving.stores import stated_store, with_store

    folder, package = generated_package()
    request = ServeRequest(handlers, (), settings, 0, mode)
    served = assemble(load_package(folder, package), request)
    controls = served.registry.controls
    is_own = controls.journal is not None or controls.store is not None
    url = "" if is_own and not store else stated_store(store, os.environ, project_store())
    return with_store(Options(folder=str(folder), package=package, store=url), served).registry


def _full_name(registry: Registry, name: str) -> str:
    """Return the name in the journal; a version is kept. Raises ToolError for an unknown tool."""
    definition = registry.definition(name)
    _, at, version = name.partition("@")
    return f"{definition.full_name}{at}{version}"


def _chosen(entries: Sequence[Entry], which: Which) -> Sequence[Entry]:
    """Return the entries to revert; `last` is the newest that has finished."""
    if which is Which.ALL:
        return entries
    newest = next((n for n, entry in enumerate(entries) if entry.state == "done"), len(entries))
    for entry in entries[:newest]:
        print(f"toolspec: left out, of unknown effect: {_line(entry)}", file=sys.stderr)
    return entries[newest : newest + 1]


def _approve(entries: Sequence[Entry], *, yes: bool, dry_run: bool) -> None:
    """Return if the calls are to be reverted; exit if not."""
    lines = [_line(entry) for entry in entries[:_MOST_SHOWN]]
    if len(entries) > _MOST_SHOWN:
        lines.append(f"and {len(entries) - _MOST_SHOWN} more")
    if dry_run:
        _print(_line(entry) for entry in entries)
        raise typer.Exit(Exit.CLEAN)
    if yes:
        return
    count = "this call" if len(entries) == 1 else f"these {len(entries)} calls"
    if not has_terminal():
        refuse((f"nobody can be asked to revert {count}: allow it with --yes", *lines))
    if not confirmed(f"Revert {count}?", tuple(lines)):
        raise typer.Exit(Exit.DIAGNOSTICS)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(printable(line))


def _line(entry: Entry) -> str:
    at = datetime.fromtimestamp(entry.at).astimezone().isoformat(" ", "seconds")
    caller = f" by {entry.caller}" if entry.caller is not None else ""
    return f"{entry.tool} {json.dumps(entry.input, ensure_ascii=False)}{caller}, {at}"
