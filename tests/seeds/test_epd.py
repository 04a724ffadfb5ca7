"""Seed 004, EPD: annotations and the policy that follows from them, tiers, idempotency keys."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from projects import TOOL, catalog, codes, run, service, written
from specs_bound import CHANNEL, ORDER, ORDER_ITEMS, agreeing, bound, failure
from toolspec.runtime import Registry, ToolError

EXAMPLE = {
    "name": "cancel_subscription",
    "description": (
        "Cancel an existing subscription. Cancelling at period end keeps access until the period "
        "closes."
    ),
    "inputSchema": {"type": "object", "properties": {"subscription": {"type": "string"}}},
    "annotations": {
        "title": "Cancel subscription",
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": True,
        "openWorldHint": False,
    },
}
"""The tool of the page; its schema, which the page leaves out, is a small one."""

BUY = {"customer": "cus_8Qa", "items": ORDER_ITEMS}


class Billing:
    """A shop that counts what it sells."""

    async def get_customer(self, input: Any) -> Any:
        return {"id": "cus_8Qa", "email": "ada@example.com", "name": None}

    async def delete_customer(self, input: Any) -> Any:
        return {"deleted": True}

    async def create_order(self, input: Any) -> Any:
        SOLD.append(input)
        return {**ORDER, "id": f"ord_{len(SOLD)}"}


SOLD: list[object] = []


@pytest.fixture
def billing() -> Registry:
    SOLD.clear()
    return bound("billing", Billing)


def tools_of(repository: Path) -> dict[str, Any]:
    found = json.loads((repository / "generated" / "catalog.json").read_text())
    return {tool["name"]: tool for tool in found["tools"]}


# Annotations


def test_the_pages_annotated_example_imports(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text(json.dumps(EXAMPLE))
    status, said = run(
        tmp_path, "import", "mcp-tools", "list.json", "--name", "billing", "--to", "specs"
    )
    assert status == 0, said
    tool = catalog(tmp_path)["billing_cancel_subscription"]
    assert tool["hints"] == {
        "readOnly": False,
        "destructive": True,
        "idempotent": True,
        "openWorld": False,
    }
    assert tool["title"] == "Cancel subscription"
    assert tool["risk"]["tier"] == 3


def test_four_hints_are_always_present(repository: Path) -> None:
    manifests = list(repository.glob("generated/*/mcp*.json"))
    assert len(manifests) == 2 * len(list(repository.glob("generated/docs/[a-z]*.md")))
    for manifest in manifests:
        for tool in json.loads(manifest.read_text())["tools"]:
            hints = {"readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"}
            assert hints <= tool["annotations"].keys(), tool["name"]


def test_what_is_silent_is_held_to_the_worst(tmp_path: Path) -> None:
    tools = {**TOOL}, {**TOOL, "name": "look", "mutation": False}
    found = catalog(written(tmp_path, service(*tools)))
    assert found["my-chat_send_message"]["hints"] == {
        "readOnly": False,
        "destructive": True,
        "idempotent": False,
        "openWorld": True,
    }
    assert found["my-chat_look"]["hints"]["readOnly"]


# The policy of registries and clients


def test_read_only_runs_unasked_and_destructive_asks(billing: Registry) -> None:
    asked: list[str] = []

    def approver(question: Any) -> bool:
        asked.append(question.tool.full_name)
        return True

    held = billing.with_controls(approver=approver)
    asyncio.run(held.call("billing_get_customer", {"customer": "cus_8Qa"}))
    assert asked == []
    asyncio.run(held.call("billing_delete_customer", {"customer": "cus_8Qa"}))
    assert asked == ["billing_delete_customer"]


def test_an_approver_that_answers_nothing_is_a_refusal(billing: Registry) -> None:
    for silence in (lambda _: None, lambda _: "", lambda _: 0):
        held = billing.with_controls(approver=silence)  # type: ignore[arg-type]
        error = failure(held.call("billing_delete_customer", {"customer": "cus_8Qa"}))
        assert (error.category, error.code) == ("permission", "refused")


def test_one_yes_is_for_one_call_of_a_destructive_tool(billing: Registry) -> None:
    asked: list[object] = []

    def approver(question: Any) -> str:
        asked.append(question.choices)
        return "always"

    held = billing.with_controls(approver=approver)

    async def twice() -> None:
        for _ in range(2):
            await held.call("billing_delete_customer", {"customer": "cus_8Qa"})

    asyncio.run(twice())
    assert asked == [("once",), ("once",)]


def test_the_question_holds_what_has_to_be_confirmed(billing: Registry) -> None:
    asked: list[Any] = []

    def approver(question: Any) -> bool:
        asked.append(question)
        return False

    held = billing.with_controls(approver=approver)
    failure(held.call("billing_refund_order", {"order": "ord_5Tz", "idempotency_key": "r-1"}))
    assert asked[0].tool.full_name == "billing_refund_order"
    assert asked[0].tool.risk == 3
    assert asked[0].arguments["order"] == "ord_5Tz"


# Tiers


@pytest.mark.parametrize(
    ("name", "tier"),
    [
        ("billing_get_customer", 0),
        ("billing_replay_webhook_event", 2),
        ("billing_create_order", 3),
        ("billing_refund_order", 3),
        ("billing_cancel_subscription", 3),
        ("billing_delete_customer", 3),
    ],
)
def test_tiers_follow_from_what_is_declared(repository: Path, name: str, tier: int) -> None:
    assert tools_of(repository)[name]["risk"]["tier"] == tier


def test_raising_a_tier_works_and_shows_its_reason(repository: Path) -> None:
    tool = tools_of(repository)["billing_rotate_key"]
    assert tool["risk"]["tier"] == 3
    assert "old key" in tool["risk"]["reason"]
    assert not tool["hints"]["destructive"]
    assert tool["risk"]["reason"] in (repository / "generated" / "docs" / "billing.md").read_text()


def test_lowering_a_tier_is_refused(tmp_path: Path) -> None:
    tool = {**TOOL, "risk": {"tier": 0, "reason": "It is only a message."}}
    assert codes(written(tmp_path, service(tool)))[0] == "safety/risk-lowered"


def test_the_table_of_tools_by_safety_regenerates_and_drift_fails(tmp_path: Path) -> None:
    project = written(tmp_path, service(TOOL))
    catalog(project)
    table = project / "generated" / "docs" / "README.md"
    assert "my-chat_send_message" in table.read_text().split("Destructive")[1]
    calmer = {**TOOL, "annotations": {"destructiveHint": False}}
    written(project, service(calmer))
    status, said = run(project, "compile", "--check")
    assert status == 1
    assert "docs/README.md" in said
    catalog(project)
    assert run(project, "compile", "--check")[0] == 0
    assert "Destructive" not in table.read_text()


# Idempotency keys


def test_a_required_key_has_to_be_there(billing: Registry) -> None:
    error = failure(agreeing(billing).call("billing_create_order", BUY))
    assert error.category == "validation"
    assert error.field_errors[0].path == "$.idempotency_key"
    assert SOLD == []


def test_one_key_and_the_same_arguments_replay(billing: Registry) -> None:
    async def twice() -> list[object]:
        arguments = {**BUY, "idempotency_key": "o-1"}
        return [await agreeing(billing).call("billing_create_order", arguments) for _ in range(2)]

    first, second = asyncio.run(twice())
    assert first == second
    assert len(SOLD) == 1


def test_one_key_and_other_arguments_are_a_conflict(billing: Registry) -> None:
    async def both() -> object:
        held = agreeing(billing)
        await held.call("billing_create_order", {**BUY, "idempotency_key": "o-1"})
        return await held.call(
            "billing_create_order", {**BUY, "coupon": "TEN", "idempotency_key": "o-1"}
        )

    error = failure(both())
    assert (error.category, error.code) == ("conflict", "key_reused")
    assert len(SOLD) == 1


def test_an_optional_key_may_be_left_out() -> None:
    sent: list[object] = []

    class Slack:
        async def send_message(self, input: Any) -> Any:
            sent.append(input)
            return {"ok": True, "ts": "1"}

    async def main() -> None:
        registry = agreeing(bound("slack", Slack))
        for key in ({}, {}, {"idempotency_key": "m"}, {"idempotency_key": "m"}):
            await registry.call("slack_send_message", {**CHANNEL, **key})

    asyncio.run(main())
    assert len(sent) == 3
    assert all("idempotency_key" not in one for one in sent)  # type: ignore[operator]


def test_a_tool_without_keys_takes_none(billing: Registry) -> None:
    arguments = {"customer": "cus_8Qa", "idempotency_key": "c-1"}
    error = failure(agreeing(billing).call("billing_delete_customer", arguments))
    assert error.category == "validation"


# Clients


def test_a_client_asks_before_what_is_destructive_and_reads_freely(billing: Registry) -> None:
    from generated.billing import BillingClient

    asked: list[str] = []

    def approver(question: Any) -> bool:
        asked.append(question.tool.full_name)
        return True

    async def main() -> None:
        client = BillingClient(billing, approver=approver)
        await client.get_customer({"customer": "cus_8Qa"})
        assert asked == []
        await client.delete_customer({"customer": "cus_8Qa"})

    asyncio.run(main())
    assert asked == ["billing_delete_customer"]


def test_a_client_with_nobody_to_ask_refuses(billing: Registry) -> None:
    from generated.billing import BillingClient

    client = BillingClient(agreeing(billing))
    error = failure(client.delete_customer({"customer": "cus_8Qa"}))
    assert (error.category, error.code) == ("permission", "approval_required")


def test_a_client_repeats_what_is_idempotent_and_nothing_else() -> None:
    """A tool that says that a failure will pass is called again, if doing it twice does no harm."""
    from toolspec.runtime.client.retries import Retries

    from generated.billing import BillingClient

    runs: list[str] = []

    class Handlers:
        async def get_customer(self, input: Any) -> Any:
            runs.append("read")
            raise ToolError.unavailable("in a moment")

        async def delete_customer(self, input: Any) -> Any:
            runs.append("idempotent")
            raise ToolError.unavailable("in a moment")

        async def rotate_key(self, input: Any) -> Any:
            runs.append("unsafe")
            raise ToolError.unavailable("in a moment")

    async def sleep(seconds: float) -> None: ...

    async def main() -> None:
        client = BillingClient(
            bound("billing", Handlers),
            approver=lambda _: True,
            retries=Retries(times=2, sleep=sleep),
        )
        calls = (
            client.get_customer({"customer": "cus_8Qa"}),
            client.delete_customer({"customer": "cus_8Qa"}),
            client.rotate_key(),
        )
        for call in calls:
            with pytest.raises(ToolError):
                await call

    asyncio.run(main())
    assert [runs.count(each) for each in ("read", "idempotent", "unsafe")] == [3, 3, 1]


def test_a_client_logs_calls_of_the_open_world_apart(caplog: pytest.LogCaptureFixture) -> None:
    from generated.billing import BillingClient

    class Handlers(Billing):
        async def replay_webhook_event(self, input: Any) -> Any:
            return {"status": 200}

    async def main() -> None:
        client = BillingClient(bound("billing", Handlers), approver=lambda _: True)
        await client.get_customer({"customer": "cus_8Qa"})
        await client.replay_webhook_event({"event": "evt_1"})

    with caplog.at_level(logging.INFO, logger="toolspec"):
        asyncio.run(main())
    apart = [one.getMessage() for one in caplog.records if one.name == "toolspec.open_world"]
    assert apart
    assert all("billing_replay_webhook_event" in each for each in apart)
