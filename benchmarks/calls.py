"""One call in process, input of five properties and output of three items: `python calls.py SIDE`.

Prints the CPU microseconds that a call takes over its handler alone: the median of the rounds.
"""

import asyncio
import json
import sys
import time
from collections.abc import Awaitable, Callable
from statistics import median
from typing import Annotated, Any, Literal

Caller = Callable[[], Awaitable[object]]

ROUNDS = 7
ROUND_SECONDS = 0.2
ITEM = {
    "type": "object",
    "properties": {
        "id": {"type": "string"},
        "title": {"type": "string"},
        "done": {"type": "boolean"},
    },
    "required": ["id", "title", "done"],
    "additionalProperties": False,
}
TAKES = {
    "type": "object",
    "properties": {
        "title": {"type": "string", "minLength": 1, "maxLength": 200},
        "amount": {"type": "number", "minimum": 0},
        "state": {"type": "string", "enum": ["draft", "open", "paid"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "urgent": {"type": "boolean"},
    },
    "required": ["title", "amount", "state", "tags", "urgent"],
    "additionalProperties": False,
}
GIVES = {
    "type": "object",
    "properties": {"items": {"type": "array", "items": ITEM}, "total": {"type": "integer"}},
    "required": ["items", "total"],
    "additionalProperties": False,
}
ASKED = {"title": "North gate", "amount": 12.5, "state": "open", "tags": ["a", "b"], "urgent": True}
ANSWER = {
    "items": [{"id": f"i{number}", "title": f"Item {number}", "done": True} for number in range(3)],
    "total": 3,
}


async def handler(*given: object) -> Any:
    """Return what every side's handler returns."""
    del given
    return ANSWER


def bound() -> Any:
    """Return a registry of one tool."""
    from toolspec.runtime import ServiceDefinition, ToolDefinition, bind_service

    tool = ToolDefinition(
        name="list",
        full_name="bench_list",
        method="list_",
        arguments_schema=json.dumps(TAKES),
        output_schema=json.dumps(GIVES),
        read_only=True,
        destructive=False,
    )
    return bind_service(ServiceDefinition(name="bench", tools=(tool,)), {"list_": handler})


def toolspec() -> Caller:
    """Return a call through a registry."""
    registry = bound()
    return lambda: registry.call("bench_list", ASKED)


def shared() -> Caller:
    """Return a call through a registry that hands values on without copying them."""
    registry = bound().with_controls(copies=False)
    return lambda: registry.call("bench_list", ASKED)


def jsonschema() -> Caller:
    """Return a call between two validators that are kept."""
    from jsonschema import Draft202012Validator

    takes, gives = Draft202012Validator(TAKES), Draft202012Validator(GIVES)

    async def call() -> object:
        takes.validate(ASKED)
        answer = await handler()
        gives.validate(answer)
        return answer

    return call


def decorated(server: Any) -> Caller:
    """Return a call of a tool of a server that reads its types: FastMCP and the SDK's `MCPServer`."""
    from pydantic import Field
    from typing_extensions import TypedDict

    class Item(TypedDict):
        id: str
        title: str
        done: bool

    class Items(TypedDict):
        items: list[Item]
        total: int

    async def list_items(
        title: Annotated[str, Field(min_length=1, max_length=200)],
        amount: Annotated[float, Field(ge=0)],
        state: Literal["draft", "open", "paid"],
        tags: list[str],
        urgent: bool,
    ) -> Items:
        answer: Items = await handler(title, amount, state, tags, urgent)
        return answer

    server.tool()(list_items)
    return lambda: server.call_tool("list_items", ASKED)


def mcp() -> Caller:
    """Return a call of the SDK's high-level server."""
    from mcp.server import MCPServer

    return decorated(MCPServer("bench"))


def fastmcp() -> Caller:
    """Return a call of FastMCP's server."""
    from fastmcp import FastMCP

    return decorated(FastMCP("bench"))


async def timed(call: Caller, calls: int) -> float:
    """Return the CPU seconds of some calls, one after the other."""
    start = time.process_time()
    for _ in range(calls):
        await call()
    return time.process_time() - start


async def over_handler(call: Caller) -> float:
    """Return the seconds of one call less those of its handler."""
    calls = max(100, int(200 * ROUND_SECONDS / await timed(call, 200)))
    rounds = [await timed(call, calls) - await timed(handler, calls) for _ in range(ROUNDS)]
    return median(rounds) / calls


SIDES = {each.__name__: each for each in (toolspec, shared, jsonschema, mcp, fastmcp)}

if __name__ == "__main__":
    print(1e6 * asyncio.run(over_handler(SIDES[sys.argv[1]]())))
