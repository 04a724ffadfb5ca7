"""Plain scalars of the YAML 1.2 core schema, and number limits of both syntaxes."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from toolspec.syntax import kinds

if TYPE_CHECKING:
    from toolspec.diagnostics import DiagnosticKind

CONSTANTS: Final[dict[str, bool | None]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
NUMBER_STARTS: Final = frozenset("0123456789+-.")
# Integer literals shorter than this, including the sign, are within ±(2^53 - 1).
SAFE_LENGTH: Final = 16

_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_OLD_OCTAL = re.compile(r"[-+]?0[0-7]{1,24}")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_BASES = {"0o": 8, "0x": 16}
SMALLEST: Final = -(1 << 63)
LARGEST: Final = (1 << 64) - 1
_SAFE = (1 << 53) - 1
# More digits than any 64-bit number; Python itself raises at 4,300 decimal digits.
_MAX_DIGITS = 24


def core_number(text: str) -> int | float | str | None:
    """Return the number of a plain scalar (YAML 1.2.2, section 10.3.2), else the text.

    None means a number outside the limits; `number_problem` returns the reason.
    """
    if _INTEGER.fullmatch(text):
        return integer(text)
    if _FLOAT.fullmatch(text):
        number = float(text)
        return number if math.isfinite(number) else None
    return None if _NOT_FINITE.fullmatch(text) else text


def number_problem(literal: str) -> DiagnosticKind | None:
    """Return the diagnostic kind of an invalid or ambiguous number; None for a valid one."""
    if not _INTEGER.fullmatch(literal):
        return None if _FLOAT.fullmatch(literal) and _is_finite(literal) else kinds.NOT_FINITE
    value = integer(literal)
    if value is None or not SMALLEST <= value <= LARGEST:
        return kinds.INTEGER_RANGE
    return kinds.UNSAFE_INTEGER if is_unsafe(value) else None


def integer(literal: str) -> int | None:
    """Return the integer of a literal in either syntax; None beyond `_MAX_DIGITS`."""
    base = _BASES.get(literal[:2], 10)
    digits = literal[2:] if literal[:2] in _BASES else literal.lstrip("+-")
    digits = digits.lstrip("0") or "0"
    if len(digits) > _MAX_DIGITS:
        return None
    return -int(digits, base) if literal.startswith("-") else int(digits, base)


def old_octal(literal: str) -> int | None:
    """Return the YAML 1.1 value of a literal that differs in YAML 1.2: `0777` is 511 there."""
    if not _OLD_OCTAL.fullmatch(literal):
        return None
    value = int(literal, 8)
    return None if value == integer(literal) else value


def is_unsafe(value: float) -> bool:
    """Return whether a number is an integer that a 64-bit float may round (RFC 8259, section 6)."""
    return type(value) is int and not -_SAFE <= value <= _SAFE


def _is_finite(literal: str) -> bool:
    return math.isfinite(float(literal))
