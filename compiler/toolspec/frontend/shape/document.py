"""Whether a document has the shape of the language; every finding in words for its author."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Severity, Subject
from toolspec.frontend.shape import kinds
from toolspec.frontend.shape.contract import Form, schema_at, validator
from toolspec.frontend.wording import found
from toolspec.shared.spelling import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Document, JsonObject

__all__ = ["Form", "check"]

_ROOT_KEYS = ("toolspec", "service")


def check(
    document: Document, form: Form, syntax: tuple[Diagnostic, ...] = ()
) -> tuple[Diagnostic, ...]:
    """Return everything that is wrong with the shape of a document, each root cause once.

    jsonschema-rs decides by `schemas/service.v1.schema.json`; only a failure is explained. What the
    reader's best effort at a place looks like that `syntax` tells of is nothing more that is wrong.
    """
    broken = [
        (each.span.start, each.span.end)
        for each in syntax
        if each.span and each.severity is Severity.ERROR
    ]
    return tuple(each for each in _check(document, form) if not _lies_in(each, broken))


def _lies_in(finding: Diagnostic, places: list[tuple[int, int]]) -> bool:
    at = finding.span
    return at is not None and any(start < at.end and at.start < end for start, end in places)


def _check(document: Document, form: Form) -> tuple[Diagnostic, ...]:
    value = document.value
    if not isinstance(value, dict):
        suggestion = "a document of this language is a mapping"
        return (_not_a_service(document, f"its root is {found(value)}", suggestion),)
    if form is Form.SERVICE and not any(key in value for key in _ROOT_KEYS):
        stranger = _stranger(value)
        if stranger:
            missing = "it has neither `toolspec` nor `service`"
            return (_not_a_service(document, missing, stranger),)
    differing = tuple(_differing_names(document, value))
    if validator(form).is_valid(value):
        return differing
    from toolspec.frontend.shape.explain import explain

    return (*explain(document, form), *differing)


def _not_a_service(document: Document, fact: str, suggestion: str) -> Diagnostic:
    value = document.value
    start = document.place(next(iter(value))) if isinstance(value, dict) and value else None
    span = start.key_span if start else document.place().value_span
    return kinds.NOT_A_SERVICE.at(span, found=fact, suggestion=suggestion)


def _stranger(value: JsonObject) -> str:
    """Return what to do with a document that has no key of a service; empty if one is misspelt."""
    known = schema_at(("properties",))
    unknown = [key for key in value if not isinstance(known, dict) or key not in known]
    if any(nearest(key, _ROOT_KEYS) for key in unknown):
        return ""
    if "openapi" in value or "swagger" in value:
        return "this is an OpenAPI description; take it out of the sources"
    if isinstance(value.get("tools"), list) and "nextCursor" in value:
        return "this is a server's answer to `tools/list`: `toolspec import mcp-tools` turns it into a spec"
    if "tools" in value or "$defs" in value:
        return "begin with `toolspec: 1` and `service:`, or name the file in a service's `include`"
    return "begin with `toolspec: 1` and `service:`, or take the file out of the sources"


def _differing_names(document: Document, value: JsonObject) -> Iterator[Diagnostic]:
    """Yield the tools of a map whose name is not their key."""
    tools = value.get("tools")
    stated = document.place("service", "name").value_or_none
    service = stated if isinstance(stated, str) else ""
    for key, tool in tools.items() if isinstance(tools, dict) else ():
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str) or name == key:
            continue
        place = document.place("tools", key, "name")
        yield kinds.MAP_NAME_DIFFERS.at(
            place.value_span,
            "differs",
            labels=[Label(document.place("tools", key).key_span, "the key")],
            subject=Subject(service, f"{service}_{key}" if service else "", place.pointer),
            name=name,
            key=key,
        )
