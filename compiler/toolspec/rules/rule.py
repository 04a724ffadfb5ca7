"""What a rule is, and the manual that its module's docstring is."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent
from typing import TYPE_CHECKING, TypeAlias

from toolspec.diagnostics import DiagnosticKind
from toolspec.ir import Program, Service
from toolspec.rules.visits import DocumentVisit, ToolVisit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from toolspec.diagnostics import Diagnostic, Severity

VISITS = (Program, Service, ToolVisit, DocumentVisit)
Visited: TypeAlias = "type[Program | Service | ToolVisit | DocumentVisit]"


@dataclass(frozen=True, slots=True)
class Manual:
    """A rule's docstring in its parts: one line, some paragraphs, and YAML that is tried by a test.

    An example holds what matters for the rule only; the test fills in the rest of a document.
    """

    summary: str
    why: str
    reported: tuple[str, ...]
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as it was found: `check` takes one of what `visits` names and yields findings."""

    kind: DiagnosticKind
    visits: Visited
    check: Callable[..., Iterator[Diagnostic]]
    manual: Manual


def declare(
    module: str, docstring: str | None, severity: Severity, message: str, hint: str
) -> DiagnosticKind:
    """Return the kind of a rule module, called with its `__name__` and `__doc__`.

    Code, reasons and example are not written a second time: they are the file's place and manual.
    """
    family, slug = module.split(".")[-2:]
    manual = read_manual(docstring)
    return DiagnosticKind(
        code=f"{family}/{slug.replace('_', '-')}",
        severity=severity,
        message=message,
        hint=hint,
        why=manual.why,
        example=manual.reported[0],
    )


def read_manual(docstring: str | None) -> Manual:
    """Return the parts of a rule's docstring. Raises ValueError where one is missing."""
    head, *sections = (docstring or "").split("\n\nReported:\n")
    summary, _, why = head.partition("\n\n")
    examples = sections[0].split("\n\nAccepted:\n") if len(sections) == 1 else []
    if not (summary and why and len(examples) == 2):  # noqa: PLR2004 - reported and accepted
        message = (
            "a rule's docstring says what, why, then `Reported:` and `Accepted:` with examples"
        )
        raise ValueError(message)
    reported, accepted = (_blocks(each) for each in examples)
    return Manual(summary.strip(), " ".join(why.split()), reported, accepted)


def _blocks(section: str) -> tuple[str, ...]:
    """Return the indented blocks of a section; `---` on a line of its own parts two."""
    return tuple(dedent(block).strip("\n") for block in section.split("\n    ---\n"))
