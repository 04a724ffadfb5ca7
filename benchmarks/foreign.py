"""The corpus in the languages of other compilers: OpenAPI, TypeSpec, Protocol Buffers, JSON Schema."""

from __future__ import annotations

import json
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
            parts.append(f"model {key} {_spec_type(schema)}\n")
        for tool in document["tools"]:
            stem = tool["name"][0].upper() + tool["name"][1:]
            takes, gives = _spec_type(tool["inputSchema"]), _spec_type(tool["outputSchema"])
            parts.append(
                f'@doc({json.dumps(tool["description"])})\n@post @route("/{tool["name"]}")\n'
            )
            parts.append(f"op {tool['name']}(@body body: {takes}): {{ @body body: {gives} }};\n")
            del stem
        parts.append("}\n")
    return "".join(parts)


_SPEC_SCALARS = {"string": "string", "integer": "int64", "number": "float64", "boolean": "boolean"}
_SPEC_LIMITS = {
    "minLength": "minLength",
    "maxLength": "maxLength",
    "minimum": "minValue",
    "maximum": "maxValue",
    "maxItems": "maxItems",
}


def _spec_type(schema: Json) -> str:
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(json.dumps(each) for each in schema["enum"])
    match schema["type"]:
        case "object":
            fields = schema["properties"].items()
            lines = [_spec_field(key, each, key in schema["required"]) for key, each in fields]
            return "{\n" + "".join(lines) + "}"
        case "array":
            return f"Array<{_spec_type(schema['items'])}>"
        case ["string", "null"]:
            return "string | null"
        case scalar:
            return _SPEC_SCALARS[scalar]


def _spec_field(name: str, schema: Json, required: bool) -> str:
    lines = [f"@doc({json.dumps(schema['description'])})"]
    lines += [f"@{_SPEC_LIMITS[key]}({schema[key]})" for key in _SPEC_LIMITS if key in schema]
    default = f" = {json.dumps(schema['default'])}" if "default" in schema and not required else ""
    mark = "" if required else "?"
    return " ".join(lines) + f"\n{name}{mark}: {_spec_type(schema)}{default};\n"


def proto(document: Json) -> str:
    """Return one Protocol Buffers file: a service, and messages nested where they are used."""
    name = document["service"]["name"]
    lines = ['syntax = "proto3";', f"package bench.{name}.v1;"]
    lines.append(f"// {document['service']['description']}")
    lines.append(f"service {name.title()}Service {{")
    for tool in document["tools"]:
        stem = tool["name"][0].upper() + tool["name"][1:]
        lines.append(f"  // {tool['description']}")
        lines.append(f"  rpc {stem}({stem}Request) returns ({stem}Response);")
    lines.append("}")
    for key, schema in document["$defs"].items():
        lines += _message(key, schema)
    for tool in document["tools"]:
        stem = tool["name"][0].upper() + tool["name"][1:]
        gives = tool["outputSchema"]
        lines += _message(f"{stem}Request", tool["inputSchema"])
        lines += _message(f"{stem}Response", gives.get("items", gives))
    return "\n".join(lines) + "\n"


_PROTO_SCALARS = {"string": "string", "integer": "int64", "number": "double", "boolean": "bool"}


def _message(name: str, schema: Json) -> list[str]:
    lines = [f"message {name} {{"]
    for number, (key, each) in enumerate(schema["properties"].items(), 1):
        inner = "".join(part.title() for part in key.split("_"))
        repeated = each.get("type") == "array"
        item = each["items"] if repeated else each
        kind, declared = _proto_type(inner, item)
        lines += [f"  {line}" for line in declared]
        prefix = "repeated " if repeated else "" if key in schema["required"] else "optional "
        lines += [f"  // {each['description']}", f"  {prefix}{kind} {key} = {number};"]
    return [*lines, "}"]


def _proto_type(name: str, schema: Json) -> tuple[str, list[str]]:
    """Return how a type is named, and the lines that declare it where it needs any."""
    if "$ref" in schema:
        return schema["$ref"].rpartition("/")[2], []
    if "enum" in schema:
        prefix = "".join(f"_{c}" if c.isupper() else c.upper() for c in name).lstrip("_")
        values = [f"{prefix}_UNSPECIFIED", *(f"{prefix}_{each.upper()}" for each in schema["enum"])]
        body = [f"  {each} = {number};" for number, each in enumerate(values)]
        return name, [f"enum {name} {{", *body, "}"]
    if schema["type"] == "object":
        return name, _message(name, schema)
    kind = schema["type"]
    return _PROTO_SCALARS["string" if isinstance(kind, list) else kind], []
