"""The end of a portal that several transports share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toolspec.runtime import Portal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator


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
