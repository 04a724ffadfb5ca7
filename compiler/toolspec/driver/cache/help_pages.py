"""Cached help pages of every command in one text file, which saves start-up time."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

END = "\f\n"


def find_page(path: str, words: Sequence[str]) -> str | None:
    """Return the page whose usage begins with some words, or None."""
    usage = " ".join(("Usage:", *words, "[OPTIONS]"))
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib is not loaded yet
            pages = file.read().split(END)
    except (OSError, ValueError):
        return None
    return next((page for page in pages if page.startswith(usage)), None)
