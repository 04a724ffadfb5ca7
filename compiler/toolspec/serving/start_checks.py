"""Check of authentication before a server starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.runtime.definition import ServiceDefinition
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


def _services_with_handlers(served: ServedTools) -> Iterable[ServiceDefinition]:
    """Return the services with handlers, since mocks have no effects."""
    return [service for service in served.registry.services if service.name not in served.mocked]


def _some(names: Sequence[str]) -> str:
    rest = len(names) - _NAMES_SHOWN
    return listed(names[:_NAMES_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
