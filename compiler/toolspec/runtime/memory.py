"""What a registry remembers from call to call, where its controls name no other place for it."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio

    from toolspec.runtime.controls.journal import Journal
    from toolspec.runtime.controls.keys import KeyStore


class Memory:
    """One for a registry and all that `with_hooks` and `with_controls` make of it.

    Each part is made by the stage that needs it first. `pending` are the tasks that outlive calls.
    """

    __slots__ = ("journal", "keys", "pending")

    def __init__(self) -> None:
        self.journal: Journal | None = None
        self.keys: KeyStore | None = None
        self.pending: set[asyncio.Task[None]] = set()
