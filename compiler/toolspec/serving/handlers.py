"""Registry to serve, from handlers, settings and mocks named on the command line."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from toolspec.runtime.bind import bind_service
from toolspec.runtime.definition import ServiceDefinition, ToolDefinition
from toolspec.runtime.registry import Registry, merge
from toolspec.runtime.settings import ConfigurationError
from toolspec.runtime.signature_check import handler_problems, hook_problems
from toolspec.serving.errors import ServeError, listed
from toolspec.serving.loading import find_object, foreign_code
from toolspec.serving.settings import parsed_settings, settings_for
from toolspec.shared.records import dataclass
from toolspec.shared.spelling import suggestion

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from toolspec.runtime.service import CredentialsProvider
    from toolspec.serving.credentials import CallerCredentials
    from toolspec.serving.mocks import Mocks
    from toolspec.serving.package import GeneratedService, Package
    from toolspec.serving.settings import ServiceSettings
    from toolspec.shared.json_values import JsonObject

EXAMPLE = "app:Notes"


@dataclass(frozen=True, slots=True)
class ServeRequest:
    """Services to serve: `handlers` as passed, `services` by name (empty for all).

    `credentials` names a function of callers and services. Over HTTP (`is_shared`) services with
    credentials of each user have no others.
    """

    handlers: Sequence[str] = ()
    services: Sequence[str] = ()
    settings: str = ""
    seed: int = 0
    mode: str = ""
    credentials: str = ""
    is_shared: bool = False
    upstream: bool = False
    """Whether services without handlers send their HTTP requests."""
    private_upstream: bool = False
    """Whether the servers of these requests may have private addresses."""


@dataclass(frozen=True, slots=True)
class ServedTools:
    """A registry of all served services; `mocked` are those without handlers."""

    registry: Registry
    services: tuple[GeneratedService, ...]
    mocked: tuple[str, ...] = ()
    is_own: bool = False
    """Whether the registry is the user's finished one, with its controls."""
    without_request: tuple[str, ...] = ()
    """Full names of tools that have no HTTP request, in services that send theirs."""


def assemble(package: Package, request: ServeRequest) -> ServedTools:
    """Return a registry of the requested services of a package.

    Without handlers every service is mocked. With some, services without handlers are left out,
    unless they are requested by name: then they are mocked. With `upstream`, a service whose tools
    have HTTP requests has handlers. Raises ServeError listing every problem.
    """
    named = package.named(request.services) if request.services else ()
    handlers = _handlers_by_service(request, package, named)
    finished = [handler for handler in handlers.values() if isinstance(handler, Registry)]
    if finished:
        if request.credentials:
            text = "a finished registry has its own credentials: pass a function to `bind`"
            raise ServeError(text)
        if request.settings:
            text = "a finished registry has its own settings: pass them to `bind`, or leave out `--settings`"
            raise ServeError(text)
        return _serve_registry(package, handlers, request.mode)
    without_request = _add_upstream(handlers, package, request, named) if request.upstream else []
    wished = (*request.services, *handlers)
    services = package.named(wished) if wished else package.services
    mocked = tuple(name for name in map(_name, services) if name not in handlers)
    tables = _tables(request.settings)
    mocks = _mocks(package, request.seed) if mocked else None
    parts: list[_Part] = []
    for service in (generated.definition for generated in services):
        if mocks is not None and service.name in mocked:
            given_settings = tables.get(service.name, {})
            tables[service.name] = mocks.settings(service, given_settings, request.mode)
            parts.append(_Part(_without_needs(service), *mocks.handlers(service)))
        else:
            parts.append(_Part(service, *_split_hooks(service, handlers[service.name])))
    registry = merge(*_bound(parts, tables, request))
    return ServedTools(registry, services, mocked, without_request=tuple(without_request))


def _add_upstream(
    handlers: dict[str, object],
    package: Package,
    request: ServeRequest,
    named: Sequence[GeneratedService],
) -> list[str]:
    """Add handlers for services that send HTTP requests; return their tools that have none."""
    from toolspec.serving.upstream import has_requests, request_handlers, without_request

    missing: list[str] = []
    services = [each for each in named or package.services if has_requests(each)]
    if not services:
        text = "no service has HTTP requests: write `http` for its tools"
        raise ServeError(text)
    for service in services:
        if _name(service) not in handlers:
            own = request_handlers(service, allow_private=request.private_upstream)
            handlers[_name(service)] = own
            missing += without_request(service, own)
    return missing


def _without_needs(service: ServiceDefinition) -> ServiceDefinition:
    """Return the definition for a service's mock: without credentials, with strings for bytes."""
    tools = tuple(
        tool if tool.base64 == "str" else ToolDefinition(**{**vars(tool), "base64": "str"})
        for tool in service.tools
    )
    changed = {"credentials_schema": None, "base64": "str", "tools": tools}
    return ServiceDefinition(**{**vars(service), **changed})


def _name(service: GeneratedService) -> str:
    return service.definition.name


@dataclass(frozen=True, slots=True)
class _Part:
    """A service with its bindings."""

    service: ServiceDefinition
    handlers: object
    hooks: object

    def problems(self) -> list[str]:
        """Return the problems of the bindings, one line each."""
        with foreign_code(f"the handlers of `{self.service.name}` cannot be read"):
            problems = [
                *handler_problems(self.service, self.handlers),
                *hook_problems(self.service, self.hooks),
            ]
        return [f"`{self.service.name}`: {line}" for line in problems]


def _bound(
    parts: Sequence[_Part], file: dict[str, JsonObject], request: ServeRequest
) -> list[Registry]:
    """Return the services, each bound. Raises ServeError listing every problem."""
    mode = request.mode
    function = _credentials(request.credentials)
    problems = [
        f"`{part.service.name}` has no mode `{mode}`{suggestion(mode, part.service.modes)}"
        for part in parts
        if mode and mode not in part.service.modes
    ]
    configured: dict[str, ServiceSettings] = {}
    try:
        services = [part.service for part in parts]
        configured = settings_for(services, environ=os.environ, file=file, mode=mode)
    except ConfigurationError as problem:
        problems += problem.problems
    for part in parts:
        problems += part.problems()
    if problems:
        heading = "the services cannot be served"
        raise ServeError(heading, problems)
    registries: list[Registry] = []
    for part in parts:
        service = part.service
        settings = configured[service.name]
        credentials: Mapping[str, object] | CredentialsProvider | None = settings.credentials
        if service.has_user_credentials and (function or request.is_shared):
            credentials = function.of(service.name) if function else None
        registries.append(
            bind_service(
                service,
                part.handlers,
                settings=settings.settings,
                credentials=credentials,
                hooks=part.hooks,
                mode=mode,
            )
        )
    return registries


def _credentials(reference: str) -> CallerCredentials | None:
    if not reference:
        return None
    from toolspec.serving.credentials import find_credentials

    return find_credentials(reference)


def _mocks(package: Package, seed: int) -> Mocks:
    from toolspec.serving.mocks import Mocks

    return Mocks(package.folder / "catalog.json", seed)


def _handlers_by_service(
    request: ServeRequest, package: Package, named: Sequence[GeneratedService]
) -> dict[str, object]:
    """Return the user's objects by service; a finished registry under the empty name."""
    handlers: dict[str, object] = {}
    for reference in request.handlers:
        service, equals, name = reference.partition("=")
        if not equals:
            service, name = "", reference
        handler = find_object(name, EXAMPLE)
        with foreign_code(f"`{name}` cannot be read"):
            handler = _checked(name, handler)
        key = service if service or isinstance(handler, Registry) else _only(package, named, name)
        if key:
            package.named((key,))
        if key in handlers:
            problem = f"two handlers for `{key}`" if key else "two finished registries: merge them"
            raise ServeError(problem)
        handlers[key] = handler
    return handlers


def _only(package: Package, named: Sequence[GeneratedService], name: str) -> str:
    candidates = [service.definition.name for service in named or package.services]
    if len(candidates) == 1:
        return candidates[0]
    problem = f"which service is `{name}` for? write `SERVICE={name}`, one of {listed(candidates)}"
    raise ServeError(problem)


def _checked(name: str, handler: object) -> object:
    """Return a referenced object. Raises ServeError if it cannot contain handlers."""
    if isinstance(handler, (Registry, ModuleType, dict)):
        return handler
    if isinstance(handler, (str, bytes, int, float, list, tuple, set)) or handler is None:
        text = f"`{name}` is of type {type(handler).__name__}, which has no handlers"
        raise ServeError(text)
    if callable(handler) and hasattr(handler, "__code__"):
        text = (
            f"`{name}` is a function: name an object with handlers, a class, a module or a Registry"
        )
        raise ServeError(text)
    return handler


def _serve_registry(package: Package, handlers: dict[str, object], mode: str) -> ServedTools:
    if len(handlers) > 1:
        text = "a finished registry is served alone: bind the other handlers in it"
        raise ServeError(text)
    (registry,) = handlers.values()
    assert isinstance(registry, Registry)
    others = [
        f"`{service.name}` was bound {f'in mode `{service.mode}`' if service.mode else 'live'}"
        for service in registry.services
        if mode and service.mode != mode
    ]
    if others:
        heading = f"the registry is not in the mode `{mode}`: pass `mode` where it is made"
        raise ServeError(heading, others)
    services = package.named([service.name for service in registry.services])
    generated = {service.definition.name: service.definition for service in services}
    old = [
        f"`{service.name}` has other tools than {package.folder / service.name}"
        for service in registry.services
        if _names(service) != _names(generated[service.name])
    ]
    if old:
        heading = "the registry was made from another build"
        raise ServeError(heading, old)
    return ServedTools(registry.with_controls(copies=True), services, is_own=True)


def _names(service: ServiceDefinition) -> list[tuple[str, str]]:
    return [(tool.full_name, tool.version) for tool in service.tools]


def _tables(name: str) -> dict[str, JsonObject]:
    """Return the tables of a settings file by service; empty if there is no file."""
    if not name:
        return {}
    try:
        tables = parsed_settings(Path(name).read_text(encoding="utf-8"), name)
    except (OSError, UnicodeDecodeError) as problem:
        text = f"the settings in {name} cannot be read: {problem}"
        raise ServeError(text) from problem
    except ConfigurationError as problem:
        heading = "the settings cannot be read"
        raise ServeError(heading, problem.problems) from problem
    wrong = [
        f"`{service}` is not a table"
        for service, table in tables.items()
        if not isinstance(table, dict)
    ]
    if wrong:
        raise ServeError(name, wrong)
    return {service: table for service, table in tables.items() if isinstance(table, dict)}


def _split_hooks(service: ServiceDefinition, table: object) -> tuple[object, object]:
    """Return handlers and hooks: an object may contain both; a dict is split by hook names."""
    if not service.hooks:
        return table, None
    if not isinstance(table, dict):
        return table, table
    hooks = {name: function for name, function in table.items() if name in service.hooks}
    return {name: function for name, function in table.items() if name not in hooks}, hooks
