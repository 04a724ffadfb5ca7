"""Handlers of `asking.yaml`: imported by the servers under test, not by pytest."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from typing import Any

from toolspec.runtime import Caller, ToolError

runs: Counter[str] = Counter()
ORDERS = Path("orders.txt")
NAME = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 2}},
    "required": ["name"],
}
COUNT = {
    "type": "object",
    "properties": {"count": {"type": "integer", "minimum": 1}},
    "required": ["count"],
}

SEAT = {
    "type": "object",
    "properties": {
        "seat": {"type": "string", "enum": ["aisle", "window"]},
        "class": {"type": "string", "default": "second"},
        "bags": {"type": "integer", "title": "Number of bags"},
        "quiet": {"type": "boolean"},
        "food": {"type": "array", "items": {"type": "string", "enum": ["meat", "fish"]}},
        "weight": {"type": "number", "description": "Kilograms"},
    },
    "required": ["seat", "bags"],
}


class Asking:
    async def form(self, input: Any, ctx: Any) -> Any:
        return shown(await ctx.elicit("What is your name?", NAME, key="name"))

    async def seat(self, input: Any, ctx: Any) -> Any:
        return shown(await ctx.elicit("Where do you want to sit?", SEAT))

    async def page(self, input: Any, ctx: Any) -> Any:
        return shown(await ctx.elicit_url("Sign in there.", "https://example.com/sign-in"))

    async def capital(self, input: Any, ctx: Any) -> str:
        return (await ctx.sample("Capital of France?", max_tokens=5, temperature=0.5)).text

    async def folders(self, input: Any, ctx: Any) -> list[str]:
        return [f"{root.name} {root.uri}" for root in await ctx.roots()]

    async def together(self, input: Any, ctx: Any) -> list[str]:
        runs["together"] += 1
        result, sample, roots = await asyncio.gather(
            ctx.elicit("What is your name?", NAME),
            ctx.sample("Capital of France?", max_tokens=5),
            ctx.roots(),
        )
        return [result.content["name"], sample.text, roots[0].uri]

    async def twice(self, input: Any, ctx: Any) -> list[str]:
        runs["twice"] += 1
        answers = [await ctx.elicit("And who?", NAME) for _ in range(2)]
        answers.append(await ctx.elicit("And then?", NAME))
        return [answer.content["name"] for answer in answers]

    async def offer(self, input: Any, ctx: Any) -> str:
        runs["offer"] += 1
        price = min(runs["offer"], 3)
        message = f"It is {price} euros. Who buys?"
        return f"{(await ctx.elicit(message, NAME, key='buyer')).content['name']} {price}"

    async def endless(self, input: Any, ctx: Any) -> str:
        runs["endless"] += 1
        return (await ctx.elicit(f"Run {runs['endless']}. Who?", NAME)).action

    async def order(self, input: Any, ctx: Any) -> int:
        answer = await ctx.elicit("How many?", COUNT, key="count")
        runs["orders"] += 1
        with ORDERS.open("a", encoding="utf-8") as orders:  # noqa: ASYNC230 - one line
            orders.write(f"{ctx.idempotency_key}\n")
        count: int = answer.content["count"]
        return count

    async def log(self, input: Any, ctx: Any) -> bool:
        for level in ("debug", "info", "warning", "error"):
            ctx.client_log({"at": level}, level)
        return True

    async def either(self, input: Any, ctx: Any) -> str:
        try:
            return await self.capital(input, ctx)
        except ToolError as error:
            return f"without {error.details['capability']}"

    async def runs(self, input: Any) -> Any:
        return runs


def verify(token: str) -> Caller:
    return Caller(name=token)


def shown(result: Any) -> Any:
    return {"action": result.action, "content": result.content}
