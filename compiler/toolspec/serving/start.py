"""Start of the server that a command asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.serving.log import notice
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.serving.handlers import ServedTools
    from toolspec.serving.options import Options


def start(options: Options) -> None:
    """Serve until stopped. Raises ServeError if that cannot begin, KeyboardInterrupt at Ctrl-C."""
    from importlib.util import find_spec

    if find_spec("mcp") is None:
        heading = "serving needs the MCP SDK: install `toolspec-compiler[mcp]`"
        raise ServeError(heading)
    from toolspec.serving.loading import printing_to_stderr
    from toolspec.serving.log import log_to_stderr
    from toolspec.serving.serve import app_of, check_address, prepare, run_http, run_stdio
    from toolspec.serving.start_checks import check_authentication, check_shared_state

    log_to_stderr()
    options = replace(options, sessions=options.workers == 1)
    if options.workers > 1:
        import secrets

        options = replace(options, key=secrets.token_hex(32))
    with printing_to_stderr():
        served = prepare(options)
    _report(options, served)
    _keep_start_objects()
    if options.transport == "stdio":
        run_stdio(options, served)
        return
    check_authentication(options, served)
    if options.workers > 1:
        check_shared_state(options, served)
    check_address(options)
    # Create it here in any case, so that an error is printed once and not by each process.
    app = app_of(options, served)
    notice(f"serving {options.url}")
    run_http(options, app)


def _report(options: Options, served: ServedTools) -> None:
    """Print what an operator has to know about the served services."""
    from toolspec.serving.start_checks import memory_warning

    if warning := memory_warning(served):
        notice(f"warning: {warning}")
    if options.mode:
        notice(f"in the mode {options.mode}")
    if served.mocked:
        names = ", ".join(served.mocked)
        notice(f"a mock answers for {names}")


def _keep_start_objects() -> None:
    """Collect only objects of calls: those of the start live as long as the server."""
    import gc

    gc.freeze()
    gc.set_threshold(10_000, 10, 10)
