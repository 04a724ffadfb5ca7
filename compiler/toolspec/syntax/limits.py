"""Limits of documents in any syntax."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from toolspec.syntax import kinds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic

MAX_BYTES: Final = 1 << 20
MAX_DEPTH: Final = 64
MAX_DIAGNOSTICS: Final = 200


def limited(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Return the diagnostics of a file; after `MAX_DIAGNOSTICS`, one that reports the omission."""
    reported = tuple(islice(diagnostics, MAX_DIAGNOSTICS + 1))
    if len(reported) <= MAX_DIAGNOSTICS:
        return reported
    return (*reported[:-1], too_many(reported[-1]))


def too_many(following: Diagnostic) -> Diagnostic:
    """Return the diagnostic that replaces the first one over the limit and all after it."""
    return kinds.TOO_MANY.at(following.span, limit=MAX_DIAGNOSTICS)
