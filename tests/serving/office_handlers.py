"""Handlers of the office: imported by the servers under test, not by pytest."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

from toolspec.runtime import Caller

DEADLINE = 20.0

waited: list[str] = []


class Office:
    async def look(self, input: Any) -> str:
        return "looked"

    async def note(self, input: Any) -> str:
        return "noted"

    async def add(self, input: Any) -> str:
        return "added"

    async def burn(self, input: Any) -> str:
        return "burnt"

    async def pay(self, input: Any) -> str:
        return "paid"

    async def send(self, input: Any) -> str:
        return "sent"

    async def file(self, input: Any) -> str:
        return "filed"

    async def seen(self, input: Any, ctx: Any) -> Any:
        request = ctx.request
        if request is None:
            return None
        return {
            "headers": dict(request.headers),
            "method": request.method,
            "address": request.address,
            "trace": dict(request.trace),
        }

    async def slow(self, input: Any) -> str:
        return "answered"

    async def waited(self, input: Any) -> list[str]:
        return waited

    def wait_plainly(self, call: Any, outcome: Any) -> None:
        self._wait(call, "plainly")

    async def wait_in_the_loop(self, call: Any, outcome: Any) -> None:
        self._wait(call, "in the loop")

    def _wait(self, call: Any, how: str) -> None:
        end = time.monotonic() + DEADLINE
        while not Path(call.input["go"]).exists():
            if time.monotonic() > end:
                waited.append(f"{how}: the caller has no answer")
                return
            time.sleep(0.001)
        waited.append(f"{how}: {call.input['go']}")

    async def count_v1_0_0(self, input: Any) -> Any:
        return {"n": 1}

    async def count_v2_0_0(self, input: Any) -> int:
        return 2

    async def tell_v1_0_0(self, input: Any) -> str:
        return "1.0"

    async def tell_v2_0_0(self, input: Any) -> Any:
        return {"version": "2.0"}


def verify(token: str) -> Caller | None:
    return Caller(name=token) if token in ("ann", "bob") else None
