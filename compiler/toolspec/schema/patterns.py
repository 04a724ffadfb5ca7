"""Whether a pattern is a regular expression of the subset of ECMA-262 that every client compiles."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.schema import kinds
from toolspec.schema.expressions import Fault, slow_part, syntax_fault
from toolspec.schema.findings import finding
from toolspec.shared.safe_patterns import UnsafePatternError, safe_pattern
from toolspec.shared.validator import InvalidSchemaError, compiled, is_native

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import Place

_SAFER = "repeat once, let alternatives begin differently, and use classes instead of `\\p`"
_HOLDING = frozenset({"pattern", "patternProperties"})


def check(resource: Resource) -> Iterator[Diagnostic]:
    """Yield what is wrong with `pattern` and with the keys of `patternProperties` (threats.md, S4)."""
    for path, node in resource.using(_HOLDING):
        pattern = node.get("pattern")
        if isinstance(pattern, str):
            yield from _check(pattern, resource.places((*path, "pattern")), on_key=False)
        keyed = node.get("patternProperties")
        for key in keyed if isinstance(keyed, dict) else ():
            place = resource.places((*path, "patternProperties", key))
            yield from _check(key, place, on_key=True)


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


@lru_cache(maxsize=4096)
def fault_of(pattern: str) -> Fault | None:
    """Return what is wrong with a pattern; None where clients in any language can compile it."""
    fault = syntax_fault(pattern)
    if fault is not None:
        return fault
    try:
        if is_native():
            compiled({"pattern": pattern})
        else:
            safe_pattern(pattern)
    except UnsafePatternError as problem:
        return Fault(f"the package jsonschema cannot run it safely: {problem}", _SAFER)
    except InvalidSchemaError:
        return _reason(pattern)
    return None


def _reason(pattern: str) -> Fault:
    """Return why a pattern does not compile, as far as Python's compiler agrees."""
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
