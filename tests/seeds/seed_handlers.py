"""Handlers of five services of `specs/`: imported by the servers under test, not by pytest.

What happens is written to files, which all processes of a server share.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from toolspec.runtime import Caller, ToolError

from generated.billing import BillingStubs
from generated.github import GithubStubs
from generated.notes import NotesStubs
from generated.slack import SlackStubs
from generated.workspace import WorkspaceStubs

SEEN, GO, FILES = Path("seen.txt"), Path("go"), Path("files")
NOTE = {
    "id": "n1",
    "title": "Bread",
    "body": "",
    "tags": [],
    "created_at": "2026-11-02T09:15:00Z",
    "updated_at": "2026-11-02T09:15:00Z",
}


def see(line: str) -> None:
    with SEEN.open("a") as file:
        file.write(f"{os.getpid()} {line}\n")


def see_hook(call: Any, line: str) -> None:
    """Note a hook of a call whose test waits for the last one, which runs after the response."""
    if call.tool.name in ("search", "create", "delete"):
        see(line)


class Notes(NotesStubs):
    async def check_writable(self, call: Any) -> None:
        see_hook(call, "before")

    async def in_transaction(self, call: Any, next: Any) -> object:
        see_hook(call, "middleware in")
        result = await next()
        see_hook(call, "middleware out")
        return result

    async def strip_private_tags(self, call: Any, result: Any) -> None:
        see_hook(call, "after")

    async def count_use(self, call: Any, outcome: Any) -> None:
        see_hook(call, f"afterResponse {outcome.status}")

    async def reject_known_title(self, call: Any) -> None:
        see_hook(call, "tool before")
        if call.input["title"] == "Bread":
            raise ToolError.conflict("there is a note of this title")

    async def cache_results(self, call: Any, next: Any) -> object:
        if call.input["query"] == "cached":
            return {"notes": [], "total": 1}
        see_hook(call, "tool middleware in")
        result = await next()
        see_hook(call, "tool middleware out")
        return result

    async def mark_matches(self, call: Any, result: Any) -> object:
        see_hook(call, "tool after")
        if call.input["query"] == "broken":
            raise RuntimeError("no marks today")
        return {"notes": [], "total": 2} if call.input["query"] == "marked" else None

    async def forget_cached(self, call: Any, outcome: Any) -> None:
        see_hook(call, f"tool afterResponse {outcome.status}")

    async def search(self, input: Any, ctx: Any) -> Any:
        see("handler")
        return {"notes": [NOTE], "total": 3}

    async def create(self, input: Any, ctx: Any) -> Any:
        see("handler")
        return {**NOTE, "title": input["title"]}

    async def delete(self, input: Any, ctx: Any) -> Any:
        return NOTE

    async def capture(self, input: Any, ctx: Any) -> Any:
        return {**NOTE, "body": repr(dict(input))}

    async def export(self, input: Any, ctx: Any) -> AsyncIterator[Any]:
        for number in (1, 2):
            yield {**NOTE, "id": f"n{number}"}

    async def reindex(self, input: Any, ctx: Any) -> Any:
        for number in (100, 200):
            ctx.progress(number, 200, f"{number} notes")
        if input["language"] == "de":
            see("waiting")
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                see("cancelled")
                raise
        return {"indexed": 200, "seconds": 0.5}

    async def statistics(self, input: Any, ctx: Any) -> Any:
        see("counted")
        return {"notes": 1, "words": 0, "tags": {}}

    async def ask(self, input: Any, ctx: Any) -> Any:
        return f"{input} Bread."


class Workspace(WorkspaceStubs):
    async def search_v1_0(self, input: Any, ctx: Any) -> str:
        return f"old {input}"

    async def search_v2_0(self, input: Any, ctx: Any) -> Any:
        return [{"path": "a.md", "line": 1, "text": input["what"]}]

    async def read_file(self, input: Any, ctx: Any) -> str:
        if input["path"] == "hosts":
            await ctx.request_permission("file:/etc/hosts", "it is included", "read")
        return "text"

    async def save_page(self, input: Any, ctx: Any) -> str:
        see("saved")
        return "JVBERi0="

    async def write_file(self, input: Any, ctx: Any) -> Any:
        file = FILES / input["path"]
        ctx.metadata["before"] = file.read_text() if file.exists() else None
        file.parent.mkdir(exist_ok=True)
        file.write_text(input["content"])
        see(f"wrote {input['content']}")
        return {"path": input["path"], "bytes": len(input["content"])}

    async def verify_write_file(self, input: Any, output: Any, ctx: Any) -> str | None:
        return "the disk has something else" if input["content"] == "lost" else None

    async def revert_write_file(
        self, input: Any, output: Any, metadata: Any, ctx: Any
    ) -> str | None:
        see(f"undid {input['content']}")
        if input["content"] == "stuck":
            return "the file is locked"
        file = FILES / input["path"]
        if metadata["before"] is None:
            file.unlink(missing_ok=True)
        else:
            file.write_text(metadata["before"])
        return None


class Slack(SlackStubs):
    async def send_message(self, input: Any, ctx: Any) -> Any:
        ctx.progress(message="on its way")
        ctx.progress(1, 1, "sent")
        see(f"sent {input['text']}")
        return {"ok": True, "ts": "1"}

    async def list_channels(self, input: Any, ctx: Any) -> Any:
        match cursor := input.get("cursor", ""):
            case "":
                names = [ctx.settings["address"], ctx.settings["defaultChannel"]]
                see(f"region {ctx.credentials['region']}, token {ctx.credentials['token']}")
                channels = [{"id": ctx.instance, "name": name} for name in names]
                return {"channels": channels, "next_cursor": None}
            case "hold":
                while not GO.exists():  # noqa: ASYNC110, ASYNC240 - a file of another process
                    await asyncio.sleep(0.02)
                return {"channels": [], "next_cursor": None}
            case "bug":
                raise RuntimeError("http://10.0.0.1/secret in /home/me")
            case "rate_limit":
                raise ToolError.rate_limit("slow down", retry_after_ms=1500)
        raise getattr(ToolError, cursor)("no")

    async def set_reminder(self, input: Any, ctx: Any) -> None:
        raise ToolError.timeout("too slow")

    async def summarize_thread(self, input: Any, ctx: Any) -> AsyncIterator[Any]:
        yield {"summary": "They talk", "confidence": 0.5}
        yield {"summary": "They agree", "confidence": 1}


class Github(GithubStubs):
    async def list_repositories(self, input: Any, ctx: Any) -> Any:
        see(f"{ctx.settings['baseUrl']} {ctx.credentials['access_token']}")
        name = 7 if input.get("sort") == "pushed" else "me/one"
        return [{"id": 1, "full_name": name}]

    async def create_repository(self, input: Any, ctx: Any) -> Any:
        see(f"created {input['name']}")
        return {"id": 7, "full_name": f"me/{input['name']}"}

    async def stream_message(self, input: Any, ctx: Any) -> AsyncIterator[str]:
        yield "to "
        if input["prompt"] == "fail":
            raise ToolError.unavailable("the model is asleep")
        yield "be "
        yield "continued"


class Billing(BillingStubs):
    async def get_customer(self, input: Any, ctx: Any) -> Any:
        return {"id": input["customer"], "email": "ada@example.com", "name": None}

    async def create_order(self, input: Any, ctx: Any) -> Any:
        see(f"sold to {input['customer']}")
        total = {"amount": 4900, "currency": "EUR"}
        order = {"id": f"ord_{os.getpid()}", "state": "paid", "total": total}
        return {**order, "customer": input["customer"], "items": input["items"]}

    async def cancel_subscription(self, input: Any, ctx: Any) -> Any:
        see(f"ended {input['subscription']}")
        return {"id": input["subscription"], "state": "active", "ends_at": None}


SCOPES = {"ann": ("repo", "models"), "guest": ("public_repo",)}


def verify(token: str) -> Caller | None:
    return Caller(name=token, scopes=SCOPES[token]) if token in SCOPES else None


def credentials(caller: Any, service: str) -> dict[str, str]:
    token = f"token of {caller.name if caller else 'nobody'}"
    return {"access_token": token} if service == "github" else {"secretKey": f"sk_test {token}"}
