"""Generation of numbers within bounds, and of multiples."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    from toolspec.shared.json_values import JsonObject

_SPREAD = 100


def integer(schema: JsonObject, chance: Random) -> int:
    """Return an integer near the lower bound, or near the upper one without a lower."""
    step = _stated(schema, "multipleOf")
    whole = Fraction(1) if step is None else Fraction(step.numerator)
    return int(_between(schema, whole, chance))


def number(schema: JsonObject, chance: Random) -> float:
    """Return a number like `integer`, whole unless the schema needs a fraction."""
    step = _stated(schema, "multipleOf")
    if step is not None:
        return _plain(_between(schema, step, chance))
    low, high, is_open = _bounds(schema)
    width = None if low is None or high is None else high - low
    if width is not None and (width < 1 or is_open):
        assert low is not None
        return _plain(low + width / 2)
    return _plain(_between(schema, Fraction(1), chance))


def _between(schema: JsonObject, step: Fraction, chance: Random) -> Fraction:
    low, high, _ = _bounds(schema)
    if low is None:
        low = Fraction(0) if high is None else min(Fraction(0), high - _SPREAD * step)
    first = math.ceil(low / step)
    if _stated(schema, "exclusiveMinimum") == first * step:
        first += 1
    last = first + _SPREAD
    if high is not None:
        last = min(last, math.floor(high / step))
        if _stated(schema, "exclusiveMaximum") == last * step:
            last -= 1
    return chance.randint(first, max(first, last)) * step


def _bounds(schema: JsonObject) -> tuple[Fraction | None, Fraction | None, bool]:
    lows = [_stated(schema, "minimum"), _stated(schema, "exclusiveMinimum")]
    highs = [_stated(schema, "maximum"), _stated(schema, "exclusiveMaximum")]
    low = max((each for each in lows if each is not None), default=None)
    high = min((each for each in highs if each is not None), default=None)
    return low, high, lows[1] is not None or highs[1] is not None


def _stated(schema: JsonObject, keyword: str) -> Fraction | None:
    value = schema.get(keyword)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return Fraction(str(value)) if math.isfinite(value) else None


def _plain(value: Fraction) -> float:
    return int(value) if value.denominator == 1 else float(value)
