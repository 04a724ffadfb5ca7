"""The corpus in the languages of other compilers: OpenAPI, TypeSpec, Protocol Buffers, JSON Schema."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Json = dict[str, Any]


def openapi(documents: Iterable[Json]) -> Json:
    """Return one OpenAPI 3.1 document: a POST for each tool, its two schemas among the components."""
    paths: Json = {}
    components: Json = {}
    for document in documents:
        service = document["service"]["name"]
        stem = service.title()
        for key, each in document["$defs"].items():
            components[stem + key] = _renamed(each, stem)
        for tool in document["tools"]:
            name = stem + tool["name"][0].upper() + tool["name"][1:]
            components[f"{name}Input"] = _renamed(tool["inputSchema"], stem)
            components[f"{name}Output"] = _renamed(tool["outputSchema"], stem)
            paths[f"/{service}/{tool['name']}"] = {"post": _operation(service, tool, name)}
    return {
        "openapi": "3.1.0",
        "info": {"title": "Benchmark", "version": "1.0.0", "description": "All services."},
        "servers": [{"url": "https://api.example.com"}],
        "security": [],
        "paths": paths,
        "components": {"schemas": components},
    }


def _operation(service: str, tool: Json, name: str) -> Json:
    return {
        "operationId": f"{service}_{tool['name']}",
        "summary": tool["description"].partition(" ")[0],
        "description": tool["description"],
        "tags": [service],
        "requestBody": {"required": True, "content": _content(f"{name}Input")},
        "responses": {"200": {"description": "Done.", "content": _content(f"{name}Output")}},
    }


def _content(name: str) -> Json:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{name}"}}}


def _renamed(value: Any, stem: str) -> Any:
    """Return a value whose references reach the components of one service."""
    if isinstance(value, dict):
        renamed = {key: _renamed(each, stem) for key, each in value.items()}
        if isinstance(value.get("$ref"), str):
            name = value["$ref"].rpartition("/")[2]
            renamed["$ref"] = f"#/components/schemas/{stem}{name}"
        return renamed
    if isinstance(value, list):
        return [_renamed(each, stem) for each in value]
    return value


def schemas(document: Json) -> Iterator[tuple[str, str]]:
    """Yield a name and a self-contained JSON Schema for each side of each tool."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    for tool in document["tools"]:
        for side in ("inputSchema", "outputSchema"):
            whole = dialect | tool[side] | {"$defs": document["$defs"]}
            yield f"{tool['name']}.{side}", json.dumps(whole, indent=2)


def typespec(documents: Iterable[Json]) -> str:
    """Return one TypeSpec file with a namespace for each service."""
    parts = ['import "@typespec/http";\nusing TypeSpec.Http;\n@service\nnamespace Bench;\n']
    for document in documents:
        name = document["service"]["name"]
        parts.append(f'@route("/{name}")\nnamespace {name.title()} {{\n')
        for key, schema in document["$defs"].items():
            is_model = "properties" in schema
            spec_type = _spec_type(schema)
            parts.append(
                f"model {key} {spec_type}\n" if is_model else f"alias {key} = {spec_type};\n"
            )
        for tool in document["tools"]:
            takes, gives = _spec_type(tool["inputSchema"]), _spec_type(tool["outputSchema"])
            parts.append(
                f'@doc({_spec_text(tool["description"])})\n@post @route("/{tool["name"]}")\n'
            )
            parts.append(f"op `{tool['name']}`(@body body: {takes}): {{ @body body: {gives} }};\n")
        parts.append("}\n")
    return "".join(parts)


_SPEC_SCALARS = {
    "string": "string",
    "integer": "int64",
    "number": "float64",
    "boolean": "boolean",
    "null": "null",
}
_SPEC_LIMITS = {
    "string": {"minLength": "minLength", "maxLength": "maxLength"},
    "integer": {"minimum": "minValue", "maximum": "maxValue"},
    "number": {"minimum": "minValue", "maximum": "maxValue"},
    "array": {"maxItems": "maxItems"},
}


def _spec_text(text: str) -> str:
    """Return a string literal of TypeSpec."""
    return json.dumps(text, ensure_ascii=False).replace("${", "\\${")


def _spec_type(schema: Any) -> str:  # noqa: PLR0911 - one for each form of a schema
    """Return the type of a schema; `unknown` for a schema that TypeSpec has no type for."""
    match schema:
        case {"$ref": str(ref)}:
            return ref.rpartition("/")[2]
        case {"enum": list(values)}:
            return _spec_union(
                _spec_text(value) if isinstance(value, str) else json.dumps(value)
                for value in values
            )
        case {"const": str() | int() | float() | None as value}:
            return _spec_text(value) if isinstance(value, str) else json.dumps(value)
        case {"anyOf": list(branches)} | {"oneOf": list(branches)}:
            return _spec_union(map(_spec_type, branches))
        case {"type": list(types)}:
            return _spec_union(_spec_type({**schema, "type": each}) for each in types)
        case {"properties": dict(members)} if members:
            required = schema.get("required", ())
            lines = [_spec_field(key, each, key in required) for key, each in members.items()]
            return "{\n" + "".join(lines) + "}"
        case {"type": "array"}:
            return f"Array<{_spec_type(schema.get('items', True))}>"
        case {"type": "object"}:
            return "Record<unknown>"
        case {"type": str(scalar)}:
            return _SPEC_SCALARS[scalar]
    return "unknown"


def _spec_union(types: Iterable[str]) -> str:
    return f"({' | '.join(dict.fromkeys(types))})"


def _spec_field(name: str, schema: Any, required: bool) -> str:
    schema = schema if isinstance(schema, dict) else {}
    kind = schema.get("type")
    limits = _SPEC_LIMITS.get(kind, {}) if isinstance(kind, str) and "enum" not in schema else {}
    lines = [f"@doc({_spec_text(schema['description'])})"] if "description" in schema else []
    lines += [f"@{limits[key]}({schema[key]})" for key in limits if key in schema]
    given = schema.get("default")
    is_plain = isinstance(given, str | bool | int | float) and kind in _SPEC_SCALARS
    default = f" = {_spec_text(given) if isinstance(given, str) else json.dumps(given)}"
    mark = "" if required else "?"
    shown = default if is_plain and not required else ""
    return " ".join(lines) + f"\n`{name}`{mark}: {_spec_type(schema)}{shown};\n"


def proto(document: Json) -> str:
    """Return one Protocol Buffers file: a service, and messages nested where they are used."""
    name = document["service"]["name"]
    lines = ['syntax = "proto3";', f"package bench.{name}.v1;"]
    messages: list[str] = []
    for key, schema in document["$defs"].items():
        messages += _message(key, schema)
    for tool in document["tools"]:
        stem = _camel(tool["name"])
        gives = tool["outputSchema"]
        messages += _message(f"{stem}Request", tool["inputSchema"])
        messages += _message(f"{stem}Response", gives.get("items", gives))
    if any(_ANY in line for line in messages):
        lines.append('import "google/protobuf/struct.proto";')
    lines += _comment(document["service"]["description"])
    lines.append(f"service {name.title()}Service {{")
    for tool in document["tools"]:
        stem = _camel(tool["name"])
        lines += (f"  {line}" for line in _comment(tool["description"]))
        lines.append(f"  rpc {stem}({stem}Request) returns ({stem}Response);")
    return "\n".join([*lines, "}", *messages]) + "\n"


_ANY = "google.protobuf.Value"
_PROTO_SCALARS = {"string": "string", "integer": "int64", "number": "double", "boolean": "bool"}


def _camel(name: str) -> str:
    """Return a name of a message: `list_items` is `ListItems`."""
    parts = re.split(r"[^A-Za-z0-9]+", name)
    joined = "".join(part[:1].upper() + part[1:] for part in parts)
    return joined if joined[:1].isalpha() else f"X{joined}"


def _comment(text: str) -> list[str]:
    return [f"// {line}" for line in text.splitlines()]


def _message(name: str, schema: Any) -> list[str]:
    schema = schema if isinstance(schema, dict) else {}
    members = schema.get("properties") or {"value": schema.get("additionalProperties", True)}
    lines = [f"message {name} {{"]
    fields: set[str] = set()
    for number, (key, each) in enumerate(members.items(), 1):
        field = re.sub(r"\W", "_", key, flags=re.ASCII).lstrip("_0123456789") or "field"
        while field in fields or _camel(field) in map(_camel, fields):
            field += f"_{number}"
        fields.add(field)
        member = each if isinstance(each, dict) else {}
        repeated = member.get("type") == "array"
        kind, declared = _proto_type(
            _camel(field), member.get("items", True) if repeated else member
        )
        lines += [f"  {line}" for line in declared]
        prefix = (
            "repeated " if repeated else "" if key in schema.get("required", ()) else "optional "
        )
        lines += (f"  {line}" for line in _comment(member.get("description", "")))
        lines.append(f"  {prefix}{kind} {field} = {number};")
    return [*lines, "}"]


def _proto_type(name: str, schema: Any) -> tuple[str, list[str]]:
    """Return how a type is named, and the lines that declare it where it needs any."""
    match schema:
        case {"$ref": str(ref)}:
            return ref.rpartition("/")[2], []
        case {"enum": [*values]} if all(isinstance(each, str) for each in values):
            prefix = re.sub(r"(?<!^)(?=[A-Z])", "_", name).upper()
            names = [f"{prefix}_UNSPECIFIED"]
            for number, each in enumerate(values, 1):
                is_name = re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", each)
                names.append(f"{prefix}_{each.upper() if is_name else f'VALUE_{number}'}")
            body = [f"  {each} = {number};" for number, each in enumerate(dict.fromkeys(names))]
            return name, [f"enum {name} {{", *body, "}"]
        case {"properties": dict(members)} if members:
            return name, _message(name, schema)
        case {"type": str(kind)} | {"type": [str(kind), "null"]} if kind in _PROTO_SCALARS:
            return _PROTO_SCALARS[kind], []
    return _ANY, []
