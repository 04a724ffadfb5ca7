"""The end of a portal that several transports share."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from typing import TYPE_CHECKING

import pytest
from sampling import sampled
from toolspec.runtime import Portal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator


class Transport:
    """Notes that it was closed, and fails where it was told to."""

    def __init__(self, closed: list[object], problem: Exception | None = None) -> None:
        self.closed = closed
        self.problem = problem

    async def aclose(self) -> None:
        self.closed.append(self)
        if self.problem is not None:
            raise self.problem


async def endless() -> AsyncIterator[int]:
    while True:
        yield 1


async def nothing() -> None:
    """Do nothing."""


def test_a_transport_that_cannot_be_closed_keeps_no_other_open() -> None:
    closed: list[object] = []
    first = Transport(closed, OSError("the first"))
    others = [Transport(closed), Transport(closed)]
    portal = Portal()
    for each in (first, *others):
        portal.adopt(each)
    portal.run(nothing)
    with pytest.raises(OSError, match="the first"):
        portal.close()
    assert closed == [first, *others]
    portal.close()


def test_a_stream_that_outlives_its_portal_says_that_it_is_closed() -> None:
    portal = Portal()
    chunks = portal.iterate(endless)
    assert next(chunks) == 1
    portal.close()
    with pytest.raises(RuntimeError, match="this client has been closed"):
        next(chunks)


@pytest.fixture
def portal() -> Iterator[Portal]:
    """Return a portal whose thread is the one that hears a Ctrl-C: the waiting one does not."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    with Portal() as made:
        made.run(nothing)
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield made
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
            signal.signal(signal.SIGINT, handler)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("how", sampled(["run", "iterate"], 1))
def test_an_interrupt_that_does_not_end_a_wait_is_heard_soon(portal: Portal, how: str) -> None:
    cancelled: list[bool] = []

    async def interrupted() -> None:
        os.kill(os.getpid(), signal.SIGINT)
        try:
            await asyncio.sleep(10)
        except asyncio.CancelledError:
            cancelled.append(True)
            raise

    async def stream() -> AsyncIterator[None]:
        yield await interrupted()

    ways: dict[str, Callable[[], object]] = {
        "run": lambda: portal.run(interrupted),
        "iterate": lambda: next(portal.iterate(stream)),
    }
    with pytest.raises(KeyboardInterrupt):
        ways[how]()
    assert cancelled == [True]
