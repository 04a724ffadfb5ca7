"""Conversion of an operation to a ToolDefinition of the language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Subject
from toolspec.frontend.bind.http import placeholders
from toolspec.frontend.naming.collisions import LONGEST
from toolspec.frontend.naming.identifiers import snake_case
from toolspec.importers import kinds as import_kinds
from toolspec.importers.draft import Draft
from toolspec.importers.openapi import kinds
from toolspec.importers.openapi.arguments import KEY, Arguments
from toolspec.importers.openapi.defaults import describe_defaults
from toolspec.importers.openapi.hints import set_effects
from toolspec.importers.openapi.paging import report_paging
from toolspec.importers.openapi.results import set_errors, set_result
from toolspec.importers.openapi.security import requirements
from toolspec.importers.openapi.vendor import is_internal
from toolspec.importers.tool import PLACEHOLDER
from toolspec.shared.records import dataclass

if TYPE_CHECKING:
    from toolspec.importers.openapi.model import Api, Operation
    from toolspec.importers.openapi.names import OperationName
    from toolspec.importers.openapi.schemas import SchemaTable
    from toolspec.importers.openapi.security import Security
    from toolspec.importers.openapi.selection import Selection
    from toolspec.importers.openapi.servers import Servers
    from toolspec.syntax.nodes import JsonObject

KIND = "openapi"


def problem_of(operation: Operation) -> str:
    """Return why an operation cannot be a tool, or an empty text."""
    named = {parameter.name for parameter in operation.parameters if parameter.place == "path"}
    missing = [f"`{{{name}}}`" for name in placeholders(operation.path) if name not in named]
    return f"no parameter fills {missing[0]} of its path" if missing else ""


@dataclass(frozen=True, slots=True)
class ToolContext:
    """Parts that the tools of one service have in common."""

    service: str
    api: Api
    table: SchemaTable
    security: Security
    servers: Servers
    selection: Selection
    files: str


def import_operation(operation: Operation, named: OperationName, context: ToolContext) -> Draft:
    """Return the draft of a tool that calls an operation.

    Its diagnostics report guesses, changes, and what of the operation is lost.
    """
    subject = Subject(context.service, f"{context.service}_{named.name}")
    draft = Draft(named.name, operation.part.location, subject)
    draft.put("name", named.name)
    if named.long:
        draft.comments["name"] = f"review: short for `{named.long}`"
        draft.report(
            kinds.SHORT_NAME, "operationId", name=named.name, origin=named.long, limit=LONGEST
        )
    _set_texts(draft, operation, named)
    request: JsonObject = {"method": operation.method, "path": operation.path}
    server = context.servers.of(operation, draft)
    if server:
        request["server"] = server
    arguments = Arguments(draft, operation, context.table, context.api.sources, context.files)
    arguments.read()
    schema = arguments.schema()
    describe_defaults(schema)
    draft.put("inputSchema", schema)
    set_result(draft, operation, context.table, request)
    set_effects(draft, operation, named.name, context.selection)
    if not draft.fields["mutation"] and draft.fields.pop("idempotency", None):
        del arguments.places[KEY]  # repeating a call that only reads does no harm
    context.security.bind(request, draft, requirements(context.api, operation))
    set_errors(draft, operation)
    report_paging(draft, operation, context.api, arguments.places)
    if arguments.places:
        request["in"] = arguments.places
    if arguments.body:
        request["body"] = arguments.body
    draft.put("http", request)
    file = operation.part.location.document.source.path.rpartition("/")[2]
    draft.put("source", {"kind": KIND, "location": file, "member": operation.member})
    return draft


def _set_texts(draft: Draft, operation: Operation, named: OperationName) -> None:
    part = operation.part
    extension = operation.extension("x-speakeasy-mcp")
    stated = extension.get("description") if isinstance(extension, dict) else None
    summary = part.text("summary") or part.text("x-ms-summary") or operation.item.text("summary")
    description = part.text("description") or operation.item.text("description")
    if isinstance(stated, str) and stated.strip():
        draft.put("description", stated.strip())
    elif description or summary:
        draft.put("description", description or summary)
        if (
            description
            and summary
            and (snake_case(summary) != named.name and not description.startswith(summary))
        ):
            draft.put("summary", summary)
    else:
        draft.put("description", PLACEHOLDER, "review: a placeholder, the operation has none")
        draft.report(import_kinds.NO_DESCRIPTION, tool=draft.owner)
    if isinstance(extension, dict) and isinstance(title := extension.get("title"), str) and title:
        draft.put("title", title.strip())
    if is_internal(operation):
        draft.put("x-internal", value=True)
    if operation.extension("x-ms-long-running-operation") is True:
        reason = "the first response is the result, and nothing waits for the end"
        member = "x-ms-long-running-operation"
        draft.diagnostics.append(part.lost(f"`{member}`", draft.owner, reason, member))
    if operation.tags:
        draft.put("group", operation.tags[0])
    if operation.tags[1:]:
        draft.put("tags", list(operation.tags))
    if part.fields.get("deprecated") is True:
        draft.put("deprecated", {})
