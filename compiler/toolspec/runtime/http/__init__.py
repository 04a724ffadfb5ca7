"""Calls over HTTP: the requests of tools, and handlers that send them.

`PooledClient` needs `httpcore2`, which the extra `http` installs.
"""

from toolspec.runtime.http.binding import HttpArgument, HttpBinding
from toolspec.runtime.http.handlers import HttpHandlers
from toolspec.runtime.http.messages import HttpClient, HttpRequest, HttpResponse

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.runtime.http.client import PooledClient

__all__ = [
    "HttpArgument",
    "HttpBinding",
    "HttpClient",
    "HttpHandlers",
    "HttpRequest",
    "HttpResponse",
    "PooledClient",
]


def __getattr__(name: str) -> object:
    """Return the default client, whose library is imported only for it."""
    if name != "PooledClient":
        problem = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(problem)
    from toolspec.runtime.http.client import PooledClient

    return PooledClient
