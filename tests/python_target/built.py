"""Programs made by hand for the Python target's tests: what a front end would have made."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

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
    ToolNames,
)

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

ANYTHING: JsonValue = {"type": "object", "properties": {}, "additionalProperties": False}


def _words(name: str) -> list[str]:
    spaced = re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", name)
    return re.findall(r"[A-Za-z0-9]+", spaced) or ["tool"]


def pascal_name(name: str) -> str:
    return "".join(word[0].upper() + word[1:] for word in _words(name))


def tool(
    name: str = "doIt",
    *,
    service: str = "demo",
    input: JsonValue = ANYTHING,  # noqa: A002 - the field's name
    output: JsonValue = True,
    chunk: JsonValue = None,
    shared: tuple[tuple[str, str], ...] = (),
    **fields: Any,  # noqa: ANN401 - whatever else a Tool has
) -> Tool:
    method = "_".join(_words(name)).lower()
    form = fields.pop("input_form", InputForm.OBJECT)
    arguments = input if isinstance(input, dict) else {"type": "object"}
    given = {
        "name": name,
        "names": ToolNames(f"{service}_{name}", method, pascal_name(name)),
        "title": name,
        "description": "Does it.",
        "summary": "Does it.",
        "input": Schema(input, input, shared),
        "input_form": form,
        "arguments": arguments,
        "output": Schema(output, output, shared),
        "mutation": False,
        "annotations": Annotations(name, True, False, True, True),
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
    **fields: Any,  # noqa: ANN401 - whatever else a Service has
) -> Service:
    defs = definitions or {}
    shared = tuple((each, each) for each in defs)
    given = {
        "name": name,
        "names": ServiceNames(name.replace("-", "_").lower(), pascal_name(name)),
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
