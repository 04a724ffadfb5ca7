from __future__ import annotations

import asyncio
import contextvars
import gc
import os
import subprocess
import sys
import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from example_service import bound, tool
from toolspec.runtime import Limits, Registry, ToolError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

SECONDS = 30


def gathered(registry: Registry, count: int) -> list[object]:
    async def main() -> list[object]:
        return list(await asyncio.gather(*(registry.call("demo_act") for _ in range(count))))

    return asyncio.run(main())


def waited(event: threading.Event) -> Awaitable[bool]:
    return asyncio.to_thread(event.wait, SECONDS)


async def until(done: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not done():  # noqa: ASYNC110 - what another thread does sets no event of this loop
            await asyncio.sleep(0.001)


def test_as_many_plain_functions_run_at_once_as_calls_may() -> None:
    together = threading.Barrier(25, timeout=SECONDS)

    def meets(input: object) -> bool:
        together.wait()
        return True

    assert gathered(bound(tool(), meets), 25) == [True] * 25


def test_a_thread_is_used_again() -> None:
    def named(input: object) -> int:
        return threading.get_ident()

    registry = bound(tool(), named)

    async def main() -> set[object]:
        return {await registry.call("demo_act") for _ in range(20)}

    assert len(asyncio.run(main())) == 1


def test_idle_threads_are_not_kept_in_any_number() -> None:
    together = threading.Barrier(60, timeout=SECONDS)
    before = threading.active_count()

    def meets(input: object) -> None:
        together.wait()

    registry = bound(tool(), meets).with_controls(limits=Limits(concurrency=None))

    async def main() -> None:
        await asyncio.gather(*(registry.call("demo_act") for _ in range(60)))
        await until(lambda: threading.active_count() <= before + 32)

    asyncio.run(main())


def test_a_hung_thread_keeps_its_place_and_stalls_nobody() -> None:
    release, hung = threading.Event(), threading.Event()

    def hangs(input: object) -> None:
        hung.set()
        release.wait(SECONDS)

    def answers(input: object) -> str:
        return "here"

    limits = Limits(concurrency=1)
    hanging = bound(tool(), hangs).with_controls(limits=limits)
    other = bound(tool(), answers).with_controls(limits=limits)

    async def main() -> None:
        call = asyncio.create_task(hanging.call("demo_act"))
        assert await waited(hung)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call
        assert await other.call("demo_act") == "here"
        with pytest.raises(ToolError) as caught:
            await hanging.call("demo_act")
        assert caught.value.code == "too_many_calls"
        release.set()
        hung.clear()
        again = asyncio.create_task(_when_free(hanging))
        assert await waited(hung)
        await again

    asyncio.run(main())


async def _when_free(registry: Registry) -> object:
    async with asyncio.timeout(SECONDS):
        while True:
            with suppress(ToolError):
                return await registry.call("demo_act")
            await asyncio.sleep(0.001)


def test_a_handler_sees_the_context_variables_of_its_caller() -> None:
    who = contextvars.ContextVar("who", default="nobody")

    def named(input: object) -> str:
        return who.get()

    async def main() -> object:
        who.set("a caller")
        return await bound(tool(), named).call("demo_act")

    assert asyncio.run(main()) == "a caller"


def test_a_thread_that_ends_after_its_loop_says_nothing(
    capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    release, hung, ended = threading.Event(), threading.Event(), threading.Event()

    def hangs(input: object) -> None:
        hung.set()
        release.wait(SECONDS)
        ended.set()
        raise LookupError

    async def main() -> None:
        call = asyncio.create_task(bound(tool(), hangs).call("demo_act"))
        assert await waited(hung)
        call.cancel()

    asyncio.run(main())
    release.set()
    assert ended.wait(SECONDS)
    gathered(bound(tool(), lambda _: "later"), 1)  # by the same thread
    gc.collect()
    assert capsys.readouterr().err == ""
    assert [each.levelname for each in caplog.records if each.levelname == "ERROR"] == []


LEAVING = """
import asyncio, threading
from toolspec.runtime import ServiceDefinition, ToolDefinition, ToolError, bind_service

def hangs(input):
    threading.Event().wait()

tool = ToolDefinition(name="a", full_name="d_a", method="a", timeout_total=0.05)
registry = bind_service(ServiceDefinition(name="d", tools=(tool,)), {"a": hangs})

async def main():
    try:
        await registry.call("d_a")
    except ToolError as error:
        print(error.code)

asyncio.run(main())
"""


def test_a_handler_that_hangs_keeps_no_process_from_ending() -> None:
    done = subprocess.run(
        [sys.executable, "-c", LEAVING], capture_output=True, text=True, timeout=SECONDS, check=True
    )
    assert done.stdout == "total_timeout\n"


FORKING = """
import asyncio, os
from toolspec.runtime import ServiceDefinition, ToolDefinition, bind_service

tool = ToolDefinition(name="a", full_name="d_a", method="a")
registry = bind_service(ServiceDefinition(name="d", tools=(tool,)), {"a": lambda input: "done"})

def answer():
    return asyncio.run(asyncio.wait_for(registry.call("d_a"), SECONDS))

assert answer() == "done"  # its thread is idle now, and does not exist in the child
child = os.fork()
if not child:
    try:
        answer()
    except BaseException:
        os._exit(1)
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
assert answer() == "done"
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this platform cannot fork")
def test_a_forked_process_starts_threads_of_its_own() -> None:
    program = FORKING.replace("SECONDS", str(SECONDS / 3))
    subprocess.run([sys.executable, "-c", program], check=True, timeout=SECONDS)
