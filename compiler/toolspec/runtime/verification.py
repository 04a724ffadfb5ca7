"""Completion stages: the tool's own verification of its result, and `after` hooks."""

from __future__ import annotations

from toolspec.runtime.errors import ToolError
from toolspec.runtime.failure import LoggedFailure
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Sequence

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.hooks import After, Call, Completion
    from toolspec.runtime.output_validator import OutputValidator
    from toolspec.shared.json_values import JsonValue


def verifying(verify: AnyCallable) -> Completion:
    """Return the stage that runs a tool's `verify`, which returns why the result is wrong.

    False or a string means that the result is wrong. The stage then raises ToolError `verification`
    with the result as `details.output`. The message of a ToolError is kept, that of any other
    exception is logged.
    """

    async def verified(call: Call, result: JsonValue) -> JsonValue:
        name = call.tool.full_name
        message, code, details = f"`{name}` ran, but its check failed", "verification", {}
        with LoggedFailure(call.context, "verify failed unexpectedly"):
            try:
                reason = await verify(call.input, copied(result), call.context)
                if reason is not False and not isinstance(reason, str):
                    return result
                message = f"{message}: {reason}" if reason else message
            except ToolError as problem:
                message, code, details = problem.message, problem.code, problem.details
        details = {**details, "output": result}
        raise ToolError.verification(message, code=code, details=details)

    return verified


def adjusting(hooks: Sequence[After], output_validator: OutputValidator) -> Completion | None:
    """Return the stage that runs `after` hooks, which may replace the result; None without hooks.

    Each hook gets a copy. A replacement is validated like the handler's result; if a hook fails,
    this is logged and the result kept.
    """
    if not hooks:
        return None

    async def adjusted(call: Call, result: JsonValue) -> JsonValue:
        for hook in hooks:
            replacement = None
            with LoggedFailure(call.context, "an after hook failed; the result is kept"):
                replacement = await hook(call, copied(result))
            if replacement is not None:
                result = output_validator.kept(replacement, call.context)
        return result

    return adjusted
