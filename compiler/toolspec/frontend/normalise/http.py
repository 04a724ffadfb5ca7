"""Completes the HTTP requests of tools, and checks them against the tools' schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from toolspec.diagnostics import Checked, Subject, did_you_mean, either
from toolspec.frontend.bind import http_kinds as kinds
from toolspec.frontend.bind.http import (
    FORM,
    MULTIPART,
    WITHOUT_BODY,
    bind_argument,
    placeholders,
)
from toolspec.frontend.normalise.arguments import INSTANCE, KEY
from toolspec.frontend.normalise.roots import rerooted, root_of
from toolspec.ir import (
    AuthKind,
    CredentialPlace,
    HttpBinding,
    HttpBody,
    HttpNulls,
    HttpPlace,
    HttpStyle,
    InputForm,
    PermissionKind,
)
from toolspec.schema.walk import members
from toolspec.shared.http_headers import FORBIDDEN_HEADERS, is_token
from toolspec.shared.media_types import is_json
from toolspec.shared.records import replace

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.ir import HttpArgument, HttpCredential, Service, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location

_QUERY_STYLES = (
    HttpStyle.FORM,
    HttpStyle.SPACE_DELIMITED,
    HttpStyle.PIPE_DELIMITED,
    HttpStyle.DEEP_OBJECT,
)
_STYLES = {
    HttpPlace.PATH: (HttpStyle.SIMPLE, HttpStyle.LABEL, HttpStyle.MATRIX),
    HttpPlace.QUERY: _QUERY_STYLES,
    HttpPlace.HEADER: (HttpStyle.SIMPLE,),
    HttpPlace.COOKIE: (HttpStyle.FORM, HttpStyle.COOKIE),
}
_BASIC = {CredentialPlace.BASIC_USERNAME, CredentialPlace.BASIC_PASSWORD}
_AUTHORIZATION = {CredentialPlace.BEARER, *_BASIC}
_OAUTH_FIELDS = ("access_token", "token_type", "refresh_token", "scope")


def with_http(tool: Tool, service: Service) -> Checked[Tool]:
    """Return the tool with the positions of all its arguments in its HTTP request.

    Reports arguments, credentials and settings that do not exist, and what cannot be sent.
    """
    if tool.http is None or tool.location is None or tool.broken & {"http", "input", "arguments"}:
        return Checked(tool)
    location = tool.location / "http"
    properties = _properties(tool.arguments)
    http = _complete(tool, tool.http, properties)
    diagnostics = [
        *_server_diagnostics(http, service, location),
        *_path_diagnostics(http, properties, location),
        *_argument_diagnostics(http, properties, tool, location),
        *_body_diagnostics(http, properties, tool, location),
        *_query_diagnostics(http, location),
        *_file_diagnostics(http, properties, tool, location),
        *_credential_diagnostics(http, service, location),
    ]
    return Checked(replace(tool, http=http), tuple(diagnostics))


def _complete(tool: Tool, http: HttpBinding, properties: Mapping[str, _Property]) -> HttpBinding:
    stated = {argument.argument: argument for argument in http.arguments}
    declared = (
        stated.get(name) or bind_argument(name, None, http)
        for name in properties
        if name in stated or name not in (KEY, INSTANCE)
    )
    declared = (_encoded(each, properties[each.argument].schema) for each in declared)
    others = (each for name, each in stated.items() if name not in properties)
    arguments = (*declared, *others)
    body = http.body
    takes_any = tool.input_form is InputForm.RAW and http.method not in WITHOUT_BODY
    if body is None and (takes_any or any(each.place is HttpPlace.BODY for each in arguments)):
        body = HttpBody()
    if body is not None and body.argument in properties and _has_fields(body.content_type):
        body = replace(body, binary=_binary(tool.arguments, properties[body.argument].schema))
    return replace(http, arguments=arguments, body=body)


class _Property:
    """A declared argument: its schema, and whether every call has it."""

    def __init__(self, schema: JsonValue, *, is_required: bool) -> None:
        self.schema = schema
        self.is_required = is_required or (isinstance(schema, dict) and "default" in schema)


def _properties(arguments: JsonObject) -> dict[str, _Property]:
    """Return the arguments that a schema declares at its root or in the branches applied there."""
    schemas: dict[str, JsonValue] = {}
    required: set[str] = set()
    pending: list[tuple[JsonValue, bool]] = [(arguments, True)]
    seen: list[JsonValue] = []
    while pending:
        node, applies = pending.pop(0)
        if not isinstance(node, dict) or any(node is other for other in seen):
            continue
        seen.append(node)
        for name, schema in members(node).items():
            schemas.setdefault(name, schema)
        names = node.get("required")
        if applies and isinstance(names, list):
            required.update(name for name in names if isinstance(name, str))
        if "$ref" in node:
            pending.append((root_of({**arguments, "$ref": node["$ref"]}), applies))
        for keyword in ("allOf", "anyOf", "oneOf"):
            branches = node.get(keyword)
            is_certain = applies and keyword == "allOf"
            pending += (
                [(each, is_certain) for each in branches] if isinstance(branches, list) else []
            )
        pending += [(node.get(keyword), False) for keyword in ("then", "else")]
    return {
        name: _Property(schema, is_required=name in required) for name, schema in schemas.items()
    }


def _may_be_object(arguments: JsonObject, schema: JsonValue) -> bool:
    """Return whether a schema does not exclude objects by the type at its root."""
    root = root_of(rerooted(arguments, schema)) if isinstance(schema, dict) else None
    kind = root.get("type", "object") if root is not None else "object"
    return kind == "object" or (isinstance(kind, list) and "object" in kind)


def _binary(arguments: JsonObject, schema: JsonValue) -> tuple[str, ...]:
    """Return the members of an argument whose texts are base64, in the order of its schema."""
    if not isinstance(schema, dict):
        return ()
    found = _properties(rerooted(arguments, schema))
    return tuple(name for name, member in found.items() if _is_base64(member.schema))


def _is_base64(schema: JsonValue) -> bool:
    """Return whether a text, or each text in an array, is base64."""
    return any(
        isinstance(node, dict) and node.get("contentEncoding") == "base64"
        for node in (schema, schema.get("items") if isinstance(schema, dict) else None)
    )


def _encoded(argument: HttpArgument, schema: JsonValue) -> HttpArgument:
    """Return the argument with the encoding of its texts, or of the texts in its array."""
    if _is_base64(schema):
        return replace(argument, is_base64=True)
    if isinstance(schema, dict) and is_json(str(schema.get("contentMediaType", ""))):
        return replace(argument, is_json=True)
    return argument


def _server_diagnostics(
    http: HttpBinding, service: Service, location: Location
) -> Iterator[Diagnostic]:
    if "settings" in service.broken or (service.settings and service.settings.broken is None):
        return
    declared = members(service.settings.bundle) if service.settings else {}
    texts = [name for name, schema in declared.items() if _is_text(schema)]
    server = location / "server"
    stated = server.value_or_none is not None
    names = placeholders(http.server)
    if names and http.server.startswith(f"{{{names[0]}}}"):
        # The value of this setting is a URL, which may have names of others.
        first = declared.get(names[0])
        default = first.get("default") if isinstance(first, dict) else None
        names += placeholders(default) if isinstance(default, str) else ()
    for name in dict.fromkeys(names):
        if name not in texts:
            declare = f"declare `{name}` in `service.settings`, or write a URL as `server`"
            guess = did_you_mean(name, texts) if texts and stated else ""
            hint = f"{guess} Else {declare}" if guess.endswith("?") else declare
            yield _at(
                kinds.UNKNOWN_SETTING,
                server if stated else location,
                name=name,
                suggestion=hint,
            )


def _is_text(schema: JsonValue) -> bool:
    return isinstance(schema, dict) and (
        "$ref" in schema or schema.get("type") in ("string", "integer")
    )


def _path_diagnostics(
    http: HttpBinding, properties: Mapping[str, _Property], location: Location
) -> Iterator[Diagnostic]:
    names = placeholders(http.path)
    arguments = [each for each in http.arguments if each.place is HttpPlace.PATH]
    filled = {each.name for each in arguments}
    for name in names:
        if name not in filled:
            words = [each for each in properties if each not in (KEY, INSTANCE)]
            declare = f"declare the argument `{name}` in `inputSchema`"
            guess = did_you_mean(name, words) if words else ""
            hint = either(guess, declare)
            yield _at(kinds.UNBOUND_PLACEHOLDER, location / "path", name=name, suggestion=hint)
    for argument in arguments:
        known = properties.get(argument.argument)
        if argument.name not in names:
            at = location.at("in", argument.argument)
            yield _at(
                kinds.UNUSED_PATH_ARGUMENT, at, argument=argument.argument, name=argument.name
            )
        elif known is not None and not known.is_required:
            yield _at(kinds.OPTIONAL_PATH_ARGUMENT, location / "path", argument=argument.argument)


def _argument_diagnostics(
    http: HttpBinding, properties: Mapping[str, _Property], tool: Tool, location: Location
) -> Iterator[Diagnostic]:
    known = properties.keys() - {INSTANCE}
    anything = tool.input_form is InputForm.RAW
    credentials = {
        (each.place.value, _folded(each.place.value, each.name)): each.field
        for alternative in http.security
        for each in alternative.credentials
        if each.name
    }
    positions: dict[tuple[str, str], str] = {}
    for argument in http.arguments:
        at = _argument_location(argument.argument, location)
        place = argument.place.value
        if argument.argument not in known and not anything:
            yield _unknown_argument(argument.argument, known, location.at("in", argument.argument))
        position = (place, _folded(place, argument.name))
        other = positions.setdefault(position, argument.argument)
        is_whole_body = http.body is not None and http.body.argument == argument.argument
        if other != argument.argument and not is_whole_body:
            yield _at(
                kinds.SHARED_POSITION,
                at,
                argument=argument.argument,
                other=other,
                name=argument.name,
                place=place,
            )
        if argument.place in (HttpPlace.HEADER, HttpPlace.COOKIE) and not is_token(argument.name):
            name, bearer = argument.name, argument.argument
            yield _at(kinds.BAD_NAME, at, argument=bearer, name=name, place=place)
        if argument.place is HttpPlace.HEADER and argument.name.lower() in FORBIDDEN_HEADERS:
            yield _at(
                kinds.FORBIDDEN_HEADER,
                at,
                argument=argument.argument,
                name=argument.name,
                suggestion=FORBIDDEN_HEADERS[argument.name.lower()],
            )
        elif position in credentials:
            yield _at(
                kinds.CREDENTIAL_ARGUMENT,
                at,
                argument=argument.argument,
                field=credentials[position],
                name=argument.name,
                place=place,
            )
        yield from _style_diagnostics(argument, http, location)


def _unknown_argument(argument: str, known: set[str], at: Location) -> Diagnostic:
    hint = did_you_mean(argument, sorted(known)) if known else "declare it in `inputSchema`"
    return _at(kinds.UNKNOWN_ARGUMENT, at, argument=argument, suggestion=hint)


def _style_diagnostics(
    argument: HttpArgument, http: HttpBinding, location: Location
) -> Iterator[Diagnostic]:
    """Yield diagnostics for members of an argument that its part of the request does not have."""
    at = location.at("in", argument.argument)
    stated = at.value_or_none
    if not isinstance(stated, dict):
        return
    body_type = http.body.content_type if http.body else "application/json"
    place = argument.place
    is_form = place is HttpPlace.BODY and body_type.startswith(FORM)
    is_multipart = place is HttpPlace.BODY and body_type.startswith(MULTIPART)
    sends_json = is_json(argument.content_type or (body_type if place is HttpPlace.BODY else ""))
    styles = _QUERY_STYLES if is_form else _STYLES.get(place, ())
    hints: dict[str, str] = {}
    if "style" in stated and argument.style not in styles:
        names = ", ".join(f"`{style.value}`" for style in styles)
        hints["style"] = f"write one of {names}" if names else "delete `style`"
    elif "style" in stated and argument.content_type:
        hints["style"] = "delete `style`, or `contentType`"
    if "contentType" in stated and place is HttpPlace.BODY and not (is_form or is_multipart):
        hints["contentType"] = "write `contentType` into `body`"
    if "explode" in stated and not styles:
        hints["explode"] = "delete `explode`"
    has_reserved = is_form or place in (HttpPlace.PATH, HttpPlace.QUERY)
    if argument.allow_reserved and not has_reserved:
        hints["allowReserved"] = "delete `allowReserved`"
    if "nulls" in stated and argument.nulls is HttpNulls.SEND and not sends_json:
        hints["nulls"] = "write `omit`, or `empty` for an empty value"
    elif argument.nulls is HttpNulls.EMPTY and place is HttpPlace.PATH:
        hints["nulls"] = "delete `nulls`: a path argument is never null"
    where = ("path", "query", "querystring", "header", "cookie")
    name = place.value if place.value in where else f"body of type {body_type}"
    for member, hint in hints.items():
        yield _at(
            kinds.UNFIT_STYLE,
            at / member,
            member=member,
            value=_yaml(stated[member]),
            place=name,
            suggestion=hint,
        )


def _yaml(value: JsonValue) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _body_diagnostics(
    http: HttpBinding, properties: Mapping[str, _Property], tool: Tool, location: Location
) -> Iterator[Diagnostic]:
    body = http.body
    if body is None:
        return
    in_body = [each for each in http.arguments if each.place is HttpPlace.BODY]
    if http.method in ("GET", "HEAD"):
        reason = f"`{in_body[0].argument}` is in it" if in_body else "`body` describes one"
        at = _argument_location(in_body[0].argument, location) if in_body else location / "body"
        yield _at(kinds.BODY_OF_READ, at, method=http.method, reason=reason)
        return
    if body.argument and body.argument not in (each.argument for each in http.arguments):
        known = {each.argument for each in http.arguments}
        yield _unknown_argument(body.argument, known, location.at("body", "argument"))
    for argument in in_body:
        if body.argument and argument.argument != body.argument:
            reason = f"is the argument `{body.argument}`"
            hint = "delete `body.argument`, or put the argument somewhere else"
        elif not body.argument and not _holds_members(body.content_type):
            reason = f"has the type `{body.content_type}`, which holds no members"
            hint = f"write `body: {{argument: {argument.argument}, …}}`"
        elif (
            body.argument in properties
            and body.content_type.startswith(MULTIPART)
            and not _may_be_object(tool.arguments, properties[body.argument].schema)
        ):
            reason = f"has the type `{body.content_type}`, whose parts are members of an object"
            hint = "write `type: object` into its schema, or delete `body.argument`"
        else:
            continue
        at = _argument_location(argument.argument, location)
        yield _at(
            kinds.BODY_CONFLICT, at, argument=argument.argument, reason=reason, suggestion=hint
        )


def _query_diagnostics(http: HttpBinding, location: Location) -> Iterator[Diagnostic]:
    """Yield diagnostics for arguments and credentials beside one that is the whole query."""
    whole = [each for each in http.arguments if each.place is HttpPlace.QUERYSTRING]
    beside = [each for each in http.arguments if each.place is HttpPlace.QUERY]
    secrets = [
        each.field
        for alternative in http.security
        for each in alternative.credentials
        if each.place is CredentialPlace.QUERY
    ]
    if not whole:
        return
    if others := [*whole[1:], *beside]:
        reason = f"`{others[0].argument}` is in it too"
        hint = f"put `{others[0].argument}` somewhere else"
    elif secrets:
        reason = f"the credential `{secrets[0]}` is in it too"
        hint = "send the credential in a header"
    else:
        return
    at = _argument_location(whole[0].argument, location)
    yield _at(kinds.QUERY_CONFLICT, at, argument=whole[0].argument, reason=reason, suggestion=hint)


def _file_diagnostics(
    http: HttpBinding, properties: Mapping[str, _Property], tool: Tool, location: Location
) -> Iterator[Diagnostic]:
    """Yield diagnostics for paths of files that may not be read, or whose bytes cannot be sent."""
    may_read = any(
        each.kind is PermissionKind.FILE and each.operation == "read" for each in tool.permissions
    )
    content_type = http.body.content_type if http.body else ""
    is_whole = http.body is not None and bool(http.body.argument)
    takes_bytes = content_type.startswith(MULTIPART) or (
        is_whole and not is_json(content_type) and not content_type.startswith(FORM)
    )
    for argument in http.arguments:
        if not argument.is_file:
            continue
        known = properties.get(argument.argument)
        if argument.place is not HttpPlace.BODY or not takes_bytes:
            reason = "its part of the request has no bytes"
            hint = "write `body: {contentType: multipart/form-data}`, or a body of bytes"
        elif not may_read:
            reason = "the tool has no permission to read files"
            hint = 'add `permissions: [{file: "~/uploads/**", op: read}]`'
        elif known is not None and not _is_path(known.schema, is_list=not is_whole):
            reason = "its schema is not that of a path"
            hint = "write `type: string`" + ("" if is_whole else ", or an array of these")
        else:
            continue
        at = location.at("in", argument.argument, "file")
        yield _at(kinds.UNFIT_FILE, at, argument=argument.argument, reason=reason, suggestion=hint)


def _is_path(schema: JsonValue, *, is_list: bool) -> bool:
    if is_list and isinstance(schema, dict) and schema.get("type") == "array":
        schema = schema.get("items")
    return (
        isinstance(schema, dict)
        and schema.get("type") in ("string", ["string", "null"])
        and "contentEncoding" not in schema
    )


def _holds_members(media_type: str) -> bool:
    return is_json(media_type) or _has_fields(media_type)


def _has_fields(media_type: str) -> bool:
    """Return whether each member of a body is a field of a form."""
    return media_type.startswith((FORM, MULTIPART))


def _credential_diagnostics(
    http: HttpBinding, service: Service, location: Location
) -> Iterator[Diagnostic]:
    auth = service.auth
    if "auth" in service.broken or (auth.fields and auth.fields.broken is None):
        return
    match auth.kind:
        case AuthKind.OAUTH2:
            fields: tuple[str, ...] = _OAUTH_FIELDS
        case AuthKind.CUSTOM:
            fields = tuple(members(auth.fields.bundle)) if auth.fields else ()
        case _:
            fields = ()
    if (location / "security").value_or_none is None:  # the default
        return
    for index, alternative in enumerate(http.security):
        at = location.at("security", index)
        for credential in alternative.credentials:
            if credential.field not in fields:
                hint = did_you_mean(credential.field, fields) if fields else "declare `auth`"
                where, name = at / credential.field, credential.field
                yield _at(kinds.UNKNOWN_CREDENTIAL, where, name=name, suggestion=hint)
        if reason := _incompatible(alternative.credentials):
            yield _at(kinds.INCOMPATIBLE_CREDENTIALS, at, reason=reason)


def _incompatible(credentials: tuple[HttpCredential, ...]) -> str:
    """Return why the credentials cannot be sent together; empty if they can."""
    places = [each.place for each in credentials]
    schemes = {
        "basic" if place in _BASIC else "bearer" for place in places if place in _AUTHORIZATION
    }
    if len(schemes) > 1 or places.count(CredentialPlace.BEARER) > 1:
        return "has several values for `Authorization`"
    if "basic" in schemes and sorted(place for place in places if place in _BASIC) != sorted(
        _BASIC
    ):
        return "has only one half of basic"
    named = [
        (each.place, _folded(each.place.value, each.name)) for each in credentials if each.name
    ]
    if len(set(named)) < len(named):
        return "has two fields in one position"
    if schemes and (CredentialPlace.HEADER, "authorization") in named:
        return "has several values for `Authorization`"
    return ""


def _folded(place: str, name: str) -> str:
    return name.lower() if place == "header" else name


def _argument_location(argument: str, location: Location) -> Location:
    """Return where a request names an argument; the request itself where it does not."""
    stated = location.at("in", argument)
    return location if stated.value_or_none is None else stated


def _at(kind: DiagnosticKind, location: Location, **members: str) -> Diagnostic:
    parameters: dict[str, Any] = {**members}
    return kind.at(location.span, subject=Subject(pointer=location.pointer), **parameters)
