"""Runs the analyses of `toolspec compile` as Ray tasks: `--executor ray_executor:RayExecutor`.

Tried with Ray 2.60 and 100 tools: the output was that of one process, byte for byte.
"""

from __future__ import annotations

from concurrent.futures import Executor
from typing import TYPE_CHECKING, Any

import ray

if TYPE_CHECKING:
    from collections.abc import Callable
    from concurrent.futures import Future


class RayExecutor(Executor):
    """A `concurrent.futures.Executor` over the Ray cluster of `RAY_ADDRESS`, or a local one."""

    def __init__(self) -> None:
        """Connect to the cluster."""
        ray.init(ignore_reinit_error=True)

    def submit(
        self, function: Callable[..., Any], /, *args: object, **kwargs: object
    ) -> Future[Any]:
        """Return the future of a call that runs as a task."""
        return ray.remote(function).remote(*args, **kwargs).future()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the cluster."""
        ray.shutdown()
