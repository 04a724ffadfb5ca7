"""What must hold of every tool made to fit a profile, whatever its schema."""

from __future__ import annotations

import json
from copy import deepcopy
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, Any

from encoding import encoded
from jsonschema_rs import Draft202012Validator, meta
from made_schemas import values
from toolspec.ir import Annotations, InputForm, Provenance, Risk, Schema, Tool, ToolNames
from toolspec.providers.draft import IMPOSSIBLE, without_unused
from toolspec.providers.features import features, refuses
from toolspec.providers.ledger import Outcome
from toolspec.providers.lowering import LoweredTool, lower
from toolspec.providers.node import every, read
from toolspec.providers.shapes import common_type, limited
from toolspec.runtime.errors import ToolError
from toolspec.runtime.provider_calls import decode
from toolspec.schema.walk import subschemas
from toolspec.shared.keywords import ANNOTATIONS
from toolspec.syntax.pointer import format_pointer, parse_pointer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.providers.profile import Profile


def tool(arguments: dict[str, Any], description: str = "Does a thing.", output: Any = True) -> Tool:
    return Tool(
        name="thing",
        names=ToolNames("svc_thing", "thing", "Thing"),
        title="Thing",
        description=description,
        summary=description,
        input=Schema.of(arguments),
        input_form=InputForm.OBJECT,
        arguments=arguments,
        output=Schema.of(output),
        mutation=False,
        annotations=Annotations(
            "Thing", read_only=True, destructive=False, idempotent=True, open_world=False
        ),
        risk=Risk(0),
        provenance=Provenance("a.yaml", "", 1, ""),
    )


def lowered(arguments: dict[str, Any], profile: Profile) -> LoweredTool:
    """Return the form of the profile itself, without its fallback."""
    return lower(tool(arguments), replace(profile, fallback=""))


def faults(arguments: dict[str, Any], profile: Profile, random: Random) -> Iterator[str]:
    """Yield what does not hold."""
    made = lowered(arguments, profile)
    yield from _of_ledger(arguments, made)
    yield from _of_texts(arguments, made)
    if made.refusals or made.schema is None:
        return
    meta.validate(made.schema)
    for feature, node, word in features(read(made.schema)):
        if profile.treatment(feature).sent == "X":
            yield f"{feature} is left: `{word}` at {node.location}"
    spelt = made.schema
    yield from _of_form(made.schema, {stage.step for stage in profile.steps})
    if profile.treatment("nullable").sent == "E":
        spelt = as_json_schema(spelt)
    yield from _of_values(arguments, made, spelt, random)


def is_widened(made: LoweredTool) -> bool:
    """Whether the ledger says that the model may say more than the author allows."""
    return any(each.widens for each in made.ledger)


def is_narrowed(made: LoweredTool) -> bool:
    """Whether the ledger says that the model can say less than the author allows.

    Cut recursion narrows even where it also widens; what may be decoded in two ways can be said in one.
    """
    return any(
        each.outcome is Outcome.NARROWED or each.step in {"cut-recursion", "decode"}
        for each in made.ledger
    )


def _of_ledger(arguments: dict[str, Any], made: LoweredTool) -> Iterator[str]:
    written = {
        (format_pointer((*path, word)), word)
        for path, node in subschemas(arguments)
        if isinstance(node, dict)
        for word in node
    }
    told = [(each.pointer, each.keyword) for each in made.ledger]
    if len(told) != len(set(told)):
        yield "a keyword has two entries"
    if missing := written - set(told):
        yield f"without an entry: {sorted(missing)}"
    yield from (f"lost: {each.pointer}" for each in made.ledger if each.step == "lost")


def _of_form(schema: dict[str, Any], steps: set[str]) -> Iterator[str]:
    """Yield what no provider should be sent, though none may refuse it."""
    root = read(schema)
    if root is not without_unused(root):
        yield "a definition is sent that nothing leads to"
    for node in every(root):
        forms = node.many("anyOf")
        is_beside = any(map(refuses, node.without("anyOf").words))
        if "single-form" in steps and len(forms) == 1 and "$ref" not in forms[0] and not is_beside:
            yield f"a choice of one form at {node.location}"
        if "form-untyped" in steps and "type" not in node and common_type(limited(node) or ()):
            yield f"a list of values says no type at {node.location}"


def _of_texts(arguments: dict[str, Any], made: LoweredTool) -> Iterator[str]:
    """Yield the keywords that the ledger says are in a description, and that no description has."""
    texts = [made.description]
    for _, node in subschemas(made.schema or {}):
        if isinstance(node, dict) and isinstance(node.get("description"), str):
            texts.append(node["description"])
    if any(each.step in _PRUNING or each.detail == IMPOSSIBLE for each in made.ledger):
        return
    moved = {each.pointer: each.keyword for each in made.ledger if each.outcome is Outcome.MOVED}
    others = [each.pointer for each in made.ledger if each.outcome is not Outcome.MOVED]
    is_merged = not _MERGING.isdisjoint(_words(arguments))
    for pointer, word in moved.items():
        if is_merged and word in _BOUNDS:
            continue
        if any(each.startswith(f"{pointer}/") for each in others):
            continue  # Something in it has another outcome; the rest of it has entries of its own.
        holder = find_value(arguments, pointer.rpartition("/")[0])
        if "allOf" in {*_words(holder), *pointer.split("/")}:
            continue  # It may be merged before it is said.
        value = find_value(arguments, pointer)
        parts = set(_parts(value, word))
        if not any(parts <= _said(text, parts) for text in texts):
            yield f"not said: {pointer}, {sorted(parts)}"


# What nothing satisfies is `false` before it is said.
_PRUNING = frozenset({"cut-recursion", "drop-impossible"})
_MERGING = frozenset({"allOf", "anyOf", "oneOf", "$ref", "exclusiveMinimum", "exclusiveMaximum"})
# Two of these are said in one, and `items` that cannot be as a length.
_BOUNDS = frozenset(
    {
        "items",
        "prefixItems",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
    }
    | {f"{side}{what}" for side in ("min", "max") for what in ("Items", "Length", "Properties")}
)
# Said in other words, or not at all where they refuse nothing.
_OTHERWISE = ANNOTATIONS | _MERGING | _BOUNDS
_OTHERWISE |= {"const", "nullable", "x-own", "uniqueItems"}
_OTHERWISE |= {"unevaluatedProperties", "unevaluatedItems"}


def _words(arguments: Any) -> set[str]:
    return {word for _, node in subschemas(arguments) if isinstance(node, dict) for word in node}


def _parts(value: Any, word: str) -> Iterator[str]:
    """Yield what must stand in the sentence for a keyword: all keywords and values below it."""
    if word in {"uniqueItems", "$ref"} or isinstance(value, bool):
        return
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in _OTHERWISE and (name != "enum" or "const" not in value):
                yield name
                yield from _parts(each, name)
    elif isinstance(value, list):
        for each in value if word != "type" else ():  # Said as forms of one type each.
            yield from _parts(each, word)
    elif value is not None:  # Null is a type in OpenAPI, and no value.
        yield value if isinstance(value, str) else json.dumps(value)


def _said(text: str, parts: set[str]) -> set[str]:
    return {each for each in parts if each in text or json.dumps(each)[1:-1] in text}


def _of_values(
    arguments: dict[str, Any], made: LoweredTool, spelt: dict[str, Any], random: Random
) -> Iterator[str]:
    source, target = Draft202012Validator(arguments), Draft202012Validator(spelt)
    for answer in () if is_widened(made) else values(random, spelt):
        try:
            decoded = decode(made.decode, deepcopy(answer))
        except ToolError:
            continue
        if not source.is_valid(decoded):
            yield f"{answer} decodes to {decoded}, which the source refuses"
    for value in () if is_narrowed(made) else values(random, arguments):
        if not any(target.is_valid(each) for each in encoded(made.decode, value)):
            yield f"{value} cannot be said"


def find_value(value: Any, pointer: str) -> Any:
    """Return what a pointer leads to."""
    for step in parse_pointer(pointer):
        value = value[int(step)] if isinstance(value, list) else value[step]
    return value


def as_json_schema(schema: Any) -> Any:
    """Return a schema in OpenAPI's spelling of "or null" as JSON Schema."""
    if isinstance(schema, list):
        return [as_json_schema(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {
        name: {key: as_json_schema(each) for key, each in value.items()}
        if name == "properties"
        else as_json_schema(value)
        if name in {"items", "anyOf", "additionalProperties", "prefixItems"}
        else value
        for name, value in schema.items()
        if name != "nullable"
    }
    return {"anyOf": [made, {"type": "null"}]} if schema.get("nullable") is True else made
