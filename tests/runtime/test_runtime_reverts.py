"""Reverts that meet others: within one another, and entries that are somebody else's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from example_service import echo, service, tool
from toolspec.runtime import Registry, bind_service

if TYPE_CHECKING:
    from collections.abc import Callable

SECONDS = 10.0


def registry_of(revert: Callable[..., object], **fields: object) -> Registry:
    return bind_service(service(tool(revert=True, **fields)), {"act": echo, "revert_act": revert})


@pytest.mark.parametrize("wanted", ["revert_last", "revert_all"])
@pytest.mark.parametrize("fields", [{}, {"timeout_total": SECONDS}])
def test_a_revert_within_a_revert_is_refused_and_waits_for_nobody(
    wanted: str, fields: dict[str, object]
) -> None:
    async def revert_act(input: object, output: object, metadata: object) -> None:
        await getattr(registry, wanted)()

    registry = registry_of(revert_act, **fields)

    async def main() -> None:
        await registry.call("demo_act")
        outcome = await asyncio.wait_for(registry.revert_last(), SECONDS)
        assert outcome is not None
        assert outcome.status == "failed"
        assert "would wait for itself" in outcome.message
        (again,) = await asyncio.wait_for(registry.revert_all(), SECONDS)
        assert again.status == "failed"

    asyncio.run(main())


def test_what_a_revert_has_started_may_revert_later() -> None:
    later: list[asyncio.Task[object]] = []
    over = asyncio.Event()

    async def revert_act(input: object, output: object, metadata: object) -> None:
        async def after() -> object:
            await over.wait()
            return await registry.revert_last()

        later.append(asyncio.create_task(after()))

    registry = registry_of(revert_act)

    async def main() -> None:
        await registry.call("demo_act")
        await registry.revert_last()
        over.set()
        assert await asyncio.wait_for(later[0], SECONDS) is None

    asyncio.run(main())
