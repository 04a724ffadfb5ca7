"""Whether a server lives and is ready, for those that start, watch and route to it."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

_log = logging.getLogger("toolspec")

LIVE, READY = "/livez", "/readyz"

_SECONDS = 5
"""Maximum time of a check; a store that takes longer is none to serve with."""


class Health:
    """ASGI middleware that answers `/livez` and `/readyz` without authentication, under any host name.

    `checks` raise if something is missing to serve calls. The answer is yes or no; the reason is in
    the log, once until it changes.
    """

    def __init__(
        self,
        app: Any,
        is_stopping: Callable[[], bool],
        checks: tuple[Callable[[], Awaitable[object]], ...] = (),
    ) -> None:
        self._app = app
        self._is_stopping = is_stopping
        self._checks = checks
        self._problem = ""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request for health; pass on all others."""
        if scope["type"] != "http" or scope["path"] not in (LIVE, READY):
            await self._app(scope, receive, send)
            return
        is_known = scope["method"] in ("GET", "HEAD")
        is_well = scope["path"] == LIVE or await self._is_ready()
        body = b"" if scope["method"] == "HEAD" else b"yes\n" if is_well else b"no\n"
        status = (200 if is_well else 503) if is_known else 405
        headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _is_ready(self) -> bool:
        problem = ""
        try:
            async with asyncio.timeout(_SECONDS):
                for check in self._checks:
                    await check()
        except Exception as fault:  # noqa: BLE001 - of any store
            problem = str(fault) or type(fault).__name__
        if problem and problem != self._problem:
            _log.error("not ready: %s", problem)
        self._problem = problem
        return not problem and not self._is_stopping()
