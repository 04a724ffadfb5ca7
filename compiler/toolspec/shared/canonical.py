"""The one canonical text of a JSON value: what is hashed, compared and stored."""

from __future__ import annotations

from json import JSONEncoder

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from toolspec.shared.json_values import JsonValue

# Readers build trees and limit their depth, so the search for cycles would find nothing.
_encode = JSONEncoder(
    ensure_ascii=True, allow_nan=False, check_circular=False, sort_keys=True, separators=(",", ":")
).encode


def canonical_json(value: JsonValue) -> str:
    """Return the value as compact ASCII JSON, keys sorted by code point.

    Equal values give equal text; `1` and `1.0` are two values here. Raises ValueError for NaN and
    the infinities, which no reader lets through.
    """
    return _encode(value)
