"""Creation of call contexts, and access to their internal parts."""

from __future__ import annotations

from toolspec.runtime.context import Context
from toolspec.runtime.progress_listener import check_listener
from toolspec.runtime.values import NotJsonError, copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.context import CallOptions
    from toolspec.runtime.controls.approval_session import ApprovalSession
    from toolspec.runtime.hooks import AnyContext
    from toolspec.runtime.plan import Plan

_new = object.__new__

_OPTIONS = {
    "caller": "caller",
    "scopes": "scopes",
    "transport": "transport",
    "request_id": "_request_id",
    "on_progress": "_listener",
    "approver": "_approver",
    "approval": "_approval",
}
"""Options of a call, and the slots that they fill."""


def opened(plan: Plan, options: CallOptions, arguments: object = None) -> AnyContext:
    """Return the context of a new call.

    Raises TypeError for unknown options and async listeners.
    """
    context: AnyContext = _new(Context)
    context._plan = plan  # noqa: SLF001 - internal field of the runtime
    context._arguments = arguments  # noqa: SLF001 - the same
    context.caller = None
    context._left = ()  # noqa: SLF001 - the same
    if options:
        _fill_in(context, options)
    return context


def _fill_in(context: AnyContext, options: CallOptions) -> None:
    for name, value in options.items():
        slot = _OPTIONS.get(name)
        if slot is None:
            problem = f"a call has no option {name!r}; there are {', '.join(_OPTIONS)}"
            raise TypeError(problem)
        setattr(context, slot, value)
    check_listener(options.get("on_progress"))


def keep_arguments(context: AnyContext) -> None:
    """Continue a call with a copy of its arguments; validation reports values that are not JSON."""
    from contextlib import suppress

    with suppress(NotJsonError):
        context._arguments = copied(context._arguments)  # noqa: SLF001 - internal


def approval_session_of(context: AnyContext) -> ApprovalSession:
    """Return the approval session of the call.

    Raises ToolError `permission` for a context made by hand, which has no approver.
    """
    approval_session, plan = context._approval_session, context._plan  # noqa: SLF001 - internal fields of the runtime
    if approval_session is not None:
        return approval_session
    from toolspec.runtime.controls.approval_session import HINT, ApprovalSession

    if plan is None:
        from toolspec.runtime.errors import ToolError

        message = "a permission is needed, and there is nobody to ask"
        details = {"tool": context.tool, "hint": HINT}
        raise ToolError.permission(message, code="approval_required", details=details)
    brought = context._arguments, context._approver, context._approval  # noqa: SLF001 - the same
    approval_session = context._approval_session = ApprovalSession(plan, context, *brought)  # noqa: SLF001 - the same
    return approval_session
