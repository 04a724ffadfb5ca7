"""Canonical JSON text, for hashing, comparing and storing values."""

from __future__ import annotations

from json import JSONEncoder

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonValue

# Readers produce trees of limited depth, so checking for cycles would be useless.
_encode = JSONEncoder(
    ensure_ascii=True, allow_nan=False, check_circular=False, sort_keys=True, separators=(",", ":")
).encode


def canonical_json(value: JsonValue) -> str:
    """Return the value as compact ASCII JSON with keys sorted by code point.

    Equal values have equal text; `1` and `1.0` are different here. Raises ValueError for NaN and
    infinities, which readers reject.
    """
    return _encode(value)
