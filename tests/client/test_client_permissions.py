"""What a client's policy says of the permissions that a tool declares."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest
from toolspec.runtime import (
    Permission,
    Policy,
    PolicySource,
    Question,
    Rule,
    ServiceClient,
    ServiceDefinition,
    ToolDefinition,
    ToolError,
    bind_service,
)

if TYPE_CHECKING:
    from toolspec.runtime.client.calls import ClientOptions
    from toolspec.runtime.controls.policy import Mode

WRITE = ("file", "~/a/b", "write")
READ = ("file", "~/a/b", "read")


def policy(**modes: Mode) -> Policy:
    """Return a policy with a rule for every file, by operation, and with `tool` one for all tools."""
    rules = [
        Rule(mode=mode, permission=f"file:*:{op}") for op, mode in modes.items() if op != "tool"
    ]
    rules += [Rule(mode=modes["tool"])] if "tool" in modes else []
    return Policy(sources=(PolicySource(name="mine", rules=tuple(rules)),))


def called(risk: int, options: ClientOptions) -> list[str]:
    """Return the handlers that a call of a client over a registry of its own has reached."""
    ran: list[str] = []
    tool = ToolDefinition(
        name="act", full_name="demo_act", method="act", risk=risk, permissions=(READ, WRITE)
    )

    async def act(input: object) -> object:
        ran.append("act")
        return input

    service = ServiceDefinition(name="demo", tools=(tool,))

    class Client(ServiceClient, service=service):
        pass

    registry = bind_service(service, {"act": act})
    asyncio.run(Client(registry, **options)._call("act", {}))
    return ran


@pytest.mark.parametrize("risk", [0, 2, 3])
def test_a_permission_that_is_turned_off_forbids_the_call(risk: int) -> None:
    asked: list[Question] = []
    rules = policy(write="off", read="auto", tool="auto")
    with pytest.raises(ToolError, match="`file:~/a/b`, which is turned off") as refused:
        called(risk, {"policy": rules, "approver": lambda question: not asked.append(question)})
    assert refused.value.code == "forbidden"
    assert refused.value.details["hint"] == "change the rule in `mine`"
    assert asked == []


@pytest.mark.parametrize("risk", [0, 2, 3])
def test_a_permission_that_is_to_be_asked_for_is(risk: int) -> None:
    asked: list[Question] = []
    rules = policy(write="ask", read="auto", tool="auto")
    with pytest.raises(ToolError) as refused:
        called(risk, {"policy": rules})
    assert refused.value.code == "approval_required"
    ran = called(risk, {"policy": rules, "approver": lambda question: not asked.append(question)})
    assert ran == ["act"]
    (question,) = asked
    assert [vars(one) for one in question.permissions] == [
        vars(Permission(kind="file", resource="~/a/b", operation="write"))
    ]


def test_a_permission_that_is_allowed_leaves_the_call_to_be_asked_for() -> None:
    rules = policy(write="auto", read="auto")
    assert called(0, {"policy": rules}) == ["act"]
    with pytest.raises(ToolError) as refused:
        called(2, {"policy": rules})
    assert refused.value.code == "approval_required"
