"""Handlers of the lab, and a verifier of tokens: imported by the servers under test, not by pytest."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator
from typing import Any

from toolspec.runtime import ToolError
from toolspec.runtime.controls.access import Caller

seen: list[str] = []


class Lab:
    async def echo(self, input: Any, ctx: Any) -> Any:
        text = input["text"] * input["times"]
        return {"text": f"{ctx.settings['greeting']} {text}" if ctx.settings["loud"] else text}

    async def list_(self, input: Any) -> Any:
        return [1, 2]

    async def prose(self, input: Any) -> Any:
        return "# A page\n\nwith “words”"

    async def picture(self, input: Any) -> Any:
        return "iVBORw0KGgo="

    async def report(self, input: Any) -> Any:
        return "JVBERi0="

    async def album(self, input: Any) -> Any:
        pages = [{"scan": "iVBORw0KGgo="}, {"scan": None}]
        return [{"title": "a/b", "pages/all": pages, "sound": "UklGRg==", "raw": "AA=="}]

    async def maybe(self, input: Any) -> Any:
        return None

    async def anything(self, input: Any) -> Any:
        return [1, None]

    async def destroy(self, input: Any) -> Any:
        seen.append(f"destroyed {input['what']}")
        return True

    async def write(self, input: Any, ctx: Any) -> Any:
        await ctx.request_permission("file:~/lab.txt", "to write it down", "write")
        seen.append("written")
        return True

    async def count(self, input: Any, ctx: Any) -> Any:
        for number in (0, 1, 2, 2, 3):
            ctx.progress(number, 4, f"at {number}")
            await asyncio.sleep(0.01)
        return 4

    async def mumble(self, input: Any, ctx: Any) -> Any:
        ctx.progress()
        ctx.progress(message="still here")
        ctx.progress(0.5, 1, "half")
        ctx.progress(0.25, 1)
        ctx.progress(0.25, 1, "back")
        return 0

    async def garble(self, input: Any, ctx: Any) -> Any:
        old_name = os.fsdecode(b"caf\xe9")
        ctx.progress(10**400, 10**400, f"reading {old_name}")
        await ctx.request_permission(f"file:~/{old_name}", f"to read {old_name}", "read")
        return True

    async def speak(self, input: Any) -> AsyncIterator[str]:
        for word in ("to ", "be ", "continued"):
            yield word

    async def shout(self, input: Any) -> AsyncIterator[str]:
        for word in ("fire, ", "fire"):
            yield word

    async def recite(self, input: Any, ctx: Any) -> AsyncIterator[str]:
        for letter in "abc":
            yield letter
        for number in range(3):
            ctx.progress(number, 2)
        yield "d"

    async def pages(self, input: Any, ctx: Any) -> AsyncIterator[str]:
        yield "one, "
        await ctx.request_permission("file:~/two.txt", "to go on", "read")
        yield "two"

    async def deal(self, input: Any) -> AsyncIterator[Any]:
        yield {"card": 1}
        yield {"card": 2}
        if input["broken"]:
            yield {"card": 3}

    async def fail(self, input: Any) -> Any:
        match input["how"]:
            case "told":
                raise ToolError("broken_glass", "the glass\nbroke", details={"glass": 7})
            case "crash":
                raise ValueError("s3cret in the text")
            case "exit":
                sys.exit(3)
        return "not a number"

    async def wait(self, input: Any, ctx: Any) -> Any:
        seen.append("waiting")
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            seen.append(f"called off {ctx.cancelled.is_set()}")
            raise
        return True

    def hang(self, input: Any) -> Any:
        time.sleep(60)
        return True

    async def seen(self, input: Any) -> Any:
        return seen

    def print(self, input: Any) -> Any:
        print("printed")
        sys.stdout.flush()
        os.write(1, b"written\n")
        subprocess.run(["echo", "echoed"], check=True)
        return True

    async def who(self, input: Any, ctx: Any) -> Any:
        known = {"caller": ctx.caller, "kind": ctx.transport["kind"]}
        session = ctx.transport["session"]
        return {**known, "session": session} if session else known

    async def change(self, input: Any) -> Any:
        return True

    async def job(self, input: Any, ctx: Any) -> Any:
        ctx.progress(1, 2, "half done")
        if input["how"] == "badly":
            raise ToolError("broken_glass", "it broke")
        if input["how"] == "forever":
            return await self.wait(input, ctx)
        return [1, 2]

    async def risky(self, input: Any) -> Any:
        seen.append("risked")
        return True

    async def find_v1_0_0(self, input: Any) -> Any:
        return 1

    async def find_v2_0_0(self, input: Any) -> Any:
        return [1, 2]

    async def note_end(self, call: Any, outcome: Any) -> None:
        seen.append(f"{call.tool.name} ended {outcome.status} with {outcome.result}")

    async def stamp(self, call: Any, result: Any) -> Any:
        if call.tool.name == "shout":
            return result.upper()
        return {**result, "stamped": True} if call.tool.name == "echo" else None


def verify(token: str) -> Caller | None:
    scopes = {"reader": ("read",), "writer": ("read", "write")}
    return Caller(name=token, scopes=scopes[token]) if token in scopes else None
