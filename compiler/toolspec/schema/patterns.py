"""Checks patterns against the subset of ECMA-262 that every client can compile."""

from __future__ import annotations

import re
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING

from toolspec.schema import kinds
from toolspec.schema.diagnostics import diagnostic_at
from toolspec.schema.expressions import MAX_SIZE, Fault, shortened, size, slow_part, syntax_fault
from toolspec.shared.safe_patterns import UnsafePatternError, safe_pattern
from toolspec.shared.validator import InvalidSchemaError, compiled, is_native

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.schema.resource import Resource
    from toolspec.syntax.nodes import Location
    from toolspec.syntax.pointer import Path

MAX_TOTAL = 500_000
"""Maximum states of all patterns of a service: they compile in a tenth of a second, in 30 MiB."""

_SAFER = "repeat once, let alternatives begin differently, and use classes instead of `\\p`"
_HOLDING = frozenset({"pattern", "patternProperties"})


class States:
    """Limits the states of all patterns of a service, in the order in which schemas are read.

    Only the first schema over the limit has a diagnostic; `left_out` counts the others.
    """

    def __init__(self) -> None:
        self._total = 0
        self._is_full = False
        self.left_out = 0

    def take(self, states: int) -> bool:
        """Count the states of a schema, and return whether they are within the limit."""
        if self._total + states > MAX_TOTAL:
            return False
        self._total += states
        return True

    def is_first_over_limit(self) -> bool:
        """Count a schema over the limit, and return whether it is the first."""
        self.left_out += self._is_full
        is_first, self._is_full = not self._is_full, True
        return is_first


def check(resource: Resource, states: States) -> Iterator[Diagnostic]:
    """Yield errors of `pattern` and of the keys of `patternProperties` (threats.md, S4)."""
    if _HOLDING.isdisjoint(resource.words):
        return
    patterns = list(_patterns(resource))
    sizes = (_size(pattern) for pattern, _, _ in patterns)
    total = sum(size for size in sizes if size <= MAX_SIZE)  # a larger one is never compiled
    if states.take(total):
        for pattern, path, on_key in patterns:
            yield from _check(pattern, resource.locations(path), on_key=on_key)
        return
    measure = "its patterns compile to too many states"
    if total <= MAX_TOTAL:
        if not states.is_first_over_limit():
            return
        measure = f"together with those of earlier schemas, {measure}"
    yield diagnostic_at(
        kinds.TOO_COMPLEX,
        resource.location,
        measure=measure,
        limit=f"{MAX_TOTAL:,}",
        suggestion="use `maxLength` in place of large counts in patterns",
    )


def _patterns(resource: Resource) -> Iterator[tuple[str, Path, bool]]:
    """Yield each pattern with its path, and whether it is a key."""
    for path, node in resource.using(_HOLDING):
        pattern = node.get("pattern")
        if isinstance(pattern, str):
            yield pattern, (*path, "pattern"), False
        keyed = node.get("patternProperties")
        for key in keyed if isinstance(keyed, dict) else ():
            yield key, (*path, "patternProperties", key), True


def _check(pattern: str, location: Location, *, on_key: bool) -> Iterator[Diagnostic]:
    fault = fault_of(pattern)
    if fault is not None:
        problem, suggestion = fault.problem, fault.suggestion
        yield diagnostic_at(
            kinds.BAD_PATTERN, location, on_key=on_key, problem=problem, suggestion=suggestion
        )
        return
    part = slow_part(pattern)
    if part:
        yield diagnostic_at(kinds.SLOW_PATTERN, location, on_key=on_key, part=part)


@lru_cache(maxsize=1 << 16)
def _size(pattern: str) -> int:
    return size(pattern)


# Several rules check each pattern, and a document has fewer than this.
@lru_cache(maxsize=1 << 16)
def fault_of(pattern: str) -> Fault | None:
    """Return the error of a pattern, or None if clients in any language can compile it."""
    fault = syntax_fault(pattern)
    if fault is not None:
        return fault
    if _size(pattern) > MAX_SIZE:
        return Fault("it is too large to compile", "repeat less, or use `maxLength`")
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
        suggestion = "fix the pattern; a literal special character needs a backslash before it"
        return Fault(f"{error.msg}{at}", suggestion)
    except (OverflowError, RecursionError):
        pass
    return Fault("regex engines disagree about it, or it is too large", "simplify the pattern")
