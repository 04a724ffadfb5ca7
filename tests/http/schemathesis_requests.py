"""The request of a call as schemathesis writes it, and in which it may differ (docs/http.md)."""

from __future__ import annotations

import copy
import json
from base64 import b64decode
from collections.abc import Mapping
from dataclasses import dataclass
from email.parser import BytesParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import requests
import schemathesis
import yaml
from schemathesis.core import NOT_SET
from schemathesis.core.transforms import jsonify_python_specific_types
from schemathesis.specs.openapi.serialization import (
    _flatten_nested,
    serialize_openapi3_parameters,
)
from schemathesis.transport.requests import REQUESTS_TRANSPORT
from schemathesis.transport.serialization import Binary, quote_all
from toolspec.runtime.http import HttpArgument, HttpBinding
from toolspec.shared.http_headers import FORBIDDEN_HEADERS
from upstream import Received

MARK = "of-the-test"
VARIABLE = "variable"
"""Value of a variable of a server without a default."""
FORM = "application/x-www-form-urlencoded"
AUTHORIZATION = ("header", "authorization")
BYTES = "application/octet-stream"
OWN_HEADERS = frozenset({
    "host", "accept", "accept-encoding", "connection", "user-agent", "content-length", "content-type", "cookie",
    "x-schemathesis-testcaseid",
})  # fmt: skip


@dataclass
class Compared:
    """The parts of a request that its arguments decide, in the order of names."""

    method: str
    path: str
    query: list[str]
    headers: dict[str, str]
    cookies: list[str]
    content_type: str
    body: Any


def compared(received: Received) -> Compared:
    """Return a request without credentials, and without what every client sets in its own way."""
    target = urlsplit(received.target)
    headers = {name.lower(): value for name, value in received.headers}
    kind, _, boundary = headers.get("content-type", "").partition("; boundary=")
    body: Any = received.body
    if kind == FORM:
        body = _pairs(body.decode(), "&")
    elif boundary:
        body = _parts(headers["content-type"], body)
    return Compared(
        method=received.method,
        path=target.path,
        query=_pairs(target.query, "&"),
        headers={
            name: value
            for name, value in headers.items()
            if name not in OWN_HEADERS and not received.is_secret(name, value, MARK)
        },
        cookies=[unquote(pair) for pair in _pairs(headers.get("cookie", ""), "; ")],
        content_type=kind,
        body=body,
    )


def _pairs(text: str, delimiter: str) -> list[str]:
    """Return the pairs of a query, form or cookie by name; those of one name keep their order."""
    pairs = [pair for pair in text.split(delimiter) if pair and MARK not in pair]
    return sorted(pairs, key=_name)


def _name(pair: str) -> str:
    return pair.partition("=")[0]


def _parts(content_type: str, body: bytes) -> list[tuple[str, str | None, Any]]:
    message = BytesParser().parsebytes(f"Content-Type: {content_type}\r\n\r\n".encode() + body)
    parts: Any = message.get_payload()
    return [
        (
            part["Content-Disposition"],
            part["Content-Type"] or (BYTES if part.get_filename() else None),
            _compact(json.loads(part.get_payload()))
            if part.get_content_type() == "application/json"
            else part.get_payload(decode=True),
        )
        for part in (parts if isinstance(parts, list) else [])
    ]


class Oracle:
    """Writes the requests of an OpenAPI document with schemathesis."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self._schema = schemathesis.openapi.from_dict(copy.deepcopy(document))
        schemes = document.get("components", {}).get("securitySchemes", {})
        self._schemes = {name: _resolved(document, scheme) for name, scheme in schemes.items()}

    def faults(self, binding: HttpBinding) -> list[str]:
        """Return where a tool has other parameters than its operation, or another body."""
        operation = self._schema[binding.path][binding.method]
        declared = {(each.location.value, each.name) for each in operation.iter_parameters()}
        bound = {(each.place, each.wire_name) for each in binding.arguments if each.place != "body"}
        credentials = {_credential(scheme) for scheme in self._schemes.values()}
        missing = {
            (place, name)
            for place, name in declared - bound
            if (place, name.lower()) not in credentials
            and not (place == "header" and name.lower() in FORBIDDEN_HEADERS)
            and not (place == "path" and f"{{{name}}}" not in binding.path)
        }
        bodies = {each.media_type for each in operation.body}
        has_body = any(each.place == "body" for each in binding.arguments)
        faults = [f"undeclared {each}" for each in bound - declared]
        faults += [f"missing {each}" for each in missing]
        if has_body and (binding.content_type or "application/json") not in bodies:
            faults.append(f"the body is {binding.content_type!r}, not one of {bodies}")
        if bodies and not has_body and binding.method not in ("GET", "HEAD"):
            faults.append(f"no body, but {bodies}")
        return faults

    def request(self, binding: HttpBinding, arguments: Mapping[str, Any]) -> Compared:
        """Return the request of a call; the position of each argument is that of the binding."""
        operation = self._schema[binding.path][binding.method]
        places = {each.argument: each for each in binding.arguments}
        values: dict[str, dict[str, Any]] = {
            place: {} for place in ("path", "query", "header", "cookie", "body")
        }
        cookies: list[str] = []
        for name, value in arguments.items():
            place = places[name]
            if place.place == "cookie" and place.explode and isinstance(value, (list, dict)):
                cookies += _exploded(place.wire_name, value)  # one cookie to schemathesis
                continue
            is_whole = place.argument == binding.body_argument
            written = (
                _body_member(binding.content_type, place, value, is_whole=is_whole)
                if place.place == "body"
                else _parameter(place, value)
            )
            values[place.place] |= written
        parameters = {
            place: self._serialized(operation, place, values[place])
            for place in ("path", "query", "header", "cookie")
        }
        media_type = binding.content_type or "application/json"
        if REQUESTS_TRANSPORT.get_first_matching_media_type(media_type) is None:
            media_type = BYTES
        body: Any = values["body"] if values["body"] or binding.content_type else NOT_SET
        if binding.body_argument:
            body = next(iter(values["body"].values()), NOT_SET)
        case = operation.Case(
            path_parameters=quote_all(parameters["path"]),
            query=parameters["query"],
            headers=parameters["header"],
            cookies=parameters["cookie"],
            body=body,
            media_type=None if body is NOT_SET else media_type,
        )
        item = _resolved(self._document, self._document["paths"][binding.path])
        path = server_path(item.get(binding.method.lower(), {}), item, self._document)
        request = self._prepared(case, path, binding.content_type or media_type)
        request.cookies = sorted([*request.cookies, *cookies], key=_name)
        return request

    def _serialized(self, operation: Any, place: str, values: dict[str, Any]) -> dict[str, Any]:
        """Return parameters in their styles; schemathesis chooses by the type of the schema."""
        definitions = [
            each.definition
            if "content" in each.definition
            else {**each.definition, "schema": {"type": _type(values[each.name])}}
            for each in operation.iter_parameters()
            if each.location == place and each.name in values
        ]
        serialize = serialize_openapi3_parameters(definitions)
        written = serialize(values) if serialize else values
        for each in definitions:
            if "content" in each:  # JSON with spaces
                written[each["name"]] = _compact(json.loads(written[each["name"]]))
        result: dict[str, Any] = jsonify_python_specific_types(written)
        return result

    @staticmethod
    def _prepared(case: Any, path: str, content_type: str) -> Compared:
        """Return the request that the library of schemathesis sends."""
        fields = REQUESTS_TRANSPORT.serialize_case(case, base_url=f"http://host{path}")
        prepared = requests.Request(**fields).prepare()
        content = prepared.body or b""
        content = content.encode() if isinstance(content, str) else content
        url, is_body = prepared.path_url, case.body is not NOT_SET
        query = url.partition("?")[2].replace("+", "%20")
        if is_body and not content_type.startswith("multipart/"):
            prepared.headers["Content-Type"] = content_type
        if is_body and content_type.partition(";")[0].endswith("json"):
            content = _compact(json.loads(content)).encode()
        if content_type == FORM:
            content = content.replace(b"+", b"%20")
        target = url.partition("?")[0] + (f"?{query}" if query else "")
        headers = [*prepared.headers.items()]
        return compared(Received(prepared.method or "", target, headers, content))

    def credentials(self, binding: HttpBinding) -> list[set[tuple[str, str]]]:
        """Return where the credentials of a request may be, for each alternative."""
        item = _resolved(self._document, self._document["paths"][binding.path])
        operation = item.get(binding.method.lower(), {})
        alternatives = operation.get("security", self._document.get("security")) or [{}]
        allowed: list[set[tuple[str, str]]] = []
        for names in alternatives:
            used = [self._schemes.get(name, {}) for name in names]
            places = [_credential(scheme) for scheme in used]
            allowed.append({place for place in places if place})
            if None in places or any(scheme.get("type") == "oauth2" for scheme in used):
                allowed.append(set())  # only a program can apply it, beside other schemes OAuth too
        return allowed


def _credential(scheme: Mapping[str, Any]) -> tuple[str, str] | None:
    match scheme.get("type"), str(scheme.get("scheme", "")).lower():
        case "apiKey", _:
            return scheme["in"], scheme["name"].lower()
        case "http", "basic" | "bearer":
            return AUTHORIZATION
        case "oauth2", _ if "authorizationCode" in scheme.get("flows", {}):
            return AUTHORIZATION
        case _:
            return None


def _body_member(
    content_type: str, argument: HttpArgument, value: Any, *, is_whole: bool
) -> dict[str, Any]:
    """Return a member of a body in the form that schemathesis takes."""
    name = argument.wire_name
    if content_type == FORM and not is_whole:
        return _parameter(argument, value)
    if content_type == FORM and isinstance(value, dict):
        return {name: {key: _text(item) for key, item in value.items() if item is not None}}
    if argument.is_base64:
        items = value if isinstance(value, list) else [value]
        content = [Binary(b64decode(item)) if isinstance(item, str) else item for item in items]
        return {name: content if isinstance(value, list) else content[0]}
    return {} if content_type.startswith("multipart/") and value is None else {name: value}


def _parameter(argument: HttpArgument, value: Any) -> dict[str, Any]:
    """Return parameters without null, and with JSON for values inside of others."""
    name = argument.wire_name
    if value is None or argument.content_type:
        return {} if value is None else {name: value}
    if argument.style == "deepObject" and isinstance(value, (list, dict)):
        pairs: dict[str, Any] = {}
        _flatten_nested(_without_empty(value), name, pairs)
        return pairs if isinstance(value, list) else {name: _without_empty(value)}
    if isinstance(value, list):
        items = [_text(item) for item in value if item is not None]
        return {name: items}
    if isinstance(value, dict):
        members = {key: _text(item) for key, item in value.items() if item is not None}
        is_listed = not argument.explode and argument.place in ("query", "body")
        return {name: [text for pair in members.items() for text in pair] if is_listed else members}
    return {name: value}


def _exploded(name: str, value: Any) -> list[str]:
    members = value.items() if isinstance(value, dict) else ((name, item) for item in value)
    return [f"{key}={_text(item)}" for key, item in members if item is not None]


def _without_empty(value: Any) -> Any:
    """Return a value of `deepObject`, with numbers as keys of arrays, without what is empty."""
    if isinstance(value, list):
        present = (item for item in value if item is not None)
        value = {str(index): item for index, item in enumerate(present)}
    if isinstance(value, dict):
        members = {key: _without_empty(item) for key, item in value.items()}
        return {key: item for key, item in members.items() if item is not None and item != {}}
    return value


def _text(value: Any) -> Any:
    return _compact(value) if isinstance(value, (list, dict)) else value


def _compact(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _type(value: Any) -> str:
    return {dict: "object", list: "array"}.get(type(value), "string")


def read_document(file: Path) -> Any:
    """Return an OpenAPI document with texts as keys."""
    text = file.read_text("utf-8-sig")
    if file.suffix == ".json":
        return json.loads(text)
    return json.loads(json.dumps(yaml.load(text, yaml.CSafeLoader), default=str))


def server_path(*parts: Mapping[str, Any]) -> str:
    """Return the path of the first server that an operation, its path or the document names."""
    for part in parts:
        for server in part.get("servers", ())[:1]:
            url = server["url"]
            for name, variable in server.get("variables", {}).items():
                url = url.replace(f"{{{name}}}", str(variable.get("default", VARIABLE)))
            return urlsplit(url).path.rstrip("/")
    return ""


def _resolved(document: Any, value: Any) -> Any:
    """Return an object behind its references into the document."""
    while "$ref" in value:
        steps = value["$ref"].removeprefix("#/").split("/")
        value = document
        for step in steps:
            value = value[unquote(step).replace("~1", "/").replace("~0", "~")]
    return value
