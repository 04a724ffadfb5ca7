"""Reference page of the commands: every verb with its arguments and options."""

from __future__ import annotations

from typing import TYPE_CHECKING

from typer.core import TyperGroup
from typer.main import get_command

from toolspec.cli.app import app
from toolspec.sinks.markdown import blocks, code, prose, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from typer._click import Command, Context

_NAME = "toolspec"


def commands_page() -> str:
    """Return the page of every verb, in the order of the help."""
    command = get_command(app)
    context = command.make_context(_NAME, [], resilient_parsing=True)
    page = blocks(
        "# Commands",
        "The output of `toolspec --help` and `toolspec VERB --help`.",
        *_sections(command, context),
    )
    return f"{page}\n"


def _sections(command: Command, context: Context) -> Iterator[str]:
    """Yield the sections of a command and its subcommands."""
    yield _section(command, context)
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            if subcommand := command.get_command(context, name):
                inner = subcommand.make_context(name, [], parent=context, resilient_parsing=True)
                yield from _sections(subcommand, inner)


def _section(command: Command, context: Context) -> str:
    usage = " ".join((context.command_path, *command.collect_usage_pieces(context)))
    records = (parameter.get_help_record(context) for parameter in command.get_params(context))
    rows = ((_shown(name), prose(about)) for name, about in filter(None, records))
    return blocks(
        f"## {code(context.command_path)}",
        code(usage),
        *(prose(paragraph) for paragraph in (command.help or "").split("\n\n")),
        table(("Word", "Meaning"), rows),
    )


def _shown(name: str) -> str:
    """Return a name and its choices as code, without bars, which a table cell cannot contain."""
    return code(name.replace("|", ", "))
