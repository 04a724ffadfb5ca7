"""The store in memory, shared by the event loops of several threads."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest
from example_service import OBJECT, bound, echo, tool
from toolspec.runtime.memory import Memory
from toolspec.runtime.stores import Entry, KeyedCall, Lease
from toolspec.runtime.stores import memory as memory_store
from toolspec.runtime.stores.memory import MemoryStore

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterator

THREADS = 4
NAMES = [str(number) for number in range(60)]


def _yielding(frame: Any, event: str, _: object) -> Any:
    """Let other threads run before every line of the store."""
    if frame.f_code.co_filename not in (
        memory_store.__file__,
        sys.modules[Memory.__module__].__file__,
    ):
        return None
    if event == "line":
        time.sleep(0)
    return _yielding


@pytest.fixture(autouse=True)
def _interleaved() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def in_threads(work: Callable[[int], Awaitable[None]]) -> None:
    """Run the work in the event loops of several threads at once."""
    together = threading.Barrier(THREADS)

    def run(number: int) -> None:
        together.wait()
        sys.settrace(_yielding)
        try:
            asyncio.run(work(number))  # type: ignore[arg-type]  # a coroutine
        finally:
            sys.settrace(None)

    with ThreadPoolExecutor(THREADS) as pool:
        for job in [pool.submit(run, number) for number in range(THREADS)]:
            job.result()


def entry(name: str) -> Entry:
    return Entry(id=name, tool="demo_act", at=0.0, input={})


def test_one_thread_reverts_an_entry() -> None:
    journal, claims = MemoryStore().journal, Counter[str]()

    async def fill() -> None:
        for name in NAMES:
            await journal.begin(entry(name))
            await journal.finish(name, None, {})

    async def revert(number: int) -> None:
        for name in NAMES:
            if await journal.reverting(name):
                claims[f"{name} of {number}"] += 1

    asyncio.run(fill())
    in_threads(revert)
    assert sorted(claim.split()[0] for claim in claims) == sorted(NAMES)


def test_one_thread_uses_an_approval() -> None:
    approvals, claims = MemoryStore().approvals, Counter[str]()

    async def use(number: int) -> None:
        for name in NAMES:
            if await approvals.claim(name, 60):
                claims[f"{name} of {number}"] += 1

    in_threads(use)
    assert sorted(claim.split()[0] for claim in claims) == sorted(NAMES)


def test_one_thread_claims_a_key_and_keeps_its_lease() -> None:
    keys, claims = MemoryStore().keys, Counter[str]()
    problems: list[str] = []

    async def call(number: int) -> None:
        for name in NAMES:
            claimed = await keys.claim(name, "x")
            if not isinstance(claimed, Lease):
                continue
            claims[f"{name} of {number}"] += 1
            settled = KeyedCall(digest="x", ending="ok", result=number)
            if not await keys.begin(claimed) or not await keys.settle(claimed, settled):
                problems.append(f"the lease of {name} has ended")

    in_threads(call)
    assert sorted(claim.split()[0] for claim in claims) == sorted(NAMES)
    assert problems == []


def test_the_journal_is_read_while_others_write() -> None:
    journal = MemoryStore().journal

    async def write(number: int) -> None:
        for name in NAMES:
            await journal.begin(entry(f"{name} of {number}"))
            await journal.entries()
            if number % 2:
                await journal.forget(f"{name} of {number}")

    in_threads(write)
    assert len(asyncio.run(journal.entries())) == len(NAMES) * THREADS // 2


def test_the_first_calls_of_several_threads_share_one_store() -> None:
    ran: list[object] = []

    async def act(input: object) -> object:
        ran.append(input)
        return await echo(input)

    for name in NAMES:
        registry = bound(tool(idempotency="required", arguments_schema=OBJECT), act)

        async def call(_: int, name: str = name, registry: Any = registry) -> None:
            await asyncio.gather(
                registry.call("demo_act", {"idempotency_key": name}), return_exceptions=True
            )

        in_threads(call)
    assert len(ran) == len(NAMES)
