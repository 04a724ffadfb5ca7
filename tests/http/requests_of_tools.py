"""Services whose tools send HTTP requests, compiled and bound as a user would."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from contextlib import aclosing
from importlib import import_module, invalidate_caches
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

from toolspec.cli.app import app
from toolspec.runtime import Registry
from typer.testing import CliRunner

_NUMBERS = count()

AUTH = {
    "type": "custom",
    "credentials": "shared",
    "fields": {
        "type": "object",
        "properties": {
            "apiKey": {"type": "string", "format": "password"},
            "user": {"type": "string"},
            "password": {"type": "string", "format": "password"},
        },
    },
}


def tool(name: str, http: Mapping[str, Any], /, *required: str, **fields: Any) -> dict[str, Any]:
    """Return a tool; `arguments` are its properties."""
    arguments = fields.pop("arguments", {})
    closed = fields.pop("closed", True)
    return {
        "name": name,
        "description": f"Test {name} of the server.",
        "mutation": http["method"] not in ("GET", "HEAD"),
        "inputSchema": {
            "type": "object",
            "properties": arguments,
            "required": list(required),
            "additionalProperties": not closed,
        },
        "outputSchema": True,
        "http": http,
        **fields,
    }


def document(*tools: Mapping[str, Any], **service: Any) -> dict[str, Any]:
    settings = {"type": "object", "properties": {"baseUrl": {"type": "string"}}}
    about = {"name": "api", "description": "A test.", "settings": settings, **service}
    return {"toolspec": 1, "service": about, "tools": list(tools)}


def compiled(folder: Path, monkeypatch: Any, value: Mapping[str, Any]) -> ModuleType:
    """Return the package of a service, generated into a folder."""
    (folder / "specs").mkdir(parents=True)
    (folder / "specs" / "api.json").write_text(json.dumps(value))
    return import_module(f"{generated(folder, monkeypatch)}.api")


def generated(folder: Path, monkeypatch: Any) -> str:
    """Compile the services of a folder, and return the name of their importable package."""
    monkeypatch.chdir(folder)
    name = f"generated_{next(_NUMBERS)}"
    result = CliRunner().invoke(app, ["compile", "--target", "python", "--out", name])
    assert result.exit_code == 0, result.output
    monkeypatch.syspath_prepend(str(folder))
    invalidate_caches()
    return name


class Api:
    """A bound service and the calls of a test."""

    def __init__(
        self,
        package: ModuleType,
        url: str,
        credentials: Any = None,
        handlers: Any = None,
        **options: Any,
    ) -> None:
        options = {"allow_private": True, **options}
        self.handlers = handlers or package.ApiHttpHandlers(**options)
        given: dict[str, Any] = {"settings": {"baseUrl": url}}
        if credentials is not None:
            given["credentials"] = credentials
        self.registry: Registry = package.bind(self.handlers, **given)

    def call(self, name: str, /, **arguments: Any) -> Any:
        """Return the result of a call that is approved."""
        return asyncio.run(self._call(f"api_{name}", arguments))

    def chunks(self, name: str, /, **arguments: Any) -> list[Any]:
        return asyncio.run(self._chunks(f"api_{name}", arguments))

    async def _call(self, name: str, arguments: dict[str, Any]) -> Any:
        try:
            return await self.registry.call(name, arguments, approver=_approve)
        finally:
            await self._close()

    async def _chunks(self, name: str, arguments: dict[str, Any]) -> list[Any]:
        try:
            async with aclosing(self.registry.stream(name, arguments, approver=_approve)) as chunks:
                return [chunk async for chunk in chunks]
        finally:
            await self._close()

    async def _close(self) -> None:
        close = getattr(self.handlers._client, "aclose", None)
        if close is not None:
            await close()


def _approve(_: object) -> bool:
    return True
