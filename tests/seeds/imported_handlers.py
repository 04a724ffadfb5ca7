"""Handlers of the five systems after their import: each returns what it was called with."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any


class Redop:
    async def notes_list(self, input: Any, ctx: Any) -> Any:
        return {"ids": [f"{input['tag']}-{number}" for number in range(input["limit"])]}

    async def billing_invoice_create(self, input: Any, ctx: Any) -> Any:
        return {"total": input["amount"]}


class Nao:
    async def word_count(self, input: str, ctx: Any) -> str:
        return str(len(input.split()))

    async def verify_word_count(self, input: str, output: str) -> str | None:
        return "no words were counted" if output == "0" else None

    async def save_page(self, input: str, ctx: Any) -> str:
        return f"saved {input}"

    async def revert_save_page(self, input: str, output: str, metadata: Any) -> str | None:
        return None

    async def summarize(self, input: str, ctx: Any) -> str:
        return f"{input[:10]}…"


class OpenTabs:
    async def send_message(self, input: Any, ctx: Any) -> Any:
        ctx.progress(1, 1, "sent")
        return {"ok": True, "ts": f"{input['channel']}: {input['text']}"}


class Synthetiq:
    async def list_repositories(self, input: Any, ctx: Any) -> Any:
        return [{"id": 1, "full_name": input.get("sort", "none"), "language": "F#"}]

    async def create_repository(self, input: Any, ctx: Any) -> Any:
        return {"id": 2, "full_name": input["name"], "html_url": "https://github.example/2"}

    async def stream_message(self, input: Any) -> AsyncIterator[str]:
        for word in input["text"].split():
            yield f"{word} "


class Epd:
    def __init__(self) -> None:
        self.cancelled: list[str] = []

    async def get_customer(self, input: Any, ctx: Any) -> Any:
        return {"id": input["id"], "cancelled": self.cancelled}

    async def cancel_subscription(self, input: Any, ctx: Any) -> Any:
        self.cancelled.append(input["id"])
        return {"id": input["id"], "state": "cancelled"}
