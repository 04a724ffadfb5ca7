"""The process that a test starts for a run of `forkserver.py`; it imports next to nothing."""

from __future__ import annotations

import _signal
import _socket
import marshal
import os
import struct
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

HERE = os.path.dirname(os.path.realpath(sys.argv[0]))  # noqa: PTH120 - pathlib is slow to import
COMMAND = os.path.join(os.path.dirname(sys.executable), "toolspec")  # noqa: PTH118, PTH120
# What an interpreter reads as it starts, or the compiler as it is imported.
TAKEN_OVER = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH", "PYTHONUNBUFFERED")  # by the server
READ_AT_START = ("PYTHON", "LANG", "LC_", "TZ", "TOOLSPEC_VALIDATOR")


def at_start(environment: Mapping[str, str]) -> dict[str, str]:
    return {
        key: value
        for key, value in environment.items()
        if key.startswith(READ_AT_START) and key not in TAKEN_OVER
    }


def is_like_server() -> bool:
    with open(f"{HERE}/environment", "rb") as environment:  # noqa: PTH123
        server = marshal.load(environment)  # noqa: S302 - written by forkserver.py
    try:
        for stream in range(3):
            os.fstat(stream)
    except OSError:  # a closed one
        return False
    return at_start(server) == at_start(os.environ)


def run() -> None:
    umask = os.umask(0)
    os.umask(umask)
    request = marshal.dumps((sys.argv[1:], os.getcwd(), dict(os.environ), umask))  # noqa: PTH109
    server = _socket.socket(_socket.AF_UNIX)
    server.connect(f"{HERE}/socket")
    streams = (_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack("3i", 0, 1, 2))
    message = struct.pack("I", len(request)) + request
    sent = server.sendmsg([message], [streams])
    if sent < len(message):  # a run may have ended already, and even an empty send would fail then
        server.sendall(message[sent:])
    for number in (_signal.SIGINT, _signal.SIGTERM, _signal.SIGHUP, _signal.SIGUSR1):
        _signal.signal(number, lambda number, _: server.send(bytes([number])))
    for stream in range(3):  # whoever reads or writes the other end waits for the run alone
        os.close(stream)
    answer = server.recv(4)
    if not answer:
        os._exit(70)
    (status,) = struct.unpack("i", answer)
    if status < 0:
        _signal.signal(-status, _signal.SIG_DFL)
        os.kill(os.getpid(), -status)
    os._exit(status)


if is_like_server():
    run()
os.execv(COMMAND, [COMMAND, *sys.argv[1:]])  # noqa: S606
