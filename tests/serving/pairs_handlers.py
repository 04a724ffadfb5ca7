"""Handlers and hooks of `pairs.yaml`, which write down of which type every array is."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

seen: list[str] = []


class Pairs:
    def note(self, where: str, value: Any) -> None:
        seen.append(f"{where} {type(value).__name__}")

    async def swap(self, input: Any, ctx: Any) -> Any:
        self.note("handler", input["pair"])
        return input["pair"]

    async def walk(self, input: Any, ctx: Any) -> AsyncIterator[Any]:
        self.note("stream", input["pair"])
        yield input["pair"]

    async def look(self, call: Any) -> None:
        self.note("before", call.input["pair"])

    async def see(self, call: Any, result: Any) -> None:
        first = result[0] if result and isinstance(result[0], (list, tuple)) else result
        self.note("after", first)
