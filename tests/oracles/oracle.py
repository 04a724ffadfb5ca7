"""What the providers' own packages say of a list of tools; an oracle returns what is wrong with it.

Each is built on the types and converters of an SDK, and on a few checks of our own where those are
blind: the API was seen to refuse what they let through.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from functools import cache
from typing import Any

from jsonschema import Draft7Validator, Draft202012Validator
from jsonschema.exceptions import SchemaError
from toolspec.schema.walk import subschemas

Oracle = Callable[[Any], list[str]]
Entries = list[tuple[str, dict[str, Any]]]

_COMBINATORS = ("anyOf", "oneOf", "allOf")
_OPENAI_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
_ANTHROPIC_NAME = re.compile(r"[a-zA-Z0-9_-]{1,128}")
_ANTHROPIC_KEY = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
_GEMINI_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}")
_GEMINI_KEY = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")


def accepts(target: str, manifest: Any) -> list[str]:
    """Return what the oracle of a target says against a manifest; nothing if it accepts it."""
    try:
        return ORACLES[target](manifest)
    except KeyError as missing:
        return [f"an entry lacks {missing}"]


@cache
def adapter(of: Any) -> Any:
    from pydantic import TypeAdapter

    return TypeAdapter(of)


def typed(of: Any, entry: Any) -> Iterator[str]:
    """Yield what a type of an SDK says: an error, or that it would not give the entry back whole."""
    try:
        read = adapter(of).validate_python(deepcopy(entry))
    except Exception as problem:  # noqa: BLE001  # SDKs raise what they like, and all of it is a no
        yield f"{type(problem).__name__}: {problem}"
        return
    if whole(read) != entry:
        yield "the SDK's type does not give the entry back as it is"


def whole(value: Any) -> Any:
    """Return a value with the iterators of lazy validation run to their ends."""
    if isinstance(value, dict):
        return {key: whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [whole(each) for each in value]
    return list(map(whole, value)) if hasattr(value, "__next__") else value


def named(entries: Entries, pattern: re.Pattern[str]) -> Iterator[str]:
    names = [name for name, _ in entries]
    yield from (f"{name}: the name is refused" for name in names if not pattern.fullmatch(name))
    folded = [name.casefold() for name in names]
    yield from (f"{name}: twice" for name in names if folded.count(name.casefold()) > 1)


def plain_root(schema: dict[str, Any]) -> Iterator[str]:
    if schema.get("type") != "object":
        yield "the root is no object"
    yield from (f"`{word}` at the root" for word in _COMBINATORS if word in schema)


def well_formed(schema: dict[str, Any], dialect: Any = Draft202012Validator) -> Iterator[str]:
    try:
        dialect.check_schema(schema)
    except SchemaError as problem:
        yield f"no schema: {problem.message}"
    for _, node in subschemas(schema):
        reference = node.get("$ref") if isinstance(node, dict) else None
        if reference is not None and not _leads(schema, reference):
            yield f"`{reference}` leads nowhere"


def _leads(schema: dict[str, Any], reference: str) -> bool:
    defined = schema.get("$defs", {}).keys() | set()
    return reference == "#" or reference.removeprefix("#/$defs/") in defined


def about(name: str, problems: Iterator[str]) -> Iterator[str]:
    yield from (f"{name}: {each}" for each in problems)


# OpenAI


def openai_schema(schema: dict[str, Any]) -> Iterator[str]:
    yield from plain_root(schema)
    yield from (f"`{word}` at the root" for word in ("enum", "const", "not") if word in schema)
    yield from well_formed(schema)
    for path, node in subschemas(schema):
        if not isinstance(node, dict):
            continue
        kinds = node.get("type")
        is_array = kinds == "array" or (isinstance(kinds, list) and "array" in kinds)
        if is_array and not {"items", "prefixItems"} & node.keys():
            yield f"array schema missing items at {path}"
        if isinstance(node.get("pattern"), str):
            try:
                re.compile(node["pattern"])
            except re.error as problem:
                yield f"pattern: {problem}"


def strict_openai(schema: dict[str, Any]) -> Iterator[str]:
    from agents.strict_schema import ensure_strict_json_schema
    from openai.lib._pydantic import _ensure_strict_json_schema
    from pydantic_ai.profiles.openai import OpenAIJsonSchemaTransformer

    whole_schema = deepcopy(schema)
    try:
        made = _ensure_strict_json_schema(whole_schema, path=(), root=whole_schema)
        if made != schema:
            yield "openai would change it"
        if ensure_strict_json_schema(deepcopy(schema)) != schema:
            yield "openai-agents would change it"
        # pydantic-ai takes lengths from its provider of OpenAI itself, and from no other.
        known = without(schema, {"minLength", "maxLength"})
        walked = OpenAIJsonSchemaTransformer(deepcopy(known), strict=None)
        walked.walk()
        if not walked.is_strict_compatible:
            yield "pydantic-ai takes it for not strict"
    except Exception as problem:  # noqa: BLE001  # as in `typed`
        yield f"{type(problem).__name__}: {problem}"
    refused = {"allOf", "oneOf", "not", "if", "patternProperties", "prefixItems", "uniqueItems"}
    refused |= {"default", "propertyNames", "minProperties", "contains", "dependentRequired"}
    yield from with_keywords(schema, refused)


def with_keywords(schema: dict[str, Any], refused: set[str]) -> Iterator[str]:
    for path, node in subschemas(schema):
        if isinstance(node, dict):
            yield from (f"`{word}` at {path}" for word in sorted(node.keys() & refused))


def openai_responses(manifest: Any) -> list[str]:
    from openai.types.responses import FunctionToolParam

    def problems() -> Iterator[str]:
        entries: Entries = [(each["name"], each) for each in manifest]
        yield from named(entries, _OPENAI_NAME)
        for name, entry in entries:
            yield from about(name, typed(FunctionToolParam, entry))
            if not isinstance(entry.get("strict"), bool):
                yield f"{name}: `strict` is not said"
            yield from about(name, openai_schema(entry["parameters"]))
            if entry.get("strict"):
                yield from about(name, strict_openai(entry["parameters"]))

    return list(problems())


def openai_chat(manifest: Any) -> list[str]:
    from openai.types.chat import ChatCompletionFunctionToolParam

    def problems() -> Iterator[str]:
        for each in manifest:
            yield from typed(ChatCompletionFunctionToolParam, each)
        entries: Entries = [(each["function"]["name"], each["function"]) for each in manifest]
        yield from named(entries, _OPENAI_NAME)
        for name, function in entries:
            yield from about(name, openai_schema(function["parameters"]))
            if function.get("strict"):
                yield from about(name, strict_openai(function["parameters"]))

    return list(problems())


# Anthropic


def claude_schema(schema: dict[str, Any]) -> Iterator[str]:
    yield from plain_root(schema)
    yield from well_formed(schema)
    keys = schema.get("properties", {})
    yield from (f"key `{key}`" for key in keys if not _ANTHROPIC_KEY.fullmatch(key))


def strict_claude(schema: dict[str, Any]) -> Iterator[str]:
    from anthropic import transform_schema

    # The SDK moves what it does not trust the API with into descriptions; the API takes these.
    known = without(schema, {"pattern", "default", "minLength", "maxLength"})
    try:
        if transform_schema(deepcopy(known)) != without(known, {"type"}, beside="enum"):
            yield "anthropic would change it"
    except Exception as problem:  # noqa: BLE001  # as in `typed`
        yield f"{type(problem).__name__}: {problem}"


def without(schema: Any, words: set[str], beside: str = "") -> Any:
    """Return a schema without some keywords, or without them beside another one."""
    from toolspec.shared.keywords import APPLICATORS, Holds

    if not isinstance(schema, dict):
        return schema
    gone = words if not beside or beside in schema else set()
    made: dict[str, Any] = {}
    for word, value in schema.items():
        if word in gone:
            continue
        holds = APPLICATORS.get(word)
        if holds is Holds.MAP:
            made[word] = {name: without(each, words, beside) for name, each in value.items()}
        elif holds and isinstance(value, list):
            made[word] = [without(each, words, beside) for each in value]
        else:
            made[word] = without(value, words, beside) if holds else value
    return made


def request_budget(schemas: list[dict[str, Any]]) -> Iterator[str]:
    from pydantic_ai.models._anthropic_schema_limits import exceeded_limit

    if over := exceeded_limit(deepcopy(schemas), None):
        yield over


def anthropic(manifest: Any) -> list[str]:
    from anthropic.types import ToolParam

    def problems() -> Iterator[str]:
        entries: Entries = [(each["name"], each) for each in manifest]
        yield from named(entries, _ANTHROPIC_NAME)
        for name, entry in entries:
            yield from about(name, typed(ToolParam, entry))
            yield from about(name, claude_schema(entry["input_schema"]))
            validator = Draft202012Validator(entry["input_schema"])
            for example in entry.get("input_examples", []):
                yield from (f"{name}: {each.message}" for each in validator.iter_errors(example))
        strict = [entry["input_schema"] for _, entry in entries if entry.get("strict")]
        yield from (each for schema in strict for each in strict_claude(schema))
        yield from request_budget(strict)

    return list(problems())


# Gemini

_GEMINI_WORDS = {
    *("$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum", "items"),
    *("prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf", "properties"),
    *("additionalProperties", "required", "propertyOrdering", "default"),
}


def gemini(manifest: Any) -> list[str]:
    def problems() -> Iterator[str]:
        for name, entry in declarations(manifest):
            if "parameters" in entry and "parametersJsonSchema" in entry:
                yield f"{name}: two schemas"
            schema = entry.get("parametersJsonSchema")
            if schema is None:
                continue
            yield from about(name, plain_root(schema))
            yield from about(name, well_formed(schema))
            for path, node in subschemas(schema):
                unknown = node.keys() - _GEMINI_WORDS if isinstance(node, dict) else set()
                yield from (f"{name}: `{word}` at {path}" for word in sorted(unknown))
                yield from about(name, beside_reference(node))

    return [*gemini_envelope(manifest), *problems()]


def beside_reference(node: Any) -> Iterator[str]:
    if isinstance(node, dict) and "$ref" in node:
        beside = node.keys() - {"$ref", "$defs", "description", "default"}
        yield from (f"`{word}` beside `$ref`" for word in sorted(beside))


def gemini_openapi(manifest: Any) -> list[str]:
    def problems() -> Iterator[str]:
        for name, entry in declarations(manifest):
            if "parametersJsonSchema" in entry or "responseJsonSchema" in entry:
                yield f"{name}: JSON Schema on the OpenAPI path"
            if "parameters" not in entry:
                continue
            if not entry["parameters"].get("properties"):
                yield f"{name}: no properties"
            for path, node in subschemas(entry["parameters"]):
                yield from (f"{name}: {each} at {path}" for each in openapi_node(node))

    return [*gemini_envelope(manifest), *problems()]


def openapi_node(node: Any) -> Iterator[str]:
    if not isinstance(node, dict):
        yield "a boolean"
        return
    keys = node.get("properties", {})
    yield from (f"key `{key}`" for key in keys if not _GEMINI_KEY.fullmatch(key))
    yield from (f"required `{key}` is none" for key in node.get("required", []) if key not in keys)
    if "additionalProperties" in node:
        yield "`additionalProperties`"
    if {"properties", "required"} & node.keys() and node.get("type") != "OBJECT":
        yield "properties of no object"
    if node.get("type") == "ARRAY" and "items" not in node:
        yield "items: missing field"
    if "enum" in node and node.get("type") != "STRING":
        yield "an enum of no strings"
    if "" in node.get("enum", []):
        yield "an empty string in an enum"


def gemini_envelope(manifest: Any) -> Iterator[str]:
    from google.genai import types

    for each in manifest:
        try:
            types.Tool.model_validate(deepcopy(each))
        except Exception as problem:  # noqa: BLE001  # as in `typed`
            yield f"{type(problem).__name__}: {problem}"
    yield from named(declarations(manifest), _GEMINI_NAME)


def declarations(manifest: Any) -> Entries:
    return [(each["name"], each) for tool in manifest for each in tool["functionDeclarations"]]


# Bedrock


@cache
def converse_shape() -> Any:
    from botocore.loaders import Loader
    from botocore.model import ServiceModel

    model = Loader().load_service_model("bedrock-runtime", "service-2")
    return ServiceModel(model).shape_for("ToolConfiguration")


def bedrock(manifest: Any) -> list[str]:
    from botocore.validate import ParamValidator

    shape = converse_shape()

    def problems() -> Iterator[str]:
        report = ParamValidator().validate(manifest, shape)
        if report.has_errors():
            yield report.generate_report()
        yield from metadata(manifest, shape)
        entries: Entries = [(e["toolSpec"]["name"], e["toolSpec"]) for e in manifest["tools"]]
        yield from named(entries, _OPENAI_NAME)
        for name, entry in entries:
            schema = entry["inputSchema"]["json"]
            yield from about(name, claude_schema(schema))
        strict = [entry["inputSchema"]["json"] for _, entry in entries if entry.get("strict")]
        yield from (each for schema in strict for each in strict_claude(schema))
        yield from request_budget(strict)

    return list(problems())


def metadata(value: Any, shape: Any) -> Iterator[str]:
    """Yield what breaks a maximum or a pattern of the service model; ParamValidator asks for neither."""
    if (
        shape.type_name == "structure"
        and isinstance(value, dict)
        and not shape.metadata.get("document")
    ):
        for name, each in value.items():
            if name in shape.members:
                yield from metadata(each, shape.members[name])
    elif shape.type_name == "list":
        for each in value:
            yield from metadata(each, shape.member)
    elif shape.type_name == "string":
        longest, pattern = shape.metadata.get("max"), shape.metadata.get("pattern")
        if longest is not None and len(value) > longest:
            yield f"{shape.name}: longer than {longest}"
        if pattern and not re.fullmatch(pattern, value):
            yield f"{shape.name}: not {pattern}"


def nova(manifest: Any) -> list[str]:
    roots = (each["toolSpec"]["inputSchema"]["json"] for each in manifest["tools"])
    more = (root.keys() - {"type", "properties", "required"} for root in roots)
    return [*bedrock(manifest), *(f"extraneous key [{key}]" for keys in more for key in keys)]


# Mistral


def mistral(manifest: Any) -> list[str]:
    from mistral_common.protocol.instruct.tool_calls import Tool
    from mistral_common.protocol.instruct.validator import MistralRequestValidator
    from mistralai.client.models import Tool as ClientTool

    def problems() -> Iterator[str]:
        entries: Entries = [(each["function"]["name"], each["function"]) for each in manifest]
        yield from named(entries, _OPENAI_NAME)
        for each, (name, function) in zip(manifest, entries, strict=True):
            try:
                tool = Tool.model_validate(deepcopy(each))
                MistralRequestValidator()._validate_tools([tool])
                kept = ClientTool.model_validate(deepcopy(each)).model_dump(
                    by_alias=True, exclude_unset=True
                )
            except Exception as problem:  # noqa: BLE001  # as in `typed`
                yield f"{name}: {type(problem).__name__}: {problem}"
                continue
            if kept != each:
                yield f"{name}: the SDK's type does not give the entry back as it is"
            yield from about(name, well_formed(function["parameters"], Draft7Validator))
            newer = {"$id", "$schema", "prefixItems", "dependentRequired", "unevaluatedProperties"}
            yield from about(name, with_keywords(function["parameters"], newer))

    return list(problems())


ORACLES: dict[str, Oracle] = {
    "anthropic": anthropic,
    "anthropic-strict": anthropic,
    "bedrock": bedrock,
    "bedrock-nova": nova,
    "bedrock-strict": bedrock,
    "gemini": gemini,
    "gemini-openapi": gemini_openapi,
    "mistral": mistral,
    "openai-chat": openai_chat,
    "openai-chat-strict": openai_chat,
    "openai-responses": openai_responses,
    "openai-responses-strict": openai_responses,
}
