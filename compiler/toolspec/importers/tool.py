"""Conversion of one tool of a foreign list to a ToolDefinition of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.frontend.shape.contract import fits_field, schema_at
from toolspec.importers import kinds
from toolspec.importers.bounds import modern_bounds
from toolspec.importers.draft import ASIDE, Draft
from toolspec.importers.legal import is_alias
from toolspec.importers.own_manifest import with_own_fields
from toolspec.shared.records import dataclass, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from toolspec.importers.dump import ListedTool, Origin
    from toolspec.syntax.nodes import JsonObject, JsonValue

PLACEHOLDER = "No description was given."
SUPPRESSIONS = "x-toolspec-allow"

# Names of fields in other systems.
_SYNONYMS = {
    "input": "inputSchema",
    "output": "outputSchema",
    "input_schema": "inputSchema",
    "output_schema": "outputSchema",
    "chunk_schema": "chunkSchema",
    "displayName": "title",
    "display_name": "title",
    "output_content_type": "outputContentType",
}
# Fields that are read with others, or whose value is decided here.
_DECIDED = frozenset(
    {"name", "description", "title", "inputSchema", "outputSchema", "annotations", "mutation"}
    | {"taskSupport", "execution", "aliases"}
)
_ANNOTATIONS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_TASK_SUPPORT = ("forbidden", "optional", "required")
_NO_FIELD = "the language has no such field"
_WRONG_TYPE = "its value does not have the type that MCP defines"
_INVALID = "its value is invalid for the field of that name"
_CLAIMED = "claimed by the server"
_KEY = "idempotency_key"
# Keywords allowed in an argument for idempotency keys; any other would be lost with it.
_KEY_KEYWORDS = frozenset({"type", "description", "title", "minLength", "maxLength", "format"})


@dataclass(frozen=True, slots=True)
class ImportedSuppression:
    """A suppression in the imported document: its rule, its reason, and the rule's message."""

    rule: str
    reason: str
    problem: str
    until: str = ""

    @property
    def value(self) -> JsonObject:
        """The suppression as a document contains it."""
        value: JsonObject = {"rule": self.rule, "reason": self.reason}
        return {**value, "until": self.until} if self.until else value


@dataclass(frozen=True, slots=True)
class Changes:
    """Changes that let a tool compile: members to keep aside, with reasons, and suppressions.

    `unformatted` is the reason for `formats: annotate`: a value of the tool itself breaks a format.
    """

    aside: Mapping[str, str] = field(default_factory=dict)
    unformatted: str = ""
    suppressions: tuple[ImportedSuppression, ...] = ()


@dataclass(frozen=True, slots=True)
class Naming:
    """Naming scheme of a service's tools, all their names, and the origin of their list."""

    service: str
    names: frozenset[str]
    is_as_written: bool
    origin: Origin


def import_tool(tool: ListedTool, name: str, naming: Naming, changes: Changes) -> Draft:
    """Return the draft of a tool under its new name.

    Its diagnostics report guesses, changes, and members without a field in the language.
    """
    full = tool.name if naming.is_as_written else f"{naming.service}_{name}"
    draft = Draft(tool.name, tool.location, Subject(naming.service, full))
    members = with_own_fields(_members(draft, tool.members), name)
    for key, reason in changes.aside.items():
        if key in members:
            draft.keep_aside(key, value=members.pop(key), problem=reason)
    _name(draft, tool.name, name, naming)
    if "aliases" in changes.aside and draft.fields.pop("aliases", None):
        draft.aside["name"] = tool.name
    if is_alias_list := fits_field("tool", "aliases", members.get("aliases")):
        draft.put("aliases", [*_texts(draft.fields.get("aliases")), *_texts(members["aliases"])])
    _description(draft, members.get("description"))
    _title(draft, members.get("title"))
    mutation = _behaviour(draft, members, is_claimed=naming.origin.kind == "mcp")
    _input(draft, members, mutation=mutation)
    _output(draft, members)
    _task_support(draft, members)
    for key, value in members.items():
        if key not in _DECIDED or (key == "aliases" and not is_alias_list):
            _field(draft, key, value)
    _chunks(draft)
    if changes.unformatted:
        draft.put("formats", "annotate")
        problem = changes.unformatted
        draft.report(kinds.FORMATS_ANNOTATED, "formats", tool=tool.name, problem=problem)
    if changes.suppressions:
        draft.put(SUPPRESSIONS, [suppression.value for suppression in changes.suppressions])
    for suppression in changes.suppressions:
        draft.report(
            kinds.SUPPRESSED,
            code=suppression.rule,
            what=f"`{tool.name}`",
            problem=suppression.problem,
        )
    origin = naming.origin
    source: JsonObject = {"kind": origin.kind, "location": origin.location, "member": tool.name}
    draft.fields.setdefault("source", source)
    draft.comments.update(tool.comments)
    return draft


def tool_order() -> tuple[str, ...]:
    """Return the fields of a tool in the order of the document schema."""
    fields = schema_at(("$defs", "tool", "properties"))
    return (*(fields if isinstance(fields, dict) else ()), SUPPRESSIONS)


def _members(draft: Draft, listed: JsonObject) -> JsonObject:
    """Return the members under the names of the language, without null ones."""
    members: JsonObject = {}
    for key, value in listed.items():
        if value is None:
            draft.report(kinds.NULL_LEFT_OUT, key, what=f"`{key}`", owner=draft.owner)
            continue
        name = _SYNONYMS.get(key, key)
        members[key if name in listed or name in members else name] = value
    return members


def _field(draft: Draft, key: str, value: JsonValue) -> None:
    """Copy a valid field of the language; keep anything else aside."""
    is_foreign = key.startswith("x-") and key != ASIDE and not key.startswith("x-toolspec")
    if is_foreign or fits_field("tool", key, value):
        draft.put(key, value)
    else:
        draft.keep_aside(key, value=value, problem=_INVALID if _is_field(key) else _NO_FIELD)


def _is_field(key: str) -> bool:
    return schema_at(("$defs", "tool", "properties", key)) is not None


def _name(draft: Draft, origin: str, name: str, naming: Naming) -> None:
    service, full = naming.service, f"{naming.service}_{name}"
    if name == origin:
        draft.put("name", name)
        return
    draft.put("name", name, f"`{origin}` in the list")
    if naming.is_as_written and is_alias(origin):
        draft.put("wireName", origin)
        draft.report(kinds.TOOL_RENAMED, "name", origin=origin, name=name)
        return
    if origin[: len(service)] == service and origin[len(service) + 1 :] == name:
        draft.report(kinds.PREFIX_DROPPED, "name", origin=origin, name=name, full=full)
    else:
        draft.report(kinds.TOOL_RENAMED, "name", origin=origin, name=name)
    if origin == full:
        return
    if is_alias(origin) and origin not in naming.names:
        draft.put("aliases", [origin])
    else:
        draft.aside["name"] = origin


def _description(draft: Draft, value: JsonValue) -> None:
    if isinstance(value, str) and value.strip():
        draft.put("description", value)
        return
    if value is not None and not isinstance(value, str):
        draft.keep_aside("description", value=value, problem=_WRONG_TYPE)
    draft.put("description", PLACEHOLDER, "a placeholder: the list has none")
    draft.report(kinds.NO_DESCRIPTION, "description", tool=draft.owner)


def _title(draft: Draft, value: JsonValue) -> None:
    if isinstance(value, str) and value.strip():
        draft.put("title", value)
    elif value is not None:
        draft.keep_aside("title", value=value, problem="a title must be a non-blank text")


def _input(draft: Draft, members: JsonObject, *, mutation: bool) -> None:
    schema = members.get("inputSchema")
    if isinstance(schema, dict):
        schema = modern_bounds(schema)
        if schema != members["inputSchema"]:
            draft.report(
                kinds.BOUNDS_REWRITTEN, "inputSchema", tool=draft.owner, schema="inputSchema"
            )
    match schema:
        case {"type": "object" | "string"} | True:
            draft.put("inputSchema", _without_key(draft, schema) if mutation else schema)
        case dict() if "object" in _texts(schema.get("type")):
            draft.put("inputSchema", {**schema, "type": "object"}, "arguments are an object")
            draft.report(kinds.INPUT_ROOT, "inputSchema", tool=draft.owner)
        case dict() if "type" not in schema:
            comment = "the list lacks `type: object`"
            draft.put("inputSchema", {"type": "object", **schema}, comment)
            draft.report(kinds.INPUT_ROOT, "inputSchema", tool=draft.owner)
        case None:
            _any_object(draft, "missing")
        case _:
            draft.keep_aside("inputSchema", value=schema, problem="its root is not an object")
            _any_object(draft, "not for an object")


def _without_key(draft: Draft, schema: JsonValue) -> JsonValue:
    """Return an input schema without its argument for idempotency keys, which becomes a field."""
    properties = schema.get("properties") if isinstance(schema, dict) else None
    argument = properties.get(_KEY) if isinstance(properties, dict) else None
    if not isinstance(schema, dict) or not isinstance(properties, dict):
        return schema
    if not isinstance(argument, dict) or argument.get("type") != "string":
        return schema
    if not argument.keys() <= _KEY_KEYWORDS:
        return schema
    required = schema.get("required")
    names = required if isinstance(required, list) else []
    draft.put("idempotency", "required" if _KEY in names else "optional")
    draft.report(kinds.KEY_TAKEN_OVER, "inputSchema", tool=draft.owner)
    rest: JsonObject = {
        **schema,
        "properties": {name: member for name, member in properties.items() if name != _KEY},
    }
    if _KEY in names:
        rest["required"] = [name for name in names if name != _KEY]
        if not rest["required"]:
            del rest["required"]
    return rest


def _any_object(draft: Draft, problem: str) -> None:
    draft.put("inputSchema", {"type": "object"}, f"the schema of the list is {problem}")
    draft.report(kinds.INPUT_REPLACED, "inputSchema", tool=draft.owner, problem=problem)


def _output(draft: Draft, members: JsonObject) -> None:
    schema = members.get("outputSchema")
    if isinstance(schema, (dict, bool)):
        modern = modern_bounds(schema)
        if modern != schema:
            draft.report(
                kinds.BOUNDS_REWRITTEN, "outputSchema", tool=draft.owner, schema="outputSchema"
            )
        draft.put("outputSchema", modern)
        return
    if schema is not None:
        draft.keep_aside("outputSchema", value=schema, problem=_WRONG_TYPE)
    draft.put("outputSchema", value=True, comment="anything: the list does not describe the result")
    draft.report(kinds.OUTPUT_UNKNOWN, tool=draft.owner)


def _chunks(draft: Draft) -> None:
    """Set `chunkSchema: true` where a stream has no schema for chunks and none can be derived."""
    output = draft.fields.get("outputSchema")
    kind = output.get("type") if isinstance(output, dict) else None
    if not draft.fields.get("streaming") or "chunkSchema" in draft.fields:
        return
    if kind == "string" or (kind == "array" and isinstance(output, dict) and "items" in output):
        return
    draft.put("chunkSchema", value=True, comment="anything: the list does not describe the chunks")


def _behaviour(draft: Draft, members: JsonObject, *, is_claimed: bool) -> bool:
    """Set `mutation`, and the annotations that differ from the derived ones.

    With `is_claimed`, comments say that they are claims of a running server.
    """
    value, stated = members.get("annotations"), members.get("mutation")
    if value is not None and not isinstance(value, dict):
        draft.keep_aside("annotations", value=value, problem=_WRONG_TYPE)
    hints = _known_annotations(draft, value if isinstance(value, dict) else {})
    kept: JsonObject = {"title": hints.pop("title")} if "title" in hints else {}
    read_only = hints.pop("readOnlyHint", None)
    if isinstance(stated, bool):
        if read_only is not None and read_only == stated:
            draft.report(kinds.HINT_CONTRADICTED, "annotations", "readOnlyHint", tool=draft.owner)
        read_only = not stated
        draft.put("mutation", stated)
    elif read_only is None:
        comment = "guessed, the worst case: the list has no `readOnlyHint`"
        draft.put("mutation", value=True, comment=comment)
        draft.report(kinds.MUTATION_GUESSED, tool=draft.owner)
    else:
        draft.put("mutation", not read_only, _CLAIMED if is_claimed else "")
        if is_claimed:
            draft.report(kinds.HINT_CLAIMED, "annotations", "readOnlyHint", tool=draft.owner)
    if stated is not None and not isinstance(stated, bool):
        draft.keep_aside("mutation", value=stated, problem=_INVALID)
    if read_only and hints.pop("destructiveHint", False):
        draft.report(kinds.HINT_DROPPED, "annotations", "destructiveHint", tool=draft.owner)
    derived = {
        "destructiveHint": not read_only,
        "idempotentHint": bool(read_only),
        "openWorldHint": True,
    }
    kept.update({key: hint for key, hint in hints.items() if hint != derived[key]})
    if kept:
        draft.put("annotations", kept, _CLAIMED if is_claimed and hints else "")
    return not read_only


def _known_annotations(draft: Draft, annotations: JsonObject) -> JsonObject:
    """Return the valid MCP annotations in a fixed order; keep all others aside."""
    known: JsonObject = {}
    for key in _ANNOTATIONS:
        value = annotations.get(key)
        is_text = isinstance(value, str) and bool(value.strip())
        if is_text if key == "title" else isinstance(value, bool):
            known[key] = value
    for key, value in annotations.items():
        if key not in known:
            problem = _WRONG_TYPE if key in _ANNOTATIONS else _NO_FIELD
            draft.keep_aside("annotations", key, value=value, problem=problem)
    return known


def _task_support(draft: Draft, members: JsonObject) -> None:
    stated, execution = members.get("taskSupport"), members.get("execution")
    if stated is not None:
        _field(draft, "taskSupport", stated)
    if execution is not None and not isinstance(execution, dict):
        draft.keep_aside("execution", value=execution, problem=_WRONG_TYPE)
        return
    for key, member in (execution or {}).items():
        if key == "taskSupport" and member in _TASK_SUPPORT:
            if member != "forbidden":
                draft.put("taskSupport", member)
        else:
            problem = _WRONG_TYPE if key == "taskSupport" else _NO_FIELD
            draft.keep_aside("execution", key, value=member, problem=problem)


def _texts(value: JsonValue) -> list[JsonValue]:
    return list(value) if isinstance(value, list) else []
