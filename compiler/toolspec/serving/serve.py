"""Start of a server from its options: on stdio, as an ASGI app, or over HTTP."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.serving.handlers import ServedTools, ServeRequest, assemble
from toolspec.serving.log import log_to_stderr
from toolspec.serving.options import VARIABLE, Options
from toolspec.serving.package import load_package
from toolspec.serving.start_checks import check_authentication, check_shared_state

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server
    from starlette.applications import Starlette

    from toolspec.serving.tasks import TaskStore

_log = logging.getLogger("toolspec")

_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound
_NO_NAME = frozenset("/*@, ")
"""Characters of URLs, patterns and lists that no host name contains."""


def prepare(options: Options) -> ServedTools:
    """Return the registry to serve. Raises ServeError listing every problem."""
    package = load_package(Path(options.folder), options.package)
    request = ServeRequest(
        options.handlers, options.services, options.settings, options.seed, options.mode
    )
    return assemble(package, request)


def server_of(options: Options, served: ServedTools, *, has_tasks: bool) -> Server[TaskStore]:
    """Return the SDK server for the registry."""
    from toolspec.serving.server import make_server

    return make_server(
        served,
        asks=options.asks,
        has_tasks=has_tasks,
        key=bytes.fromhex(options.key),
    )


def run_stdio(options: Options, served: ServedTools) -> None:
    """Serve one client on this process's standard streams until it disconnects.

    The process then exits within seconds, and also after Ctrl-C: KeyboardInterrupt.
    """
    import anyio
    from mcp.server.stdio import stdio_server

    from toolspec.serving.shutdown import LAST_SECONDS, Shutdown

    server = server_of(options, served, has_tasks=True)
    ending = Shutdown(LAST_SECONDS)

    async def run() -> None:
        ending.begin_at_interrupt()
        try:
            async with stdio_server() as (reading, writing):
                try:
                    await server.run(reading, writing, server.create_initialization_options())
                finally:
                    # From here on a handler thread may hang, or the reader, which only the client
                    # can end. After Ctrl-C there is nothing to wait for.
                    ending.begin(0)
        except* BrokenPipeError:
            _log.info("the client disconnected during a response")

    anyio.run(run)


def app() -> Starlette:
    """Return the ASGI application for the options in `TOOLSPEC_SERVE`.

    For ASGI servers: `uvicorn --factory toolspec.serving.serve:app --workers 4`.
    """
    log_to_stderr()
    # Removed because it may hold a key, and child processes inherit the environment.
    options = Options.from_text(os.environ.pop(VARIABLE, ""))
    served = prepare(options)
    check_authentication(options, served)
    if options.key:
        check_shared_state(options, served)
    return app_of(options, served)


def app_of(options: Options, served: ServedTools) -> Starlette:
    """Return an ASGI application that serves MCP at `/mcp` for clients of both eras.

    It accepts only its own address and `hosts` as host, and no pages of other origins. With a
    verifier, requests without a valid bearer token get 401.
    """
    from mcp.server.transport_security import TransportSecuritySettings

    server = server_of(options, served, has_tasks=options.sessions)
    own = () if options.host in _ANYWHERE else (options.host,)
    names = (*_LOCAL, *map(_host, (*options.hosts, *own)))
    security = TransportSecuritySettings(
        allowed_hosts=[item for name in names for item in (name, f"{name}:*")],
        allowed_origins=[
            f"{scheme}://{name}{port}"
            for name in names
            for scheme in ("http", "https")
            for port in ("", ":*")
        ],
    )
    if not options.verifier:
        return server.streamable_http_app(
            stateless_http=not options.sessions, transport_security=security
        )
    from mcp.server.auth.middleware.auth_context import AuthContextMiddleware
    from mcp.server.auth.middleware.bearer_auth import BearerAuthBackend
    from starlette.middleware.authentication import AuthenticationMiddleware

    from toolspec.serving.verifiers import find_verifier

    verifier = find_verifier(options.verifier)
    application = server.streamable_http_app(
        stateless_http=not options.sessions, transport_security=security, token_verifier=verifier
    )
    application.add_middleware(AuthContextMiddleware)
    application.add_middleware(AuthenticationMiddleware, backend=BearerAuthBackend(verifier))
    return application


def _host(name: str) -> str:
    """Return a name as in the `Host` header. Raises ServeError if it is not a host name."""
    from ipaddress import IPv6Address

    if not _NO_NAME.isdisjoint(name):
        text = f"`{name}` is not a host name: write it as in `tools.example`"
        raise ServeError(text)
    try:
        return f"[{IPv6Address(name.strip('[]'))}]"
    except ValueError:
        return name.lower()


def check_address(options: Options) -> None:
    """Return if the HTTP address is free. Raises ServeError if it is in use."""
    import socket

    family = socket.AF_INET6 if ":" in options.host else socket.AF_INET
    with socket.socket(family) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((options.host, options.port))
        except (OSError, OverflowError) as problem:
            text = f"HTTP cannot be served on {options.host}, port {options.port}: {problem}"
            raise ServeError(text) from problem


def run_http(options: Options, application: Starlette) -> None:
    """Serve an application over HTTP until stopped; several workers each prepare their own.

    Raises KeyboardInterrupt if stopped by Ctrl-C.
    """
    import uvicorn

    from toolspec.serving.web import serve

    workers = options.workers
    if workers > 1:
        os.environ[VARIABLE] = options.to_text()
    serve(
        uvicorn.Config(
            application if workers == 1 else f"{__name__}:app",
            factory=workers > 1,
            host=options.host,
            port=options.port,
            workers=workers,
            log_level="warning",
            log_config=None,
        )
    )
