"""`toolspec inspect NAME`: prints one tool as the compiler understands it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import console, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.inspection import inspection
from toolspec.cli.lowered_tool import sent, sent_text
from toolspec.cli.report_options import status
from toolspec.diagnostics import did_you_mean, has_errors
from toolspec.driver import build as driver
from toolspec.driver.build import Request
from toolspec.providers import profile as profiles
from toolspec.sinks.terminal import printable, printable_json
from toolspec.targets import discovery

if TYPE_CHECKING:
    from toolspec.ir import Program, Service, Tool
    from toolspec.providers.profile import Profile


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("inspect")(inspect_tool)


def inspect_tool(
    name: Annotated[
        str,
        typer.Argument(
            metavar="TOOL", help="Full name of a tool, or its own name if that is unique."
        ),
    ],
    paths: options.Paths = None,
    *,
    target: Annotated[
        str,
        typer.Option(
            "--target",
            metavar="NAME",
            help="Show the tool as this target sends it, and the outcome of each keyword.",
        ),
    ] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Show one resolved tool: its names, derived flags, schemas, and where each of them came from."""
    profile = _profile(target) if target else None
    checked = driver.check(Request(paths or ()))
    # With a profile, continue after an error: its reason is what the user wants to see.
    if has_errors(checked.diagnostics) and not profile:
        console.report(checked.diagnostics)
        raise typer.Exit(status(checked.diagnostics))
    found = _find(checked.value.program, name)
    if not found and has_errors(checked.diagnostics):
        console.report(checked.diagnostics)
        raise typer.Exit(status(checked.diagnostics))
    if not found:
        known = [tool.names.full for _, tool in checked.value.program.tools]
        console.complain(f"no tool is named `{name}`; {did_you_mean(name, known)}")
        raise typer.Exit(Exit.USAGE)
    if as_json:
        shown = [sent(*each, profile) if profile else inspection(*each) for each in found]
        console.say(printable_json(shown[0] if len(shown) == 1 else shown))
        return
    for each in found:
        console.say(sent_text(*each, profile) if profile else _text(inspection(*each)))


def _profile(target: str) -> Profile:
    """Return the profile of a target; exits with 2 if it is unknown or lowers nothing."""
    profile = profiles.find_profile(target)
    if profile is None or not profile.steps:
        known = [
            name
            for name in profiles.names()
            if (each := profiles.find_profile(name)) and each.steps
        ]
        what = "sends schemas as they are" if discovery.find(target) else "is no target"
        console.complain(f"`{target}` {what}; {did_you_mean(target, known)}")
        raise typer.Exit(Exit.USAGE)
    return profile


def _find(program: Program, name: str) -> list[tuple[Service, Tool]]:
    """Return the tools of a full name, with or without its version, else those of a bare name."""
    bare, _, version = name.partition("@")
    tools = [(s, t) for s, t in program.tools if not version or t.version == version]
    full = [(s, t) for s, t in tools if bare in (t.names.full, *t.aliases)]
    return full or [(s, t) for s, t in tools if t.name == bare]


def _text(value: dict[str, object], indent: str = "") -> str:
    """Return nested values as indented lines; schemas as JSON below their name."""
    width = max(len(key) for key in value)
    lines: list[str] = []
    for key, each in value.items():
        if isinstance(each, dict) and key in {"arguments", "input", "output", "chunk", "fields"}:
            lines.append(f"{indent}{key}")
            lines += [f"{indent}  {line}" for line in printable_json(each).splitlines()]
        elif isinstance(each, dict):
            lines += [f"{indent}{key}", _text(each, indent + "  ")]
        else:
            shown = each if isinstance(each, str) else json.dumps(each, ensure_ascii=True)
            lines.append(f"{indent}{key:<{width}}  {printable(shown)}")
    return "\n".join(lines)
