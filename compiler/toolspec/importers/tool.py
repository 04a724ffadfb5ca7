"""One tool of a `tools/list` answer to one ToolDefinition of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.importers import kinds
from toolspec.importers.draft import Draft
from toolspec.importers.icons import are_icons
from toolspec.importers.legal import is_alias

if TYPE_CHECKING:
    from toolspec.importers.dump import ListedTool
    from toolspec.syntax.nodes import JsonObject, JsonValue

ORDER = (
    "name", "description", "inputSchema", "outputSchema", "mutation", "annotations", "taskSupport",
    "title", "icons", "aliases", "source",
)  # fmt: skip
PLACEHOLDER = "No description was given."
_READ = frozenset(
    {"name", "description", "inputSchema", "outputSchema", "annotations", "execution", "title"}
    | {"icons"}
)
_ANNOTATIONS = ("title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint")
_TASK_SUPPORT = ("forbidden", "optional", "required")
_NO_FIELD = "the language has no such field"
_ODD = "its value is not of the kind that MCP defines"


def import_tool(tool: ListedTool, service: str, name: str, names: frozenset[str]) -> Draft:
    """Return the draft of a tool under its new name; `names` are those of all tools of the service.

    What was guessed, changed or has no place in the language is in its findings; nothing is an
    error, as a document that does not compile can still be put right by hand.
    """
    draft = Draft(tool.name, tool.place, Subject(service, f"{service}_{name}"))
    members = dict(tool.members)
    for key in [key for key, value in members.items() if value is None]:
        del members[key]
        draft.report(kinds.NULL_LEFT_OUT, key, what=f"`{key}`", owner=tool.name)
    _name(draft, tool.name, service, name, names)
    _description(draft, members.get("description"))
    _title(draft, members.get("title"))
    _input(draft, members)
    _output(draft, members)
    _behaviour(draft, members.get("annotations"))
    _task_support(draft, members.get("execution"))
    _icons(draft, members.get("icons"))
    for key, value in members.items():
        if key not in _READ:
            draft.keep_aside(key, value=value, problem=_NO_FIELD)
    location = tool.place.document.source.path.rpartition("/")[2]
    draft.put("source", {"kind": "mcp-tools", "location": location, "member": tool.name})
    return draft


def _name(draft: Draft, origin: str, service: str, name: str, names: frozenset[str]) -> None:
    full = f"{service}_{name}"
    if name == origin:
        draft.put("name", name)
        return
    draft.put("name", name, f"`{origin}` in the dump")
    if origin[: len(service)] == service and origin[len(service) + 1 :] == name:
        draft.report(kinds.PREFIX_DROPPED, "name", origin=origin, name=name, full=full)
    else:
        draft.report(kinds.TOOL_RENAMED, "name", origin=origin, name=name)
    if origin == full:
        return
    if is_alias(origin) and origin not in names:
        draft.put("aliases", [origin])
    else:
        draft.aside["name"] = origin


def _description(draft: Draft, value: JsonValue) -> None:
    if isinstance(value, str) and value.strip():
        draft.put("description", value)
        return
    if value is not None and not isinstance(value, str):
        draft.keep_aside("description", value=value, problem=_ODD)
    draft.put("description", PLACEHOLDER, "a placeholder: the dump has none")
    draft.report(kinds.NO_DESCRIPTION, "description", tool=draft.owner)


def _title(draft: Draft, value: JsonValue) -> None:
    if isinstance(value, str) and value.strip():
        draft.put("title", value)
    elif value is not None:
        draft.keep_aside("title", value=value, problem="a title is a text that is not blank")


def _input(draft: Draft, members: JsonObject) -> None:
    schema = members.get("inputSchema")
    if isinstance(schema, dict) and schema.get("type") == "object":
        draft.put("inputSchema", schema)
    elif isinstance(schema, dict) and "type" not in schema:
        draft.put(
            "inputSchema", {"type": "object", **schema}, "the dump does not say `type: object`"
        )
        draft.report(kinds.INPUT_ROOT, "inputSchema", tool=draft.owner)
    elif schema is None:
        _any_object(draft, "missing")
    else:
        draft.keep_aside("inputSchema", value=schema, problem="its root is no object")
        _any_object(draft, "not one of an object")


def _any_object(draft: Draft, problem: str) -> None:
    draft.put("inputSchema", {"type": "object"}, f"the schema of the dump is {problem}")
    draft.report(kinds.INPUT_REPLACED, "inputSchema", tool=draft.owner, problem=problem)


def _output(draft: Draft, members: JsonObject) -> None:
    schema = members.get("outputSchema")
    if isinstance(schema, dict):
        draft.put("outputSchema", schema)
        return
    if schema is not None and schema is not True:
        draft.keep_aside("outputSchema", value=schema, problem=_ODD)
    draft.put("outputSchema", value=True, comment="anything: the dump does not describe the result")
    draft.report(kinds.OUTPUT_UNKNOWN, tool=draft.owner)


def _behaviour(draft: Draft, value: JsonValue) -> None:
    """Write `mutation`, and the annotations that say something else than what follows from it."""
    if value is not None and not isinstance(value, dict):
        draft.keep_aside("annotations", value=value, problem=_ODD)
    said = value if isinstance(value, dict) else {}
    hints = _understood(draft, said)
    kept: JsonObject = {"title": hints.pop("title")} if "title" in hints else {}
    read_only = hints.pop("readOnlyHint", None)
    if read_only is None:
        draft.put(
            "mutation",
            value=True,
            comment="guessed, the worst case: the dump has no `readOnlyHint`",
        )
        draft.report(kinds.MUTATION_GUESSED, tool=draft.owner)
    else:
        draft.put("mutation", not read_only)
    if read_only and hints.pop("destructiveHint", False):
        draft.report(kinds.HINT_DROPPED, "annotations", "destructiveHint", tool=draft.owner)
    derived = {
        "destructiveHint": not read_only,
        "idempotentHint": bool(read_only),
        "openWorldHint": True,
    }
    kept.update({key: hint for key, hint in hints.items() if hint != derived[key]})
    if kept:
        draft.put("annotations", kept)


def _understood(draft: Draft, said: JsonObject) -> JsonObject:
    """Return the annotations of MCP in their usual order; keep every other one aside."""
    understood: JsonObject = {}
    for key in _ANNOTATIONS:
        value = said.get(key)
        is_text = isinstance(value, str) and bool(value.strip())
        if is_text if key == "title" else isinstance(value, bool):
            understood[key] = value
    for key, value in said.items():
        if key not in understood:
            problem = _ODD if key in _ANNOTATIONS else _NO_FIELD
            draft.keep_aside("annotations", key, value=value, problem=problem)
    return understood


def _task_support(draft: Draft, value: JsonValue) -> None:
    if value is not None and not isinstance(value, dict):
        draft.keep_aside("execution", value=value, problem=_ODD)
        return
    for key, member in (value or {}).items():
        if key == "taskSupport" and member in _TASK_SUPPORT:
            if member != "forbidden":
                draft.put("taskSupport", member)
        else:
            problem = _ODD if key == "taskSupport" else _NO_FIELD
            draft.keep_aside("execution", key, value=member, problem=problem)


def _icons(draft: Draft, value: JsonValue) -> None:
    if are_icons(value):
        draft.put("icons", value)
    elif value is not None:
        draft.keep_aside("icons", value=value, problem="the language takes no such icons")
