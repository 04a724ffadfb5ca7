"""Access control: authentication of callers, their scopes, and their credentials."""

from __future__ import annotations

from toolspec.runtime.awaiting import awaited
from toolspec.runtime.errors import ToolError
from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import TypeAlias

    from toolspec.runtime.call import Call, Stage
    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ToolDefinition
    from toolspec.runtime.service import BoundService

    Authenticator: TypeAlias = Callable[[AnyContext], "Caller | Awaitable[Caller | None] | None"]


class Caller(Record):
    """An authenticated caller. `scopes` are all of its scopes; None if unknown."""

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
        caller = await awaited(authenticator(context))
        if caller is None:
            message = "the caller is not authenticated"
            raise ToolError.auth(message, code="unauthenticated")
        if not isinstance(caller, Caller):
            problem = f"the authenticator returned {type(caller).__name__}, not a Caller or None"
            raise TypeError(problem)
        context.caller = caller.name
        if caller.scopes is not None:
            context.scopes = caller.scopes

    return authenticate


def scoped(tool: ToolDefinition, authenticator: Authenticator | None) -> Stage | None:
    """Return the stage that requires the tool's scopes; None for a tool without scopes.

    Without an authenticator, a caller without scopes is the program itself and has every scope. The
    stage raises ToolError `auth` (`missing_scopes`); `details.missing` lists the missing scopes,
    each with its alternatives.
    """
    if not tool.scopes:
        return None

    async def require_scopes(call: Call) -> None:
        scopes = call.context.scopes
        if scopes is None and authenticator is None:
            return
        missing = missing_scopes(tool, scopes or ())
        if missing:
            names = " and ".join(" or ".join(f"`{scope}`" for scope in group) for group in missing)
            message = f"`{tool.full_name}` needs the scope {names}"
            raise ToolError.auth(message, code="missing_scopes", details={"missing": missing})

    return require_scopes


def missing_scopes(tool: ToolDefinition, scopes: tuple[str, ...]) -> list[list[str]]:
    """Return the scopes that a tool takes beyond some, each with its alternatives."""
    return [list(group) for group in tool.scopes if set(group).isdisjoint(scopes)]


def signing_in(service: BoundService) -> Stage | None:
    """Return the stage that gets the caller's credentials from the provider; None without one.

    The stage raises ToolError `auth` for credentials that violate their schema; the log has the
    details.
    """
    provider, definition = service.credentials, service.definition
    if not callable(provider):
        return None

    async def sign_in(call: Call) -> None:
        from toolspec.runtime.settings import ConfigurationError, checked_credentials

        context = call.context
        instance = (context.instance,) if definition.instances else ()
        credentials = await awaited(provider(context.caller, *instance))
        if credentials is None:
            return
        try:
            checked = checked_credentials(definition, credentials)  # type: ignore[arg-type]  # validated there
            context._credentials = checked  # noqa: SLF001 - internal field of the runtime
        except ConfigurationError as problem:
            context.log.error("%s", problem)  # noqa: TRY400 - a traceback could quote the credentials
            message = f"the credentials for `{definition.name}` are not usable"
            raise ToolError.auth(message, code="bad_credentials") from None

    return sign_in
