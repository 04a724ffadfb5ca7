"""Services written as text, read and bound for a test."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from files_in_memory import FilesInMemory
from toolspec.frontend.bind.unit import bind
from toolspec.frontend.includes.unit import expand
from toolspec.frontend.normalise import PASSES
from toolspec.frontend.shape.document import Form, check
from toolspec.syntax import parse

if TYPE_CHECKING:
    from toolspec.diagnostics import Checked, Diagnostic
    from toolspec.ir import Service, Tool
    from toolspec.syntax.nodes import Document

SERVICE = "toolspec: 1\nservice:\n  name: post\n  description: Sends things.\n"
TOOL = "  - name: send\n    description: Send it.\n"


def read(text: str, path: str = "post.yaml") -> Document:
    found = parse(path, text.encode())
    assert found.ok, found.diagnostics
    assert found.value is not None
    return found.value


def bound(text: str, **others: str) -> Checked[Service]:
    """Return the service of a document; `others` are further files by their names without end."""
    document = read(text)
    assert check(document, Form.SERVICE) == ()
    files = {f"{name}.yaml": read(each, f"{name}.yaml") for name, each in others.items()}
    unit = expand(document, FilesInMemory(files))
    assert unit.ok, unit.diagnostics
    return bind(unit.value)


def normalised(text: str) -> tuple[Tool, list[Diagnostic]]:
    """Return the first tool of a service whose schemas refer to nothing outside, after all passes."""
    service = bound(text).value
    found: list[Diagnostic] = []
    for normalise in PASSES:
        checked = normalise(service)
        service = checked.value
        found += checked.diagnostics
    return service.tools[0], found


def with_tool(lines: str, service: str = "") -> str:
    """Return a document with one tool of these lines, and further lines of its service."""
    return (
        SERVICE
        + textwrap.indent(textwrap.dedent(service), "  ")
        + "tools:\n"
        + TOOL
        + textwrap.indent(textwrap.dedent(lines), "    ")
    )
