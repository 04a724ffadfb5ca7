"""Diagnostics at a location of a schema, and values in messages."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeAlias

from toolspec.diagnostics import Subject
from toolspec.syntax.nodes import Location
from toolspec.syntax.pointer import Path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolspec.diagnostics import Diagnostic, DiagnosticKind, Fix, Label

SHOWN = 48

# Maps a path in a converted schema to its source location.
Locations: TypeAlias = Callable[[Path], Location]


def diagnostic_at(  # noqa: PLR0913 - the optional parts of one diagnostic, all by name
    kind: DiagnosticKind,
    location: Location,
    label: str = "",
    *,
    labels: Iterable[Label] = (),
    fix: Fix | None = None,
    on_key: bool = False,
    **parameters: object,
) -> Diagnostic:
    """Return a diagnostic at a location, or at its key, with its pointer as the subject."""
    return kind.at(
        location.key_span if on_key else location.span,
        label,
        labels=labels,
        fix=fix,
        subject=Subject(pointer=location.pointer),
        **parameters,
    )


def shown(value: object) -> str:
    """Return a value as JSON for a message, shortened if it is long."""
    # The validator returns numbers beyond the range of float as Decimal.
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def listed(words: Iterable[str]) -> str:
    """Return words in backticks as an enumeration: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    return " or ".join([", ".join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else "".join(quoted)
