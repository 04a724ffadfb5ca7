"""Locations of jsonschema-rs errors, in which numeric keys become numbers and empty keys vanish."""

from __future__ import annotations

import re

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from jsonschema_rs import ValidationError

    from toolspec.shared.json_values import JsonValue, Path

# Numbers as parsed by Rust: `1`, `01` and `+1` are equal.
_NUMERAL = re.compile(r"\+?[0-9]+")


def paths_of(error: ValidationError, value: JsonValue) -> Iterator[Path]:
    """Yield every location in the validated value that an error may refer to."""
    found = list(_past_empty_keys([((), value)]))
    for step in error.instance_path:
        further = [
            ((*path, each), holder[each])  # type: ignore[index]  # an existing step
            for path, holder in found
            for each in _steps(holder, step)
        ]
        found = list(_past_empty_keys(further))
    if len(found) > 1:
        found = [each for each in found if each[1] == error.instance] or found
    return (path for path, _ in found)


def _past_empty_keys(
    found: Iterable[tuple[Path, JsonValue]],
) -> Iterator[tuple[Path, JsonValue]]:
    """Yield the locations, and those below them that are reached through empty keys only."""
    for place in found:
        path, value = place
        yield place
        while isinstance(value, dict) and "" in value:
            path, value = (*path, ""), value[""]
            yield path, value


def _steps(holder: JsonValue, step: str | int) -> Iterable[str | int]:
    """Return the keys or indices that a step may refer to, most likely first."""
    match holder, step:
        case dict(), int():
            digits = str(step).lstrip("0")
            same = (key for key in holder if _NUMERAL.fullmatch(key) and key.lstrip("+0") == digits)
            return sorted(same, key=lambda key: (len(key), key))
        case dict(), str() if step in holder:
            return (step,)
        case list(), int() if step < len(holder):
            return (step,)
    return ()  # a numeral was misread: no match
