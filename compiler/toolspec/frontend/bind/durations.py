"""Parses durations: `500ms`, `30s`, `2m`, `1h`, or a number of seconds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from toolspec.syntax.nodes import JsonValue

_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def seconds(duration: JsonValue) -> float | None:
    """Return a valid duration in seconds; None for anything else."""
    match duration:
        case bool():
            return None
        case int() | float():
            return float(duration)
        case str():
            number = duration.rstrip("mhs")
            unit = _SECONDS.get(duration[len(number) :])
            return None if unit is None else float(number) * unit
        case _:
            return None
