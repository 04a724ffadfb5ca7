"""The time that a server may say nothing: it stands while a person thinks, and it ends."""

from __future__ import annotations

import asyncio

import pytest
from toolspec.runtime.errors import ToolError
from toolspec.serving.client.connection import answered


def test_the_time_of_a_person_does_not_count() -> None:
    async def talk() -> None:
        async with answered("`t`", 0.05) as clock:
            with clock.stopped():
                clock.restart()
                await asyncio.sleep(0.2)
        clock.restart()  # what comes late moves nothing

    asyncio.run(talk())


def test_silence_after_a_word_ends_the_request() -> None:
    async def talk() -> None:
        async with answered("`t`", 0.01) as clock:
            clock.restart()
            await asyncio.Event().wait()

    with pytest.raises(ToolError, match="sent nothing for") as silent:
        asyncio.run(talk())
    assert (silent.value.category, silent.value.retryable) == ("timeout", False)


def test_without_a_limit_and_with_errors_of_its_own_a_block_is_left_alone() -> None:
    async def talk() -> None:
        async with answered("`t`", None) as clock:
            clock.restart()
            await asyncio.sleep(0)
            raise TimeoutError("of the transport")

    with pytest.raises(TimeoutError, match="of the transport"):
        asyncio.run(talk())
