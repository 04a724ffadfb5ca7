"""Start of a server from its options: on stdio, as an ASGI app, or over HTTP."""

from __future__ import annotations

import asyncio
import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.runtime.settings import ConfigurationError
from toolspec.serving.approve_option import approval_modes, with_approvals
from toolspec.serving.audit import AuditFile
from toolspec.serving.build import check_build
from toolspec.serving.call_records import CallRecords
from toolspec.serving.environment import variable
from toolspec.serving.errors import AppError, ServeError
from toolspec.serving.handlers import ServedTools, ServeRequest, assemble
from toolspec.serving.health import Health
from toolspec.serving.in_flight import EndingRequests
from toolspec.serving.log import log_to_stderr, notice
from toolspec.serving.options import VARIABLE, Options
from toolspec.serving.package import load_package
from toolspec.serving.start_checks import check_authentication, check_requests, exposure_warning
from toolspec.serving.stores import sealing_key, with_store
from toolspec.serving.telemetry import Telemetry
from toolspec.serving.telemetry import is_on as telemetry_is_on
from toolspec.shared.records import replace

if TYPE_CHECKING:
    import socket

    from starlette.applications import Starlette

    from toolspec.serving.call_records import CallObserver
    from toolspec.serving.server import ReloadableServer
    from toolspec.serving.stdio import Responses

_log = logging.getLogger("toolspec")


def prepare(options: Options) -> ServedTools:
    """Return the registry to serve, with its store. Raises ServeError listing every problem."""
    folder = Path(options.folder)
    check_build(folder, options.build)
    package = load_package(folder, options.package)
    request = ServeRequest(
        options.handlers,
        options.services,
        options.settings,
        options.seed,
        options.mode,
        options.credentials,
        is_shared=options.transport == "http",
        upstream=options.upstream,
        private_upstream=options.private_upstream,
    )
    served = assemble(package, request)
    check_requests(served)
    return with_store(options, with_approvals(options, served))


def server_of(
    options: Options,
    served: ServedTools,
    *,
    has_tasks: bool,
    responses: Responses | None = None,
) -> ReloadableServer:
    """Return the SDK server for the registry; `responses` are those of a server on stdio.

    Raises ServeError if code or manifests have changed, or if they break the contract.
    """
    from toolspec.serving.list_changes import ListChanges
    from toolspec.serving.server import make_server

    server = make_server(
        served,
        has_tasks=has_tasks,
        responses=responses,
        key=sealing_key(options, served),
        changes=ListChanges() if options.reload else None,
        observers=observers(options),
    )
    server.in_flight.seconds = options.shutdown_timeout
    check_build(Path(options.folder), options.build)
    if options.contract:
        from toolspec.serving.guard import check_contract

        server.differences = check_contract(
            options.contract, server.listing, served.services, server.instructions or ""
        )
    return server


def run_stdio(options: Options) -> None:
    """Serve one client on this process's standard streams until it disconnects.

    The process then exits within seconds, and also after Ctrl-C: KeyboardInterrupt.
    """
    from toolspec.serving.loading import printing_to_stderr

    with printing_to_stderr():
        server, lines = prepare_stdio(options)
    for line in lines:
        notice(line)
    keep_start_objects()
    serve_stdio(server)


def prepare_stdio(options: Options) -> tuple[ReloadableServer, list[str]]:
    """Return the server, and lines for the operator. Raises ServeError."""
    from toolspec.serving.stdio import Responses

    served = prepare(options)
    server = server_of(options, served, has_tasks=True, responses=Responses())
    return server, notices(options, served, server)


def serve_stdio(server: ReloadableServer, control: socket.socket | None = None) -> None:
    """Serve the client on the standard streams; `control` has messages of a parent that replaces servers."""
    import anyio
    from mcp.server.stdio import stdio_server

    from toolspec.serving.connections import messages
    from toolspec.serving.shutdown import CANCELLED_SECONDS, Shutdown
    from toolspec.serving.stdio import ResponseStream, client_streams

    responses = server.responses
    assert responses is not None
    ending = Shutdown(server.in_flight.seconds + CANCELLED_SECONDS)

    async def announce(channel: socket.socket) -> None:
        async for message in messages(channel):
            if "retire" in message and server.changes is not None:
                await server.changes.end(is_changed=message["retire"] == "changed")

    async def run() -> None:
        loop = asyncio.get_running_loop()
        stopping = asyncio.Event()

        async def stop() -> None:
            await stopping.wait()
            await server.in_flight.end()
            await responses.written()
            ending.begin(0)  # a second time: exits now

        ending.begin_at_interrupt()
        ending.begin_at_termination(lambda: loop.call_soon_threadsafe(stopping.set))
        announcing = None if control is None else asyncio.ensure_future(announce(control))
        try:
            with client_streams(responses) as (source, target):
                async with stdio_server(source, target) as (reading, writing):
                    source.answers = stream = ResponseStream(writing, responses)
                    stopped = asyncio.ensure_future(stop())
                    try:
                        await server.run(reading, stream, server.create_initialization_options())
                    finally:
                        stopped.cancel()
                        # From here on a handler thread may hang, or the reader, which only the client
                        # can end. After Ctrl-C there is nothing to wait for.
                        ending.begin(0)
        except* BrokenPipeError:
            _log.info("the client disconnected during a response")
        finally:
            if announcing is not None:
                announcing.cancel()

    anyio.run(run)


def app() -> Starlette:
    """Return the ASGI application for the options in `TOOLSPEC_SERVE`. Raises AppError.

    For ASGI servers: `uvicorn --factory toolspec.serving.serve:app --workers 4`.
    """
    from toolspec.serving.app_options import app_options

    try:
        text = variable(os.environ, VARIABLE)
        # Removed because it may hold a key, and child processes inherit the environment.
        os.environ.pop(VARIABLE, None)
        options = app_options(text)
        log_to_stderr(options.log_level, options.log_format)
        application, _ = prepare_app(options.of_this_build())
    except ConfigurationError as problem:
        raise AppError(ServeError(problem.problems[0], problem.problems[1:])) from None
    except ServeError as fault:
        raise AppError(fault) from None
    for line in application.state.server.differences:
        notice(line)
    return application


def prepare_app(options: Options) -> tuple[Starlette, list[str]]:
    """Return the ASGI application, and lines for the operator. Raises ServeError."""
    from toolspec.serving.http_app import http_app

    options = replace(options, transport="http")
    served = prepare(options)
    check_authentication(options, served)
    server = server_of(options, served, has_tasks=options.sessions)
    app = http_app(options, served, server)
    store = served.registry.controls.store
    app.add_middleware(EndingRequests, in_flight=server.in_flight)
    app.add_middleware(
        Health,
        is_stopping=lambda: server.in_flight.is_stopping,
        checks=() if store is None else (store.check,),
    )
    return app, notices(options, served, server)


def observers(options: Options) -> tuple[CallObserver, ...]:
    """Return what sees each call of a server. Raises ServeError for an audit file that cannot be written."""
    digest = options.build[:12]
    records = CallRecords(digest, AuditFile(options.audit) if options.audit else None)
    return (records, Telemetry(digest)) if telemetry_is_on() else (records,)


def notices(options: Options, served: ServedTools, server: ReloadableServer) -> list[str]:
    """Return what an operator has to know about the served services."""
    warning = exposure_warning(options, served)
    lines = [f"warning: {warning}"] if warning else []
    lines.append(f"approval: {approval_modes(options, served.registry.controls)}")
    if options.mode:
        lines.append(f"in the mode {options.mode}")
    if served.mocked:
        lines.append(f"a mock answers for {', '.join(served.mocked)}")
    return [*lines, *server.differences]


def keep_start_objects() -> None:
    """Collect only objects of calls: those of the start live as long as the server."""
    import gc

    gc.freeze()
    gc.set_threshold(10_000, 10, 10)


def run_http(options: Options) -> None:
    """Serve over HTTP until stopped. Raises KeyboardInterrupt if stopped by Ctrl-C."""
    from toolspec.serving.connection_limits import ConnectionLimits
    from toolspec.serving.connections import listening_socket
    from toolspec.serving.web import serve

    app, lines = prepare_app(options)
    for line in lines:
        notice(line)
    keep_start_objects()
    with listening_socket(options) as listening:
        notice(f"serving {options.address}")
        serve(app, ConnectionLimits.of(options), listening)
