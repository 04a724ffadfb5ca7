"""Integers beyond 64 bits, accepted in annotations and in bounds that exclude no 64-bit integer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.syntax import kinds
from toolspec.syntax.scalars import LARGEST, SMALLEST, integer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue

_LOWER = frozenset({"minimum", "exclusiveMinimum"})
_UPPER = frozenset({"maximum", "exclusiveMaximum"})
_ANNOTATIONS = frozenset({"default", "examples"})
# Members of these have names chosen by the author: `default` is then not a keyword.
_MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})


def without_accepted(value: JsonValue, diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return diagnostics with `syntax/integer-range` lowered to a warning for accepted numbers.

    A number is accepted if each of its occurrences in the document is: OpenAI writes `minimum:
    -9223372036854776000`, and the validator compares such bounds exactly.
    """
    diagnostics = tuple(diagnostics)
    if all(diagnostic.kind is not kinds.INTEGER_RANGE for diagnostic in diagnostics):
        return diagnostics
    accepted: set[int] = set()
    refused: set[int] = set()
    for number, is_accepted in _occurrences(value, is_annotation=False):
        (accepted if is_accepted else refused).add(number)
    accepted -= refused
    return tuple(_lowered(diagnostic, accepted) for diagnostic in diagnostics)


def _lowered(diagnostic: Diagnostic, accepted: set[int]) -> Diagnostic:
    if diagnostic.kind is not kinds.INTEGER_RANGE or diagnostic.span is None:
        return diagnostic
    literal = diagnostic.span.text
    if integer(literal) not in accepted:
        return diagnostic
    return kinds.UNSAFE_INTEGER.at(diagnostic.span, literal=literal)


def _occurrences(
    value: JsonValue, key: str = "", *, is_annotation: bool
) -> Iterator[tuple[int, bool]]:
    """Yield each integer beyond 64 bits, and whether its location accepts it."""
    if type(value) is int:
        if not SMALLEST <= value <= LARGEST:
            is_wide = value < 0 if key in _LOWER else value > 0 and key in _UPPER
            yield value, is_annotation or is_wide
    elif isinstance(value, dict):
        for name, member in value.items():
            in_annotation = is_annotation or (
                key not in _MAPS and (name in _ANNOTATIONS or name.startswith("x-"))
            )
            yield from _occurrences(member, name, is_annotation=in_annotation)
    elif isinstance(value, list):
        for member in value:
            yield from _occurrences(member, is_annotation=is_annotation)
