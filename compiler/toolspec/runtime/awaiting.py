"""What may be async or not: an answer that may have to be awaited, an iterator that may be closed."""

from __future__ import annotations


async def awaited(answer: object) -> object:
    """Return an answer, awaited where it is to come later."""
    if hasattr(answer, "__await__"):
        return await answer
    return answer


async def closed(source: object) -> None:
    """Close an async iterator; one that is no generator may have no end of its own."""
    close = getattr(source, "aclose", None)
    if close is not None:
        await close()
