"""Schemas of OpenAPI as JSON Schema 2020-12, with one definition for each reference target."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from toolspec.frontend.naming.identifiers import snake_case
from toolspec.importers.bounds import with_modern_bounds
from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.inheritance import Inheritance, discriminating_member
from toolspec.importers.openapi.media import bytes_schema
from toolspec.importers.openapi.vendor import (
    described_values,
    is_nullable,
    is_read_only,
    is_write_only,
)
from toolspec.schema.bundle import numbered
from toolspec.shared.canonical import canonical_json
from toolspec.shared.json_values import as_object
from toolspec.shared.keywords import APPLICATORS, CONTAINERS, TYPES, VALUES, Holds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.importers.openapi.model import Api
    from toolspec.importers.openapi.sources import Key
    from toolspec.syntax.nodes import JsonObject, JsonValue, Location

_FOREIGN = re.compile(r"[^A-Za-z0-9_.-]+")
_NAMING = frozenset(
    {"$schema", "$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"}
)
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_OMITTED = _NAMING | CONTAINERS | {*_REFERENCES, "$comment", "readOnly", "writeOnly", "required"}
# OpenAPI 3.0 ignores other keywords beside a reference.
_BESIDE_REFERENCE = frozenset({"title", "description", "deprecated", "nullable", "$ref"})
_BYTES = {"binary": "base64", "byte": "base64"}
# A longer example costs more tokens than it explains.
_LONGEST_EXAMPLE = 120
_LISTED = 8


class Use(StrEnum):
    """Direction of a value: an argument, which has no read-only members, or a result."""

    INPUT = "input"
    OUTPUT = "output"


_HIDDEN = {Use.INPUT: ("readOnly", is_read_only), Use.OUTPUT: ("writeOnly", is_write_only)}


class Directions:
    """Which targets of references differ between arguments and results, computed once a document."""

    def __init__(self, api: Api) -> None:
        self.api = api
        self.inheritance = Inheritance(api)
        self._differs: dict[Key, bool] = {}

    def differs(self, target: Location) -> bool:
        """Return whether a schema reaches a member that is read-only or write-only."""
        key = target.key
        if key not in self._differs:
            self._visit(target)
        return self._differs[key]

    def _visit(self, target: Location) -> None:
        """Decide about a target and all that it reaches: a flag travels against the references."""
        pending = [target]
        users: dict[Key, list[Key]] = {}
        marked: set[Key] = set()
        seen = {target.key}
        while pending:
            location = pending.pop()
            user = location.key
            for at, node in _nodes(location):
                if is_read_only(node) or is_write_only(node):
                    marked.add(user)
                subtypes = self.inheritance.subtypes(location) if node is location.value else ()
                for to in (*self._targets(at, node), *subtypes):
                    key = to.key
                    users.setdefault(key, []).append(user)
                    if self._differs.get(key):
                        marked.add(user)
                    elif key not in seen and key not in self._differs:
                        seen.add(key)
                        pending.append(to)
        spreading = list(marked)
        while spreading:
            fresh = set(users.get(spreading.pop(), ())) - marked
            marked |= fresh
            spreading += fresh
        self._differs |= {key: key in marked for key in seen}

    def _targets(self, at: Location, node: JsonObject) -> Iterator[Location]:
        for reference in _references(node):
            target = self.api.sources.target(at, reference)
            if target is not None:
                yield target


class _Identity(NamedTuple):
    """A definition: its target, the direction if that matters, and whether it has the subtypes."""

    key: Key
    variant: Use | None
    is_union: bool


class SchemaTable:
    """Schemas of one service, and the definitions that they refer to."""

    def __init__(self, directions: Directions) -> None:
        self.diagnostics: list[Diagnostic] = []
        self._api = directions.api
        self._directions = directions
        self._inheritance = directions.inheritance
        self._pending: list[tuple[_Identity, Location, Use]] = []
        self._definitions: dict[_Identity, JsonValue] = {}
        self._holders: dict[_Identity, list[JsonObject]] = {}
        self._reported: set[Key] = set()

    def schema(self, location: Location, use: Use) -> JsonValue:
        """Return a schema; its references are complete after `definitions`."""
        return self._schema(location.value_or_none, location, use)

    def definitions(self) -> JsonObject:
        """Return all definitions by name, sorted, and complete the references to them."""
        while self._pending:
            identity, target, use = self._pending.pop()
            self._definitions[identity] = (
                self._union(target, use)
                if identity.is_union
                else self._schema(target.value, target, use)
            )
        both = {one.key for one in self._definitions if one.variant is Use.INPUT} & {
            one.key for one in self._definitions if one.variant is Use.OUTPUT
        }
        unions = {one.key for one in self._definitions if one.is_union}
        wanted = {
            one: _definition_name(one.key)
            + ("Base" if one.key in unions and not one.is_union else "")
            + ("Input" if one.key in both and one.variant is Use.INPUT else "")
            for one in self._definitions
        }
        names: dict[str, _Identity] = {}
        for identity in sorted(wanted, key=lambda one: (wanted[one], str(one))):
            names[numbered(wanted[identity], names)] = identity
        for name, identity in names.items():
            for holder in self._holders[identity]:
                holder["$ref"] = f"#/$defs/{name}"
        return {
            name: without_restated_title(
                self._definitions[identity], _definition_name(identity.key)
            )
            for name, identity in sorted(names.items())
        }

    def _schema(self, value: JsonValue, at: Location, use: Use) -> JsonValue:
        if isinstance(value, bool):
            return value
        if not isinstance(value, dict):
            self.diagnostics.append(
                kinds.MALFORMED.at(at.span, what="a schema", expected="an object")
            )
            return {}
        references = list(_references(value))
        if not references:
            return self._plain(value, at, use)
        siblings = {
            key: member
            for key, member in value.items()
            if key not in _REFERENCES and (not self._api.is_3_0 or key in _BESIDE_REFERENCE)
        }
        result = self._plain(siblings, at, use)
        schemas = [self._reference(at, reference, use) for reference in references]
        if len(schemas) == 1 and isinstance(result, dict) and isinstance(schemas[0], dict):
            holder = schemas[0]
            if not is_nullable(siblings) or not self._api.is_3_0:
                holder |= {key: member for key, member in result.items() if key != "$ref"}
                return holder
            beside = {
                key: member for key, member in result.items() if key in {"title", "description"}
            }
            return {**beside, "anyOf": [holder, {"type": "null"}]}
        return {"allOf": [*schemas, result]}

    def _reference(self, at: Location, reference: str, use: Use) -> JsonValue:
        target = self._api.sources.target(at, reference)
        if target is None or self._api.sources.resolved(target) is None:
            return {}
        is_union = bool(self._inheritance.subtypes(target)) and not self._inheritance.extends(
            at, target
        )
        return self._holder(target, use, is_union=is_union)

    def _holder(self, target: Location, use: Use, *, is_union: bool = False) -> JsonObject:
        """Return a reference to a definition, which `definitions` completes."""
        variant = use if self._directions.differs(target) else None
        identity = _Identity(target.key, variant, is_union)
        holder: JsonObject = {"$ref": ""}
        if identity not in self._holders:
            self._pending.append((identity, target, use))
        self._holders.setdefault(identity, []).append(holder)
        return holder

    def _union(self, base: Location, use: Use) -> JsonValue:
        """Return the union of a base and its subtypes, each with its tag.

        The base itself is a branch without a tag: OpenAPI does not say that the subtypes are all.
        """
        value = base.value
        assert isinstance(value, dict), "it has a discriminator"
        tag = discriminating_member(value)
        subtypes = self._inheritance.subtypes(base)
        branches: list[JsonValue] = [
            self._tagged(self._holder(subtype, use), subtype, tag, value, base)
            for subtype in subtypes
        ]
        branches.append(self._holder(base, use))
        if base.key not in self._reported:
            self._reported.add(base.key)
            names = ", ".join(
                f"`{_definition_name(subtype.key)}`" for subtype in subtypes[:_LISTED]
            )
            if len(subtypes) > _LISTED:
                names += f" and {len(subtypes) - _LISTED} more"
            at = base / "discriminator"
            diagnostic = kinds.DISCRIMINATOR.at(
                at.key_span, name=_definition_name(base.key), member=tag, subtypes=names
            )
            self.diagnostics.append(diagnostic.about(pointer=at.pointer))
        texts: JsonObject = {key: value[key] for key in ("title", "description") if key in value}
        return {**texts, "anyOf": branches}

    def _tagged(
        self, branch: JsonValue, target: Location, tag: str, owner: JsonObject, at: Location
    ) -> JsonValue:
        """Return a branch of a union with the values by which the discriminator selects it."""
        value = target.value
        if _has_tag(value, tag):
            return branch
        discriminator = owner["discriminator"]
        mapping = discriminator.get("mapping") if isinstance(discriminator, dict) else None
        values = self._tags(mapping, target, at)
        stated = value.get("x-ms-discriminator-value") if isinstance(value, dict) else None
        if not values and isinstance(stated, str):
            values = [stated]
        values = values or [_definition_name(target.key)]
        only: JsonObject = {"const": values[0]} if len(values) == 1 else {"enum": values}
        return {"allOf": [branch, {"properties": {tag: only}, "required": [tag]}]}

    def _plain(self, value: JsonObject, at: Location, use: Use) -> JsonValue:
        """Return a schema without a reference."""
        result: JsonObject = {}
        hidden = self._hidden(value.get("properties"), at, use)
        for keyword, member in with_modern_bounds(value).items():
            if keyword in _OMITTED or keyword not in VALUES:
                continue
            holds = APPLICATORS.get(keyword)
            if keyword == "properties" and isinstance(member, dict):
                inner = at / keyword
                result[keyword] = {
                    name: without_restated_title(self._schema(child, inner / name, use), name)
                    for name, child in member.items()
                    if name not in hidden
                }
            elif holds is Holds.MAP and isinstance(member, dict):
                inner = at / keyword
                result[keyword] = {
                    name: self._schema(child, inner / name, use)
                    if isinstance(child, (dict, bool))
                    else child
                    for name, child in member.items()
                }
            elif isinstance(member, list) and (holds is Holds.LIST or keyword == "items"):
                inner = at / keyword
                items = [
                    self._schema(child, inner / index, use) for index, child in enumerate(member)
                ]
                if items:
                    result["prefixItems" if keyword == "items" else keyword] = items
            elif holds is Holds.ONE:
                result[keyword] = self._schema(member, at / keyword, use)
            else:
                result[keyword] = member
        _set_type(result, value)
        _set_required(result, value.get("required"), hidden)
        _set_encoding(result, value)
        _set_example(result, value)
        self._tag(result, value, at)
        if use is Use.INPUT and is_write_only(value):
            result["writeOnly"] = True
        if values := described_values(value):
            about = result.get("description")
            result["description"] = f"{about} {values}" if isinstance(about, str) else values
        return _nullable(result) if is_nullable(value) else result

    def _hidden(self, properties: JsonValue, at: Location, use: Use) -> set[str]:
        """Return the members that a value of this direction does not have."""
        if not isinstance(properties, dict):
            return set()
        keyword, hides = _HIDDEN[use]
        hidden = set()
        for name, member in properties.items():
            if not isinstance(member, dict):
                continue
            target = (
                self._api.sources.resolved(at.at("properties", name)) if "$ref" in member else None
            )
            behind = target.value if target else None
            is_hidden = isinstance(behind, dict) and hides(behind) and keyword not in member
            if is_hidden or hides(member):
                hidden.add(name)
        return hidden

    def _tag(self, result: JsonObject, value: JsonObject, at: Location) -> None:
        """Add to each branch of a union the tag by which its discriminator selects it."""
        discriminator = value.get("discriminator")
        tag = discriminator.get("propertyName") if isinstance(discriminator, dict) else None
        if not isinstance(tag, str):
            return
        if discriminating_member(value) and not self._inheritance.subtypes(at):
            self._report_unused(tag, at)
        for keyword in ("oneOf", "anyOf"):
            branches, written = result.get(keyword), value.get(keyword)
            if not isinstance(branches, list) or not isinstance(written, list):
                continue
            for index, branch in enumerate(branches):
                at_branch = at.at(keyword, index)
                reference = next(_references(as_object(written[index])), None)
                target = self._api.sources.target(at_branch, reference) if reference else None
                if target is not None:
                    branches[index] = self._tagged(branch, target, tag, value, at)

    def _report_unused(self, tag: str, at: Location) -> None:
        if at.key in self._reported:
            return
        self._reported.add(at.key)
        member = at / "discriminator"
        diagnostic = kinds.NOT_IMPORTED.at(
            member.key_span,
            what=f"the discriminator `{tag}`",
            owner=_definition_name(at.key),
            reason="no schema of `components` extends it by `allOf`, and it lists no branches",
        )
        self.diagnostics.append(diagnostic.about(pointer=member.pointer))

    def _tags(self, mapping: JsonValue, target: Location, at: Location) -> list[JsonValue]:
        """Return the values that a discriminator maps to a schema, by its reference or its name."""
        values: list[JsonValue] = []
        for value, reference in mapping.items() if isinstance(mapping, dict) else ():
            if not isinstance(reference, str):
                continue
            is_name = _FOREIGN.search(reference) is None and not reference.endswith(
                (".json", ".yaml", ".yml")
            )
            if (
                reference == _definition_name(target.key)
                if is_name
                else self._api.sources.target(at, reference) == target
            ):
                values.append(value)
        return values


def without_restated_title(schema: JsonValue, name: str) -> JsonValue:
    """Return a schema without a title that only repeats its name, as generators write it."""
    title = schema.get("title") if isinstance(schema, dict) else None
    if (
        isinstance(schema, dict)
        and isinstance(title, str)
        and snake_case(title) == snake_case(name)
    ):
        del schema["title"]
    return schema


def _references(node: JsonObject) -> Iterator[str]:
    for keyword in _REFERENCES:
        if isinstance(reference := node.get(keyword), str):
            yield reference


def _nodes(location: Location) -> Iterator[tuple[Location, JsonObject]]:
    """Yield the subschemas of a schema, without those behind references."""
    pending = [location]
    while pending:
        at = pending.pop()
        node = at.value
        if not isinstance(node, dict):
            continue
        yield at, node
        for keyword, member in node.items():
            if keyword not in APPLICATORS:
                continue
            if isinstance(member, list):
                pending += (at.at(keyword, index) for index in range(len(member)))
            elif APPLICATORS[keyword] is Holds.MAP and isinstance(member, dict):
                pending += (at.at(keyword, name) for name in member)
            else:
                pending.append(at / keyword)


def _definition_name(key: Key) -> str:
    """Return a name for the target of a reference: the last word of its path, else its file."""
    file, path = key
    words = [
        step
        for step in path
        if isinstance(step, str) and step not in {"schema", "items", "content"}
    ]
    text = words[-1] if words else file.rpartition("/")[2].partition(".")[0]
    return _FOREIGN.sub("_", text).strip("_.-") or "Schema"


def _has_tag(schema: JsonValue, tag: str) -> bool:
    """Return whether an object schema, or a part of its `allOf`, has one value for a member already."""
    if not isinstance(schema, dict):
        return False
    parts = schema.get("allOf")
    for part in (schema, *(parts if isinstance(parts, list) else ())):
        properties = part.get("properties") if isinstance(part, dict) else None
        member = properties.get(tag) if isinstance(properties, dict) else None
        values = member.get("enum") if isinstance(member, dict) else None
        if isinstance(member, dict) and (
            "const" in member or (isinstance(values, list) and len(values) == 1)
        ):
            return True
    return False


def _set_type(result: JsonObject, value: JsonObject) -> None:
    """Keep the types that JSON Schema knows; a `file` is bytes."""
    stated = value.get("type")
    if stated is None:
        result.pop("type", None)
    elif stated == "file":
        result |= {"type": "string", "contentEncoding": "base64"}
    elif isinstance(stated, list):
        types: list[JsonValue] = [*dict.fromkeys(name for name in stated if name in TYPES)]
        del result["type"]
        if types:
            result["type"] = types
    elif stated not in TYPES:
        del result["type"]


def _set_required(result: JsonObject, required: JsonValue, hidden: set[str]) -> None:
    names = (
        [name for name in required if isinstance(name, str)] if isinstance(required, list) else []
    )
    names = [name for name in dict.fromkeys(names) if name not in hidden]
    if names:
        result["required"] = list(names)


def _set_encoding(result: JsonObject, value: JsonObject) -> None:
    """Write bytes as base64, which JSON can carry."""
    stated = value.get("format")
    if isinstance(stated, str) and stated in _BYTES and value.get("type", "string") == "string":
        del result["format"]
        result["contentEncoding"] = _BYTES[stated]
    media_type = value.get("contentMediaType")
    if (
        isinstance(media_type, str)
        and value.get("type") == "string"
        and "contentEncoding" not in value
    ):
        result |= bytes_schema(media_type)


def _set_example(result: JsonObject, value: JsonObject) -> None:
    """Keep short examples of the right type, in the list that JSON Schema has for them."""
    examples = value.get("examples")
    listed = examples if isinstance(examples, list) else []
    if "example" in value:
        listed = [value["example"], *listed]
    result.pop("examples", None)
    fitting = [example for example in listed if is_short_example(example, result)]
    if fitting:
        result["examples"] = fitting


_PYTHON_TYPES: dict[JsonValue, tuple[type, ...]] = {
    "string": (str,),
    "number": (int, float),
    "integer": (int,),
    "boolean": (bool,),
    "object": (dict,),
    "array": (list,),
    "null": (type(None),),
}


def is_short_example(value: JsonValue, schema: JsonObject) -> bool:
    """Return whether a value has a type of a schema, and is short enough to explain it."""
    stated = schema.get("type")
    types = stated if isinstance(stated, list) else [stated]
    has_type = types == [None] or any(type(value) in _PYTHON_TYPES.get(name, ()) for name in types)
    return has_type and len(canonical_json(value)) <= _LONGEST_EXAMPLE


def _nullable(schema: JsonObject) -> JsonObject:
    """Return a schema of OpenAPI 3.0 that accepts null too."""
    stated = schema.get("type")
    if isinstance(stated, str) and not {"allOf", "anyOf", "oneOf", "not", "const"} & schema.keys():
        result: JsonObject = {**schema, "type": [stated, "null"]}
        values = schema.get("enum")
        if isinstance(values, list) and None not in values:
            result["enum"] = [*values, None]
        return result
    if not schema.keys() - {"title", "description", "examples", "default", "deprecated"}:
        return schema
    beside: JsonObject = {
        key: schema[key] for key in ("title", "description", "default") if key in schema
    }
    inner = {key: member for key, member in schema.items() if key not in beside}
    return {**beside, "anyOf": [inner, {"type": "null"}]}
