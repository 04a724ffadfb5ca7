"""The handlers of the load."""

from __future__ import annotations

import asyncio
import gc
import os
import time
from pathlib import Path
from typing import Any


def made(title: str) -> dict[str, Any]:
    """Return an answer of three items."""
    items = [{"id": f"i{number}", "title": title, "done": number == 1} for number in range(3)]
    return {"items": items, "total": 3}


def descriptors() -> int:
    """Return how many descriptors this process has open."""
    return len(list(Path("/proc/self/fd").iterdir()))


class Load:
    """A handler for each tool of `specs/load.yaml`."""

    async def list_(self, asked: Any) -> Any:
        """Answer at once."""
        return made(asked["title"])

    async def compute(self, asked: Any) -> Any:
        """Answer after 5 ms of CPU, in which the process does nothing else."""
        end = time.thread_time() + 0.005
        while time.thread_time() < end:
            pass
        return made(asked["title"])

    def block(self, asked: Any) -> Any:
        """Answer from a thread."""
        return made(asked["title"])

    async def census(self, asked: Any) -> Any:
        """Count what this process has, after its garbage is gone."""
        del asked
        gc.collect()
        tasks = len(asyncio.all_tasks())
        return {"process": os.getpid(), "tasks": tasks, "descriptors": descriptors()}
