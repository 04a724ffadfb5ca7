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
_Forget = Annotated[
    str | None,
    typer.Option(
        "--forget",
        metavar="ENTRY",
        callback=not_empty,
        help="Drop a call from the journal without reverting it.",
    ),
]
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
    forget: _Forget = None,
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
            if forget:
                portal.run(lambda: registry.forget_entry(forget))
                print(f"toolspec: forgot {printable(forget)}", file=sys.stderr)
                return
            entries = portal.run(lambda: registry.journal_entries(caller=caller, tool=tool))
            chosen = _chosen(entries, which, registry)
            if not chosen:
                print("toolspec: no call to revert", file=sys.stderr)
                return
            lines = [_line(entry, registry) for entry in chosen]
            _approve(lines, yes=yes, dry_run=dry_run)
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


def _chosen(entries: Sequence[Entry], which: Which, registry: Registry) -> Sequence[Entry]:
    """Return the entries to revert; `last` is the newest that has finished."""
    if which is Which.ALL:
        return entries
    newest = next((n for n, entry in enumerate(entries) if entry.state == "done"), len(entries))
    for entry in entries[:newest]:
        print(printable(f"toolspec: left out: {_line(entry, registry)}"), file=sys.stderr)
    return entries[newest : newest + 1]


def _approve(lines: Sequence[str], *, yes: bool, dry_run: bool) -> None:
    """Return if the calls, a line for each, are to be reverted; exit if not."""
    if dry_run:
        _print(lines)
        raise typer.Exit(Exit.CLEAN)
    if yes:
        return
    count = "this call" if len(lines) == 1 else f"these {len(lines)} calls"
    more = len(lines) - _MOST_SHOWN
    shown = (*lines[:_MOST_SHOWN], *([f"and {more} more"] if more > 0 else []))
    if not has_terminal():
        refuse((f"nobody can be asked to revert {count}: allow it with --yes", *shown))
    if not confirmed(f"Revert {count}?", shown):
        raise typer.Exit(Exit.DIAGNOSTICS)


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        print(printable(line))


def _line(entry: Entry, registry: Registry) -> str:
    """Return a call with its arguments, except secret ones, and the id of its entry."""
    from toolspec.runtime.errors import ToolError
    from toolspec.shared.secret_values import masked

    at = datetime.fromtimestamp(entry.at).astimezone().isoformat(" ", "seconds")
    caller = f" by {entry.caller}" if entry.caller is not None else ""
    try:
        shown = masked(registry.definition(entry.tool).arguments_schema, entry.input)
    except ToolError:  # a tool of another program, whose secrets are not known
        shown = "…"
    arguments = json.dumps(shown, ensure_ascii=False)
    state = "" if entry.state == "done" else ", of unknown effect"
    return f"{entry.tool} {arguments}{caller}, {at}, {entry.id}{state}"
