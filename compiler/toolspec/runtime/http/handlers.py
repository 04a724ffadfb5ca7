"""Base of generated handlers that send HTTP requests."""

from __future__ import annotations

import asyncio
import socket
import time
from urllib.parse import urljoin, urlsplit

from toolspec.runtime.errors import ToolError
from toolspec.runtime.http.incoming import (
    UNKNOWN_EFFECT,
    chunks_of,
    error_of,
    header,
    is_error,
    read,
    result_of,
    retry_after_ms,
)
from toolspec.runtime.http.messages import ForbiddenAddressError, HttpRequest, NotSentError
from toolspec.runtime.http.outgoing import needs_program, request_of

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Mapping
    from typing import Any, ClassVar, TypeAlias

    from toolspec.runtime.context import AnyContext
    from toolspec.runtime.definition import ServiceDefinition, ToolDefinition
    from toolspec.runtime.http.binding import HttpBinding
    from toolspec.runtime.http.bodies import Uploads
    from toolspec.runtime.http.messages import HttpClient, HttpResponse
    from toolspec.shared.error_categories import Category
    from toolspec.shared.json_values import JsonValue

    _Error: TypeAlias = tuple[str, str, Category]

MAX_RESPONSE_BYTES = 10_000_000
MAX_UPLOAD_BYTES = 50_000_000
_REDIRECTS = 5
_TO_GET = (301, 302, 303)
_REDIRECTING = (*_TO_GET, 307, 308)
_PASSING = (429, 502, 503, 504)
_NOT_SENT = (NotSentError, ConnectionRefusedError, socket.gaierror)
_UNREACHABLE: _Error = ("unreachable", "the server cannot be reached", "unavailable")
_NO_ANSWER: _Error = ("no_answer", "the server did not answer in time", "timeout")
_LONGEST_WAIT = 60.0
_FIRST_WAIT = 0.5
_TEXT_ARGUMENT = "input"
_KEY = "idempotency_key"


class HttpHandlers:
    """Handlers of a service whose tools send HTTP requests.

    `client` sends them; the default one connects to public addresses, and to private ones with
    `allow_private`. A response has at most `max_response_bytes`, counted without compression; of a
    stream each event or line. The files of a request have at most `max_upload_bytes`. A request that
    may be repeated is sent up to `retries` more times.
    """

    _service: ClassVar[ServiceDefinition]
    _bindings: ClassVar[Mapping[str, HttpBinding]]

    def __init__(
        self,
        client: HttpClient | None = None,
        *,
        allow_private: bool = False,
        max_response_bytes: int = MAX_RESPONSE_BYTES,
        max_upload_bytes: int = MAX_UPLOAD_BYTES,
        retries: int = 2,
    ) -> None:
        if client is None:
            from toolspec.runtime.http.client import PooledClient

            client = PooledClient(allow_private=allow_private)
        self._client = client
        self._limit = max_response_bytes
        self._largest_upload = max_upload_bytes
        self._retries = retries

    async def _authorize(
        self, request: HttpRequest, credentials: Mapping[str, object] | None
    ) -> HttpRequest:
        """Return a request with credentials of a scheme that the spec calls `custom`.

        Override it for such tools. The default raises ToolError `auth`.
        """
        names = ", ".join(f"`{name}`" for name in credentials or ())
        message = (
            f"the credentials ({names}) of {request.method} need a program: override `_authorize`"
        )
        raise ToolError.auth(message, code="custom_security")

    async def _call(self, method: str, arguments: object, ctx: AnyContext) -> Any:
        """Return the result of a tool. Raises ToolError for a status that is no success."""
        exchange = await self._exchange(method, arguments, ctx)
        response, tool = exchange.response, exchange.tool
        try:
            data = await read(response, self._limit)
        except OSError as problem:
            raise exchange.broken(problem) from None
        finally:
            await response.aclose()
        result = result_of(tool, response, data)
        if tool.base64 == "bytes":
            from toolspec.runtime.bytes_codec import conversion_of

            return conversion_of(tool).output_to_python(result)
        return result

    async def _stream(self, method: str, arguments: object, ctx: AnyContext) -> AsyncIterator[Any]:
        """Yield the chunks of a streaming tool. Raises ToolError like `_call`."""
        exchange = await self._exchange(method, arguments, ctx)
        response, tool = exchange.response, exchange.tool
        convert = None
        if tool.base64 == "bytes":
            from toolspec.runtime.bytes_codec import conversion_of

            convert = conversion_of(tool).chunk_to_python
        try:
            async for chunk in chunks_of(tool, response, self._limit):
                yield chunk if convert is None else convert(chunk)
        except OSError as problem:
            raise exchange.broken(problem) from None
        finally:
            await response.aclose()

    async def _exchange(self, method: str, arguments: object, ctx: AnyContext) -> _Exchange:
        """Send the request of a call, and again if that is safe; return the response."""
        tool = next(each for each in self._service.tools if each.method == method)
        binding = self._bindings[method]
        credentials: Mapping[str, object] | None = None
        if binding.security and () not in binding.security:
            credentials = ctx.credentials
        elif binding.security:
            credentials = _optional_credentials(ctx)
        takes_key = any(each.argument == _KEY for each in binding.arguments)
        key = ctx.idempotency_key if takes_key else None
        values = _arguments(tool, arguments, key)
        uploads: Uploads = ()
        if any(each.is_file for each in binding.arguments):
            from toolspec.runtime.http.uploads import read_uploads

            uploads = await read_uploads(binding, values, tool.permissions, self._largest_upload)
        request = request_of(binding, values, ctx.settings, credentials, uploads)
        if needs_program(binding, credentials):
            request = await self._authorize(request, credentials)
        is_repeatable = tool.read_only or tool.idempotent or key is not None
        exchange = _Exchange(self._client, tool, request, ctx, is_repeatable=is_repeatable)
        await exchange.run(self._retries)
        return exchange


class _Exchange:
    """A request, sent until there is a response to use."""

    response: HttpResponse

    def __init__(
        self,
        client: HttpClient,
        tool: ToolDefinition,
        request: HttpRequest,
        ctx: AnyContext,
        *,
        is_repeatable: bool,
    ) -> None:
        self.tool = tool
        self._is_repeatable = is_repeatable
        self._is_answered = False
        self._client = client
        self._request = request
        self._ctx = ctx
        self._start = time.monotonic()

    async def run(self, retries: int) -> None:
        """Set the response. Raises ToolError without a successful one.

        A request that may be repeated is sent up to `retries` more times.
        """
        wait = _FIRST_WAIT
        for left in range(retries if self._is_repeatable else 0, -1, -1):
            try:
                response = await self._follow()
            except OSError as problem:
                error, delay = self.broken(problem), wait
                is_passing = not isinstance(problem, ForbiddenAddressError)
            else:
                if not is_error(response.status):
                    self.response = response
                    return
                try:
                    error = await error_of(
                        self.tool, self._request, response, is_repeatable=self._is_repeatable
                    )
                finally:
                    await response.aclose()
                asked = retry_after_ms(response)
                delay = wait if asked is None else asked / 1000
                is_passing = response.status in _PASSING
            if not left or not is_passing or delay > self._remaining():
                raise error
            self._ctx.log.info("sends the request again in %.1f s: %s", delay, error.code)
            await asyncio.sleep(delay)
            wait *= 2

    def broken(self, problem: OSError) -> ToolError:
        """Return the error for a connection that failed."""
        if isinstance(problem, ForbiddenAddressError):
            message = "the address of the server is not public; private ones have to be allowed"
            return ToolError("forbidden_address", message, "permission")
        self._ctx.log.warning("the request failed: %s", type(problem).__name__)
        is_unsent = isinstance(problem, _NOT_SENT) and not self._is_answered
        is_harmless = self._is_repeatable or is_unsent
        retryable, details = (None, {}) if is_harmless else (False, UNKNOWN_EFFECT)
        code, message, category = _UNREACHABLE
        if isinstance(problem, TimeoutError):
            code, message, category = _NO_ANSWER
        return ToolError(code, message, category, retryable=retryable, details=details)

    def _remaining(self) -> float:
        """Return the seconds that a wait may take."""
        tool, elapsed = self.tool, time.monotonic() - self._start
        total = None if tool.timeout_total is None else tool.timeout_total - elapsed
        limits = (total, tool.timeout_idle, _LONGEST_WAIT)
        return min(limit for limit in limits if limit is not None)

    async def _follow(self) -> HttpResponse:
        """Return the first response that does not redirect."""
        request = self._request
        for _ in range(_REDIRECTS + 1):
            response = await self._send(request)
            self._is_answered = True
            location = header(response, "location")
            if response.status not in _REDIRECTING or not location:
                return response
            await response.aclose()
            request = _redirected(request, response.status, location)
        message = f"the server redirects more than {_REDIRECTS} times"
        raise ToolError.unavailable(message, code="redirects", retryable=False)

    async def _send(self, request: HttpRequest) -> HttpResponse:
        headers = (*request.headers, ("Accept-Encoding", "gzip"))
        try:
            return await self._client.send(request.method, request.url, headers, request.content)
        except (OSError, ToolError):
            raise
        except Exception as problem:  # noqa: BLE001 - a client of the user's
            # Its text may quote the URL with its credentials.
            raise ConnectionError(type(problem).__name__) from None


def _redirected(request: HttpRequest, status: int, location: str) -> HttpRequest:
    """Return the request of a redirect. Raises ToolError if it leads to another origin."""
    url = ""
    try:
        url = urljoin(request.url, location).partition("#")[0]
        is_same = _origin(url) == _origin(request.url) and url.isascii()
    except ValueError:
        is_same = False
    if not is_same:
        message = "the server redirects to another one"
        raise ToolError.unavailable(message, code="redirect_refused", retryable=False)
    fields = {**vars(request), "url": url}
    if status in _TO_GET and request.method not in ("GET", "HEAD"):
        headers = tuple(pair for pair in request.headers if pair[0] != "Content-Type")
        fields |= {"method": "GET", "headers": headers, "content": b""}
    return HttpRequest(**fields)


def _origin(url: str) -> tuple[str, str | None, int | None]:
    address = urlsplit(url)
    default = {"http": 80, "https": 443}.get(address.scheme)
    if "@" in address.netloc:
        raise ValueError(address.netloc)
    return address.scheme, address.hostname, address.port or default


def _arguments(tool: ToolDefinition, value: object, key: str | None) -> dict[str, JsonValue]:
    """Return the arguments of a call by name."""
    if tool.base64 == "bytes":
        from toolspec.runtime.bytes_codec import conversion_of

        value = conversion_of(tool).input_to_json(value)
    arguments: dict[str, Any] = {_TEXT_ARGUMENT: value} if isinstance(value, str) else dict(value)  # type: ignore[call-overload]  # a mapping
    if key is not None:
        arguments[_KEY] = key
    return arguments


def _optional_credentials(ctx: AnyContext) -> Mapping[str, object] | None:
    """Return the credentials of a call that also works without."""
    try:
        credentials: Mapping[str, object] | None = ctx.credentials
    except ToolError:
        return None
    return credentials
