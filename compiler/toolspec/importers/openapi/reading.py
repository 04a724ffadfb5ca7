"""Reads an OpenAPI document into operations, and reports what no tool can have."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from toolspec.diagnostics import Checked, Diagnostic
from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.model import Api, Operation, Parameter, Part
from toolspec.importers.openapi.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.importers.openapi.sources import Reader
    from toolspec.syntax.nodes import Document, Location

METHODS: Final = ("get", "head", "options", "query", "post", "put", "patch", "delete")
_VERSION = re.compile(r"3\.([012])(\.\S+)?")
_PLACES = frozenset({"path", "query", "querystring", "header", "cookie"})
# The specification says that these parameters are ignored.
_IGNORED_HEADERS = frozenset({"accept", "content-type", "authorization"})


def read_openapi(document: Document, read: Reader) -> Checked[Api | None]:
    """Return the operations of a document; None with an error if it is not OpenAPI 3.

    `read` returns the other files that references name.
    """
    root = document.value
    if not isinstance(root, dict):
        return _refused(document.location(), "it is not an object")
    if "swagger" in root:
        at, file = document.location("swagger"), document.source.path.rpartition("/")[2]
        return Checked(
            None, (kinds.OLD_VERSION.at(at.value_span, version=root["swagger"], file=file),)
        )
    if "openapi" not in root:
        return _refused(document.location(), "it has no member `openapi`")
    match = _VERSION.fullmatch(str(root["openapi"]))
    if match is None:
        return _refused(document.location("openapi"), f"its version is `{root['openapi']}`")
    reader = _Reader(Sources(document, read))
    api = reader.api(Part(root, document.location()), is_3_0=match[1] == "0")
    return Checked(api, tuple(reader.diagnostics))


def _refused(location: Location, problem: str) -> Checked[Api | None]:
    return Checked(None, (kinds.NOT_OPENAPI.at(location.value_span, problem=problem),))


class _Reader:
    """Reads parts of a document; a malformed one is reported and left out."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.diagnostics: list[Diagnostic] = []

    def api(self, root: Part, *, is_3_0: bool) -> Api:
        info = self._part(root.location / "info") or Part({}, root.location)
        components = self._part(root.location / "components")
        schemes = self._parts(components.location / "securitySchemes") if components else {}
        operations = tuple(
            operation
            for path, item in self._parts(root.location / "paths", is_extensible=True).items()
            for operation in self._operations(path, item)
        )
        if "x-ms-paths" in root.fields:
            title = info.text("title") or "the document"
            reason = "a path of a tool has no query; add these as `paths` with a parameter each"
            self.diagnostics.append(root.lost("`x-ms-paths`", title, reason, "x-ms-paths"))
        if "webhooks" in root.fields:
            title = info.text("title") or "the document"
            self.diagnostics.append(
                root.lost("`webhooks`", title, "a tool is called, and calls nobody", "webhooks")
            )
        return Api(root, info, operations, schemes, self.sources, is_3_0)

    def _operations(self, path: str, item: Part) -> Iterator[Operation]:
        methods: dict[str, Location] = {
            name: item.location / name for name in (*METHODS, "trace") if name in item.fields
        }
        methods |= {
            name: item.location.at("additionalOperations", name)
            for name in self._parts(item.location / "additionalOperations")
        }
        for name, location in methods.items():
            part = self._part(location)
            if part is None:
                continue
            owner = f"{name.upper()} {path}"
            if name.lower() not in METHODS:
                reason = f"the method `{name}` is not supported"
                self.diagnostics.append(part.lost("the operation", owner, reason))
                continue
            if part.fields.get("callbacks"):
                reason = "nobody calls a tool back"
                self.diagnostics.append(part.lost("`callbacks`", owner, reason, "callbacks"))
            body = (
                self._part(part.location / "requestBody") if "requestBody" in part.fields else None
            )
            responses = self._parts(part.location / "responses", is_extensible=True)
            for status, response in responses.items():
                if response.fields.get("links"):
                    what = f"`links` of the response {status}"
                    self.diagnostics.append(
                        response.lost(what, owner, "a tool has no links", "links")
                    )
            parameters = tuple(self._merged(item, part, owner))
            yield Operation(name.upper(), path, part, item, parameters, body, responses)

    def _merged(self, item: Part, part: Part, owner: str) -> Iterator[Parameter]:
        """Yield the parameters of a path and its operation, whose own replace those of the path."""
        merged: dict[tuple[str, str], Parameter] = {}
        for holder in (item, part):
            entries = holder.fields.get("parameters")
            for index in range(len(entries) if isinstance(entries, list) else 0):
                parameter = self._part(holder.location.at("parameters", index))
                read = parameter and self._parameter(parameter, owner)
                if read:
                    merged[read.place, read.name] = read
        yield from merged.values()

    def _parameter(self, part: Part, owner: str) -> Parameter | None:
        place, name = part.text("in"), part.fields.get("name")
        if not isinstance(name, str) or not name or not isinstance(part.fields.get("in"), str):
            self._malformed(
                part.location, f"a parameter of `{owner}`", "an object with `name` and `in`"
            )
            return None
        if place == "header" and name.lower() in _IGNORED_HEADERS:
            return None
        if place not in _PLACES:
            reason = f"`in: {place}` is not supported"
            self.diagnostics.append(part.lost(f"the parameter `{name}`", owner, reason))
            return None
        if "schema" in part.fields:
            return Parameter(name, place, part, part.location / "schema")
        content = self._parts(part.location / "content")
        for media_type, media in content.items():
            schema = media.location / "schema" if "schema" in media.fields else None
            return Parameter(name, place, part, schema, media_type)
        return Parameter(name, place, part, None)

    def _part(self, location: Location) -> Part | None:
        """Return the object at a location, behind references, whose siblings win; or None."""
        value = location.value_or_none
        if value is None:
            return None
        target = self.sources.resolved(location)
        if target is None:
            return None
        found = target.value
        if not isinstance(found, dict):
            self._malformed(location, f"`{location.path[-1]}`", "an object")
            return None
        if target is not location and isinstance(value, dict):
            found = {**found, **{key: member for key, member in value.items() if key != "$ref"}}
        return Part(found, target)

    def _parts(self, location: Location, *, is_extensible: bool = False) -> dict[str, Part]:
        """Return the objects of a map by name; empty if there is no map.

        An extensible one has members `x-` that are not its entries.
        """
        holder = self._part(location)
        fields = holder.location.value if holder else None
        if holder is None or not isinstance(fields, dict):
            return {}
        parts = {
            name: self._part(holder.location / name)
            for name in fields
            if not (is_extensible and name.startswith("x-"))
        }
        return {name: part for name, part in parts.items() if part is not None}

    def _malformed(self, location: Location, what: str, expected: str) -> None:
        diagnostic = kinds.MALFORMED.at(location.span, what=what, expected=expected)
        self.diagnostics.append(diagnostic.about(pointer=location.pointer))
