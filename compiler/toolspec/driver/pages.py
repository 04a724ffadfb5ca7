"""The help of every verb as the application draws it, kept in one text file: read, it costs no start-up."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

END = "\f\n"


def find_page(path: str, words: Sequence[str]) -> str | None:
    """Return the page whose usage begins with some words; None where no page, or no file, is there."""
    usage = " ".join(("Usage:", *words, "[OPTIONS]"))
    try:
        with open(path, encoding="utf-8") as file:  # noqa: PTH123 - pathlib is not loaded yet
            pages = file.read().split(END)
    except (OSError, ValueError):
        return None
    return next((page for page in pages if page.startswith(usage)), None)
