"""Requests to an authorization server: its metadata, keys, and what it says of a token."""

from __future__ import annotations

import json
from ipaddress import ip_address
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import httpx2

from toolspec.serving.certificates import certificates
from toolspec.serving.errors import ServeError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.shared.json_values import JsonObject

_SECONDS = 3.0
"""Time for each step of a request."""

_MOST_BYTES = 1 << 20
"""Maximum size of an answer."""


class VerificationError(Exception):
    """A token could be neither accepted nor refused; the message is for the log."""


def checked_issuer(url: str) -> str:
    """Return the URL of an issuer. Raises ServeError if it is not HTTPS, or HTTP of this machine."""
    if is_secure(url):
        return url
    problem = f"`{url}` is not the URL of an authorization server: it begins with `https://`"
    raise ServeError(problem)


def is_secure(url: object) -> bool:
    """Return whether a value is a URL whose answers can be trusted: HTTPS, or of this machine."""
    try:
        parts = urlsplit(url) if isinstance(url, str) else None
        host = (parts.hostname or "") if parts else ""
    except ValueError:
        return False
    if parts is None or not host or parts.username is not None or parts.fragment:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and _is_loopback(host))


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


async def discover(issuer: str, member: str) -> str:
    """Return a URL in the metadata of an authorization server (RFC 8414, or OpenID Connect).

    Raises VerificationError if there is no metadata of that issuer, or no such URL in it.
    """
    parts = urlsplit(issuer)
    origin, path = f"{parts.scheme}://{parts.netloc}", parts.path.rstrip("/")
    places = (
        f"{origin}/.well-known/oauth-authorization-server{path}",
        f"{origin}/.well-known/openid-configuration{path}",
        f"{origin}{path}/.well-known/openid-configuration",
    )
    problem: VerificationError | None = None
    for place in dict.fromkeys(places):
        try:
            metadata = await fetch(place)
        except VerificationError as failure:
            problem = problem or failure
            continue
        url = metadata.get(member)
        if metadata.get("issuer") == issuer and is_secure(url):
            return str(url)
        problem = VerificationError(f"{place} is not metadata of {issuer} with `{member}`")
    assert problem is not None
    raise problem


async def fetch(
    url: str, form: Mapping[str, str] | None = None, client: tuple[str, str] | None = None
) -> JsonObject:
    """Return a JSON object: the answer to a GET, or to a form sent in the name of a client.

    Each request has a connection of its own, follows no redirect and keeps no cookie. Raises
    VerificationError for any other answer than 200 with an object; the message quotes nothing.
    """
    body = bytearray()
    try:
        async with (
            httpx2.AsyncClient(verify=certificates(), timeout=_SECONDS) as http,
            http.stream(
                "GET" if form is None else "POST",
                url,
                data=form,
                auth=client,
                headers={"accept": "application/json"},
            ) as response,
        ):
            if response.status_code != httpx2.codes.OK:
                text = f"{url} answered with status {response.status_code}"
                raise VerificationError(text)
            async for part in response.aiter_bytes():
                body += part
                if len(body) > _MOST_BYTES:
                    text = f"{url} answered with more than {_MOST_BYTES} bytes"
                    raise VerificationError(text)
    except (httpx2.HTTPError, httpx2.InvalidURL) as problem:
        raise VerificationError(f"{url} cannot be reached: {type(problem).__name__}") from None  # noqa: EM102, TRY003 - one place
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise VerificationError(f"{url} answered with no JSON object")  # noqa: EM102, TRY003 - one place
    return value
