"""Command groups with plain-text help; `Verbs` imports each command on first use."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING

import typer
from typer.core import TyperArgument, TyperGroup
from typer.main import get_group

from toolspec.cli import verbs
from toolspec.shared.packages import submodules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typer._click import Command, Context, HelpFormatter


class Group(TyperGroup):
    """A group whose help shows the whole first sentence of each command."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write the table of commands."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [
            (name, command.get_short_help_str(_SENTENCE)) for name, command in commands if command
        ]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


# An application or group whose help and errors are printed without rich.
plain = partial(typer.Typer, cls=Group, rich_markup_mode=None)


class Verbs(Group):
    """The commands of `cli/verbs/`, found by the names of their modules and sorted."""

    def list_commands(self, _: Context) -> list[str]:
        """Return the names of all commands without importing them."""
        return sorted(_modules())

    def get_command(self, _: Context, cmd_name: str) -> Command | None:
        """Return a command; for an unknown name import all, so that Click can suggest one."""
        modules = _modules()
        for name in (cmd_name,) if cmd_name in modules else modules:
            if name not in self.commands:
                self.commands.update(_load(modules[name]))
        return self.commands.get(cmd_name)


def _modules() -> dict[str, str]:
    """Return the module of each command; `import_` avoids a keyword."""
    return {name.rstrip("_"): name for name in submodules(verbs.__path__)}


def _load(module: str) -> dict[str, Command]:
    alone = plain()
    import_module(f"{verbs.__name__}.{module}").register(alone)
    commands = dict(get_group(alone).commands)
    for group in [command for command in commands.values() if isinstance(command, TyperGroup)]:
        _name_arguments(group.commands.values())
    _name_arguments(commands.values())
    return commands


def _name_arguments(commands: Iterable[Command]) -> None:
    """Remove types such as `list[str]` from the names of arguments in help."""
    for command in commands:
        for parameter in command.params:
            if isinstance(parameter, TyperArgument) and parameter.metavar:
                parameter.display_type_rich = _no_type  # type: ignore[method-assign]  # of this one alone


def _no_type(ctx: Context) -> str | None:  # noqa: ARG001 - as Typer calls it
    return None


_SENTENCE = 200
