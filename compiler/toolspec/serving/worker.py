"""A worker process of an HTTP server: `python -m toolspec.serving.worker CONTROL CONNECTIONS`.

The arguments are descriptors of sockets to the supervisor (`workers.py`), for messages and for
connections. On stdio the second one is the client.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.serving.fresh_code import FreshCode
from toolspec.serving.log import log_to_stderr
from toolspec.serving.options import Options
from toolspec.serving.sessions import SessionNames, SessionRouter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_REFUSED = 2
_STANDARD = (0, 1)


def main(arguments: Sequence[str]) -> int:
    """Serve the connections that the supervisor passes until it ends; return the exit status."""
    signal.signal(signal.SIGINT, lambda *_: None)  # the supervisor decides what a Ctrl-C ends
    control, passing = (socket.socket(fileno=int(argument)) for argument in arguments)
    with control.makefile("rb", buffering=0) as messages:
        first = json.loads(messages.readline())

    def report(message: dict[str, Any]) -> None:
        with suppress(OSError):  # the supervisor has ended, which is noticed elsewhere
            control.sendall(json.dumps(message).encode() + b"\n")

    options = Options.from_text(first["options"])
    log_to_stderr(options.log_level, options.log_format)
    code = FreshCode()
    try:
        from toolspec.serving import serve
        from toolspec.serving.connection_limits import ConnectionLimits
        from toolspec.serving.server import ReloadableServer
        from toolspec.serving.web import serve_passed

        if options.reload:
            code.install()
        is_stdio = options.transport == "stdio"
        made, notices = (serve.prepare_stdio if is_stdio else serve.prepare_app)(options)
    except ServeError as fault:
        report({"refused": fault.lines, "files": code.files})
        return _REFUSED
    serve.keep_start_objects()
    ready = {"notices": notices, "files": code.files}
    if isinstance(made, ReloadableServer):
        for stream in _STANDARD:
            os.dup2(passing.fileno(), stream)
        passing.close()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        report(ready)
        serve.serve_stdio(made, control)
        return 0

    def pass_on(session: dict[str, str]) -> None:
        report({"session": session})

    names = SessionNames(bytes.fromhex(options.key), first["name"])
    limits = ConnectionLimits.of(options)

    def count(word: bytes) -> None:
        with suppress(OSError):
            passing.send(word)

    router = SessionRouter(made, names, first["folder"], count, pass_on if options.reload else None)
    application = made.state.server
    serve_passed(router, limits, application, (control, passing), lambda: report(ready))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
