"""A worker process of an HTTP server: `python -m toolspec.serving.worker CONTROL CONNECTIONS`.

The arguments are descriptors of sockets to the supervisor (`workers.py`), for messages and for
connections.
"""

from __future__ import annotations

import json
import socket
import sys
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.serving.log import log_to_stderr
from toolspec.serving.options import Options
from toolspec.serving.sessions import SessionNames, SessionRouter

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

_REFUSED = 2


def main(arguments: Sequence[str]) -> int:
    """Serve the connections that the supervisor passes until it ends; return the exit status."""
    control, passing = (socket.socket(fileno=int(argument)) for argument in arguments)
    with control.makefile("rb", buffering=0) as messages:
        first = json.loads(messages.readline())

    def report(message: dict[str, Any]) -> None:
        control.sendall(json.dumps(message).encode() + b"\n")

    log_to_stderr()
    try:
        from toolspec.serving.serve import keep_start_objects, prepare_app

        options = Options.from_text(first["options"])
        app, notices = prepare_app(options)
    except ServeError as fault:
        report({"refused": fault.lines})
        return _REFUSED
    keep_start_objects()

    from toolspec.serving.connection_limits import ConnectionLimits
    from toolspec.serving.web import serve_passed

    limits = ConnectionLimits.of(options)
    names = SessionNames(bytes.fromhex(options.key), first["name"])
    router = SessionRouter(app, names, first["folder"])
    serve_passed(router, limits, control, passing, lambda: report({"notices": notices}))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
