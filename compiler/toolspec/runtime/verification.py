"""A tool's own check of what it has done."""

from __future__ import annotations

from toolspec.runtime.errors import ToolError
from toolspec.runtime.values import copied

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.hooks import Call
    from toolspec.runtime.values import JsonValue


async def verified(verify: AnyCallable, call: Call, result: JsonValue) -> None:
    """Return if the tool's check is content: it returns anything but False, and raises nothing.

    Raises ToolError `verification` otherwise, the result attached as `details.output`. The text of
    a ToolError is kept, that of any other exception goes to the log.
    """
    name = call.tool.full_name
    message, code, details = f"`{name}` ran, but its check failed", "verification", {}
    try:
        if await verify(call.input, copied(result), call.context) is not False:
            return
    except ToolError as problem:
        message, code, details = problem.message, problem.code, problem.details
    except Exception:
        call.context.log.exception("verify failed unexpectedly")
    raise ToolError.verification(message, code=code, details={**details, "output": result})
