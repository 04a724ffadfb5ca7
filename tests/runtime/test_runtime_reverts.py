"""Reverts that meet others: within one another, and entries that are somebody else's."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from example_service import echo, service, tool
from toolspec.runtime import (
    Call,
    Next,
    Registry,
    ServiceDefinition,
    ToolDefinition,
    ToolError,
    bind_service,
)
from toolspec.runtime.stores.memory import MemoryJournal

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from toolspec.runtime.stores import Journal

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


def test_an_entry_of_another_program_is_told_once_and_hides_none_before_it(
    journal: Journal,
) -> None:
    undone: list[object] = []

    async def revert_act(input: object, output: object, metadata: object) -> None:
        undone.append(input)

    mine = registry_of(revert_act).with_controls(journal=journal)
    theirs = bind_service(
        ServiceDefinition(
            name="other",
            tools=(ToolDefinition(name="do", full_name="other_do", method="do", revert=True),),
        ),
        {"do": echo, "revert_do": revert_act},
    ).with_controls(journal=journal)

    async def main() -> list[tuple[str, str] | None]:
        await mine.call("demo_act", {"n": 1})
        await theirs.call("other_do", {"n": 2})
        told = [await mine.revert_last() for _ in range(3)]
        assert [each.status for each in await theirs.revert_all()] == ["reverted"]
        return [each and (each.tool, each.status) for each in told]

    assert asyncio.run(main()) == [("other_do", "failed"), ("demo_act", "reverted"), None]
    assert undone == [{"n": 1}, {"n": 2}]


def test_no_version_is_undone_by_another() -> None:
    undone: list[str] = []

    async def revert_act(input: object, output: object, metadata: object) -> None:
        undone.append("plain")

    async def revert_new(input: object, output: object, metadata: object) -> None:
        undone.append("2.0")

    plain = tool(revert=True, aliases=("demo_old",))
    new = tool(revert=True, version="2.0", method="new")
    handlers = {"act": echo, "revert_act": revert_act, "new": echo, "revert_new": revert_new}
    registry = bind_service(service(plain, new), handlers)

    async def main() -> list[tuple[str, str]]:
        await registry.call("demo_act")
        await registry.call("demo_old")
        return [(each.tool, each.status) for each in await registry.revert_all()]

    assert asyncio.run(main()) == [("demo_act", "failed"), ("demo_act@2.0", "reverted")]
    assert undone == ["2.0"]


@pytest.mark.parametrize("problem", [ToolError.unavailable("busy"), ValueError("odd")])
def test_what_middleware_answers_for_a_handler_that_failed_undoes_nothing(
    problem: Exception,
) -> None:
    undone: list[object] = []

    async def act(input: object) -> object:
        raise problem

    async def revert_act(input: object, output: object, metadata: object) -> None:
        undone.append(output)

    async def falls_back(call: Call, following: Next) -> object:
        try:
            return await following()
        except Exception:  # noqa: BLE001 - whatever it is
            return "instead"

    registry = bind_service(service(tool(revert=True)), {"act": act, "revert_act": revert_act})
    registry = registry.with_hooks(middleware=[falls_back])

    async def main() -> list[str]:
        assert await registry.call("demo_act") == "instead"
        return [each.status for each in await registry.revert_all()]

    assert asyncio.run(main()) == ["unknown"]
    assert undone == []


class Racing(MemoryJournal):
    """A journal that another process changes between the list of entries and each claim."""

    def __init__(self, change: Callable[[MemoryJournal, str], Awaitable[object]]) -> None:
        super().__init__()
        self._other = change
        self.raced: list[str] = []

    async def reverting(self, entry: str) -> bool:
        if not self.raced:
            self.raced.append(entry)
            await self._other(self, entry)
        return await super().reverting(entry)


async def reverts_it(journal: MemoryJournal, entry: str) -> None:
    await journal.reverted(entry)


async def claims_it(journal: MemoryJournal, entry: str) -> None:
    assert await MemoryJournal.reverting(journal, entry)


@pytest.mark.parametrize(
    ("change", "statuses"),
    [(reverts_it, ["reverted"]), (claims_it, ["unknown", "reverted"])],
)
def test_an_entry_that_another_process_reverts_meanwhile(
    change: Callable[[MemoryJournal, str], Awaitable[object]], statuses: list[str]
) -> None:
    undone: list[object] = []

    async def revert_act(input: object, output: object, metadata: object) -> None:
        undone.append(input)

    async def fill(journal: MemoryJournal) -> Registry:
        registry = registry_of(revert_act).with_controls(journal=journal)
        for number in range(2):
            await registry.call("demo_act", {"n": number})
        return registry

    async def all_of_them() -> list[str]:
        registry = await fill(Racing(change))
        return [outcome.status for outcome in await registry.revert_all()]

    async def last() -> str:
        registry = await fill(Racing(change))
        outcome = await registry.revert_last()
        assert outcome is not None
        return outcome.status

    assert asyncio.run(all_of_them()) == statuses
    assert undone == [{"n": 0}]
    undone.clear()
    assert asyncio.run(last()) == statuses[0]
    assert undone == ([{"n": 0}] if change is reverts_it else [])
