"""Checks patterns against the subset of ECMA-262 that every client can compile."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.schema import kinds
from toolspec.schema.expressions import MAX_SIZE, Fault, shortened, size, slow_part, syntax_fault
from toolspec.schema.findings import finding
from toolspec.shared.safe_patterns import UnsafePatternError, safe_pattern
from toolspec.shared.validator import InvalidSchemaError, compiled, is_native

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import Place

MAX_TOTAL = 10_000_000
"""Maximum states of all patterns of one schema: engines stay below 400 MiB."""

_SAFER = "repeat once, let alternatives begin differently, and use classes instead of `\\p`"
_HOLDING = frozenset({"pattern", "patternProperties"})


def check(resource: Resource) -> Iterator[Diagnostic]:
    """Yield errors of `pattern` and of the keys of `patternProperties` (threats.md, S4)."""
    total = 0
    for path, node in resource.using(_HOLDING):
        pattern = node.get("pattern")
        if isinstance(pattern, str):
            total += _size(pattern)
            yield from _check(pattern, resource.places((*path, "pattern")), on_key=False)
        keyed = node.get("patternProperties")
        for key in keyed if isinstance(keyed, dict) else ():
            total += _size(key)
            place = resource.places((*path, "patternProperties", key))
            yield from _check(key, place, on_key=True)
    if total > MAX_TOTAL:
        yield finding(
            kinds.TOO_HEAVY,
            resource.place,
            measure="its patterns have more states than an engine can hold",
            limit=f"{MAX_TOTAL:,}",
            suggestion="use `maxLength` in place of large counts in patterns",
        )


def _check(pattern: str, place: Place, *, on_key: bool) -> Iterator[Diagnostic]:
    fault = fault_of(pattern)
    if fault is not None:
        problem, suggestion = fault.problem, fault.suggestion
        yield finding(
            kinds.BAD_PATTERN, place, on_key=on_key, problem=problem, suggestion=suggestion
        )
        return
    part = slow_part(pattern)
    if part:
        yield finding(kinds.SLOW_PATTERN, place, on_key=on_key, part=part)


@lru_cache(maxsize=1 << 16)
def _size(pattern: str) -> int:
    return size(pattern)


# A document has fewer patterns than this, and several rules ask about each.
@lru_cache(maxsize=1 << 16)
def fault_of(pattern: str) -> Fault | None:
    """Return the error of a pattern, or None if clients in any language can compile it."""
    fault = syntax_fault(pattern)
    if fault is not None:
        return fault
    if _size(pattern) > MAX_SIZE:
        return Fault("it is too large for an engine", "repeat less, or use `maxLength`")
    try:
        if is_native():
            compiled({"pattern": shortened(pattern)})
        else:
            safe_pattern(pattern)
    except UnsafePatternError as problem:
        return Fault(f"the package jsonschema cannot run it safely: {problem}", _SAFER)
    except InvalidSchemaError:
        return _reason(pattern)
    return None


def _reason(pattern: str) -> Fault:
    """Return why a pattern does not compile, if Python's compiler rejects it too."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            re.compile(pattern)
    except re.error as error:
        at = "" if error.pos is None else f" at character {error.pos + 1}"
        suggestion = "correct it; a sign that is meant itself takes a backslash before it"
        return Fault(f"{error.msg}{at}", suggestion)
    except (OverflowError, RecursionError):
        pass
    return Fault("engines differ about it, or it is too large", "write it in a simpler way")
