"""Handlers of the desk: imported by the processes under test, and by tests in process."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from typing import Any

from toolspec.runtime import ToolError


class Desk:
    def __init__(self) -> None:
        self.gone: list[str] = []
        self.over: list[str] = []
        self.payments: dict[str | None, int] = {}
        self.yielded = 0

    async def look(self, input: Any) -> Any:
        return {"seen": input["what"]}

    async def list_(self, input: Any) -> Any:
        return [1, 2]

    async def maybe(self, input: Any) -> Any:
        return None

    async def name(self, input: Any) -> Any:
        return "a desk"

    async def throw_away(self, input: Any) -> Any:
        self.gone.append(input["what"])
        return True

    async def thrown(self, input: Any) -> Any:
        return self.gone

    async def ended(self, input: Any) -> Any:
        return self.over

    async def move(self, input: Any, ctx: Any) -> Any:
        await ctx.request_permission("file:~/room", "to make room", "write")
        return f"moved {input['what']}"

    async def tell(self, input: Any) -> AsyncIterator[str]:
        for number in range(input["words"]):
            yield f"w{number} "

    async def recite(self, input: Any, ctx: Any) -> AsyncIterator[str]:
        for line in ("one line", "and another"):
            ctx.progress(message="clears its throat")
            yield line

    async def deal(self, input: Any) -> AsyncIterator[Any]:
        for number in range(input["cards"]):
            yield {"card": number}

    async def endless(self, input: Any) -> AsyncIterator[int]:
        try:
            for number in range(1_000_000):
                self.yielded = number
                yield number
                await asyncio.sleep(0.001)
        finally:
            self.over.append("endless")

    async def count(self, input: Any, ctx: Any) -> Any:
        for number in (1, 2, 3):
            ctx.progress(number, 3, f"at {number}")
            await asyncio.sleep(0.01)
        return 3

    async def pay(self, input: Any, ctx: Any) -> Any:
        calls = self.payments[ctx.idempotency_key] = self.payments.get(ctx.idempotency_key, 0) + 1
        if calls < 3:
            raise ToolError.unavailable("the bank is busy", code="busy", retry_after_ms=1)
        return {"paid": input["amount"], "calls": calls}

    async def order(self, input: Any, ctx: Any) -> Any:
        return f"{len(ctx.idempotency_key)} {input['what']}"

    async def peek(self, input: Any, ctx: Any) -> Any:
        await ctx.request_permission("file:~/drawer", "to look into it")
        return True

    async def fail(self, input: Any) -> Any:
        raise ValueError("s3cret")

    async def die(self, input: Any) -> Any:
        os._exit(3)

    async def wait(self, input: Any) -> Any:
        try:
            await asyncio.sleep(60)
        finally:
            self.over.append("wait")

    async def close(self, input: Any) -> Any:
        return True

    async def ask(self, input: Any) -> Any:
        return input.upper()

    async def find_v1_0_0(self, input: Any) -> Any:
        return 1

    async def find_v2_0_0(self, input: Any) -> Any:
        return [1, 2]
