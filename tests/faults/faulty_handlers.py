"""Handlers that go wrong: imported by the servers under test, not by pytest."""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from generated.faulty import bind
from toolspec.runtime import Failure, Registry
from toolspec.runtime.stores import StoreOptions
from toolspec.runtime.stores.sqlite import SqliteStore

MINUTE = 60.0


class Panic(BaseException):
    """Of no class that anybody catches."""


class Faulty:
    def __init__(self) -> None:
        self._open = 0
        self._records = 0

    async def ping(self, input: Any) -> Any:
        return os.getpid()

    async def throw(self, input: Any) -> Any:
        raise RuntimeError("s3cret in /home/me")

    async def leave(self, input: Any) -> Any:
        sys.exit(3)

    def leave_thread(self, input: Any) -> Any:
        sys.exit(3)

    async def astray(self, input: Any) -> Any:
        other = asyncio.create_task(asyncio.sleep(60))
        other.cancel()
        await other

    async def close(self, input: Any) -> Any:
        raise GeneratorExit

    async def close_stream(self, input: Any) -> AsyncIterator[str]:
        yield "x"
        raise GeneratorExit

    async def panic(self, input: Any) -> Any:
        raise Panic

    async def interrupt(self, input: Any) -> Any:
        raise KeyboardInterrupt

    async def interrupt_stream(self, input: Any) -> AsyncIterator[str]:
        yield "x"
        raise KeyboardInterrupt

    def interrupt_thread(self, input: Any) -> Any:
        raise KeyboardInterrupt

    async def hold(self, input: Any) -> Any:
        print("begun", file=sys.stderr, flush=True)
        match input["how"]:
            case "block":
                time.sleep(MINUTE)  # noqa: ASYNC251 - what is to be tried
            case "thread":
                await asyncio.to_thread(time.sleep, MINUTE)
            case "pool":
                await asyncio.wrap_future(ThreadPoolExecutor().submit(time.sleep, MINUTE))
            case "ignore":
                await self.stubborn(input)

    async def misshape(self, input: Any) -> Any:
        return {"ping": "pong"}

    async def unsayable(self, input: Any) -> Any:
        return {1, 2}

    async def hang(self, input: Any) -> Any:
        await asyncio.Event().wait()

    def hang_thread(self, input: Any) -> Any:
        time.sleep(1.5)

    async def stubborn(self, input: Any) -> Any:
        while True:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                continue

    async def endless(self, input: Any) -> AsyncIterator[str]:
        while True:
            await asyncio.sleep(0.001)
            yield "x"

    async def endless_rush(self, input: Any) -> AsyncIterator[str]:
        while True:
            yield "x"

    async def endless_stubborn(self, input: Any) -> AsyncIterator[str]:
        while True:
            try:
                await asyncio.sleep(0.001)
            except asyncio.CancelledError:
                continue
            yield "x"

    async def tick(self, input: Any) -> AsyncIterator[str]:
        self._open += 1
        try:
            while True:
                yield "tick "
                await asyncio.sleep(0.02)
        finally:
            self._open -= 1

    async def open(self, input: Any) -> Any:
        return self._open

    async def measure(self, input: Any) -> Any:
        return len(input["text"])

    async def slow(self, input: Any) -> Any:
        await asyncio.sleep(0.02)
        return 1

    async def crowd(self, input: Any) -> Any:
        await asyncio.sleep(2)
        return 1

    async def record(self, input: Any) -> Any:
        self._records += 1
        return self._records

    async def revert_record(self, input: Any, output: Any, metadata: Any) -> None:
        self._records -= 1

    async def recorded(self, input: Any) -> Any:
        return self._records

    async def shrink(self, input: Any) -> Any:
        _, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 if input["full"] else hard, hard))
        return input["full"]


async def lost(failure: Failure) -> None:
    raise asyncio.CancelledError


def stored() -> Registry:
    """Return a registry that writes its calls into a file beside it."""
    store = SqliteStore("calls.db", StoreOptions(busy_seconds=0.3))
    return bind(Faulty()).with_controls(store=store)


registry = stored()
hooked = bind(Faulty()).with_hooks(on_error=[lost])
