"""Security schemes as the credentials of a service, and requirements as their positions in a request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.frontend.naming.identifiers import camel_case
from toolspec.frontend.shape.contract import fits_field
from toolspec.importers.openapi import kinds
from toolspec.schema.bundle import numbered
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.model import Api, Operation, Part
    from toolspec.syntax.nodes import JsonObject, JsonValue

_HEADER_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z\[\]-]+")
_CUSTOM = "custom"
_SCHEMES = ("components", "securitySchemes")
_SECRET: JsonObject = {"type": "string", "format": "password"}


@dataclass(frozen=True, slots=True)
class Requirement:
    """One alternative of an operation: scopes by the name of the scheme."""

    scopes: dict[str, tuple[str, ...]]


def requirements(api: Api, operation: Operation) -> tuple[Requirement, ...]:
    """Return the alternatives of an operation, in order; an empty one needs no credentials."""
    stated = operation.part.fields.get("security", api.root.fields.get("security"))
    alternatives = (
        [entry for entry in stated if isinstance(entry, dict)] if isinstance(stated, list) else []
    )
    return tuple(
        Requirement(
            {
                name: tuple(scope for scope in scopes if isinstance(scope, str) and scope.strip())
                for name, scopes in alternative.items()
                if isinstance(scopes, list)
            }
        )
        for alternative in alternatives
    )


@dataclass(slots=True)
class Security:
    """How a service signs in: with OAuth (`oauth` names the scheme), or with fields of schemes."""

    oauth: str = ""
    fields: JsonObject = field(default_factory=dict)
    places: dict[str, JsonObject] = field(default_factory=dict)
    scopes: dict[str, str] = field(default_factory=dict)

    def bind(self, request: JsonObject, draft: Draft, alternatives: Sequence[Requirement]) -> None:
        """Set `http.security` where it is not the default, and the scopes of a tool."""
        if self.oauth:
            own = [
                one.scopes[self.oauth] for one in alternatives if set(one.scopes) == {self.oauth}
            ]
            if not own:
                request["security"] = []
            if all(len(scopes) == 1 for scopes in own) and len(own) > 1:
                draft.put("scopes", [{"any": list(dict.fromkeys(scope for (scope,) in own))}])
            elif own and own[0]:
                draft.put("scopes", list(dict.fromkeys(own[0])))
            return
        security: list[JsonValue] = []
        for alternative in alternatives:
            places = [self.places.get(name, {}) for name in alternative.scopes]
            if all(places) and _is_one_authorization(places):
                security.append({name: place for one in places for name, place in one.items()})
            elif _CUSTOM not in security:
                security.append(_CUSTOM)
        if security and security != [{}]:
            request["security"] = security


def _is_one_authorization(places: Iterable[JsonObject]) -> bool:
    """Return whether no two schemes of an alternative set the same header."""
    headers = [
        "authorization"
        if kind in {"bearer", "basicUsername"}
        else str(place.get("name", name)).lower()
        for one in places
        for name, place in one.items()
        if isinstance(place, dict)
        and (kind := place.get("in")) in {"bearer", "basicUsername", "header"}
    ]
    return len(headers) == len(set(headers))


def read_security(api: Api, operations: Iterable[Operation], service: Draft) -> Security:
    """Return how the operations of a service sign in, and set `auth` of the service."""
    alternatives = [requirements(api, operation) for operation in operations]
    secured = [several for several in alternatives if any(one.scopes for one in several)]
    used = list(
        dict.fromkeys(name for several in secured for one in several for name in one.scopes)
    )
    for name in used:
        if name not in api.schemes:
            service.report(kinds.SCHEME_REVIEW, "security", scheme=name, problem="is not declared")
    security = Security()
    for name in used:
        scheme = api.schemes.get(name)
        flow = scheme and _code_flow(scheme)
        if flow and all(any(set(one.scopes) == {name} for one in several) for several in secured):
            _set_oauth(security, service, name, flow, secured)
            for other in used:
                if other != name and other in api.schemes:
                    service.report(
                        kinds.SCHEME_REVIEW,
                        *_SCHEMES,
                        other,
                        scheme=other,
                        problem=f"is left out: `{name}` signs in for every operation",
                    )
            return security
    for name in used:
        if name in api.schemes:
            _add_fields(security, service, name, api.schemes[name])
    if used:
        auth: JsonObject = {
            "type": _CUSTOM,
            "fields": {
                "type": "object",
                "properties": security.fields,
                "additionalProperties": False,
            },
        }
        service.put("auth", auth)
    return security


def _code_flow(scheme: Part) -> JsonObject | None:
    """Return the flow with an authorization code of a scheme, if the language can state it."""
    flows = scheme.fields.get("flows")
    flow = flows.get("authorizationCode") if isinstance(flows, dict) else None
    if not isinstance(flow, dict) or scheme.fields.get("type") != "oauth2":
        return None
    auth = {"type": "oauth2", **{key: flow.get(key) for key in ("authorizationUrl", "tokenUrl")}}
    return flow if fits_field("service", "auth", auth) else None


def _set_oauth(
    security: Security,
    service: Draft,
    name: str,
    flow: JsonObject,
    secured: Iterable[Sequence[Requirement]],
) -> None:
    stated = flow.get("scopes")
    scopes: JsonObject = {
        scope: text.strip() if isinstance(text, str) and text.strip() else scope
        for scope, text in (stated.items() if isinstance(stated, dict) else ())
        if scope.strip()
    }
    for several in secured:
        for one in several:
            for scope in one.scopes.get(name, ()):
                scopes.setdefault(scope, scope)
    security.oauth = name
    auth: JsonObject = {
        "type": "oauth2",
        "authorizationUrl": flow["authorizationUrl"],
        "tokenUrl": flow["tokenUrl"],
    }
    service.put("auth", {**auth, "scopes": scopes} if scopes else auth)


def _add_fields(security: Security, service: Draft, name: str, scheme: Part) -> None:
    """Add the credentials of a scheme; one that the language cannot state has only fields."""
    places: dict[str, dict[str, str]] = {}
    match scheme.text("type"), scheme.text("scheme").lower():
        case "http", "basic":
            places = {"username": {"in": "basicUsername"}, "password": {"in": "basicPassword"}}
        case "http", "bearer":
            places = {"token": {"in": "bearer"}}
        case "apiKey", _ if _HEADER_NAME.fullmatch(scheme.text("name")):
            places = {
                (camel_case(name) or "key"): {"in": scheme.text("in"), "name": scheme.text("name")}
            }
        case (("oauth2" | "openIdConnect"), _):
            _review(security, service, name, "accessToken", "needs a program that gets a token")
        case "mutualTLS", _:
            _review(
                security,
                service,
                name,
                "clientCertificate",
                "needs a program that presents a certificate",
            )
        case kind, _:
            problem = f"is of a type that is not supported: `{kind}`"
            if kind == "apiKey":
                problem = f"has a name that a request cannot have: `{scheme.text('name')}`"
            _review(security, service, name, camel_case(name) or "key", problem)
    renamed: JsonObject = {}
    for wanted, place in places.items():
        own = numbered(wanted, security.fields)
        is_name = wanted == "username"
        security.fields[own] = _described({"type": "string"} if is_name else _SECRET, scheme)
        renamed[own] = {key: text for key, text in place.items() if key != "name" or text != own}
    security.places[name] = renamed


def _review(security: Security, service: Draft, name: str, wanted: str, problem: str) -> None:
    security.fields[numbered(wanted, security.fields)] = {
        **_SECRET,
        "description": f"For `{name}`.",
    }
    service.comments.setdefault("auth", f"review: the scheme `{name}` {problem}")
    service.report(kinds.SCHEME_REVIEW, *_SCHEMES, name, scheme=name, problem=problem)


def _described(schema: JsonObject, scheme: Part) -> JsonObject:
    description = scheme.text("description")
    return {**schema, "description": description} if description else dict(schema)
