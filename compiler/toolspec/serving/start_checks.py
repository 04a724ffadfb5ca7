"""Checks of authentication and of HTTP requests before a server starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.serving.handlers import ServedTools
    from toolspec.serving.options import Options

_NAMES_SHOWN = 5


def check_requests(served: ServedTools) -> None:
    """Raise ServeError for tools without an HTTP request in services that send theirs."""
    if served.without_request:
        heading = f"tools without a request and without a handler: {_some(served.without_request)}"
        advice = "write `http` for them, or handlers that inherit the generated `…HttpHandlers`"
        raise ServeError(heading, (advice,))


def check_authentication(options: Options, served: ServedTools) -> None:
    """Raise ServeError for tools that cannot be served over HTTP as they are; mocks are exempt.

    Tools with scopes, and those of services with per-user credentials, need a verifier, an
    authenticator of the registry, or `--no-auth`. Per-user credentials need a function that returns
    those of a caller: others would let every caller act as the one they belong to.
    """
    lines: list[str] = []
    services = _services_with_handlers(served)
    users = [service.name for service in services if service.has_user_credentials]
    checked = options.verifier or options.no_auth or served.registry.controls.authenticator
    if not checked:
        scoped = {each.name: [t.full_name for t in each.tools if t.scopes] for each in services}
        lines += [f"  {_some(names)}: need scopes" for names in scoped.values() if names]
        lines += [f"  `{name}`: uses the credentials of each user" for name in users]
        if lines:
            fix = "  add `--verifier MODULE:OBJECT`, or `--no-auth` to serve them to everybody"
            lines = ["no verifier checks who calls these tools over HTTP:", *lines, fix]
    sources = {service.definition.name: service.credentials for service in served.registry.bound}
    missing = [name for name in users if not callable(sources[name])]
    if missing:
        lines.append("no function returns the credentials of each caller over HTTP:")
        lines += [f"  `{name}`: uses the credentials of each user" for name in missing]
        way = "a function for `bind`" if served.is_own else "`--credentials MODULE:FUNCTION`"
        lines.append(f"  add {way}, or declare `credentials: shared`")
    if lines:
        raise ServeError(lines[0], [line.removeprefix("  ") for line in lines[1:]])


def exposure_warning(options: Options, served: ServedTools) -> str:
    """Return a warning about callers from other machines that nobody checks; empty if there are none."""
    is_checked = options.verifier or served.registry.controls.authenticator is not None
    is_local = options.unix_socket or _is_loopback(options.host)
    if options.transport == "stdio" or is_checked or is_local:
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
