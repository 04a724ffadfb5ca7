"""Recognises operations that return pages, and reports how a caller gets the next one."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.media import preferred
from toolspec.importers.openapi.results import main_response
from toolspec.shared.paging_names import POSITIONS, PagingRole, paging_role

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.model import Api, Operation, Part
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location

# Names that mean paging only beside another sign of it.
_WEAK = {
    "after": PagingRole.CURSOR,
    "before": PagingRole.CURSOR,
    "size": PagingRole.SIZE,
    "count": PagingRole.SIZE,
    "first": PagingRole.SIZE,
    "top": PagingRole.SIZE,
    "start": PagingRole.OFFSET,
}
_INPUT_TYPES = {
    "page": PagingRole.PAGE,
    "offset": PagingRole.OFFSET,
    "cursor": PagingRole.CURSOR,
    "limit": PagingRole.SIZE,
}
_NEXT_MEMBER = re.compile(
    r"@?(odata\.)?next([_-]?(page|cursor|token|link|url|offset|uri|href|starting))*"
    r"|has[_-]?(more|next([_-]?page)?)|(end[_-]?)?cursor|continuation[_-]?token|next[_-]?marker",
    re.IGNORECASE,
)
_NEXT_HEADER = re.compile(r"link|(x-)?(next|continuation)-?[a-z-]*", re.IGNORECASE)
_DEEPEST = 2
_WORDS = {
    PagingRole.SIZE: "the size",
    PagingRole.PAGE: "the page",
    PagingRole.OFFSET: "the offset",
    PagingRole.CURSOR: "the cursor",
}


def report_paging(draft: Draft, operation: Operation, api: Api, places: JsonObject) -> None:
    """Report the paging arguments of an operation, and where its response has the next page.

    `places` are the positions of the arguments, as in `http.in`.
    """
    response = main_response(operation)
    strong, weak = _arguments(draft, operation, places)
    member = _next_member(operation, response, api)
    header = _next_header(response)
    # A tool that changes something may have limits of another kind, unless its result has a next page.
    is_listing = not draft.fields["mutation"] or bool(member or header)
    if not is_listing or not (strong or (weak and (member or header))):
        return
    roles = strong | (weak if member or header or POSITIONS & set(strong.values()) else {})
    texts = [f"`{name}` is {_WORDS[role]}" for name, role in roles.items()]
    if member:
        following = f"`{member}` of the result leads to the next one"
    elif header:
        following = f"the header `{header}`, which is not in the result, leads to the next one"
        if not POSITIONS & set(roles.values()) - {PagingRole.CURSOR}:
            comment = f"review: the next page is in the header `{header}`, not in the result"
            draft.comments.setdefault("inputSchema", comment)
    elif POSITIONS & set(roles.values()):
        following = "nothing in the result names the next one"
    else:
        following = "no argument chooses a later one"
    draft.report(
        kinds.PAGING,
        tool=draft.owner,
        arguments=", ".join(texts) or "no argument pages",
        following=following,
    )


def _arguments(
    draft: Draft, operation: Operation, places: JsonObject
) -> tuple[dict[str, PagingRole], dict[str, PagingRole]]:
    """Return the roles of arguments that certainly page, and of those that may."""
    schema = draft.fields["inputSchema"]
    properties = schema.get("properties") if isinstance(schema, dict) else None
    stated = _stated_inputs(operation)
    strong: dict[str, PagingRole] = {}
    weak: dict[str, PagingRole] = {}
    for name in properties if isinstance(properties, dict) else ():
        place = places.get(name)
        wire = place.get("name", name) if isinstance(place, dict) else name
        role = stated.get(str(wire)) or paging_role(str(wire)) or paging_role(name)
        if role:
            strong[name] = role
        elif name in _WEAK:
            weak[name] = _WEAK[name]
    return strong, weak


def _stated_inputs(operation: Operation) -> Mapping[str, PagingRole]:
    """Return the roles of the parameters that `x-speakeasy-pagination` names."""
    extension = operation.extension("x-speakeasy-pagination")
    inputs = extension.get("inputs") if isinstance(extension, dict) else None
    return {
        str(entry.get("name")): _INPUT_TYPES[str(entry.get("type"))]
        for entry in (inputs if isinstance(inputs, list) else ())
        if isinstance(entry, dict) and entry.get("type") in _INPUT_TYPES
    }


def _next_member(operation: Operation, response: Part | None, api: Api) -> str:
    """Return the member of the result that has or announces the next page; empty without one."""
    pageable = operation.extension("x-ms-pageable")
    if isinstance(pageable, dict):
        stated = pageable.get("nextLinkName", "nextLink")
        if isinstance(stated, str) and stated:
            return stated
    content = response.fields.get("content") if response else None
    chosen = preferred(content)
    if response is None or chosen is None:
        return ""
    schema = response.location.at("content", chosen, "schema")
    return next((path for path, name in _members(schema, api) if _NEXT_MEMBER.fullmatch(name)), "")


def _members(schema: Location, api: Api) -> Iterator[tuple[str, str]]:
    """Yield path and name of the members of an object, and of objects in it, the outer ones first."""
    pending: list[tuple[Location, str, int]] = [(schema, "", 0)]
    seen: set[object] = set()
    while pending:
        location, prefix, depth = pending.pop(0)
        if location.value_or_none is None:
            continue
        target = api.sources.resolved(location)
        if target is None or target.key in seen or not isinstance(target.value, dict):
            continue
        seen.add(target.key)
        value = target.value
        branches = value.get("allOf")
        pending += [
            (target.at("allOf", index), prefix, depth)
            for index in range(len(branches) if isinstance(branches, list) else 0)
        ]
        properties: JsonValue = value.get("properties")
        for name in properties if isinstance(properties, dict) else ():
            yield f"{prefix}{name}", name
            if depth < _DEEPEST:
                pending.append((target.at("properties", name), f"{prefix}{name}.", depth + 1))


def _next_header(response: Part | None) -> str:
    """Return the header of a response that leads to the next page; empty without one."""
    headers = response.fields.get("headers") if response else None
    names = headers if isinstance(headers, dict) else ()
    return next((name for name in names if _NEXT_HEADER.fullmatch(name)), "")
