"""The stages that enforce permissions and approval before a call's handler runs."""

from __future__ import annotations

from contextlib import nullcontext

from toolspec.runtime.controls.policy import (
    Permission,
    decision_on_call,
    decision_on_permission,
)
from toolspec.runtime.open_context import approval_session_of, keep_arguments

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.controls.policy import Decision, Policy
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext, Call, Stage


def keeping(tool: ToolDefinition, policy: Policy | None) -> Stage | None:
    """Return the stage that copies the arguments of a tool that needs approval; None for others.

    The approved arguments are those that run, even if the caller changes its own meanwhile.
    """
    if permitting(tool, policy) is None and approving(tool, policy) is None:
        return None

    async def keep(call: Call) -> None:
        keep_arguments(call.context)

    return keep


def permitting(tool: ToolDefinition, policy: Policy | None) -> Stage | None:
    """Return the stage for permissions that have policy rules; None if all are allowed.

    The stage checks them in order and raises ToolError `permission` at the first denial. An
    approval given in advance covers all of them. For a tool that is turned off nobody is asked.
    """
    if decision_on_call(policy, tool).mode == "off":
        return None
    decided = decided_permissions(tool, policy)
    held = [(one, found) for one, found in decided if found is not None and found.mode != "auto"]
    if not held:
        return None

    async def permit(call: Call) -> None:
        approval_session = approval_session_of(call.context)
        for one, decision in held:
            if decision.mode == "off":
                raise approval_session.forbidden(decision, one)
            if not approval_session.given_ahead():
                await approval_session.consent(one=one)

    return permit


def approving(tool: ToolDefinition, policy: Policy | None) -> Stage | None:
    """Return the stage that requires approval of the call; None if it needs none.

    The question lists the permissions without a rule, which the approval covers. The stage raises
    ToolError `permission` without approval, and for a tool that is turned off.
    """
    decision = decision_on_call(policy, tool)
    if decision.mode == "auto":
        return None
    covered = tuple(one for one, found in decided_permissions(tool, policy) if found is None)

    async def approve(call: Call) -> None:
        approval_session = approval_session_of(call.context)
        if decision.mode == "off":
            raise approval_session.forbidden(decision)
        if not approval_session.given_ahead():
            await approval_session.consent(covered)

    return approve


async def request(context: AnyContext, wanted: tuple[str, str], reason: str) -> None:
    """Return if a running call may use a resource (`kind:name`) for an operation.

    Raises ToolError `permission` if not. Permissions that the tool declares were decided before it
    ran; any other is asked for separately unless a rule decides.
    Raises ValueError for a resource without a kind.
    """
    kind, colon, resource = wanted[0].partition(":")
    if not colon:
        problem = f"{wanted[0]!r} is no resource: write `kind:name`, as in `file:~/notes/a.md`"
        raise ValueError(problem)
    permission = Permission(kind=kind, resource=resource, operation=wanted[1])
    approval_session = approval_session_of(context)
    plan = approval_session.plan
    if (kind, resource, wanted[1]) in plan.tool.permissions:
        return
    decision = decision_on_permission(plan.controls.policy, plan.tool, permission)
    if decision is None or decision.mode == "ask":
        with context._watch or nullcontext():  # noqa: SLF001 - internal field of the runtime
            await approval_session.consent(one=permission, reason=reason)
    elif decision.mode == "off":
        raise approval_session.forbidden(decision, permission)


def decided_permissions(
    tool: ToolDefinition, policy: Policy | None
) -> list[tuple[Permission, Decision | None]]:
    """Return the permissions that the tool declares, each with the decision of a rule or None."""
    return [(one, decision_on_permission(policy, tool, one)) for one in permissions_of(tool)]


def permissions_of(tool: ToolDefinition) -> tuple[Permission, ...]:
    """Return the permissions that the tool declares, in order."""
    return tuple(
        Permission(kind=kind, resource=resource, operation=operation)
        for kind, resource, operation in tool.permissions
    )
