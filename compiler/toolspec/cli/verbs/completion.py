"""`toolspec completion SHELL`: prints a script that completes commands, options and values."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import Annotated

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption

from toolspec.cli import console, options
from toolspec.cli.completion import Option, Shell, Verb, script
from toolspec.cli.report_options import Format
from toolspec.driver import manual
from toolspec.targets import discovery


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("completion")(completion)


def completion(
    ctx: typer.Context,
    shell: Annotated[Shell, typer.Argument(metavar="SHELL", help="Shell to complete in.")],
) -> None:
    """Print a completion script. In bash: source <(toolspec completion bash).

    zsh: toolspec completion zsh > ~/.zfunc/_toolspec, with ~/.zfunc in fpath.

    fish: toolspec completion fish > ~/.config/fish/completions/toolspec.fish
    """
    root = ctx.find_root().command
    words = {
        "completion": tuple(member.value for member in Shell),
        "explain": tuple(manual.kinds()),
        "init": ("handlers",),
    }
    assert isinstance(root, TyperGroup)
    verbs = [
        _verb(name, root.get_command(ctx, name), words.get(name, ()), _NAMES.get(name, ""))
        for name in root.list_commands(ctx)
    ]
    console.say(script(shell, verbs).rstrip("\n"))


_NAMES = {"call": "tools", "handlers": "services", "init": "services", "inspect": "tools"}
"""Kind of names after a command, with `init` as in `init handlers`."""


def _verb(name: str, command: object, words: tuple[str, ...], asks: str) -> Verb:
    """Return a command; the options of a group are those of all its commands."""
    inner = command.commands if isinstance(command, TyperGroup) else {name: command}
    by_spelling = {option.spellings: option for one in inner.values() for option in _options(one)}
    help_option = Option(("--help", "-h"), "Show this help.", takes_value=False)
    if isinstance(command, TyperGroup):
        words = tuple(inner)
    title = command.get_short_help_str(80) if isinstance(command, TyperCommand | TyperGroup) else ""
    return Verb(name, title, (*by_spelling.values(), help_option), words, asks)


def _options(command: object) -> Iterator[Option]:
    for parameter in command.params if isinstance(command, TyperCommand) else ():
        if isinstance(parameter, TyperOption):
            default = parameter.default
            choices = (
                tuple(str(one.value) for one in type(default)) if isinstance(default, Enum) else ()
            )
            choices = tuple(Format) if parameter.metavar == options.FORMAT else choices
            choices = tuple(discovery.names()) if "--target" in parameter.opts else choices
            asks = "services" if "--service" in parameter.opts else ""
            spellings = (*parameter.opts, *parameter.secondary_opts)
            yield Option(spellings, parameter.help or "", not parameter.is_flag, choices, asks)
