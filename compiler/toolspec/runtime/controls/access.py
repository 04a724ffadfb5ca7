"""Access control: authentication of callers, and the scopes that a tool requires."""

from __future__ import annotations

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.errors import ToolError
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeAlias

    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.hooks import AnyContext, Call, Stage

    Authenticator: TypeAlias = Callable[[AnyContext], "Caller | Awaitable[Caller | None] | None"]


class Caller(Record):
    """An authenticated caller. `scopes` are all that it has; None if unknown."""

    name: str
    scopes: tuple[str, ...] | None = None


def authenticating(authenticator: Authenticator | None) -> Stage | None:
    """Return the stage that authenticates the caller; None without an authenticator.

    The stage raises ToolError `auth` (`unauthenticated`) for a caller that the authenticator
    rejects, and lets exceptions of the authenticator propagate.
    """
    if authenticator is None:
        return None

    async def authenticate(call: Call) -> None:
        context = call.context
        found = await awaited(authenticator(context))
        if found is None:
            message = "this call does not say who it is from, or nobody knows them"
            raise ToolError.auth(message, code="unauthenticated")
        if not isinstance(found, Caller):
            problem = f"the authenticator returned {type(found).__name__}, not a Caller or None"
            raise TypeError(problem)
        context.caller = found.name
        if found.scopes is not None:
            context.scopes = found.scopes

    return authenticate


def scoped(tool: ToolDefinition, authenticator: Authenticator | None) -> Stage | None:
    """Return the stage that requires the tool's scopes; None for a tool without scopes.

    A caller without authenticator and scopes is the program itself and has every scope. The stage
    raises ToolError `auth` (`missing_scopes`); `details.missing` lists the missing scopes, each
    with its alternatives.
    """
    if not tool.scopes:
        return None

    async def hold_to_scopes(call: Call) -> None:
        held = call.context.scopes
        if held is None and authenticator is None:
            return
        missing = [list(group) for group in tool.scopes if set(group).isdisjoint(held or ())]
        if missing:
            named = " and ".join(" or ".join(f"`{scope}`" for scope in group) for group in missing)
            message = f"`{tool.full_name}` needs the scope {named}"
            raise ToolError.auth(message, code="missing_scopes", details={"missing": missing})

    return hold_to_scopes
