"""Validates the shape of a document, explains each error, and marks the parts to leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Checked, Label, Severity, Subject
from toolspec.frontend.shape import kinds
from toolspec.frontend.shape.contract import Form, schema_at, validator
from toolspec.frontend.shape.tool_names import is_prefixed, unprefixable
from toolspec.frontend.wording import found
from toolspec.shared.records import replace
from toolspec.shared.spelling import nearest
from toolspec.syntax.limits import limited

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.shape.violations import Violation
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
    from toolspec.frontend.shape.document import broken_by_syntax

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
        if form is not Form.SERVICE:
            suggestion = "a part that a service includes is a mapping with `tools` or `$defs`"
        problem = _not_a_service(document, f"its root is {found(value)}", suggestion, form)
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
    from toolspec.frontend.shape.document import broken_by_shape
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


def _not_a_service(
    document: Document, fact: str, suggestion: str, form: Form = Form.SERVICE
) -> Diagnostic:
    value = document.value
    start = document.location(next(iter(value))) if isinstance(value, dict) and value else None
    span = start.key_span if start else document.location().value_span
    return kinds.NOT_A_SERVICE.at(
        span,
        form="service document" if form is Form.SERVICE else "part of a service",
        found=fact,
        suggestion=suggestion,
    )


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


# Path lengths of the parts that can be left out: a member of a tool or the service, a definition.
_DEPTHS = {"tools": 3, "service": 2, "$defs": 2}


def broken_by_shape(violations: Iterable[Violation]) -> Iterator[Path]:
    """Yield the path of each part that violates the document schema, or is missing."""
    for violation in violations:
        for path in _violated_paths(violation):
            yield part_of(path)


def broken_by_syntax(document: Document, errors: Iterable[Diagnostic]) -> Iterator[Path]:
    """Yield the path of the smallest part around each syntax error; of the document, ()."""
    ranges: dict[Path, list[tuple[int, int, Path]]] = {}
    for error in errors:
        path: Path = ()
        # Of two equal keys the first is in the document.
        span = error.labels[0].span if error.code == "syntax/duplicate-key" else error.span
        while span is not None:
            if path not in ranges:
                ranges[path] = list(_ranges(document, path))
            start = span.start
            inner = next((to for low, high, to in ranges[path] if low <= start <= high), None)
            if inner is None:
                break
            path = inner
        yield path


def part_of(path: Path) -> Path:
    """Return the path of the part to leave out because of a value."""
    return path[: _DEPTHS.get(str(path[0]), 1)] if path else path


def _violated_paths(violation: Violation) -> Iterator[Path]:
    path, key = violation.path, violation.key
    if violation.keyword == "additionalProperties":
        # The intended key is missing; a key without a meaning is never read.
        if violation.suggestion:
            yield (*path, violation.suggestion)
    elif violation.keyword in {"oneOf", "anyOf"} and violation.is_lack:
        yield from ((*path, choice) for choice in violation.choices)
    elif violation.is_lack:
        yield (*path, key)
    elif violation.is_of_key:
        yield (*path, key, "name") if path == ("tools",) else (*path, key)
    else:
        yield path


def _ranges(document: Document, path: Path) -> Iterator[tuple[int, int, Path]]:
    """Yield start, end and path of the subparts of a part."""
    if len(path) >= _DEPTHS.get(str(path[0]) if path else "tools", 1):
        return
    location = document.location(*path)
    value = location.value_or_none
    steps: Iterable[str | int] = value if isinstance(value, dict) else ()
    if isinstance(value, list):
        steps = range(len(value))
    for step in steps:
        spans = (location / step).spans
        if not spans.via:
            start = spans.key.start if spans.key else spans.value.start
            yield start, spans.value.end, (*path, step)
