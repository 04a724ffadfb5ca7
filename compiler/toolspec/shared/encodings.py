"""Encodings of `contentEncoding`: base16, base32, base64 and variants, quoted-printable.

All but the last (RFC 2045) are defined in RFC 4648. Line breaks and other characters outside the
alphabet are invalid. base64url may omit padding, as in JSON Web Tokens; base16 may be in either
case.
"""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Callable

BYTES = ("base64", "base64url")
"""Encodings that handlers can receive as bytes."""


def is_encoded(encoding: str, text: str) -> bool:
    """Return whether a text is valid in an encoding; true for unknown encodings."""
    check = _CHECKS.get(encoding)
    if check is None:
        return True
    try:
        check(text)
    except ValueError:
        return False
    return True


def decode(encoding: str, text: str) -> bytes:
    """Return the bytes of a base64 or base64url text. Raises ValueError if it is invalid."""
    return _base64(text) if encoding == "base64" else _base64url(text)


def encode(encoding: str, data: bytes) -> str:
    """Return bytes as padded base64 or base64url text."""
    import base64

    encoded = base64.b64encode(data) if encoding == "base64" else base64.urlsafe_b64encode(data)
    return encoded.decode("ascii")


def _base64(text: str) -> bytes:
    import binascii

    return binascii.a2b_base64(text, strict_mode=True)


def _base64url(text: str) -> bytes:
    if "+" in text or "/" in text:
        raise ValueError(text)
    if "=" not in text:
        text += "=" * (-len(text) % 4)
    return _base64(text.replace("-", "+").replace("_", "/"))


def _base32(text: str) -> None:
    _matches(
        text, r"(?:[A-Z2-7]{8})*(?:|[A-Z2-7]{2}={6}|[A-Z2-7]{4}={4}|[A-Z2-7]{5}={3}|[A-Z2-7]{7}=)"
    )


def _base32hex(text: str) -> None:
    _matches(
        text, r"(?:[0-9A-V]{8})*(?:|[0-9A-V]{2}={6}|[0-9A-V]{4}={4}|[0-9A-V]{5}={3}|[0-9A-V]{7}=)"
    )


def _base16(text: str) -> None:
    _matches(text, "(?:[0-9A-Fa-f]{2})*")


def _quoted_printable(text: str) -> None:
    _matches(text, r"(?:[\t\r\n -<>-~]|=[0-9A-Fa-f]{2}|=[ \t]*\r?\n)*")


def _matches(text: str, pattern: str) -> None:
    import re

    if not re.fullmatch(pattern, text):
        raise ValueError(text)


_CHECKS: dict[str, Callable[[str], object]] = {
    "base16": _base16,
    "base32": _base32,
    "base32hex": _base32hex,
    "base64": _base64,
    "base64url": _base64url,
    "quoted-printable": _quoted_printable,
}
ENCODINGS = frozenset(_CHECKS)
"""Encodings that are validated."""
