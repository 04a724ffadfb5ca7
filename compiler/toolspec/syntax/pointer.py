"""JSON Pointer (RFC 6901): conversion between paths and text."""

from __future__ import annotations

from typing import TypeAlias
from urllib.parse import unquote

Path: TypeAlias = "tuple[str | int, ...]"


def format_pointer(path: Path) -> str:
    """Return the pointer of a path; an empty string for the whole document."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def parse_pointer(pointer: str) -> tuple[str, ...]:
    """Return the steps of a pointer (RFC 6901 section 4). Raises ValueError if malformed."""
    if not pointer:
        return ()
    if not pointer.startswith("/"):
        message = f"a JSON Pointer begins with '/': {pointer!r}"
        raise ValueError(message)
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer[1:].split("/"))


def parse_fragment(fragment: str) -> tuple[str, ...]:
    """Return the steps of a pointer written as a URI fragment, percent-decoded."""
    return parse_pointer(unquote(fragment))
