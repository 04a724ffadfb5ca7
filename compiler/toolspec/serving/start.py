"""Start of the server that a command asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.serving.options import Options


def start(options: Options) -> None:
    """Serve until stopped.

    Raises ServeError if that cannot begin, KeyboardInterrupt after Ctrl-C. SIGTERM ends the process, or
    raises SystemExit.
    """
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        heading = "serving needs the MCP SDK: install `toolspec-runtime[mcp]`"
        raise ServeError(heading)
    from toolspec.serving.log import log_to_stderr

    log_to_stderr(options.log_level, options.log_format)
    options = replace(options.of_this_build(), sessions=True)
    if options.transport == "stdio" and options.reload:
        import asyncio

        from toolspec.serving.stdio_relay import StdioRelay

        asyncio.run(StdioRelay(options).run())
        return
    if options.workers > 1 or options.reload or options.replica:
        from toolspec.serving.workers import serve_with_workers

        serve_with_workers(options)
        return
    from toolspec.serving.serve import run_http, run_stdio

    run_stdio(options) if options.transport == "stdio" else run_http(options)
