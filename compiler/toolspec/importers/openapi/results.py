"""Responses of operations as results and errors of tools."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.importers.openapi.media import bytes_schema, is_json, is_stream, preferred
from toolspec.importers.openapi.schemas import Use
from toolspec.shared.http_statuses import STATUSES

if TYPE_CHECKING:
    from toolspec.importers.draft import Draft
    from toolspec.importers.openapi.model import Operation, Part
    from toolspec.importers.openapi.schemas import SchemaTable
    from toolspec.syntax.nodes import JsonObject, JsonValue

_ITEMS = "itemSchema"
_JSON = "application/json"
_RETRYABLE = frozenset({408, 425, 429})
_STATUS = re.compile(r"[1-5][0-9][0-9]")
_RANGES = frozenset({"4XX", "5XX", "DEFAULT"})
_CLIENT_ERROR, _SERVER_ERROR = 400, 500


def set_result(draft: Draft, operation: Operation, table: SchemaTable, request: JsonObject) -> None:
    """Set the output schema, whether it streams, and its media type."""
    stated = _successes(operation)
    with_content = _with_content(stated)
    if not stated:
        draft.put("outputSchema", value=True, comment="review: no response is described")
        return
    if not with_content:
        draft.put("outputSchema", {"type": "null"})
        return
    status, response = next(iter(with_content.items()))
    for other, part in with_content.items():
        if other != status:
            draft.diagnostics.append(
                part.lost(f"the response {other}", draft.owner, f"the result is that of {status}")
            )
    schema = _content(draft, response, table, request)
    if len(with_content) < len(stated) and not draft.fields.get("streaming"):
        schema = _or_null(schema)
    draft.put("outputSchema", schema if schema != {} else True)


def main_response(operation: Operation) -> Part | None:
    """Return the response that is the result: the first success with content, else without."""
    successes = _successes(operation)
    return next(iter({**_with_content(successes), **successes}.values()), None)


def _successes(operation: Operation) -> dict[str, Part]:
    """Return the responses 2xx; `default` without any."""
    successes = {
        status: part
        for status, part in operation.responses.items()
        if status[:1] == "2" or status == "default"
    }
    return {status: part for status, part in successes.items() if status != "default"} or successes


def _with_content(responses: dict[str, Part]) -> dict[str, Part]:
    return {
        status: part for status, part in responses.items() if preferred(part.fields.get("content"))
    }


def set_errors(draft: Draft, operation: Operation) -> None:
    """Set the errors that the responses 4xx and 5xx declare; call it after the effects are set.

    An error is retryable only where a repeated call does no harm: the first one may have done its
    work before it failed.
    """
    annotations = draft.fields.get("annotations")
    is_repeatable = (
        not draft.fields["mutation"]
        or "idempotency" in draft.fields
        or (isinstance(annotations, dict) and annotations.get("idempotentHint") is True)
    )
    errors: list[JsonValue] = []
    results = _successes(operation)
    for status, part in operation.responses.items():
        if status.upper() in _RANGES and status not in results:
            reason = "an error has a status of its own"
            draft.diagnostics.append(part.lost(f"the response {status}", draft.owner, reason))
        number = int(status) if _STATUS.fullmatch(status) else 0
        if number < _CLIENT_ERROR:
            continue
        name, _ = STATUSES.get(number, (f"http_{number}", ""))
        description = part.text("description") or name.replace("_", " ").capitalize()
        error: JsonObject = {"code": name, "description": description}
        if is_repeatable and (number in _RETRYABLE or number >= _SERVER_ERROR):
            error["retryable"] = True
        errors.append(error)
    if errors:
        draft.put("errors", errors)


def _content(draft: Draft, response: Part, table: SchemaTable, request: JsonObject) -> JsonValue:
    """Return the schema of a response in its preferred media type."""
    content = response.fields["content"]
    chosen = preferred(content)
    assert isinstance(content, dict)
    assert chosen is not None
    for other in content:
        if other != chosen:
            draft.diagnostics.append(
                response.lost(
                    f"the response as `{other}`",
                    draft.owner,
                    f"the result is `{chosen}`",
                    "content",
                    other,
                )
            )
    media = content[chosen] if isinstance(content[chosen], dict) else {}
    at = response.location.at("content", chosen)
    assert isinstance(media, dict)
    if is_stream(chosen):
        member = next((name for name in (_ITEMS, "schema") if name in media), None)
        items = table.schema(at / member, Use.OUTPUT) if member else {}
        draft.put("streaming", value=True)
        request["accept"] = chosen
        return {"type": "array", "items": items}
    if is_json(chosen):
        if "*" not in chosen and chosen != _JSON:
            request["accept"] = chosen
        return table.schema(at / "schema", Use.OUTPUT) if "schema" in media else True
    if "*" in chosen:
        request["accept"] = chosen
        return {"type": "string", "contentEncoding": "base64"}
    draft.put("outputContentType", chosen)
    return bytes_schema(chosen)


def _or_null(schema: JsonValue) -> JsonValue:
    """Return a schema that accepts null too, for a response without content."""
    if schema is True or not isinstance(schema, dict):
        return schema
    stated = schema.get("type")
    if stated == "null":
        return schema
    if isinstance(stated, str) and not {"enum", "const"} & schema.keys():
        return {**schema, "type": [stated, "null"]}
    return {"anyOf": [schema, {"type": "null"}]}
