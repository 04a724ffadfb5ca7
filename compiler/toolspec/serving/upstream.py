"""Generated handlers that send the HTTP requests of tools."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from toolspec.serving.errors import ServeError
from toolspec.serving.loading import foreign_code

if TYPE_CHECKING:
    from toolspec.runtime.http import HttpHandlers
    from toolspec.serving.package import GeneratedService

MODULE = "http"


def has_requests(service: GeneratedService) -> bool:
    """Return whether a tool of a service has an HTTP request."""
    return (service.folder / f"{MODULE}.py").is_file()


def request_handlers(service: GeneratedService, *, allow_private: bool) -> HttpHandlers:
    """Return the handlers that send a service's requests.

    Raises ServeError if the HTTP library is missing or the generated code is damaged.
    """
    from toolspec.runtime.http import HttpHandlers

    try:
        from toolspec.runtime.http import PooledClient
    except ImportError:
        message = "requests need an HTTP library: install `toolspec-runtime[http]`"
        raise ServeError(message) from None
    name = f"{service.definition.tools[0].package}.{MODULE}"
    with foreign_code(f"the generated code in {service.folder} cannot be used"):
        module = import_module(name)
    for value in vars(module).values():
        if (
            isinstance(value, type)
            and issubclass(value, HttpHandlers)
            and value is not HttpHandlers
        ):
            return value(PooledClient(allow_private=allow_private))
    message = f"{service.folder / 'http.py'} contains no handlers: run `toolspec compile`"
    raise ServeError(message)


def without_request(service: GeneratedService, handlers: HttpHandlers) -> list[str]:
    """Return the full names of tools that have no request."""
    bindings = handlers._bindings  # noqa: SLF001 - internal field of the runtime
    return [each.full_name for each in service.definition.tools if each.method not in bindings]
