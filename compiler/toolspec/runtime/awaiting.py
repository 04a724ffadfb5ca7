"""Helpers for values that may be awaitable and iterators that may need closing."""

from __future__ import annotations


async def awaited(answer: object) -> object:
    """Return the value, awaited if it is awaitable."""
    if hasattr(answer, "__await__"):
        return await answer
    return answer


async def closed(source: object) -> None:
    """Close an async iterator; iterators other than generators may have no `aclose`."""
    close = getattr(source, "aclose", None)
    if close is not None:
        await close()
