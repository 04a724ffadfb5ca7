"""`toolspec serve`: serves the compiled services over MCP."""

from __future__ import annotations

import inspect
import os
import sys
from contextlib import contextmanager, nullcontext
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolspec.cli.exit_codes import Exit
from toolspec.cli.generated_package import (
    generated_package,
    project_approval,
    project_store,
    refuse,
)
from toolspec.cli.options import not_empty
from toolspec.serving.command_options import COMMAND_OPTIONS, CommandOption, options_from
from toolspec.serving.errors import ServeError
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def register(app: typer.Typer) -> None:
    """Add the command to the application, with the options of the table."""
    command: Callable[..., None] = serve
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        inspect.Parameter("context", keyword, annotation=typer.Context),
        *map(_parameter, COMMAND_OPTIONS),
    ]
    vars(command)["__signature__"] = inspect.Signature(parameters)
    command.__annotations__ = {item.name: item.annotation for item in parameters}
    app.command("serve")(command)


def serve(context: typer.Context, **values: Any) -> None:
    """Serve the compiled services to MCP clients, of 2025-11-25 and of 2026-07-28.

    Without handlers every service is a mock that answers from its examples. Handlers are imported
    from the current folder. Environment variables set single settings: TOOLSPEC_<SERVICE>_<SETTING>, so
    TOOLSPEC_GITHUB_BASE_URL is `baseUrl` of `github`.
    """
    sources = {name: context.get_parameter_source(name) for name in values}
    stated = {name for name, source in sources.items() if source and source.name == "COMMANDLINE"}
    try:
        folder, package = generated_package()
        from toolspec.serving.stores import stated_store

        values["store"] = stated_store(values["store"] or "", os.environ, project_store())
        options = options_from(str(folder), package, values, frozenset(stated))
        options = replace(options, approve_tiers=project_approval())

        from toolspec.serving.start import start

        with _compiling() if options.reload else nullcontext():
            start(options)
    except ServeError as fault:
        refuse(fault.lines)
    except KeyboardInterrupt:
        raise typer.Exit(Exit.INTERRUPTED) from None


@contextmanager
def _compiling() -> Iterator[None]:
    """Compile now, and after every change in a child process, which ends even if this one is killed."""
    import subprocess

    python = (sys.executable, "-P", "-m")
    command = (*python, "toolspec", "compile")
    # Its report goes to stderr: stdout may be the client's. After an error the last build is served.
    subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)  # noqa: S603 - this command
    watching = (*python, "toolspec.cli.child", "compile", "--watch")
    with subprocess.Popen(  # noqa: S603 - this command
        watching, stdin=subprocess.PIPE, stdout=sys.stderr
    ) as compiling:
        try:
            yield
        finally:
            compiling.terminate()


def _parameter(option: CommandOption) -> inspect.Parameter:
    """Return an option as a parameter that Typer understands."""
    annotation: Any = type(option.default)
    default: object = option.default
    if option.choices:
        members = {item.upper(): item for item in option.choices}
        annotation = StrEnum(option.name.title(), members)  # type: ignore[misc, no-redef]  # from the table
        default = annotation(default)
    elif option.repeated:
        annotation, default = list[str] | None, None
    elif annotation is str:
        annotation, default = str | None, default or None
    declared = typer.Option(
        option.words,
        metavar=option.metavar or None,
        help=option.help,
        callback=not_empty if option.is_text else None,
        min=option.minimum,
        max=option.maximum,
    )
    return inspect.Parameter(
        option.name,
        inspect.Parameter.KEYWORD_ONLY,
        default=default,
        annotation=Annotated[annotation, declared],
    )
