"""Handlers that begin and end when a test says so, by files in the folder `FOLDER`."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Any

from toolspec.runtime import Caller, ToolError


class Till:
    async def wait(self, input: Any) -> Any:
        folder, name = Path(os.environ["FOLDER"]), input["name"]
        (folder / f"{name}.begun").touch()
        while not (folder / f"{name}.go").exists():  # noqa: ASYNC110 - a file of another process
            await asyncio.sleep(0.01)
        return f"done {name}"

    pay = wait

    async def look(self, input: Any) -> Any:
        if input["name"] == "nowhere":
            raise ToolError.not_found("there is none")
        return f"seen {input['name']}"

    async def count(self, input: Any) -> Any:
        return 1


def verify(token: str) -> Caller | None:
    return {"good": Caller(name="ann")}.get(token)
