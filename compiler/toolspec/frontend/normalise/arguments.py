"""Derives the form of a tool's input, and the schema of its arguments on the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Subject
from toolspec.frontend.bind import kinds
from toolspec.frontend.normalise.roots import rerooted, root_of
from toolspec.frontend.wording import expected
from toolspec.ir import Idempotency, InputForm
from toolspec.shared.records import dataclass, replace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Instance, Tool
    from toolspec.syntax.nodes import JsonObject, JsonValue

KEY = "idempotency_key"
INSTANCE = "instance"
TEXT_ARGUMENT = "input"
_KEY_SCHEMA: JsonObject = {
    "type": "string",
    "minLength": 1,
    "description": (
        "Chosen by the caller, one for each intended call. A repeated call with the same key and "
        "arguments answers as the first did and acts no second time."
    ),
}
# Keywords beside a `$ref` at the root that cannot contradict the referenced schema.
_ANNOTATIONS = frozenset(
    {"$ref", "$defs", "$comment", "title", "description", "default", "examples", "deprecated"}
)
_SEALING = ("propertyNames", "maxProperties", "unevaluatedProperties")
_IN_PLACE = ("allOf", "anyOf", "oneOf")


def with_arguments(tool: Tool, instances: tuple[Instance, ...] = ()) -> Checked[Tool]:
    """Return the tool with the form of its input and the schema of its arguments on the wire.

    Reports an input that is not an object, and an added argument whose name is taken or refused.
    """
    if not tool.broken.isdisjoint(("input", "arguments")):
        return Checked(tool)
    bundle = tool.input.bundle
    form = _form(tool)
    problem = None
    match form:
        case InputForm.RAW:
            arguments: JsonObject = {"type": "object"}
        case InputForm.TEXT:
            arguments = _text_arguments(bundle)
        case _:
            root = root_of(bundle)
            problem = _not_object(tool, root)
            arguments = _inlined(bundle, root)
    names = tuple(instance.name for instance in instances) if len(instances) > 1 else ()
    if tool.input.broken is None:
        return Checked(replace(tool, input_form=form, arguments=arguments, instances=names))
    for added in _added(tool, instances if names else ()):
        if problem is None:
            problem = _no_room(tool, arguments, added)
            changed = _with_argument(arguments, added)
            arguments = rerooted(bundle, changed) if isinstance(bundle, dict) else changed
    changed_tool = replace(tool, input_form=form, arguments=arguments, instances=names)
    return Checked(changed_tool, (problem,) if problem else ())


@dataclass(frozen=True, slots=True)
class _Added:
    """An argument of every call that is not part of the handler's input."""

    name: str
    source: str
    schema: JsonObject
    is_required: bool


def _added(tool: Tool, instances: tuple[Instance, ...]) -> Iterator[_Added]:
    if tool.idempotency is not Idempotency.NONE:
        is_required = tool.idempotency is Idempotency.REQUIRED
        yield _Added(KEY, "idempotency", _KEY_SCHEMA, is_required)
    if instances:
        about = [instance.title or instance.description for instance in instances]
        sentences = [
            f" `{instance.name}`: {text.rstrip('.')}." if text else ""
            for instance, text in zip(instances, about, strict=True)
        ]
        schema: JsonObject = {
            "type": "string",
            "enum": [instance.name for instance in instances],
            "description": "The instance of the service that the call is for." + "".join(sentences),
        }
        yield _Added(INSTANCE, "service.instances", schema, is_required=True)


def _form(tool: Tool) -> InputForm:
    if tool.input.bundle is True:
        return InputForm.RAW
    root = root_of(tool.input.bundle) or {}
    return InputForm.TEXT if root.get("type") == "string" else InputForm.OBJECT


def _text_arguments(bundle: JsonValue) -> JsonObject:
    """Return the wire schema of one free-form text; its `$defs` move to the root for references."""
    assert isinstance(bundle, dict)
    text: JsonObject = {key: value for key, value in bundle.items() if key != "$defs"}
    arguments: JsonObject = {
        "type": "object",
        "properties": {TEXT_ARGUMENT: text},
        "required": [TEXT_ARGUMENT],
        "additionalProperties": False,
    }
    return arguments | {"$defs": bundle["$defs"]} if "$defs" in bundle else arguments


def _inlined(bundle: JsonValue, root: JsonObject | None) -> JsonObject:
    """Return the bundle with `type: object` at its root, as clients demand.

    A root that is only a reference is replaced by its target, to which a property can be added.
    """
    if not isinstance(bundle, dict):
        return {"type": "object"}
    if root is not None and "$ref" in bundle and bundle.keys() <= _ANNOTATIONS:
        return root | {key: value for key, value in bundle.items() if key != "$ref"}
    if "type" in bundle:
        return bundle
    typed: JsonObject = {"type": "object"}
    return typed | bundle


def _not_object(tool: Tool, root: JsonObject | None) -> Diagnostic | None:
    """Return a diagnostic unless the input's root is declared as an object.

    The check of satisfiability reports `false`; an input without a root has another error.
    """
    if root is None:
        return None
    stated = root.get("type")
    if stated == "object" or not isinstance(tool.input.bundle, dict) or tool.input.location is None:
        return None
    hint = "write `type: object` at its root"
    match stated:
        case None if not root:
            what, hint = "open to anything", "write `inputSchema: true` if anything goes"
        case None:
            what = "of no stated type"
        case str():
            what = expected([stated])
        case list() if stated:
            what = expected(str(type_) for type_ in stated)
        case _:
            return None
    location = tool.input.location
    if stated == "array":
        hint = (
            "arguments have names: put the list into a property, `{type: object, properties: "
            "{items: {type: array, …}}, required: [items]}`"
        )
    at = location / "type" if stated is not None and "$ref" not in tool.input.bundle else location
    return kinds.INPUT_NOT_OBJECT.at(
        at.span,
        subject=Subject(pointer=location.pointer),
        found=what,
        suggestion=hint,
    )


def _no_room(tool: Tool, arguments: JsonObject, added: _Added) -> Diagnostic | None:
    """Return a diagnostic if an added argument is taken, or refused by the author's schema."""
    location = tool.input.location
    if location is None:
        return None
    properties = arguments.get("properties")
    if isinstance(properties, dict) and added.name in properties:
        existing = location.at("properties", added.name)
        return kinds.RESERVED_ARGUMENT.at(
            existing.key_span,
            subject=Subject(pointer=existing.pointer),
            name=added.name,
            source=added.source,
        )
    keyword = _seal(arguments)
    if not keyword:
        return None
    return kinds.SEALED_ARGUMENTS.at(
        location.key_span,
        subject=Subject(pointer=location.pointer),
        keyword=keyword,
        name=added.name,
    )


def _seal(arguments: JsonObject) -> str:
    """Return the keyword by which a schema would refuse another property at its root, or ""."""
    for keyword in _SEALING:
        if arguments.get(keyword, True) is not True:
            return keyword
    branches: list[JsonValue] = [arguments] if "$ref" in arguments else []
    for keyword in _IN_PLACE:
        value = arguments.get(keyword)
        branches += value if isinstance(value, list) else []
    closed = (_root_within(branch, arguments).get("additionalProperties") for branch in branches)
    return "additionalProperties" if any(value not in (None, True) for value in closed) else ""


def _root_within(branch: JsonValue, bundle: JsonObject) -> JsonObject:
    """Return a branch of a bundle, or the target of its reference."""
    if isinstance(branch, dict) and "$ref" in branch:
        return root_of(bundle | {"$ref": branch["$ref"]}) or {}
    return branch if isinstance(branch, dict) else {}


def _with_argument(arguments: JsonObject, added: _Added) -> JsonObject:
    properties = arguments.get("properties")
    stated = arguments.get("required")
    names = stated if isinstance(stated, list) else []
    declared = properties if isinstance(properties, dict) else {}
    changed: JsonObject = {"properties": declared | {added.name: added.schema}}
    if added.is_required:
        changed["required"] = [*names, added.name]
    return arguments | changed
