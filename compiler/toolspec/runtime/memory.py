"""In-memory state of a registry across calls, for controls without a configured store."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio

    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.approval import Approval
    from toolspec.runtime.controls.idempotency_keys import KeyStore
    from toolspec.runtime.controls.journal import Journal
    from toolspec.runtime.controls.limits import Limits
    from toolspec.runtime.controls.rate_limit import RateLimits
    from toolspec.runtime.controls.revert import Reverting


class Memory:
    """State shared by a registry and all that `with_hooks` and `with_controls` derive from it.

    Each part is created by the first stage that needs it. `pending` are tasks that outlive their
    calls.
    """

    __slots__ = ("_gates", "_journal", "_keys", "_reverting", "pending", "unlisted", "used")

    def __init__(self) -> None:
        self._gates: dict[Limits | None, RateLimits] = {}
        self._journal: Journal | None = None
        self._keys: KeyStore | None = None
        self._reverting: dict[Journal, Reverting] = {}
        self.used: set[tuple[str, str, float]] = set()
        """Used approvals, kept until they expire."""
        self.pending: set[asyncio.Task[None]] = set()
        self.unlisted: set[tuple[str, str]] = set()
        """Undeclared codes that tools have raised, so that each is logged once."""

    def gates(self, controls: Controls) -> RateLimits:
        """Return the counters for the configured or default limits."""
        found = self._gates.get(controls.limits)
        if found is None:
            from toolspec.runtime.controls.limits import Limits
            from toolspec.runtime.controls.rate_limit import RateLimits

            found = self._gates[controls.limits] = RateLimits(controls.limits or Limits())
        return found

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
            from toolspec.runtime.controls.idempotency_keys import MemoryKeys

            self._keys = MemoryKeys()
        return self._keys

    def reverting(self, controls: Controls) -> Reverting:
        """Return the object that reverts entries of the journal."""
        journal = self.journal(controls)
        found = self._reverting.get(journal)
        if found is None:
            from toolspec.runtime.controls.revert import Reverting

            found = self._reverting[journal] = Reverting(journal)
        return found

    def use(self, approval: Approval, now: float) -> bool:
        """Return whether an approval is unused, and mark it as used."""
        self.used = {one for one in self.used if one[-1] > now}
        one = (approval.tool, approval.digest, approval.expires)
        if one in self.used:
            return False
        self.used.add(one)
        return True
