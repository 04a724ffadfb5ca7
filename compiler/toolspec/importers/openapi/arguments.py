"""Parameters and bodies of operations as arguments of tools, and their positions in the request."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.frontend.bind.http import WITHOUT_BODY
from toolspec.frontend.naming.identifiers import snake_case
from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.media import (
    bytes_schema,
    is_bytes,
    is_form,
    is_json,
    is_multipart,
    preferred,
)
from toolspec.importers.openapi.schemas import Use, without_restated_title
from toolspec.importers.openapi.vendor import described_values
from toolspec.schema.bundle import numbered
from toolspec.shared.http_headers import FORBIDDEN_HEADERS
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.model import Operation, Parameter, Part
    from toolspec.importers.openapi.schemas import SchemaTable
    from toolspec.importers.openapi.sources import Sources
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location

KEY = "idempotency_key"
_KEY_HEADERS = frozenset({"idempotency-key", "x-idempotency-key"})
_FOREIGN = re.compile(r"[^A-Za-z0-9_.-]+")
_LONGEST = 64
_BYTES = "application/octet-stream"
_REFUSE_BODY = frozenset({"GET", "HEAD"})
_STYLES = {"path": "simple", "header": "simple", "query": "form", "cookie": "form"}
_EXPLODED = frozenset({"form", "deepObject", "cookie"})


@dataclass(slots=True)
class Arguments:
    """Arguments of one tool: their schemas, which are required, and where each goes.

    `files` is a pattern of files; bytes of a body are then paths of such files.
    """

    draft: Draft
    operation: Operation
    table: SchemaTable
    sources: Sources
    files: str = ""
    properties: JsonObject = field(default_factory=dict)
    required: list[JsonValue] = field(default_factory=list)
    places: JsonObject = field(default_factory=dict)
    body: JsonObject = field(default_factory=dict)
    is_open: bool = False
    """Whether calls may have arguments that the schema does not list: further members of the body."""

    def read(self) -> None:
        """Read all parameters and the body."""
        for parameter in self.operation.parameters:
            if parameter.place == "header" and parameter.name.lower() in _KEY_HEADERS:
                self._key(parameter)
            elif parameter.place == "header" and parameter.name.lower() in FORBIDDEN_HEADERS:
                self._lose(
                    parameter.part, f"the header `{parameter.name}`", "a request sets it itself"
                )
            elif parameter.place == "path" and f"{{{parameter.name}}}" not in self.operation.path:
                reason = f"the path has no `{{{parameter.name}}}`"
                self._lose(parameter.part, f"the parameter `{parameter.name}`", reason)
            else:
                self._parameter(parameter)
        if self.operation.body is not None:
            self._body(self.operation.body)

    def schema(self) -> JsonObject:
        """Return the input schema of the tool."""
        schema: JsonObject = {"type": "object"}
        if self.properties:
            schema["properties"] = self.properties
        if self.required:
            schema["required"] = self.required
        return {**schema, "additionalProperties": self.is_open}

    def _key(self, parameter: Parameter) -> None:
        is_required = parameter.part.fields.get("required") is True
        self.draft.put("idempotency", "required" if is_required else "optional")
        self.places[KEY] = {"in": "header", "name": parameter.name}

    def _parameter(self, parameter: Parameter) -> None:
        wanted = snake_case(parameter.name) if parameter.place == "header" else parameter.name
        name = self._argument(wanted, f"{wanted}_{parameter.place}", parameter.name)
        schema: JsonValue = {"type": "string"}
        if parameter.schema:
            schema = self.table.schema(parameter.schema, Use.INPUT)
        schema = without_restated_title(schema, parameter.name)
        written = parameter.schema.value_or_none if parameter.schema else None
        values = described_values(written) if isinstance(written, dict) else ""
        self.properties[name] = _with_texts(schema, parameter.part, values)
        if parameter.is_required:
            self.required.append(name)
        place: JsonObject = {}
        if parameter.place != self._default_place(parameter):
            place["in"] = parameter.place
        if parameter.name != name:
            place["name"] = parameter.name
        media = parameter.part.fields.get("content")
        described = media.get(parameter.content_type) if isinstance(media, dict) else None
        if (
            parameter.place == "querystring"
            and isinstance(described, dict)
            and described.get("encoding")
        ):
            reason = "members of a whole query are written as a form"
            steps = ("content", parameter.content_type, "encoding")
            self._lose(parameter.part, "`encoding`", reason, *steps)
        if parameter.content_type and not (
            parameter.place == "querystring" and is_form(parameter.content_type)
        ):
            place["contentType"] = parameter.content_type
        if parameter.place in _STYLES:
            place |= _style(parameter.part.fields, _STYLES[parameter.place])
        if place:
            self.places[name] = {"in": parameter.place, **place}

    def _default_place(self, parameter: Parameter) -> str:
        if f"{{{parameter.name}}}" in self.operation.path:
            return "path"
        return "query" if self.operation.method in WITHOUT_BODY else "body"

    def _argument(self, wanted: str, other: str, origin: str) -> str:
        """Return a free and legal name of an argument, and report a changed one."""
        name = _FOREIGN.sub("_", wanted).strip("_.-")[:_LONGEST] or "argument"
        name = name if name not in self.properties and name != KEY else _FOREIGN.sub("_", other)
        name = numbered(name, self.properties)
        if name != origin:
            self.draft.report(
                kinds.ARGUMENT_RENAMED, origin=origin, tool=self.draft.owner, name=name
            )
        return name

    def _body(self, body: Part) -> None:
        if self.operation.method in _REFUSE_BODY:
            self._lose(body, "the body", f"a {self.operation.method} request has none")
            return
        content = body.fields.get("content")
        chosen = preferred(content)
        if chosen is None or not isinstance(content, dict):
            return
        for other in content:
            if other != chosen:
                self._lose(body, f"the body as `{other}`", f"`{chosen}` is sent", "content", other)
        if chosen.partition(";")[0].strip().lower() != "application/json":
            self.body["contentType"] = chosen
        media = content[chosen]
        at = body.location.at("content", chosen)
        fields = media if isinstance(media, dict) else {}
        is_required = body.fields.get("required") is True
        if not (is_json(chosen) or is_form(chosen) or is_multipart(chosen)):
            reason = f"it is `{chosen}`"
            if "*" in chosen:
                self.body["contentType"] = _BYTES
                self._lose(
                    body, f"the media type `{chosen}`", f"`{_BYTES}` is sent", "content", chosen
                )
            self._whole(bytes_schema(chosen), body, is_required=is_required, reason=reason)
            return
        self._structured(body, chosen, at, fields, is_required=is_required)

    def _structured(
        self,
        body: Part,
        chosen: str,
        at: Location,
        fields: Mapping[str, JsonValue],
        *,
        is_required: bool,
    ) -> None:
        """Read a body of JSON or of a form, whose media type object has some fields."""
        schema_at = at / "schema"
        obstacle = self._not_flat(schema_at) if "schema" in fields else "it has no schema"
        encoding = fields.get("encoding")
        if obstacle is None:
            self._lose_encodings(body, chosen, encoding)
            self._members(schema_at, encoding, is_required=is_required)
            return
        schema = self.table.schema(schema_at, Use.INPUT) if "schema" in fields else {}
        if encoding and not is_json(chosen):
            reason = "the body is one argument"
            self._lose(body, "`encoding`", reason, "content", chosen, "encoding")
        if self.files and is_multipart(chosen):
            self._lose(body, "paths of files", "the body is one argument", "content", chosen)
        self._whole(schema, body, is_required=is_required, reason=obstacle)

    def _not_flat(self, location: Location) -> str | None:
        """Return why the members of a body cannot be arguments of their own, or None."""
        target = self.sources.resolved(location)
        value = target.value if target else None
        if not isinstance(value, dict):
            return "its schema is not an object"
        properties = value.get("properties")
        if (
            value.get("type", "object") != "object"
            or not isinstance(properties, dict)
            or not properties
        ):
            return "it is not an object with named members"
        extra = value.get("additionalProperties")
        if isinstance(extra, dict) and extra:
            return "it has members with any name"
        if others := [key for key in value if key in _NARROWING]:
            return f"its schema has `{others[0]}`"
        if self._is_json():
            return next(filter(None, map(self._taken, properties)), None)
        return None

    def _is_json(self) -> bool:
        """Return whether the body is JSON, whose members cannot be renamed."""
        return is_json(str(self.body.get("contentType", "application/json")))

    def _taken(self, name: str) -> str | None:
        """Return why a member of a body cannot be an argument of the same name, or None."""
        if name in self.properties or name == KEY:
            return f"`{name}` is a parameter too"
        return f"`{name}` is not the name of an argument" if _FOREIGN.search(name) else None

    def _members(self, location: Location, encoding: JsonValue, *, is_required: bool) -> None:
        target = self.sources.resolved(location)
        schema = self.table.schema(target, Use.INPUT) if target else {}
        properties = schema.get("properties") if isinstance(schema, dict) else None
        if not isinstance(schema, dict) or not isinstance(properties, dict):
            return
        names = schema.get("required")
        required = [name for name in names if name in properties] if isinstance(names, list) else []
        if required and not is_required:
            self.draft.report(kinds.BODY_REQUIRED, tool=self.draft.owner)
        renamed: dict[str, str] = {}
        for wire_name, member in properties.items():
            name = wire_name
            if self._taken(wire_name):
                name = self._argument(wire_name, f"{wire_name}_body", wire_name)
            self.properties[name] = member
            renamed[wire_name] = name
            part = encoding.get(wire_name) if isinstance(encoding, dict) else None
            place = self._encoding(part) if isinstance(part, dict) else {}
            if name != wire_name:
                place["name"] = wire_name
            if is_multipart(str(self.body.get("contentType"))) and self._as_file(name):
                place["file"] = True
            if self.operation.method in WITHOUT_BODY or place:
                self.places[name] = {"in": "body", **place}
            elif f"{{{name}}}" in self.operation.path:
                self.places[name] = {"in": "body"}
        self.required += [renamed[name] for name in required]
        self.is_open = schema.get("additionalProperties") in (True, {})

    def _encoding(self, part: JsonObject) -> JsonObject:
        chosen = str(self.body.get("contentType"))
        style = _style(part, "form") if is_form(chosen) else {}
        content_type = part.get("contentType")
        if style or self._is_json() or not isinstance(content_type, str):
            return style
        first = content_type.partition(",")[0].strip()
        return {"contentType": first} if "/" in first and "*" not in first else {}

    def _lose_encodings(self, body: Part, chosen: str, encoding: JsonValue) -> None:
        """Report the members of encodings that a part of a multipart body does not get."""
        if not is_multipart(chosen) or not isinstance(encoding, dict):
            return
        for name, part in encoding.items():
            for member in ("headers", "style", "explode", "allowReserved"):
                if isinstance(part, dict) and member in part:
                    steps = ("content", chosen, "encoding", name, member)
                    self._lose(body, f"`{member}` of `{name}`", "a part is sent without it", *steps)

    def _whole(self, schema: JsonValue, body: Part, *, is_required: bool, reason: str) -> None:
        name = numbered("body", self.properties)
        self.draft.report(kinds.BODY_ARGUMENT, tool=self.draft.owner, name=name, reason=reason)
        self.properties[name] = _with_texts(schema, body)
        if is_required:
            self.required.append(name)
        self.body = {"argument": name, **self.body}
        if is_bytes(schema) and self._as_file(name):
            self.places[name] = {"in": "body", "file": True}
        elif self.operation.method in WITHOUT_BODY:
            self.places[name] = {"in": "body"}

    def _as_file(self, name: str) -> bool:
        """Make an argument of bytes the path of a file, or a list of these; return whether it is."""
        schema = self.properties[name]
        items = schema.get("items") if isinstance(schema, dict) else None
        if (
            not self.files
            or not isinstance(schema, dict)
            or not (is_bytes(schema) or is_bytes(items))
        ):
            return False
        about = schema.get("description")
        text = f"{about.rstrip('.')}: " if isinstance(about, str) and about else ""
        path: JsonObject = {"type": "string"}
        changed, described = path, "path of a file, which is sent."
        if isinstance(items, dict):
            limits: JsonObject = {
                key: schema[key] for key in ("minItems", "maxItems") if key in schema
            }
            changed, described = (
                {"type": "array", "items": path, **limits},
                "paths of files, which are sent.",
            )
        described = f"{text}{described}" if text else described.capitalize()
        self.properties[name] = {**changed, "description": described}
        self.draft.put("permissions", [{"file": self.files, "op": "read"}])
        self.draft.report(kinds.FILE_ARGUMENT, tool=self.draft.owner, name=name, pattern=self.files)
        return True

    def _lose(self, part: Part, what: str, reason: str, *steps: str) -> None:
        self.draft.diagnostics.append(part.lost(what, self.draft.owner, reason, *steps))


# Keywords with which the arguments could not be listed beside those of parameters.
_NARROWING = frozenset(
    {
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "then",
        "else",
        "nullable",
        "discriminator",
        "$dynamicRef",
    }
    | {"patternProperties", "propertyNames", "minProperties", "maxProperties", "enum", "const"}
    | {"dependentRequired", "dependentSchemas", "dependencies", "unevaluatedProperties"}
)


def _with_texts(schema: JsonValue, part: Part, values: str = "") -> JsonValue:
    """Return a schema with the texts of its parameter or body, and those about its values."""
    if not isinstance(schema, dict):
        schema = {}
    if description := part.text("description"):
        schema["description"] = f"{description} {values}".strip()
    if title := part.text("x-ms-summary"):
        schema.setdefault("title", title)
    if part.fields.get("deprecated") is True:
        schema["deprecated"] = True
    return schema


def _style(fields: Mapping[str, JsonValue], default: str) -> JsonObject:
    """Return the style of a value where it differs from the default of its place."""
    style = fields.get("style", default)
    explode = fields.get("explode")
    result: JsonObject = {}
    if isinstance(style, str) and style != default:
        result["style"] = style
    if isinstance(explode, bool) and explode != (style in _EXPLODED):
        result["explode"] = explode
    if fields.get("allowReserved") is True:
        result["allowReserved"] = True
    return result
