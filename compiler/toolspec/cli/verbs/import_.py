"""`toolspec import KIND FILE…`: converts foreign catalogs to service documents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import call_options, console, groups, options
from toolspec.cli.exit_codes import Exit
from toolspec.cli.mcp_server import read_list
from toolspec.cli.report_options import ReportOptions
from toolspec.diagnostics import Checked, Diagnostic, Severity
from toolspec.driver import imports
from toolspec.driver.imports import Destination, ImportedDocument
from toolspec.importers.dump import Dump, Origin, read_dump
from toolspec.importers.function_lists import PROVIDERS, read_functions
from toolspec.importers.openapi.selection import Group
from toolspec.importers.strict_nulls import StrictNulls
from toolspec.sinks.terminal import printable
from toolspec.syntax.nodes import Document

if TYPE_CHECKING:
    from typer._click import Command, Context

To = Annotated[
    Path,
    typer.Option("--to", metavar="DIR", help="Output folder, with one document for each file."),
]
Folder = Annotated[Path, typer.Option("--to", metavar="DIR", help="Output folder.")]
Name = Annotated[
    str | None,
    typer.Option("--name", metavar="NAME", help="Name of the service; only with a single file."),
]
KeepNames = Annotated[
    bool,
    typer.Option("--keep-names", help="Keep the public names of the tools: `names: as-written`."),
]
Force = Annotated[bool, typer.Option("--force", help="Replace existing documents.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="Show each note with its location in the list.")
]

# Guesses about single tools, which a person decides.
_TO_REVIEW = frozenset({"import/effect-guessed", "import/short-name"})
_SHOWN = 10


class _Kinds(groups.Group):
    """The kinds of catalogs, which an error lists for a file in place of one."""

    def resolve_command(
        self, ctx: Context, args: list[str]
    ) -> tuple[str | None, Command | None, list[str]]:
        """Return the command of the arguments. Exits with an error where there is none."""
        given = args[0]
        if self.get_command(ctx, given) is None and (Path(given).suffix or Path(given).exists()):
            kinds = ", ".join(f"`{name}`" for name in self.list_commands(ctx))
            ctx.fail(
                f"{given!r} is no kind of catalog: name one before the file, as in "
                f"`toolspec import openapi FILE`. Kinds: {kinds}."
            )
        return super().resolve_command(ctx, args)


def register(app: typer.Typer) -> None:
    """Add the command and its kinds to the application."""
    group = groups.plain(
        cls=_Kinds, help="Convert a foreign catalog to commented service documents."
    )
    group.command("mcp-tools")(mcp_tools)
    group.command("mcp")(mcp)
    group.command("openai")(openai)
    for provider in PROVIDERS:
        if provider != "openai":
            group.command(provider)(_functions(provider))
    group.command("nao")(nao)
    group.command("openapi")(openapi)
    app.add_typer(group, name="import", no_args_is_help=True)


def mcp_tools(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="`tools/list` results, or files of tools.")
    ],
    *,
    to: To,
    name: Name = None,
    keep_names: KeepNames = False,
    force: Force = False,
    form: options.FormatOption = None,
    verbose: Verbose = False,
) -> None:
    """Import tools/list dumps, one document each, and report what was guessed, changed or dropped."""
    destination = Destination(to, name, keep_names, force)
    _import_files(files, destination, read_dump, form, verbose=verbose)


def mcp(
    *,
    to: Folder,
    url: Annotated[
        str | None, typer.Option("--url", metavar="URL", help="Address of the server.")
    ] = None,
    stdio: Annotated[
        str | None,
        typer.Option("--stdio", metavar="COMMAND", help="Command that starts the server on stdio."),
    ] = None,
    timeout: call_options.Timeout = 300.0,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Name of the service; default: the server's."),
    ] = None,
    keep_names: KeepNames = False,
    force: Force = False,
    form: options.FormatOption = None,
    verbose: Verbose = False,
) -> None:
    """Import the tools of a running MCP server, whose hints are marked as its claims.

    TOOLSPEC_TOKEN, or the file that TOOLSPEC_TOKEN_FILE names, is the bearer token for --url.
    """
    report_options = options.report_options_of(form, verbose=verbose)
    listed = read_list(url, stdio, timeout or None)
    destination = Destination(to, name, keep_names, force)
    origin = Origin.of_server(url, stdio or "")
    _report(imports.import_server(listed, origin, destination), report_options)


def openai(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE", help="Tools of Responses or Chat Completions, or requests with them."
        ),
    ],
    *,
    to: To,
    strict_nulls: Annotated[
        StrictNulls,
        typer.Option(
            "--strict-nulls",
            help="Meaning of null in strict schemas: the property may be missing (optional), null is a"
            " value (required), or both (nullable).",
        ),
    ] = StrictNulls.OPTIONAL,
    name: Name = None,
    keep_names: KeepNames = False,
    force: Force = False,
    form: options.FormatOption = None,
    verbose: Verbose = False,
) -> None:
    """Import tools of OpenAI, strict or not, and report what was guessed, changed or dropped."""
    _import_files(
        files,
        Destination(to, name, keep_names, force),
        lambda document: read_functions(document, "openai", strict_nulls),
        form,
        verbose=verbose,
    )


def nao(
    files: Annotated[list[Path], typer.Argument(metavar="FILE", help="JSON tool files of Nao.")],
    *,
    to: Folder,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="Name of the service; default: the folder's."),
    ] = None,
    keep_names: KeepNames = False,
    force: Force = False,
    form: options.FormatOption = None,
    verbose: Verbose = False,
) -> None:
    """Import the tool files of a Nao workspace as one service, and report what handlers have to do."""
    report_options = options.report_options_of(form, verbose=verbose)
    destination = Destination(to, name, keep_names, force)
    _report(imports.import_nao(files, destination), report_options)


def _functions(provider: str) -> Callable[..., None]:
    """Return the command that imports the lists of a provider."""

    def functions(
        files: Annotated[
            list[Path],
            typer.Argument(metavar="FILE", help="Lists of tools, or requests with them."),
        ],
        *,
        to: To,
        name: Name = None,
        keep_names: KeepNames = False,
        force: Force = False,
        form: options.FormatOption = None,
        verbose: Verbose = False,
    ) -> None:
        _import_files(
            files,
            Destination(to, name, keep_names, force),
            lambda document: read_functions(document, provider),
            form,
            verbose=verbose,
        )

    functions.__doc__ = (
        f"Import tools of {provider.capitalize()}, and report what was guessed, changed or dropped."
    )
    return functions


def _import_files(
    files: list[Path],
    destination: Destination,
    read: Callable[[Document], Checked[Dump | None]],
    form: list[str] | None,
    *,
    verbose: bool,
) -> None:
    if destination.service and len(files) > 1:
        console.complain("--name requires a single file")
        raise typer.Exit(Exit.USAGE)
    report_options = options.report_options_of(form, verbose=verbose)
    done = imports.import_files(files, destination, read)
    _report(done, report_options)


def openapi(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE",
            help="OpenAPI documents, or MODULE:APP of FastAPI, which imports and so runs the module.",
        ),
    ],
    *,
    to: Annotated[Path, typer.Option("--to", metavar="DIR", help="Output folder.")],
    name: Annotated[
        str | None,
        typer.Option(
            "--name", metavar="NAME", help="Name of the service; of several its beginning."
        ),
    ] = None,
    group: Annotated[
        Group,
        typer.Option("--group", help="A service for each first tag, first word of a path, or one."),
    ] = Group.ONE,
    include: Annotated[
        list[str] | None,
        typer.Option(
            "--include",
            metavar="PATTERN",
            help="Import only these: `tag:TAG`, a path such as `/pets*`, or an operationId. Repeatable.",
        ),
    ] = None,
    exclude: Annotated[
        list[str] | None,
        typer.Option("--exclude", metavar="PATTERN", help="Leave these out, in the same form."),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option(
            "--rule",
            metavar="RULE",
            help="METHODS PATH EFFECTS: `POST /search* read`. Effects: read, write, destructive, "
            "idempotent, skip. The first that matches wins. Repeatable.",
        ),
    ] = None,
    files: Annotated[
        str,
        typer.Option(
            "--files",
            metavar="PATTERN",
            help="Take paths of files that match, and read them with a permission, in place of base64.",
        ),
    ] = "",
    update: Annotated[
        bool,
        typer.Option(
            "--update", help="Merge changes of the API into the documents; your edits stay."
        ),
    ] = False,
    force: Force = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Report what would be imported, and write nothing.")
    ] = False,
    form: options.FormatOption = None,
    verbose: Verbose = False,
) -> None:
    """Import OpenAPI 3 documents: a tool for each operation, with the request that calls it."""
    from toolspec.driver.openapi_imports import Writing, import_openapi_files
    from toolspec.importers.openapi.selection import Selection, read_rules
    from toolspec.importers.openapi.services import OpenApiOptions

    if name and len(sources) > 1:
        console.complain("--name requires a single file")
        raise typer.Exit(Exit.USAGE)
    if update and force:
        console.complain("--update keeps edits, and --force replaces them: choose one")
        raise typer.Exit(Exit.USAGE)
    rules = read_rules(rule or ())
    report_options = options.report_options_of(form, verbose=verbose)
    if rules.diagnostics:
        report_options.report(rules.diagnostics)
        raise typer.Exit(Exit.USAGE)
    selection = Selection(tuple(include or ()), tuple(exclude or ()), rules.value)
    writing = Writing.UPDATE if update else Writing.REPLACE if force else Writing.CREATE
    done = import_openapi_files(
        sources,
        to,
        OpenApiOptions(name or "", group, selection, files),
        writing,
        is_dry_run=dry_run,
    )
    _report(done, report_options, is_dry_run=dry_run)


def _report(
    done: Checked[tuple[ImportedDocument, ...]],
    report_options: ReportOptions,
    *,
    is_dry_run: bool = False,
) -> None:
    """Report what an import did, and exit with its status."""
    is_brief = report_options.is_text and not report_options.verbose
    shown = [d for d in done.diagnostics if not is_brief or d.severity is not Severity.NOTE]
    diagnostics = report_options.report(tuple(shown))
    if report_options.is_text:
        _summarise(done.value, done.diagnostics if is_brief else ())
        if is_dry_run:
            console.say("\nNothing was written.")
    raise typer.Exit(report_options.status(diagnostics))


def _summarise(documents: Iterable[ImportedDocument], diagnostics: Sequence[Diagnostic]) -> None:
    """Print the written documents, and the number of notes of each kind."""
    for document in documents:
        console.say(f"{document.path}: {console.count(document.tools, 'tool')}")
    notes = Counter(
        diagnostic.code for diagnostic in diagnostics if diagnostic.severity is Severity.NOTE
    )
    if notes:
        console.say("\nGuessed or changed (comments in the documents mark where; -v lists all):")
    for code, times in sorted(notes.items()):
        console.say(f"  {times:>5} × {code}")
    review = [diagnostic.message for diagnostic in diagnostics if diagnostic.code in _TO_REVIEW]
    if review:
        console.say("\nGuesses to review (search for `review` in the documents):")
    for message in review[:_SHOWN]:
        console.say(f"  {printable(message)}")
    if len(review) > _SHOWN:
        console.say(f"  … and {len(review) - _SHOWN} more: -v lists all")
