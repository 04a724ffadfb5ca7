"""Instructions of a server of several services."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from collections.abc import Sequence


def joined_instructions(services: Sequence[tuple[str, str]]) -> str:
    """Return the instructions of a server from the titles and instructions of its services.

    Those of its only service have no title before them.
    """
    is_one = len(services) == 1
    return "\n\n".join(text if is_one else f"{title}: {text}" for title, text in services if text)
