"""Validates defaults and examples against their schemas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.schema import kinds
from toolspec.schema.contradictions import types_of
from toolspec.schema.diagnostics import diagnostic_at, listed
from toolspec.schema.instances import format_hint
from toolspec.syntax import limits
from toolspec.syntax.kinds import TOO_MANY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from toolspec.diagnostics import Diagnostic, DiagnosticKind
    from toolspec.schema.diagnostics import Locations
    from toolspec.schema.instances import InstanceValidator
    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import JsonValue
    from toolspec.syntax.pointer import Path

HOLDING = frozenset({"default", "examples"})


def check(validator: InstanceValidator, resource: Resource) -> tuple[Diagnostic, ...]:
    """Return errors of each `default` and each member of `examples`, up to the limit of a service.

    `default: null` where null is not allowed is a note: Python servers often write it, in one of
    twenty tools (real-specs.md, 7), and mean "may be left out".
    """
    if HOLDING.isdisjoint(resource.words):
        return ()
    return limits.limited(_check(validator, resource))


def _check(validator: InstanceValidator, resource: Resource) -> Iterator[Diagnostic]:
    locations = resource.locations
    for path, node in resource.using(HOLDING):
        if validator.budget.is_exhausted:
            return
        if "default" in node and not validator.accepts(path, node["default"]):
            value_path = (*path, "default")
            if node["default"] is None:
                types = listed(sorted(types_of(node))) or "a type that the schema allows"
                yield diagnostic_at(kinds.NULL_DEFAULT, locations(value_path), types=types)
            else:
                yield _mismatch(
                    kinds.DEFAULT_MISMATCH, validator, value_path, node["default"], locations
                )
        examples = node.get("examples")
        for index, example in enumerate(examples if isinstance(examples, list) else ()):
            if not validator.accepts(path, example):
                value_path = (*path, "examples", index)
                words = {"example": "the example", "schema": "its own schema"}
                yield _mismatch(
                    kinds.EXAMPLE_MISMATCH, validator, value_path, example, locations, **words
                )


def _mismatch(
    kind: DiagnosticKind,
    validator: InstanceValidator,
    value_path: Path,
    value: JsonValue,
    locations: Locations,
    **words: Any,
) -> Diagnostic:
    if not validator.budget.report():
        return TOO_MANY.at(locations(value_path).span, limit=limits.MAX_DIAGNOSTICS)
    schema = value_path[:-1] if value_path[-1] == "default" else value_path[:-2]
    problems = validator.problems(schema, value)
    inner_path = problems[0].path if len(problems) == 1 else ()
    problem = "; ".join(map(str, problems))
    if all(reason.undecided for reason in problems):
        hint = problems[0].undecided
        return diagnostic_at(
            kinds.UNCHECKED_VALUE,
            locations((*value_path, *inner_path)),
            problem=problem,
            suggestion=hint,
        )
    formats = format_hint(problems)
    return diagnostic_at(
        kind, locations((*value_path, *inner_path)), problem=problem, formats=formats, **words
    )
