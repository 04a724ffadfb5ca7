"""State that a registry keeps between calls: counters and in-memory stores."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio

    from toolspec.runtime.call_options import Approval
    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.idempotency import KeyStore
    from toolspec.runtime.controls.journal import Journal
    from toolspec.runtime.controls.limits import Limits, RateLimits
    from toolspec.runtime.controls.revert import Reverting


class Memory:
    """State shared by a registry and all that `with_hooks` and `with_controls` derive from it.

    Each is created by the first stage that needs it.
    """

    __slots__ = (
        "_journal",
        "_keys",
        "_rate_limits",
        "_reverting",
        "pending",
        "undeclared_codes",
        "used_approvals",
    )

    def __init__(self) -> None:
        self._rate_limits: dict[Limits | None, RateLimits] = {}
        self._journal: Journal | None = None
        self._keys: KeyStore | None = None
        self._reverting: dict[Journal, Reverting] = {}
        self.used_approvals: set[tuple[str, str, float]] = set()
        """Used approvals, kept until they expire."""
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
            self._rate_limits[controls.limits] = counters
        return counters

    def journal(self, controls: Controls) -> Journal:
        """Return the configured journal, or one in memory."""
        if controls.journal is not None:
            return controls.journal
        if self._journal is None:
            from toolspec.runtime.controls.journal import MemoryJournal

            self._journal = MemoryJournal()
        return self._journal

    def keys(self, controls: Controls) -> KeyStore:
        """Return the configured key store, or one in memory."""
        if controls.keys is not None:
            return controls.keys
        if self._keys is None:
            from toolspec.runtime.controls.idempotency import MemoryKeys

            self._keys = MemoryKeys()
        return self._keys

    def reverting(self, controls: Controls) -> Reverting:
        """Return the object that reverts entries of the journal."""
        journal = self.journal(controls)
        if journal not in self._reverting:
            from toolspec.runtime.controls.revert import Reverting

            self._reverting[journal] = Reverting(journal)
        return self._reverting[journal]

    def adopt(self, task: asyncio.Task[None]) -> None:
        """Keep a task until it ends; the event loop has only weak references."""
        self.pending.add(task)
        task.add_done_callback(self.pending.discard)

    def use(self, approval: Approval, now: float) -> bool:
        """Return whether an approval is unused, and mark it as used."""
        self.used_approvals = {key for key in self.used_approvals if key[-1] > now}
        key = (approval.tool, approval.digest, approval.expires)
        if key in self.used_approvals:
            return False
        self.used_approvals.add(key)
        return True
