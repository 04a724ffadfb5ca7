"""Binds the HTTP request of a tool, with the defaults of its parts."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.ir import (
    AuthKind,
    CredentialPlace,
    HttpArgument,
    HttpBinding,
    HttpBody,
    HttpCredential,
    HttpNulls,
    HttpPlace,
    HttpSecurity,
    HttpStyle,
)
from toolspec.shared.media_types import is_json
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from toolspec.frontend.fields import Fields

DEFAULT_SERVER = "{baseUrl}"
STREAMS = "text/event-stream, application/jsonl, application/x-ndjson"
FORM = "application/x-www-form-urlencoded"
MULTIPART = "multipart/"
WITHOUT_BODY = frozenset({"GET", "HEAD", "OPTIONS", "DELETE"})
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
_STYLES = {
    HttpPlace.PATH: HttpStyle.SIMPLE,
    HttpPlace.HEADER: HttpStyle.SIMPLE,
    HttpPlace.QUERY: HttpStyle.FORM,
    HttpPlace.COOKIE: HttpStyle.FORM,
}
_NAMED = frozenset({CredentialPlace.HEADER, CredentialPlace.QUERY, CredentialPlace.COOKIE})


def placeholders(template: str) -> tuple[str, ...]:
    """Return the names in braces of a path or server."""
    return tuple(dict.fromkeys(_PLACEHOLDER.findall(template)))


def default_security(auth: Fields | None) -> tuple[HttpSecurity, ...]:
    """Return the bearer token of an OAuth service; else no credentials."""
    if auth is None or auth.text("type") != AuthKind.OAUTH2:
        return ()
    return (HttpSecurity((HttpCredential("access_token", CredentialPlace.BEARER),)),)


def bind_http(fields: Fields, security: tuple[HttpSecurity, ...]) -> HttpBinding | None:
    """Return the request of a tool with the arguments that it states; None without one.

    `security` is the default. The tool's other arguments follow when its schemas are resolved.
    """
    request = fields.within("http")
    if request is None:
        return None
    body = request.within("body")
    binding = HttpBinding(
        method=request.text("method"),
        path=request.text("path"),
        server=request.text("server", DEFAULT_SERVER),
        accept=request.text("accept")
        or (STREAMS if fields.flag("streaming") else fields.text("outputContentType"))
        or "application/json",
        security=tuple(
            _security(value, request, index)
            for index, value in enumerate(request.items("security"))
        )
        if "security" in request
        else security,
        body=None
        if body is None
        else HttpBody(body.text("argument"), body.text("contentType", "application/json")),
    )
    stated = request.within("in")
    names = stated.value if stated else ()
    arguments = (
        bind_argument(name, stated.within(name) if stated else None, binding) for name in names
    )
    return replace(binding, arguments=tuple(arguments))


def bind_argument(argument: str, fields: Fields | None, binding: HttpBinding) -> HttpArgument:
    """Return the position of an argument; `fields` is what the document states about it."""
    name = fields.text("name", argument) if fields else argument
    place = HttpPlace(
        fields.text("in") if fields and "in" in fields else _place(argument, name, binding)
    )
    content_type = fields.text("contentType") if fields else ""
    style = _STYLES.get(place)
    body_type = binding.body.content_type if binding.body else "application/json"
    if place is HttpPlace.BODY and body_type.startswith(FORM):
        style = HttpStyle.FORM
    if place is HttpPlace.QUERYSTRING:
        content_type = content_type or FORM
    if content_type:
        style = None
    if fields and "style" in fields:
        style = HttpStyle(fields.text("style"))
    explodes = style in (HttpStyle.FORM, HttpStyle.DEEP_OBJECT, HttpStyle.COOKIE)
    sends_json = place is HttpPlace.BODY and is_json(body_type)
    nulls = HttpNulls.SEND if sends_json else HttpNulls.OMIT
    return HttpArgument(
        argument,
        place,
        name,
        style,
        fields.flag("explode", default=explodes) if fields else explodes,
        fields.flag("allowReserved") if fields else False,
        content_type,
        HttpNulls(fields.text("nulls", nulls)) if fields else nulls,
        is_file=fields.flag("file") if fields else False,
    )


def _place(argument: str, name: str, binding: HttpBinding) -> HttpPlace:
    """Return the part of the request for an argument that states none."""
    if name in placeholders(binding.path):
        return HttpPlace.PATH
    body = binding.body
    if body is not None:
        is_in_body = not body.argument or body.argument == argument
    else:
        is_in_body = binding.method not in WITHOUT_BODY
    return HttpPlace.BODY if is_in_body else HttpPlace.QUERY


def _security(value: object, request: Fields, index: int) -> HttpSecurity:
    if not isinstance(value, dict):
        return HttpSecurity(custom=True)
    alternative = type(request).of(value, request.location.at("security", index))
    fields = ((name, alternative.within(name)) for name in value)
    return HttpSecurity(tuple(_credential(name, field) for name, field in fields if field))


def _credential(name: str, fields: Fields) -> HttpCredential:
    place = CredentialPlace(fields.text("in"))
    return HttpCredential(name, place, fields.text("name", name) if place in _NAMED else "")
