"""The ASGI application of a server: what it checks of a request before MCP sees it."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.routing import Route

from toolspec.serving.authorization import Authentication, ProtectedResource, ScopeCheck
from toolspec.serving.bodies import BodyCheck
from toolspec.serving.errors import ServeError
from toolspec.serving.http_request import ProxyCheck, ResponseEnd, check_proxies
from toolspec.serving.json_responses import JsonResponses, SessionManager
from toolspec.serving.origins import OriginCheck, allowed_origin, host_name, parsed_origin
from toolspec.serving.verifiers import find_verifier

if TYPE_CHECKING:
    from mcp.server.lowlevel import Server

    from toolspec.serving.handlers import ServedTools
    from toolspec.serving.options import Options
    from toolspec.serving.tasks import TaskStore

_LOCAL = ("127.0.0.1", "localhost", "[::1]")
_ANYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 - compared, not bound


def http_app(options: Options, served: ServedTools, server: Server[TaskStore]) -> Starlette:
    """Return an application that serves MCP at its path to clients of both eras.

    Raises ServeError for names, origins and URLs that are none.
    """
    manager = SessionManager(
        server,
        stateless=not options.sessions,
        security_settings=TransportSecuritySettings(enable_dns_rebinding_protection=False),
    )
    application = Starlette(
        routes=[Route(options.path, StreamableHTTPASGIApp(manager))],
        lifespan=lambda _: manager.run(),
    )
    application.state.server = server
    url = options.resource or options.url
    own = parsed_origin(url.removesuffix(urlsplit(url).path))
    if own is None:
        problem = f"`{url}` is not the URL of a server: write it as in `https://tools.example/mcp`"
        raise ServeError(problem)
    names = {*_LOCAL, own.name, *map(host_name, options.hosts)}
    if options.host not in _ANYWHERE:
        names.add(host_name(options.host))
    origins = {own, *map(allowed_origin, options.origins)}
    checks = [Middleware(OriginCheck, names, origins), Middleware(BodyCheck)]
    if options.verifier:
        if (options.unix_socket or options.host in _ANYWHERE) and not options.resource:
            place = "--unix-socket" if options.unix_socket else f"--host {options.host}"
            problem = f"`--verifier` with `{place}` needs `--resource URL`"
            advice = "the URL by which clients reach the server, for which tokens are issued"
            raise ServeError(problem, (advice,))
        verifier = find_verifier(options, options.audience or url)
        resource = ProtectedResource(
            url=url,
            name=server.title or server.name,
            issuers=options.issuers or verifier.issuers,
            scopes=_scopes(served),
        )
        application.router.routes.extend(resource.routes(options.path))
        authentication = Middleware(
            Authentication, verifier, resource, is_exchanged=bool(options.credentials)
        )
        checks.insert(1, authentication)
        if served.registry.controls.authenticator is None:
            checks.append(Middleware(ScopeCheck, served.registry, resource))
    check_proxies(options.proxies)
    edge = [Middleware(ResponseEnd), Middleware(ProxyCheck, options.proxies)]
    application.user_middleware.extend((*edge, *checks, Middleware(JsonResponses)))
    return application


def _scopes(served: ServedTools) -> tuple[str, ...]:
    """Return every scope that a served tool may take, in order."""
    groups = [group for tool in served.registry.tools for group in tool.scopes]
    return tuple(sorted({scope for group in groups for scope in group}))
