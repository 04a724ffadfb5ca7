"""Programs made by hand for the Python target's tests: what a front end would have made."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from toolspec.frontend.naming import tool_names
from toolspec.frontend.naming.identifiers import class_stem, module_name
from toolspec.ir import (
    Annotations,
    Definition,
    InputForm,
    Program,
    Provenance,
    Reduction,
    Risk,
    Schema,
    Service,
    ServiceNames,
    Tool,
)
from toolspec.schema import LinkedSchema, check_complexity, check_nested_defaults, read_resource
from toolspec.syntax import parse
from toolspec.targets.python.code import escape
from toolspec.targets.python.emit import FOLDER, NAMES, templates
from toolspec.targets.python.make_view import service_view
from toolspec.targets.templates import Templates

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue
    from toolspec.targets.templates import Rendered

MEMORY = "specs/memory.json"
ANYTHING: JsonValue = {"type": "object", "properties": {}, "additionalProperties": False}


def tool(  # noqa: PLR0913 - a tool has that many parts, all by keyword
    name: str = "doIt",
    *,
    service: str = "demo",
    input: JsonValue = ANYTHING,
    output: JsonValue = True,
    chunk: JsonValue = None,
    shared: tuple[tuple[str, str], ...] = (),
    **fields: Any,
) -> Tool:
    form = fields.pop("input_form", InputForm.OBJECT)
    arguments = input if isinstance(input, dict) else {"type": "object"}
    given = {
        "name": name,
        "names": tool_names(f"{service}_{name}", name),
        "title": name,
        "description": "Does it.",
        "summary": "Does it.",
        "input": Schema(input, input, shared),
        "input_form": form,
        "arguments": arguments,
        "output": Schema(output, output, shared),
        "mutation": False,
        "annotations": Annotations(
            name, read_only=True, destructive=False, idempotent=True, open_world=True
        ),
        "risk": Risk(0),
        "provenance": Provenance("specs/demo.yaml", "/tools/0", 1, "0" * 64),
        "streaming": chunk is not None,
        "chunk": None if chunk is None else Schema(chunk, chunk, shared),
        "reduction": Reduction.LIST,
    }
    return Tool(**(given | fields))


def service(
    name: str,
    *tools: Tool,
    definitions: dict[str, JsonValue] | None = None,
    **fields: Any,
) -> Service:
    defs = definitions or {}
    shared = tuple((each, each) for each in defs)
    given = {
        "name": name,
        "names": ServiceNames(module_name(name), class_stem(name)),
        "version": "1.0.0",
        "title": name,
        "description": f"The service {name}.",
        "tools": tools,
        "definitions": tuple(
            Definition(each, Schema(value, value, shared)) for each, value in defs.items()
        ),
    }
    return Service(**(given | fields))


def program(*services: Service) -> Program:
    return Program(tuple(sorted(services, key=lambda each: each.name)))


def rendered(file: str, service: Service, *, is_binary: bool = False) -> Rendered:
    """What Jinja2 makes of the template of a file, with the offset of each value."""
    view = service_view(service, is_binary=is_binary)
    with_offsets = Templates(FOLDER, escape, names=NAMES).render(f"{file}.jinja", {"service": view})
    assert templates().render(f"{file}.jinja", {"service": view}).text == with_offsets.text
    return with_offsets


def types_text(service: Service) -> str:
    return rendered("types.py", service).text


def is_refused(schema: JsonValue) -> bool:
    """Return whether the frontend refuses a schema because it or its defaults are too complex."""
    document = parse(MEMORY, json.dumps(schema).encode()).value
    assert document is not None
    resource = read_resource(schema, document.location())
    linked = LinkedSchema((MEMORY, ()), "", resource.value)
    schemas = {linked.key: linked}
    return bool(check_complexity(schemas) or check_nested_defaults(schemas))
