"""Undeclared names, and members that exclude each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Label, Subject, Vocabulary, did_you_mean, either
from toolspec.frontend.bind import kinds
from toolspec.frontend.edits import member_span
from toolspec.frontend.naming.identifiers import RESERVED_SERVICES
from toolspec.ir import AuthKind, TaskSupport
from toolspec.shared.error_categories import CATEGORIES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.frontend.fields import Fields
    from toolspec.ir import Auth, Tool
    from toolspec.syntax.nodes import Location


def misplaced(fields: Fields, tool: Tool) -> Iterator[Diagnostic]:
    """Yield diagnostics for members of a tool that exclude each other."""
    if tool.streaming and tool.task_support is TaskSupport.REQUIRED:
        location = fields.location / "taskSupport"
        yield kinds.STREAMING_TASK.at(
            member_span(location),
            labels=[Label(member_span(fields.location / "streaming"), "streams")],
            subject=Subject(pointer=location.pointer),
        )
    if tool.chunk is not None and not tool.streaming:
        location = fields.location / "chunkSchema"
        yield kinds.CHUNK_WITHOUT_STREAMING.at(
            location.key_span, subject=Subject(pointer=location.pointer)
        )


def reserved_name(service: Fields) -> Iterator[Diagnostic]:
    """Yield a diagnostic for a service name with another meaning to clients."""
    name, location = service.text("name"), service.location / "name"
    if name in RESERVED_SERVICES:
        subject = Subject(pointer=location.pointer)
        yield kinds.RESERVED_SERVICE.at(location.value_span, "reserved", subject=subject, name=name)


def known_scopes(auth: Auth) -> Vocabulary | None:
    """Return the scopes of an OAuth server, or None if it declares none."""
    if auth.kind is not AuthKind.OAUTH2:
        return None
    return Vocabulary(sorted({scope.name for scope in auth.scopes}))


def unknown_scopes(fields: Fields, scopes: Vocabulary | None) -> Iterator[Diagnostic]:
    """Yield diagnostics for the scopes of a service or tool that its OAuth server does not have."""
    if scopes is None or "scopes" not in fields:
        return
    for name, location in _scopes(fields):
        if name in scopes:
            continue
        hint = "list it in `auth.scopes`, with what it allows"
        guess = scopes.did_you_mean(name) if scopes.words else ""
        yield kinds.UNKNOWN_SCOPE.at(
            location.value_span,
            "unknown",
            subject=Subject(pointer=location.pointer),
            name=name,
            suggestion=either(guess, hint),
        )


def _scopes(fields: Fields) -> Iterator[tuple[str, Location]]:
    location = fields.location / "scopes"
    for index, rule in enumerate(fields.items("scopes")):
        if isinstance(rule, str):
            yield rule, location / index
        elif isinstance(rule, dict) and isinstance(choices := rule["any"], list):
            names = ((at, name) for at, name in enumerate(choices) if isinstance(name, str))
            yield from ((name, location.at(index, "any", at)) for at, name in names)


def unknown_errors(tool: Tool) -> Iterator[Diagnostic]:
    """Yield diagnostics for errors of examples that their tool does not declare."""
    codes = (*(error.code for error in tool.errors), *CATEGORIES)
    for example in tool.examples:
        if not example.error or example.error in codes or example.location is None:
            continue
        location = example.location / "error"
        yield kinds.UNKNOWN_ERROR.at(
            location.value_span,
            subject=Subject(pointer=location.pointer),
            name=example.error,
            suggestion=f"{did_you_mean(example.error, codes)}, or declare it in `errors`",
        )
