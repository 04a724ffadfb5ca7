"""A worker whose calls are killed and stopped: `worker.py URL LEDGER LEASE burst COUNT`, or `serve`.

`burst` makes calls with one key at once, until each has an answer. `serve` makes a call for each
line of its input, a key, and prints the key with its outcome.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

from toolspec.runtime import Call, Registry, ToolError, bind_service
from toolspec.runtime.definition import ServiceDefinition, ToolDefinition
from toolspec.runtime.stores import StoreOptions, open_store

URL, LEDGER, LEASE, WHAT, *REST = sys.argv[1:]


def note(line: str) -> None:
    file = os.open(LEDGER, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)


async def before(call: Call) -> None:
    note(f"before {call.context.idempotency_key}")
    await asyncio.sleep(0.005)
    note(f"ready {call.context.idempotency_key}")


async def act(input: Any, ctx: Any) -> str:
    key = ctx.idempotency_key
    note(f"begin {key}")
    await asyncio.sleep(0.005)
    note(f"effect {key}")
    return f"done-{key}"


def registry() -> Registry:
    schema: Any = {"type": "object", "properties": {"idempotency_key": {"type": "string"}}}
    tool = ToolDefinition(
        name="act",
        full_name="demo_act",
        method="act",
        read_only=False,
        risk=0,
        idempotency="required",
        arguments_schema=json.dumps(schema),
    )
    service = ServiceDefinition(name="demo", tools=(tool,))
    options = StoreOptions(lease_seconds=float(LEASE), busy_seconds=10.0)
    bound = bind_service(service, {"act": act})
    return bound.with_controls(store=open_store(URL, options)).with_hooks(before=[before])


async def outcome(registry: Registry, key: str) -> str:
    """Return the result of a call, or the code of its error; one that may be repeated is."""
    while True:
        try:
            return str(await registry.call("demo_act", {"idempotency_key": key}))
        except ToolError as problem:
            if not problem.retryable:
                return problem.code
            await asyncio.sleep(0.05)


async def main() -> None:
    made = registry()
    if WHAT == "burst":
        answers = await asyncio.gather(*(outcome(made, "once") for _ in range(int(REST[0]))))
        print(*answers, flush=True)
        return
    loop = asyncio.get_running_loop()
    print("ready", flush=True)
    while key := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        print(key, await outcome(made, key), flush=True)


asyncio.run(main())
