"""Connection of a verb to the running MCP server that its options name."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import typer

from toolspec.cli import console
from toolspec.cli.exit_codes import Exit
from toolspec.cli.generated_package import refuse

if TYPE_CHECKING:
    from toolspec.runtime.callbacks import ClientCallbacks
    from toolspec.serving.client import McpTransport
    from toolspec.syntax.nodes import JsonObject

TOKEN = "TOOLSPEC_TOKEN"  # noqa: S105 - the name of a variable
"""Variable with the bearer token of servers at a URL; `TOOLSPEC_TOKEN_FILE` names a file with it."""


def mcp_server(
    url: str | None,
    stdio: str | None,
    timeout: float | None,
    callbacks: ClientCallbacks | None = None,
    mode: str = "auto",
) -> McpTransport:
    """Return the connection to a URL, or to the server that a command starts on stdio.

    The token in the environment goes to the URL alone. Exits with a usage error without the MCP
    SDK, for an invalid command, and for a token that cannot be read or sent.
    """
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        refuse(("MCP servers are called with the MCP SDK: install `toolspec-compiler[mcp]`",))
    from toolspec.serving.client import McpTransport
    from toolspec.serving.log import log_server_messages

    log_server_messages()
    if url:
        return McpTransport(url, mode=mode, timeout=timeout, callbacks=callbacks, token=_token())
    import shlex

    from mcp import StdioServerParameters

    try:
        command, *rest = shlex.split(stdio or "")
    except ValueError as problem:
        refuse((f"--stdio is not a command: {problem}",))
    environment = dict(os.environ)
    for name in (TOKEN, f"{TOKEN}_FILE"):
        environment.pop(name, None)
    started = StdioServerParameters(command=command, args=rest, env=environment)
    return McpTransport(started, mode=mode, timeout=timeout, callbacks=callbacks)


def read_list(url: str | None, stdio: str | None, timeout: float | None) -> JsonObject:
    """Return the whole list of a server's tools, as it was sent, with what it says of itself.

    Exits with an error if the server cannot be reached or does not answer.
    """
    import asyncio

    if bool(url) is bool(stdio):
        refuse(("choose one: --url or --stdio",))
    server = mcp_server(url, stdio, timeout)

    async def read() -> JsonObject:
        async with server:
            return await server.read_list()

    from toolspec.runtime.errors import ToolError

    try:
        return asyncio.run(read())
    except ToolError as error:
        console.complain(str(error))
        raise typer.Exit(Exit.DIAGNOSTICS) from None


def _token() -> str:
    from toolspec.runtime.settings import ConfigurationError
    from toolspec.serving.environment import variable

    try:
        token = variable(os.environ, TOKEN)
    except ConfigurationError as problem:
        refuse(problem.problems)
    if not (token.isascii() and token.isprintable()):
        refuse((f"the token in `{TOKEN}` has characters that no HTTP header can carry",))
    return token
