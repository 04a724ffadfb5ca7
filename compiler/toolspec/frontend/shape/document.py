"""Validates the shape of a document and explains every error to its author."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, Severity, Subject
from toolspec.frontend.shape import kinds
from toolspec.frontend.shape.contract import Form, schema_at, validator
from toolspec.frontend.shape.tool_names import is_prefixed, unprefixable
from toolspec.frontend.wording import found
from toolspec.shared.spelling import nearest
from toolspec.syntax.limits import limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import Document, JsonObject
    from toolspec.syntax.pointer import Path

__all__ = ["Form", "check", "review"]

_ROOT_KEYS = ("toolspec", "service")


def check(
    document: Document, form: Form, syntax: tuple[Diagnostic, ...] = ()
) -> tuple[Diagnostic, ...]:
    """Return all shape errors of a document, one for each cause."""
    return review(document, form, syntax).diagnostics


def review(
    document: Document, form: Form, syntax: tuple[Diagnostic, ...] = ()
) -> Checked[Document | None]:
    """Return the document with its broken parts marked, and all shape errors.

    jsonschema-rs validates by `schemas/service.v1.schema.json`; only a failure is explained. Parts
    with a syntax error (`syntax`) are not reported again. The value is None if the document is not
    a service at all, or a syntax error belongs to no part of it.
    """
    errors = [diagnostic for diagnostic in syntax if diagnostic.severity is Severity.ERROR]
    checked = _review(document, form)
    diagnostics = tuple(
        diagnostic for diagnostic in checked.diagnostics if not lies_in(diagnostic, errors)
    )
    if checked.value is None or not (errors or checked.value.broken):
        return Checked(checked.value, diagnostics)
    from toolspec.frontend.shape.broken_parts import broken_by_syntax

    broken = checked.value.broken | {*broken_by_syntax(document, errors)}
    return Checked(replace(document, broken=broken) if () not in broken else None, diagnostics)


def lies_in(diagnostic: Diagnostic, errors: Iterable[Diagnostic]) -> bool:
    """Return whether a diagnostic is about the same text as one of some errors."""
    at = diagnostic.span
    return at is not None and any(
        error.span.source.path == at.source.path
        and error.span.start < at.end
        and at.start < error.span.end
        for error in errors
        if error.span
    )


def _review(document: Document, form: Form) -> Checked[Document | None]:
    value = document.value
    if not isinstance(value, dict):
        suggestion = "a document of this language is a mapping"
        problem = _not_a_service(document, f"its root is {found(value)}", suggestion)
        return Checked(None, (problem,))
    if form is Form.SERVICE and not any(key in value for key in _ROOT_KEYS):
        stranger = _stranger(value)
        if stranger:
            missing = "it has neither `toolspec` nor `service`"
            return Checked(None, (_not_a_service(document, missing, stranger),))
    differing = dict(_differing_names(document, value))
    is_named = not is_prefixed(value, form) or not any(unprefixable(value))
    if is_named and validator(form)(value):
        if differing:
            document = replace(document, broken=frozenset(differing))
        return Checked(document, tuple(differing.values()))
    from toolspec.frontend.shape.broken_parts import broken_by_shape
    from toolspec.frontend.shape.explain import explain
    from toolspec.frontend.shape.violations import violations

    broken_rules = violations(value, form)
    explained = explain(document, form, broken_rules.found)
    problems = (*limited(explained), *differing.values())
    is_unsupported = any(problem.kind is kinds.UNSUPPORTED_VERSION for problem in problems)
    if is_unsupported or not broken_rules.is_all:
        return Checked(None, problems)
    broken = frozenset((*broken_by_shape(broken_rules.found), *differing))
    return Checked(replace(document, broken=broken), problems)


def fragment_form(service: Document) -> Form:
    """Return the form of a file that a service includes."""
    is_plain = is_prefixed(service.value, Form.SERVICE)
    return Form.FRAGMENT if is_plain else Form.FRAGMENT_AS_WRITTEN


def _not_a_service(document: Document, fact: str, suggestion: str) -> Diagnostic:
    value = document.value
    start = document.location(next(iter(value))) if isinstance(value, dict) and value else None
    span = start.key_span if start else document.location().value_span
    return kinds.NOT_A_SERVICE.at(span, found=fact, suggestion=suggestion)


def _stranger(value: JsonObject) -> str:
    """Return a hint for a document without a key of a service; empty if one is misspelt."""
    properties = schema_at(("properties",))
    unknown = [key for key in value if not isinstance(properties, dict) or key not in properties]
    if any(nearest(key, _ROOT_KEYS) for key in unknown):
        return ""
    if "openapi" in value or "swagger" in value:
        return (
            "this is an OpenAPI description, which `toolspec import` cannot convert yet (it reads lists "
            "of tools: `toolspec import mcp-tools`); take it out of `specs`"
        )
    if isinstance(value.get("tools"), list) and "nextCursor" in value:
        return "this is a server's answer to `tools/list`: `toolspec import mcp-tools` turns it into a spec"
    if "tools" in value or "$defs" in value:
        return "begin with `toolspec: 1` and `service:`, or name the file in a service's `include`"
    return "begin with `toolspec: 1` and `service:`, or take the file out of the sources"


def _differing_names(document: Document, value: JsonObject) -> Iterator[tuple[Path, Diagnostic]]:
    """Yield each name in a map of tools that differs from its key: its path and the diagnostic."""
    tools = value.get("tools")
    stated = document.location("service", "name").value_or_none
    service = stated if isinstance(stated, str) else ""
    for key, tool in tools.items() if isinstance(tools, dict) else ():
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str) or name == key:
            continue
        location = document.location("tools", key, "name")
        yield (
            location.path,
            kinds.MAP_NAME_DIFFERS.at(
                location.value_span,
                "differs",
                labels=[Label(document.location("tools", key).key_span, "the key")],
                subject=Subject(service, f"{service}_{key}" if service else "", location.pointer),
                name=name,
                key=key,
            ),
        )
