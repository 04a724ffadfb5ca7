"""The services of `specs/`, bound to the handlers that a test writes; stubs answer for the rest.

What the seed systems have and this one leaves out by design, so that no scenario asks for it:

- composites, declarative executors (processes, HTTP templates, prompts) and gateways: a tool is a
  contract, and its work is Python that somebody writes;
- a cost or priority of tools: policies decide by name;
- derive, transform and parse hooks: authentication and middleware do what they were for.
"""

from __future__ import annotations

import asyncio
import importlib
from typing import TYPE_CHECKING, Any

import pytest
from toolspec.runtime import Registry, ToolError

if TYPE_CHECKING:
    from collections.abc import Coroutine

WORKSPACES = ("main", "partners")
OPTIONS: dict[str, dict[str, Any]] = {
    "billing": {
        "settings": {},
        "credentials": {"secretKey": "sk_test_0123456789abcdef"},
    },
    "github": {
        "settings": {"baseUrl": "https://github.example/api"},
        "credentials": {"access_token": "s3cret"},
    },
    "slack": {
        "settings": {name: {"address": f"https://{name}.slack.example"} for name in WORKSPACES},
        "credentials": {
            name: {"workspaceUrl": f"https://{name}.slack.example", "token": f"xoxs-{name}"}
            for name in WORKSPACES
        },
    },
}


class QuietHooks:
    """The hooks of specs/notes.yaml, none of which does anything."""

    async def check_writable(self, call: Any) -> None: ...

    async def in_transaction(self, call: Any, next: Any) -> object:
        return await next()

    async def strip_private_tags(self, call: Any, result: Any) -> object: ...

    async def count_use(self, call: Any, outcome: Any) -> None: ...

    async def reject_known_title(self, call: Any) -> None: ...

    async def cache_results(self, call: Any, next: Any) -> object:
        return await next()

    async def mark_matches(self, call: Any, result: Any) -> object: ...

    async def forget_cached(self, call: Any, outcome: Any) -> None: ...


def bound(service: str, handlers: type = object, **options: Any) -> Registry:
    """Return the registry of a service of `specs/`."""
    package = importlib.import_module(f"generated.{service}")
    stubs = getattr(package, f"{service.capitalize()}Stubs")
    mixed = handlers if handlers is object else type("Handlers", (handlers, stubs), {})
    made = stubs() if handlers is object else mixed()
    if service == "notes":
        options.setdefault("hooks", QuietHooks())
    registry: Registry = package.bind(made, **{**OPTIONS.get(service, {}), **options})
    return registry


def agreeing(registry: Registry) -> Registry:
    """Return the registry with somebody who says yes to everything."""
    return registry.with_controls(approver=lambda _: True)


def failure(call: Coroutine[Any, Any, object]) -> ToolError:
    """Return the error with which a call ends."""
    with pytest.raises(ToolError) as caught:
        asyncio.run(call)
    return caught.value


HOOKS_IN_ORDER = [
    "before",
    "middleware in",
    "tool middleware in",
    "handler",
    "tool middleware out",
    "middleware out",
    "tool after",
    "after",
    "afterResponse ok",
]
"""What the hooks of `notes_search` note around its handler."""

NOTE = {
    "id": "n1",
    "title": "Bread",
    "body": "",
    "tags": [],
    "created_at": "2026-11-02T09:15:00Z",
    "updated_at": "2026-11-02T09:15:00Z",
}
MAIN = {"instance": "main"}
CHANNEL = {**MAIN, "channel": "general", "text": "Good morning"}
ORDER_ITEMS = [{"sku": "seat", "quantity": 7}]
ORDER = {
    "id": "ord_5Tz",
    "customer": "cus_8Qa",
    "state": "paid",
    "total": {"amount": 4900, "currency": "EUR"},
    "items": ORDER_ITEMS,
}
