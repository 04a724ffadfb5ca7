"""Rule interface, and the manual in the docstring of a rule's module."""

from __future__ import annotations

from dataclasses import dataclass, field
from textwrap import dedent
from typing import TYPE_CHECKING, TypeAlias

from toolspec.diagnostics import DiagnosticKind
from toolspec.ir import Service
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.lowered_visit import LoweredVisit
from toolspec.rules.visits import DocumentVisit, SchemaVisit, ToolVisit

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from toolspec.diagnostics import Diagnostic, Severity
    from toolspec.syntax.nodes import JsonObject

VISITS = (Catalogue, Service, ToolVisit, SchemaVisit, LoweredVisit, DocumentVisit)
Part: TypeAlias = "Service | ToolVisit | SchemaVisit | LoweredVisit | DocumentVisit"
Visit: TypeAlias = "Catalogue | Part"


@dataclass(frozen=True, slots=True)
class Manual:
    """The parts of a rule's docstring: a summary, reasons, and YAML examples verified by a test.

    An example contains only the parts relevant for the rule; the test fills in the rest of a
    document.
    """

    summary: str
    why: str
    reported: tuple[str, ...]
    accepted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rule:
    """A loaded rule: `check` takes an instance of `visits` and yields diagnostics.

    `options` are the JSON Schemas of its options by name, each with a `default`. If there are any,
    their values are the second argument. A rule of schemas with `keywords` is not called for
    schemas without any of them.
    """

    kind: DiagnosticKind
    visits: type[Visit]
    check: Callable[..., Iterator[Diagnostic]]
    manual: Manual
    options: Mapping[str, JsonObject] = field(default_factory=dict)
    keywords: frozenset[str] = frozenset()

    @property
    def code(self) -> str:
        """Its `family/slug`."""
        return self.kind.code

    def bound(self, stated: JsonObject) -> Callable[[Visit], Iterator[Diagnostic]]:
        """Return its check with some options set, the others at their defaults."""
        if not self.options:
            return self.check
        defaults = {name: schema["default"] for name, schema in self.options.items()}
        options = {**defaults, **stated}
        return lambda visit: self.check(visit, options)


def declare(
    module: str, docstring: str | None, severity: Severity, message: str, hint: str
) -> DiagnosticKind:
    """Return the kind of a rule module, called with its `__name__` and `__doc__`.

    Code, reasons and example are derived from the module's path and manual.
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
        is_rule=True,
    )


def number(options: JsonObject, name: str) -> int:
    """Return an option whose schema is an integer."""
    value = options[name]
    assert isinstance(value, int), "the configuration is checked against the rule's options"
    return value


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
    """Return the indented blocks of a section, separated by lines of `---`."""
    return tuple(dedent(block).strip("\n") for block in section.split("\n    ---\n"))
