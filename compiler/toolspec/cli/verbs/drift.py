"""`toolspec drift`: compares what a running server lists with the contract."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from toolspec.cli import comparing, console, options
from toolspec.cli.call_options import Timeout
from toolspec.cli.change_selection import IgnoreOption, SelectOption, ToolOption, selection_of
from toolspec.cli.comparing import read_or_exit
from toolspec.cli.exit_codes import Exit
from toolspec.cli.mcp_server import mcp_server
from toolspec.reports.changes import Form
from toolspec.shared.lists import WireList

if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonObject

_LEGACY = "2025-11-25"


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("drift")(drift)


def drift(
    against: Annotated[
        str | None,
        typer.Argument(
            metavar="AGAINST",
            help="A contract, a folder of specs, a tools/list dump, or a git revision; default: the "
            "contract of the project.",
            show_default=False,
        ),
    ] = None,
    *,
    url: Annotated[
        str | None,
        typer.Option(
            metavar="URL",
            callback=options.not_empty,
            help="The MCP server at this address.",
        ),
    ] = None,
    stdio: Annotated[
        str | None,
        typer.Option(
            metavar="COMMAND",
            callback=options.not_empty,
            help="The MCP server that this command starts.",
        ),
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(
            "--save",
            metavar="FILE",
            callback=options.not_empty,
            help="Write what the server lists, to compare it later.",
        ),
    ] = None,
    timeout: Timeout = 300.0,
    fail_on: comparing.FailOnOption = None,
    audience: comparing.AudienceOption = None,
    readers: comparing.ReadersOption = None,
    select: SelectOption = None,
    ignore: IgnoreOption = None,
    tool: ToolOption = None,
    today: options.TodayOption = None,
    form: comparing.FormOption = Form.TEXT,
) -> None:
    """Compare what a running MCP server lists with the contract, with specs, or with an earlier list.

    Reads the list for clients of both eras. TOOLSPEC_TOKEN, or the file that TOOLSPEC_TOKEN_FILE names,
    is the bearer token for --url. Exits 0 without a change at or above --fail-on, 1 with
    one, 2 if the server or AGAINST cannot be read.
    """
    from toolspec.changes.contract import ContractError
    from toolspec.driver.contract.drift import (
        judge_drift,
        project_contract,
        read_promise,
        served_reading,
    )

    selection = selection_of(select, ignore, tool)
    if (url is None) == (stdio is None):
        raise typer.Exit(console.usage_error("choose one server: --url URL or --stdio COMMAND"))
    word = against or project_contract()
    if not word and save is None:
        problem = "name a version to compare with, or record a contract with `toolspec accept`"
        raise typer.Exit(console.usage_error(problem))
    promise = read_or_exit(word, read_promise(word)) if word else None
    dumps = _dumps(url, stdio, timeout or None)
    if save is not None:
        _save(save, dumps[0])
    if promise is None:
        return
    lists = [WireList.of_dump(dump) for dump in dumps]
    served = served_reading(lists)
    policy = comparing.stated_policy(served, fail_on, audience, readers)
    try:
        judgement = judge_drift(promise, lists, policy, options.day_of(today), selection)
    except ContractError as error:
        raise typer.Exit(console.usage_error(str(error))) from None
    except RecursionError:
        problem = "the list of the server cannot be compared: it is nested too deeply"
        raise typer.Exit(console.usage_error(problem)) from None
    comparing.report_judgement(judgement, policy, promise.reading, served, form)


def _dumps(url: str | None, stdio: str | None, timeout: float | None) -> list[JsonObject]:
    """Return the lists of a server for clients of both eras, the newest first; exit if it has none."""
    import asyncio

    from toolspec.runtime.errors import ToolError

    async def read(mode: str) -> JsonObject:
        async with mcp_server(url, stdio, timeout, mode=mode) as transport:
            return await transport.read_list()

    try:
        dumps = [asyncio.run(read("auto"))]
    except ToolError as error:
        raise typer.Exit(console.usage_error(error.message)) from None
    if dumps[0]["protocolVersion"] != _LEGACY:
        try:
            dumps.append(asyncio.run(read("legacy")))
        except ToolError as error:
            console.complain(f"not compared for clients of {_LEGACY}: {error.message}")
    return dumps


def _save(path: str, dump: JsonObject) -> None:
    from toolspec.cli.report_options import ReportOptions
    from toolspec.driver.report_files import write_report

    if problems := write_report(path, f"{json.dumps(dump, indent=2)}\n"):
        ReportOptions().report(problems)
        raise typer.Exit(Exit.USAGE)
