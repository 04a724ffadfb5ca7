"""OpenTabs' instances and EPD's sandbox mode, in the example services: called, typed, listed, served."""

from __future__ import annotations

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from checkers import CHECKERS
from specs_bound import bound, failure
from toolspec.runtime import BindError, Policy, PolicySource, Rule, ToolError

TYPED = """
from generated.slack import SlackClient, SlackStubs, SlackSyncClient, bind

registry = bind(
    SlackStubs(),
    settings={"main": {"address": "https://a.example"}, "partners": {"address": "https://b.example"}},
    credentials=lambda caller, instance: {"workspaceUrl": instance, "token": caller or ""},
)


async def use(client: SlackClient, sync: SlackSyncClient) -> None:
    await client.list_channels(instance="main")
    await client.send_message({"channel": "a", "text": "b"}, instance="partners")
    async for message in client.export_channel({"channel": "a"}, instance="main"):
        print(message)
    sync.export_channel_with_callback({"channel": "a"}, instance="main", on_chunk=print)
"""
WRONG = """
from generated.slack import SlackSyncClient


def use(client: SlackSyncClient) -> None:
    client.list_channels()
    client.list_channels(instance="third")
"""


def test_a_call_is_for_the_instance_that_it_names() -> None:
    from generated.slack import SlackClient

    error = failure(bound("slack").call("slack_list_channels"))
    assert error.category == "validation"
    assert "instance" in str(error)
    seen: list[Any] = []

    class Handlers:
        async def list_channels(self, input: Any, ctx: Any) -> Any:
            seen.append(
                (dict(input), ctx.instance, ctx.settings["address"], ctx.credentials["token"])
            )
            return {"channels": [], "next_cursor": None}

    client = SlackClient(bound("slack", Handlers))
    asyncio.run(client.list_channels({"limit": 1}, instance="partners"))
    assert seen == [
        ({"limit": 1, "topic": None}, "partners", "https://partners.slack.example", "xoxs-partners")
    ]


@pytest.mark.prove
@pytest.mark.parametrize("checker", CHECKERS)
def test_the_instance_is_typed(tmp_path: Path, repository: Path, checker: tuple[str, ...]) -> None:
    (tmp_path / "generated").symlink_to(repository / "generated")
    (tmp_path / "typed.py").write_text(TYPED)
    (tmp_path / "wrong.py").write_text(WRONG)
    accepted, refused = (
        subprocess.run(
            [*checker, name],
            cwd=tmp_path,
            text=True,
            capture_output=True,
            check=False,
        )
        for name in ("typed.py", "wrong.py")
    )
    assert accepted.returncode == 0, accepted.stdout
    assert "wrong.py:6:" in refused.stdout
    assert "wrong.py:7:" in refused.stdout


def test_manifests_catalog_and_docs_show_instances(repository: Path) -> None:
    generated = repository / "generated"
    for name in ("mcp.json", "mcp-2025-11-25.json"):
        listed = json.loads((generated / "slack" / name).read_text())["tools"]
        for tool in listed:
            assert tool["inputSchema"]["properties"]["instance"]["enum"] == ["main", "partners"]
            assert "instance" in tool["inputSchema"]["required"]
    for provider in ("openai-responses.json", "anthropic.json", "gemini.json"):
        assert (generated / "slack" / provider).read_text().count('"partners"') >= len(listed)
    services = json.loads((generated / "catalog.json").read_text())["services"]
    (slack,) = [each for each in services if each["name"] == "slack"]
    assert [each["name"] for each in slack["instances"]] == ["main", "partners"]
    page = (generated / "docs" / "slack.md").read_text()
    assert "## Instances" in page
    assert 'instance="main"' in page


def test_a_sandbox_asks_nothing_and_says_so() -> None:
    live, sandbox = bound("billing"), bound("billing", mode="sandbox")
    assert {tool.risk for tool in sandbox.tools} == {0, 1}
    assert max(tool.risk for tool in live.tools) == 3
    with pytest.raises(BindError, match="no mode 'test'"):
        bound("billing", mode="test")


def test_a_client_of_a_sandbox_asks_for_permissions_only(repository: Path) -> None:
    from generated.billing import BillingClient

    assert repository
    sandbox = bound("billing", mode="sandbox")
    with pytest.raises(ToolError) as caught:
        asyncio.run(BillingClient(sandbox).delete_customer({"customer": "cus_8Qa"}))
    assert caught.value.code == "approval_required"
    rules = (Rule(mode="auto", permission="web:api.payments.example:DELETE"),)
    policy = Policy(sources=(PolicySource(name="user", rules=rules),))
    client = BillingClient(sandbox.with_controls(policy=policy), policy=policy)
    with pytest.raises(ToolError) as caught:
        asyncio.run(client.delete_customer({"customer": "cus_8Qa"}))
    assert caught.value.code == "not_implemented"
