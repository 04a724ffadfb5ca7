"""Changes of an imported service where the compiler refuses a part of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.importers import kinds as import_kinds
from toolspec.importers.openapi import kinds
from toolspec.importers.tool import SUPPRESSIONS
from toolspec.shared.keywords import APPLICATORS, Holds
from toolspec.shared.records import dataclass
from toolspec.syntax.pointer import format_pointer

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.services import ServiceDraft
    from toolspec.importers.tool import ImportedSuppression
    from toolspec.syntax.nodes import JsonObject, JsonValue
    from toolspec.syntax.pointer import Path

_SCHEMAS = frozenset({"inputSchema", "outputSchema", "chunkSchema"})
_OPTIONAL = frozenset(
    {"errors", "deprecated", "summary", "group", "tags", "idempotency", "annotations", "scopes"}
)
_OF_A_TOOL = 2


@dataclass(frozen=True, slots=True)
class Refusal:
    """An error of the compiler: its path in the service, and the suppression if one is possible.

    A path begins with `tools` and an index, `$defs` and a name, or `service`.
    """

    path: Path
    message: str
    suppression: ImportedSuppression | None


def repair(draft: ServiceDraft, refusals: Iterable[Refusal]) -> bool:
    """Change a service so that some errors are gone; return whether anything changed.

    A rule is suppressed. In a schema the keyword is left out, or the whole schema accepts anything.
    An optional member of a tool is left out, at last the tool.
    """
    left_out: set[int] = set()
    changed = False
    for refusal in refusals:
        match refusal.path:
            case ("tools", int(index), *rest) if index < len(draft.tools):
                tool = draft.tools[index]
                if refusal.suppression:
                    changed |= _suppress_in(tool.fields, tool, refusal)
                elif rest and _in_tool(tool, rest, refusal):
                    changed = True
                elif index not in left_out:
                    left_out.add(index)
                    changed = True
                    draft.service.diagnostics.append(
                        import_kinds.LEFT_OUT.at(
                            tool.location.key_span, tool=tool.owner, problem=refusal.message
                        )
                    )
            case ("$defs", str(name), *rest) if name in draft.definitions:
                definition = draft.definitions[name]
                if refusal.suppression and isinstance(definition, dict):
                    changed |= _suppress_in(definition, draft.service, refusal)
                else:
                    changed |= _in_schema(draft.definitions, name, rest, draft.service, refusal)
            case _:
                changed |= _on_service(draft, refusal)
    draft.tools = [tool for index, tool in enumerate(draft.tools) if index not in left_out]
    return changed


def _suppress_in(holder: JsonObject, owner: Draft, refusal: Refusal) -> bool:
    suppression = refusal.suppression
    listed = holder.setdefault(SUPPRESSIONS, [])
    assert suppression is not None
    assert isinstance(listed, list)
    if suppression.value in listed:
        return False
    listed.append(suppression.value)
    _report_suppression(owner, suppression, f"`{owner.owner}`")
    return True


def _on_service(draft: ServiceDraft, refusal: Refusal) -> bool:
    suppression = refusal.suppression
    if suppression is None or any(one.rule == suppression.rule for one in draft.suppressions):
        return False
    draft.suppressions.append(suppression)
    _report_suppression(draft.service, suppression, "the document")
    return True


def _report_suppression(owner: Draft, suppression: ImportedSuppression, what: str) -> None:
    owner.report(
        import_kinds.SUPPRESSED, code=suppression.rule, what=what, problem=suppression.problem
    )


def _in_tool(tool: Draft, rest: Sequence[str | int], refusal: Refusal) -> bool:
    """Change a member of a tool; return False if only the tool can be left out."""
    member = str(rest[0])
    if member not in tool.fields:
        return False
    if member in _SCHEMAS:
        return _in_schema(tool.fields, member, rest[1:], tool, refusal)
    if member == "http":
        del tool.fields["http"]
        tool.comments["source"] = f"review: no `http`: {refusal.message}"
        tool.report(kinds.CALL_LEFT_OUT, tool=tool.owner, problem=refusal.message)
        return True
    if member in _OPTIONAL:
        del tool.fields[member]
        tool.report(kinds.VALUE_DROPPED, pointer=member, problem=refusal.message)
        return True
    return False


def _in_schema(
    holder: JsonObject, name: str, rest: Sequence[str | int], owner: Draft, refusal: Refusal
) -> bool:
    """Leave out the keyword at a path inside a schema, or let the schema accept anything.

    The root of arguments stays an object.
    """
    at: JsonObject | list[JsonValue] = holder
    step: str | int = name
    walked: list[str | int] = [name]
    steps = list(rest)
    while True:
        schema = _at(at, step)
        if not steps or not isinstance(schema, dict):
            break
        keyword = str(steps.pop(0))
        walked.append(keyword)
        holds = APPLICATORS.get(keyword)
        inner = schema.get(keyword)
        if (
            holds is None
            or not isinstance(inner, (dict, list))
            or (not steps and holds is not Holds.ONE)
        ):
            if keyword not in schema or (
                keyword == "type" and name == "inputSchema" and len(walked) == _OF_A_TOOL
            ):
                break
            del schema[keyword]
            _report_drop(owner, walked, refusal)
            return True
        if holds is Holds.ONE and isinstance(inner, dict):
            at, step = schema, keyword
            continue
        at, step = inner, steps.pop(0)
        walked.append(step)
    if name == "inputSchema" and at is holder:
        return False
    value: JsonObject = {}
    if _at(at, step) in (True, value):
        return False
    _set(at, step, value)
    _report_drop(owner, walked, refusal)
    return True


def _report_drop(owner: Draft, walked: Sequence[str | int], refusal: Refusal) -> None:
    pointer = format_pointer(tuple(walked))
    owner.report(kinds.VALUE_DROPPED, pointer=f"{owner.owner}{pointer}", problem=refusal.message)


def _at(holder: JsonObject | list[JsonValue], step: str | int) -> JsonValue:
    if isinstance(holder, dict):
        return holder.get(str(step))
    return holder[int(step)] if int(step) < len(holder) else None


def _set(holder: JsonObject | list[JsonValue], step: str | int, value: JsonValue) -> None:
    if isinstance(holder, dict):
        holder[str(step)] = value
    else:
        holder[int(step)] = value
