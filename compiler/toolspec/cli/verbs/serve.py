"""`toolspec serve`: serves the compiled services over MCP."""

from __future__ import annotations

import sys
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

import typer

from toolspec.cli.call_options import Mode, Seed, Settings
from toolspec.cli.exit_codes import Exit
from toolspec.cli.generated_package import generated_package, refuse
from toolspec.cli.options import not_empty

if TYPE_CHECKING:
    from toolspec.serving.options import Options


class Transport(StrEnum):
    """Transport between client and server."""

    STDIO = "stdio"
    HTTP = "http"


class Approve(StrEnum):
    """Approver of calls that need approval."""

    ASK = "ask"
    AUTO = "auto"


_Handlers = Annotated[
    list[str] | None,
    typer.Option(
        metavar="[SERVICE=]MODULE:OBJECT",
        help="Handlers: an object, class, module, dict or Registry.",
    ),
]
_Services = Annotated[
    list[str] | None,
    typer.Option("--service", metavar="NAME", help="A service to serve; repeat for several."),
]
_Transport = Annotated[Transport, typer.Option(help="Transport of the server.")]
_Host = Annotated[
    str,
    typer.Option(callback=not_empty, metavar="HOST", help="Address to bind for HTTP."),
]
_Port = Annotated[
    int, typer.Option(min=1, max=65535, metavar="PORT", help="Port to bind for HTTP.")
]
_Hosts = Annotated[
    list[str] | None,
    typer.Option(
        "--allow-host",
        metavar="HOST",
        callback=not_empty,
        help="Host name that HTTP clients may use.",
    ),
]
_Workers = Annotated[
    int,
    typer.Option(
        min=1, metavar="N", help="Number of HTTP processes; with several, no sessions and tasks."
    ),
]
_Approve = Annotated[
    Approve, typer.Option(help="Ask the user of the client for approval, or approve every call.")
]
_Verifier = Annotated[
    str | None,
    typer.Option(
        metavar="MODULE:OBJECT",
        callback=not_empty,
        help="Function that verifies bearer tokens.",
    ),
]

_NoAuth = Annotated[
    bool,
    typer.Option(
        "--no-auth", help="Serve tools with scopes or per-user credentials without authentication."
    ),
]

_OF_HTTP = {
    "host": "--host",
    "port": "--port",
    "hosts": "--allow-host",
    "workers": "--workers",
    "verifier": "--verifier",
    "no_auth": "--no-auth",
}
"""Parameters that apply only to HTTP, with their options."""


def register(app: typer.Typer) -> None:
    """Add the command to the application."""
    app.command("serve")(serve)


def serve(
    context: typer.Context,
    *,
    handlers: _Handlers = None,
    services: _Services = None,
    transport: _Transport = Transport.STDIO,
    host: _Host = "127.0.0.1",
    port: _Port = 8000,
    hosts: _Hosts = None,
    workers: _Workers = 1,
    settings: Settings = None,
    mode: Mode = None,
    approve: _Approve = Approve.ASK,
    verifier: _Verifier = None,
    no_auth: _NoAuth = False,
    seed: Seed = 0,
) -> None:
    """Serve the compiled services to MCP clients, of 2025-11-25 and of 2026-07-28.

    Without handlers every service is a mock that answers from its examples. Handlers are imported
    from the current folder. Environment variables set single settings: TOOLSPEC_<SERVICE>_<SETTING>, so
    TOOLSPEC_GITHUB_BASE_URL is `baseUrl` of `github`.
    """
    _check_options(context, transport)
    folder, package = generated_package()
    _start(
        {
            "folder": str(folder),
            "package": package,
            "handlers": tuple(handlers or ()),
            "services": tuple(services or ()),
            "settings": settings or "",
            "seed": seed,
            "mode": mode or "",
            "asks": approve is Approve.ASK,
            "verifier": verifier or "",
            "no_auth": no_auth,
            "host": host,
            "port": port,
            "hosts": tuple(hosts or ()),
            "sessions": workers == 1,
        },
        transport,
        workers,
    )


def _check_options(context: typer.Context, transport: Transport) -> None:
    """Exit with an error for an option that only HTTP has, such as a verifier."""
    sources = {option: context.get_parameter_source(name) for name, option in _OF_HTTP.items()}
    used = [option for option, source in sources.items() if source and source.name == "COMMANDLINE"]
    if used and transport is Transport.STDIO:
        refuse((f"only with --transport http: {', '.join(used)}",))
    if {"--verifier", "--no-auth"} <= set(used):
        refuse(("--verifier and --no-auth exclude each other",))


def _start(settings: dict[str, Any], transport: Transport, workers: int) -> None:
    from importlib.util import find_spec

    from toolspec.serving.errors import ServeError
    from toolspec.serving.options import Options

    if find_spec("mcp") is None:
        refuse(("serving needs the MCP SDK: install `toolspec-compiler[mcp]`",))
    try:
        _run(Options(**settings), transport, workers)
    except ServeError as fault:
        refuse(fault.lines)
    except KeyboardInterrupt:
        raise typer.Exit(Exit.INTERRUPTED) from None


def _run(options: Options, transport: Transport, workers: int) -> None:
    import gc

    from toolspec.serving.loading import printing_to_stderr
    from toolspec.serving.log import log_to_stderr
    from toolspec.serving.serve import app_of, check_address, prepare, run_http, run_stdio
    from toolspec.serving.start_checks import (
        check_authentication,
        check_shared_state,
        memory_warning,
    )
    from toolspec.shared.records import replace

    log_to_stderr()
    if workers > 1:
        import secrets

        options = replace(options, key=secrets.token_hex(32))
    with printing_to_stderr():
        served = prepare(options)
    if warning := memory_warning(served):
        print(f"toolspec: warning: {warning}", file=sys.stderr)
    # Objects of the start live as long as the server; collect only those of calls.
    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
    if options.mode:
        print(f"toolspec: in the mode {options.mode}", file=sys.stderr)
    if served.mocked:
        names = ", ".join(served.mocked)
        print(f"toolspec: a mock answers for {names}", file=sys.stderr)
    if transport is Transport.STDIO:
        run_stdio(options, served)
        return
    check_authentication(options, served)
    if workers > 1:
        check_shared_state(options, served)
    check_address(options)
    # Create it here in any case, so that an error is printed once and not by each process.
    app = app_of(options, served)
    print(f"toolspec: serving {_address(options)}", file=sys.stderr)
    run_http(options, app, workers)


def _address(options: Options) -> str:
    host = f"[{options.host}]" if ":" in options.host else options.host
    return f"http://{host}:{options.port}/mcp"
