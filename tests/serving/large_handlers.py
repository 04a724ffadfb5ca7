"""Handlers whose results are as large as they are asked to be."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any


class Large:
    async def usual(self, input: Any) -> Any:
        return "x" * input["size"]

    small = big = usual

    async def told(self, input: Any) -> AsyncIterator[str]:
        for start in range(0, input["size"], 100):
            yield "x" * min(100, input["size"] - start)
