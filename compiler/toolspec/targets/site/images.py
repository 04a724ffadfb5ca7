"""Image formats that a site has: those that cannot run anything."""

from __future__ import annotations

SUFFIXES = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def is_image(data: bytes) -> bool:
    """Return whether data begins as a PNG, JPEG, GIF or WebP image does."""
    return data.startswith((b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")) or (
        data.startswith(b"RIFF") and data[8:12] == b"WEBP"
    )
