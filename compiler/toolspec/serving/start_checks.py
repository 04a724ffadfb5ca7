"""Checks before a server starts: authentication, and state shared between processes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.runtime.call_options import Permission
from toolspec.runtime.controls.idempotency import MemoryKeys
from toolspec.runtime.controls.policy import decision_on_call, decision_on_permission
from toolspec.serving.errors import ServeError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.idempotency import KeyStore
    from toolspec.runtime.definition import ServiceDefinition, ToolDefinition
    from toolspec.serving.handlers import ServedTools
    from toolspec.serving.options import Options

_NAMES_SHOWN = 5


def check_authentication(options: Options, served: ServedTools) -> None:
    """Raise ServeError for tools that need authenticated callers on HTTP without authentication.

    These are tools with scopes, and those of services with per-user credentials. A verifier, an
    authenticator of the registry, or `--no-auth` permits them; mocks are exempt.
    """
    if options.verifier or options.no_auth or served.registry.controls.authenticator is not None:
        return
    problems: list[str] = []
    for service in _services_with_handlers(served):
        scoped = [tool.full_name for tool in service.tools if tool.scopes]
        if scoped:
            problems.append(f"{_some(scoped)}: need scopes")
        if service.credentials_schema is not None and service.credentials == "perUser":
            problems.append(f"`{service.name}`: uses the credentials of each user")
    if problems:
        heading = "no verifier checks who calls these tools over HTTP:"
        fix = "add `--verifier MODULE:OBJECT`, or `--no-auth` to serve them to everybody"
        raise ServeError(heading, [*problems, fix])


def check_shared_state(options: Options, served: ServedTools) -> None:
    """Raise ServeError for several processes with separate idempotency keys or approvals.

    A key would have an effect, and an approval a use, in each process. A shared key store in the
    user's registry avoids both.
    """
    controls = served.registry.controls
    if shared_keys(controls) is not None:
        return
    keyed = _keyed_tools(served)
    tools = [tool for service in _services_with_handlers(served) for tool in service.tools]
    asking = [tool.full_name for tool in tools if options.asks and _asks(controls, tool)]
    problems: list[str] = []
    if keyed:
        problems.append(f"{_some(keyed)}: one idempotency key would have an effect in each process")
    if asking:
        problems.append(f"{_some(asking)}: one approval could be used once in each process")
    if problems:
        ways = ["`--workers 1`", "a registry with a store that processes share"]
        if asking and not keyed:
            ways.insert(1, "`--approve auto`")
        heading = "several workers need a store that they share:"
        example = "`registry.with_controls(keys=SqliteStore(PATH).keys)`"
        fix = f"use {', '.join(ways[:-1])} or {ways[-1]}: {example}"
        raise ServeError(heading, [*problems, fix])


def exposure_warning(options: Options, served: ServedTools) -> str:
    """Return a warning about callers from other machines that nobody checks; empty if there are none."""
    is_checked = options.verifier or served.registry.controls.authenticator is not None
    if options.transport == "stdio" or is_checked or _is_loopback(options.host):
        return ""
    return f"anybody who reaches {options.host} may call every tool: `--verifier` checks callers"


def _is_loopback(host: str) -> bool:
    from ipaddress import ip_address

    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def memory_warning(served: ServedTools) -> str:
    """Return a warning about idempotency keys lost with this process; empty if there are none."""
    keyed = _keyed_tools(served)
    if not keyed or shared_keys(served.registry.controls) is not None:
        return ""
    return (
        f"idempotency keys of {_some(keyed)} are kept in memory: a call that is repeated after a"
        " restart has its effect again"
    )


def shared_keys(controls: Controls) -> KeyStore | None:
    """Return the key store that processes can share; None if keys are in memory."""
    store = controls.keys
    return None if isinstance(store, MemoryKeys) else store


def _services_with_handlers(served: ServedTools) -> Iterable[ServiceDefinition]:
    """Return the services with handlers, since mocks have no effects."""
    return [service for service in served.registry.services if service.name not in served.mocked]


def _keyed_tools(served: ServedTools) -> list[str]:
    """Return the names of the tools with handlers that take idempotency keys."""
    return [
        tool.full_name
        for service in _services_with_handlers(served)
        for tool in service.tools
        if tool.idempotency != "none"
    ]


def _asks(controls: Controls, tool: ToolDefinition) -> bool:
    if decision_on_call(controls.policy, tool).mode == "ask":
        return True
    for kind, resource, operation in tool.permissions:
        permission = Permission(kind=kind, resource=resource, operation=operation)
        decision = decision_on_permission(controls.policy, tool, permission)
        if decision is not None and decision.mode == "ask":
            return True
    return False


def _some(names: Sequence[str]) -> str:
    rest = len(names) - _NAMES_SHOWN
    return listed(names[:_NAMES_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
