"""A compile in a forked child that is killed, or refused by the disk, at its n-th mutating call.

Calls are seen by an audit hook, so that none can be forgotten; `write` and `fsync`, which have no audit
event, are wrapped. A write that is hit has put half of its bytes on the disk.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Any

from toolspec.diagnostics import Diagnostic

_EVENTS = {
    *("os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate"),
    *("os.chmod", "os.chown", "os.utime", "os.setxattr"),
}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
_TRACEBACK = 70

Work = Callable[[], Iterable[Diagnostic]]


class Fault(Enum):
    """What happens at the chosen call."""

    NONE = "none"
    KILL = "killed"
    EIO = "one input/output error"
    EACCES = "one refused permission"
    FULL = "a disk that is full from then on"


@dataclass
class Outcome:
    """How the child ended: its status (negative: a signal), the codes it reported, the calls it made."""

    status: int
    codes: tuple[str, ...]
    calls: int
    text: str = ""


class Disk:
    """Counts the mutating calls of this process and strikes at one of them."""

    def __init__(self, fault: Fault, at: int) -> None:
        self.fault, self.at, self.calls = fault, at, 0
        self.is_armed = False
        self._write, self._fsync = os.write, os.fsync

    def arm(self) -> None:
        os.write, os.fsync = self.write, self.fsync
        sys.addaudithook(self._hook)
        self.is_armed = True

    def write(self, descriptor: int, data: Any) -> int:
        if self._is_hit(grows=True):
            self._write(descriptor, bytes(data)[: len(data) // 2])
            self._strike()
        return self._write(descriptor, data)

    def fsync(self, descriptor: int) -> None:
        if self._is_hit(grows=True):
            self._strike()

    def _hook(self, event: str, arguments: tuple[Any, ...]) -> None:
        if not self.is_armed:
            return
        is_open = event == "open" and bool(arguments[2] & _WRITING)
        if (event in _EVENTS or is_open) and self._is_hit(grows=is_open or event == "os.mkdir"):
            self._strike()

    def _is_hit(self, *, grows: bool) -> bool:
        self.calls += 1
        if self.fault is Fault.FULL:
            return grows and self.calls >= self.at
        return self.fault is not Fault.NONE and self.calls == self.at

    def _strike(self) -> None:
        if self.fault is Fault.KILL:
            os.kill(os.getpid(), signal.SIGKILL)
        number = {Fault.EIO: errno.EIO, Fault.EACCES: errno.EACCES}.get(self.fault, errno.ENOSPC)
        raise OSError(number, os.strerror(number))


def run(work: Work, fault: Fault = Fault.NONE, at: int = 0) -> Outcome:
    """Do some work in a child with a fault; an exception there is status 70."""
    readable, writable = os.pipe()
    child = os.fork()
    if not child:
        _be_child(work, Disk(fault, at), writable)
    os.close(writable)
    with os.fdopen(readable) as stream:
        said = stream.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    codes, calls, text = json.loads(said) if said else ((), 0, "")
    return Outcome(status, tuple(codes), calls, text)


def _be_child(work: Work, disk: Disk, writable: int) -> None:
    status, codes, text = _TRACEBACK, [], ""
    try:
        disk.arm()
        found = tuple(work())
        disk.is_armed = False
        codes = [each.code for each in found]
        text = " ".join(each.message for each in found)
        status = int(any(each.severity == "error" for each in found))
    except BaseException as error:  # noqa: BLE001 - whatever it is, the parent judges it
        disk.is_armed = False
        text = repr(error)
    finally:
        disk._write(writable, json.dumps((codes, disk.calls, text)).encode())
        os._exit(status)
