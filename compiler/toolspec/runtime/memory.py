"""State that a registry keeps between calls: counters and in-memory stores."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio

    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.limits import Limits, RateLimits
    from toolspec.runtime.controls.revert import Reverting
    from toolspec.runtime.stores import Journal, KeyStore, SpentApprovals, Store
    from toolspec.runtime.stores.memory import MemoryStore


class Memory:
    """State shared by a registry and all that `with_hooks` and `with_controls` derive from it.

    Each is created by the first stage that needs it. Several threads may need it at once: each
    gets what the first of them has added to the dictionary.
    """

    __slots__ = (
        "_own",
        "_rate_limits",
        "_reverting",
        "pending",
        "undeclared_codes",
    )

    def __init__(self) -> None:
        self._rate_limits: dict[Limits | None, RateLimits] = {}
        self._own: dict[str, MemoryStore] = {}
        self._reverting: dict[Journal, Reverting] = {}
        self.pending: set[asyncio.Task[None]] = set()
        """Tasks that outlive their calls."""
        self.undeclared_codes: set[tuple[str, str]] = set()
        """Undeclared codes that tools have raised, so that each is logged once."""

    def rate_limits(self, controls: Controls) -> RateLimits:
        """Return the counters for the configured or default limits."""
        counters = self._rate_limits.get(controls.limits)
        if counters is None:
            from toolspec.runtime.controls.limits import Limits, RateLimits

            counters = RateLimits(controls.limits or Limits())
            counters = self._rate_limits.setdefault(controls.limits, counters)
        return counters

    def journal(self, controls: Controls) -> Journal:
        """Return the configured journal, or one in memory."""
        return controls.journal or self._store(controls).journal

    def keys(self, controls: Controls) -> KeyStore:
        """Return the configured key store, or one in memory."""
        return controls.keys or self._store(controls).keys

    def approvals(self, controls: Controls) -> SpentApprovals:
        """Return the used approvals of the configured store, or those in memory."""
        return self._store(controls).approvals

    def _store(self, controls: Controls) -> Store:
        if controls.store is not None:
            return controls.store
        if not self._own:
            from toolspec.runtime.stores.memory import MemoryStore

            self._own.setdefault("store", MemoryStore())
        return self._own["store"]

    def reverting(self, controls: Controls) -> Reverting:
        """Return the object that reverts entries of the journal."""
        journal = self.journal(controls)
        if journal not in self._reverting:
            from toolspec.runtime.controls.revert import Reverting

            self._reverting.setdefault(journal, Reverting(journal))
        return self._reverting[journal]

    def adopt(self, task: asyncio.Task[None]) -> None:
        """Keep a task until it ends; the event loop has only weak references."""
        self.pending.add(task)
        task.add_done_callback(self.pending.discard)
