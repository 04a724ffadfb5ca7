"""Requests of calls, from arguments, settings and credentials."""

from __future__ import annotations

import re
from base64 import b64encode
from binascii import Error as Base64Error
from urllib.parse import quote, unquote, urlsplit

from toolspec.runtime.errors import ToolError
from toolspec.runtime.http.binding import HttpArgument
from toolspec.runtime.http.bodies import body_of
from toolspec.runtime.http.messages import HttpRequest
from toolspec.runtime.http.serialization import (
    in_cookie,
    in_header,
    in_path,
    in_query,
    in_querystring,
)
from toolspec.shared.http_headers import FORBIDDEN_HEADERS, is_token
from toolspec.shared.media_types import is_json

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from toolspec.runtime.http.binding import Alternative, HttpBinding
    from toolspec.runtime.http.bodies import Uploads
    from toolspec.shared.json_values import JsonValue

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_IN_HOST = re.compile(r"[A-Za-z0-9._~-]+")
_SENDABLE = re.compile(r"[!-~]([\t -~]*[!-~])?|")
_WITHOUT_BODY = frozenset(("GET", "HEAD", "OPTIONS", "DELETE"))
_UNRESERVED = "-._~"
_BASIC_USER = re.compile(r"[^:]*", re.DOTALL)
_IN_RAW_COOKIE = re.compile(r"(?! )[ -:<-~]*(?<! )")
_LITERAL = "/%:@!$&'()*+,;=-._~"
_LOOPBACK = re.compile(r"localhost|127\.[0-9.]+|::1|.+\.localhost")


def request_of(
    binding: HttpBinding,
    arguments: Mapping[str, JsonValue],
    settings: Mapping[str, object] | None,
    credentials: Mapping[str, object] | None,
    uploads: Uploads = (),
) -> HttpRequest:
    """Return the request of a call; `uploads` are the files that its body sends.

    Raises ToolError `validation` for arguments that cannot be sent, `auth` without usable
    credentials, and `internal` for a server that is not a URL.
    """
    try:
        builder = _Builder(binding, arguments, credentials)
        return builder.request(_server(binding.server, settings), uploads)
    except UnicodeEncodeError:
        message = "an argument has characters that cannot be sent"
        raise ToolError.validation(message, code="not_sendable") from None
    except Base64Error:
        message = "an argument is not base64"
        raise ToolError.validation(message, code="not_base64") from None


def needs_program(binding: HttpBinding, credentials: Mapping[str, object] | None) -> bool:
    """Return whether only a program can apply the credentials of a request."""
    return None in binding.security and _chosen(binding.security, credentials) is None


class _Builder:
    """The parts of one request, while it is made."""

    def __init__(
        self,
        binding: HttpBinding,
        arguments: Mapping[str, JsonValue],
        credentials: Mapping[str, object] | None,
    ) -> None:
        self._binding = binding
        self._credentials = credentials or {}
        self._segments: dict[str, str] = {}
        self._query: list[tuple[str, str]] = []
        self._querystring = ""
        self._cookies: list[tuple[str, str]] = []
        self._headers: list[tuple[str, str]] = []
        self._secrets: list[str] = []
        self._body: list[tuple[HttpArgument, JsonValue]] = []
        self._names: set[tuple[str, str]] = {
            (each.place, each.wire_name) for each in binding.arguments
        }
        for alternative in binding.security:
            self._names |= {(place, name) for _, place, name in alternative or ()}
        declared = {each.argument: each for each in binding.arguments}
        for name, value in arguments.items():
            self._add(declared.get(name) or self._undeclared(name), value)

    def request(self, server: str, uploads: Uploads) -> HttpRequest:
        """Return the request."""
        binding = self._binding
        content, content_type = body_of(binding, self._body, uploads)
        self._authorize(server)
        headers = [("Accept", binding.accept), *self._headers]
        if content_type:
            headers.append(("Content-Type", content_type))
        if self._cookies:
            headers.append(("Cookie", "; ".join(f"{key}={text}" for key, text in self._cookies)))
        url = f"{server}{self._path()}"
        query = self._querystring or "&".join(f"{key}={text}" for key, text in self._query)
        if query:
            url += f"?{query}"
        return HttpRequest(
            method=binding.method,
            url=url,
            headers=tuple(headers),
            content=content,
            secrets=tuple(self._secrets),
        )

    def _undeclared(self, name: str) -> HttpArgument:
        """Return the position of an argument that an open schema admits."""
        binding = self._binding
        in_body = not binding.body_argument and (
            bool(binding.content_type) or binding.method not in _WITHOUT_BODY
        )
        place = "body" if in_body else "query"
        takes_query = any(each.place == "querystring" for each in binding.arguments)
        if (place, name) in self._names or (takes_query and not in_body):
            raise _refused(name, "replaces another argument or a credential")
        sends_json = in_body and (not binding.content_type or is_json(binding.content_type))
        return HttpArgument(
            argument=name,
            place="body" if in_body else "query",
            style="form",
            explode=True,
            nulls="send" if sends_json else "omit",
        )

    def _add(self, argument: HttpArgument, value: JsonValue) -> None:
        if argument.place == "body":
            self._body.append((argument, value))
            return
        if value is None and argument.nulls == "omit":
            if argument.place == "path":
                raise _refused(argument.argument, "is null, and the path needs it")
            return
        if value is None and argument.nulls == "empty":
            value = ""
        match argument.place:
            case "path":
                self._segments[argument.wire_name] = _segment(argument, value)
            case "query":
                self._query += self._checked(argument, in_query(argument, value))
            case "cookie":
                self._add_cookies(argument, in_cookie(argument, value))
            case "querystring":
                self._querystring = in_querystring(argument, value)
            case _:
                self._add_header(argument, in_header(argument, value))

    def _add_cookies(self, argument: HttpArgument, pairs: list[tuple[str, str]]) -> None:
        if argument.style == "cookie" and not all(
            is_token(name) and _IN_RAW_COOKIE.fullmatch(text) for name, text in pairs
        ):
            raise _refused(argument.argument, "has characters that a cookie cannot have")
        self._cookies += self._checked(argument, pairs)

    def _checked(
        self, argument: HttpArgument, pairs: list[tuple[str, str]]
    ) -> list[tuple[str, str]]:
        """Return parameters none of which has the name of another argument or of a credential."""
        own = (argument.wire_name, quote(argument.wire_name, _UNRESERVED))
        for key, _ in pairs:
            if key not in own and (argument.place, unquote(key)) in self._names:
                raise _refused(argument.argument, "replaces another argument or a credential")
        return pairs

    def _add_header(self, argument: HttpArgument, value: str) -> None:
        name = argument.wire_name
        if name.lower() in FORBIDDEN_HEADERS or not is_token(name):
            raise _refused(argument.argument, f"cannot set the header `{name}`")
        if not _SENDABLE.fullmatch(value):
            raise _refused(argument.argument, "has characters that a header cannot have")
        self._headers.append((name, value))

    def _path(self) -> str:
        """Return the path with its arguments."""

        def filled(match: re.Match[str]) -> str:
            name = match[1]
            if name not in self._segments:
                raise _refused(name, "is missing, and the path needs it")
            return self._segments[name]

        parts = _PLACEHOLDER.split(self._binding.path)
        literals = (quote(part, _LITERAL) for part in parts[::2])
        names = (filled(match) for match in _PLACEHOLDER.finditer(self._binding.path))
        path = "".join(text for pair in zip(literals, [*names, ""], strict=True) for text in pair)
        for segment in path.split("/"):
            if _is_dots(segment):
                message = "the arguments make a path that leads elsewhere: `.` or `..`"
                raise ToolError.validation(message, code="not_sendable")
        return path

    def _authorize(self, server: str) -> None:
        """Add the credentials of the first alternative that has all its fields."""
        alternatives = self._binding.security
        if not alternatives:
            return
        chosen = _chosen(alternatives, self._credentials)
        if chosen is None:
            if None in alternatives:
                return
            fields = sorted({field for each in alternatives for field, _, _ in each or ()})
            message = f"the credentials lack {' or '.join(f'`{field}`' for field in fields)}"
            raise ToolError.auth(message, code="no_credentials")
        if chosen:
            _require_https(server)
            self._place(chosen)

    def _place(self, credentials: tuple[tuple[str, str, str], ...]) -> None:
        """Add credentials, each in its place."""
        basic: dict[str, str] = {}
        for field, place, name in credentials:
            secret = _text(self._credentials.get(field))
            self._secrets.append(secret)
            match place:
                case "query":
                    self._query.append((quote(name, _UNRESERVED), quote(secret, _UNRESERVED)))
                case "cookie":
                    # The server has made the value: what it means is the server's alone (RFC 6265).
                    self._cookies.append((name, _fit(secret, _IN_RAW_COOKIE, "a cookie")))
                case "bearer":
                    self._set_secret("Authorization", f"Bearer {secret}")
                case "basicUsername" | "basicPassword":
                    basic[place] = secret
                case _:
                    self._set_secret(name, secret)
        if basic:
            user, password = basic.get("basicUsername", ""), basic.get("basicPassword", "")
            _fit(user, _BASIC_USER, "the user name of basic authentication")  # RFC 7617, section 2
            pair = b64encode(f"{user}:{password}".encode()).decode()
            self._secrets.append(pair)
            self._set_secret("Authorization", f"Basic {pair}")

    def _set_secret(self, name: str, value: str) -> None:
        self._headers.append((name, _fit(value, _SENDABLE, "a header")))


def _fit(secret: str, form: re.Pattern[str], place: str) -> str:
    """Return a credential. Raises ToolError `auth` for one that its place cannot have."""
    if not form.fullmatch(secret):
        message = f"the credentials have characters that {place} cannot have"
        raise ToolError.auth(message, code="bad_credentials")
    return secret


def _chosen(
    alternatives: Iterable[Alternative], credentials: Mapping[str, object] | None
) -> Alternative:
    """Return the first alternative whose fields are there; None without one."""
    for alternative in alternatives:
        if alternative is not None and all(
            _text((credentials or {}).get(field)) for field, _, _ in alternative
        ):
            return alternative
    return None


def _require_https(server: str) -> None:
    """Raise ToolError `auth` for a server that would get credentials in the clear."""
    address = urlsplit(server)
    if address.scheme != "https" and not _LOOPBACK.fullmatch(address.hostname or ""):
        message = "credentials are sent over https only"
        raise ToolError.auth(message, code="insecure_server")


def _text(value: object) -> str:
    return value if isinstance(value, str) else "" if value is None else str(value)


def _segment(argument: HttpArgument, value: JsonValue) -> str:
    """Return a path argument, which stays inside of its segment."""
    segment = in_path(argument, value)
    if not segment:
        raise _refused(argument.argument, "is empty, and the path needs it")
    if _is_dots(segment):
        raise _refused(argument.argument, "leads to another path: `.` or `..`")
    return segment


def _is_dots(segment: str) -> bool:
    """Return whether a server that decodes a segment once or more could leave the path by it."""
    while (decoded := unquote(segment)) != segment:
        segment = decoded
    return any(part in (".", "..") for part in re.split(r"[/\\]", segment))


def _server(template: str, settings: Mapping[str, object] | None) -> str:
    """Return the URL of the server without a final slash.

    A setting at the beginning is a URL, which may have names of other settings in braces.
    """

    def setting(name: str) -> str:
        return _text((settings or {}).get(name))

    def part(match: re.Match[str]) -> str:
        value = setting(match[1])
        if not _IN_HOST.fullmatch(value):
            message = f"the setting `{match[1]}` is not a part of a URL"
            raise ToolError(code="bad_server", message=message)
        return value

    first = _PLACEHOLDER.match(template)
    if first:
        template = setting(first[1]) + template[first.end() :]
    url = _PLACEHOLDER.sub(part, template).rstrip("/")
    if not _is_server(url):
        message = "the server is not a URL: it begins with `https://` and has no query"
        raise ToolError(code="bad_server", message=message)
    return url


def _is_server(url: str) -> bool:
    """Return whether a text is a URL of HTTP without user, query and fragment."""
    try:
        address = urlsplit(url)
        is_server = address.scheme in ("http", "https") and bool(address.hostname)
        return is_server and address.port != 0 and re.search(r"[?#@\\\s]|[^ -~]", url) is None
    except ValueError:
        return False


def _refused(argument: str, reason: str) -> ToolError:
    message = f"the argument `{argument}` {reason}"
    return ToolError.validation(message, code="not_sendable", details={"argument": argument})
