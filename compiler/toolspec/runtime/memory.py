"""What a registry remembers from call to call, where its controls name no other place for it."""

from __future__ import annotations

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import asyncio

    from toolspec.runtime.controls import Controls
    from toolspec.runtime.controls.approval import Approval
    from toolspec.runtime.controls.gate import Gates
    from toolspec.runtime.controls.journal import Journal
    from toolspec.runtime.controls.keys import KeyStore
    from toolspec.runtime.controls.limits import Limits
    from toolspec.runtime.controls.revert import Reverting


class Memory:
    """One for a registry and all that `with_hooks` and `with_controls` make of it.

    Each part is made by the stage that needs it first. `pending` are the tasks that outlive calls.
    """

    __slots__ = ("_gates", "_journal", "_keys", "_reverting", "pending", "unlisted", "used")

    def __init__(self) -> None:
        self._gates: dict[Limits | None, Gates] = {}
        self._journal: Journal | None = None
        self._keys: KeyStore | None = None
        self._reverting: dict[Journal, Reverting] = {}
        self.used: set[tuple[str, str, float]] = set()
        """Approvals that have been used, as long as they could be again."""
        self.pending: set[asyncio.Task[None]] = set()
        self.unlisted: set[tuple[str, str]] = set()
        """Tools with codes that they raised and do not list, so that each is logged once."""

    def gates(self, controls: Controls) -> Gates:
        """Return the counters for the limits that the controls set, or for the usual ones."""
        found = self._gates.get(controls.limits)
        if found is None:
            from toolspec.runtime.controls.gate import Gates
            from toolspec.runtime.controls.limits import Limits

            found = self._gates[controls.limits] = Gates(controls.limits or Limits())
        return found

    def journal(self, controls: Controls) -> Journal:
        """Return the journal of the controls, or one in memory."""
        if controls.journal is not None:
            return controls.journal
        if self._journal is None:
            from toolspec.runtime.controls.journal import MemoryJournal

            self._journal = MemoryJournal()
        return self._journal

    def keys(self, controls: Controls) -> KeyStore:
        """Return the store of keys of the controls, or one in memory."""
        if controls.keys is not None:
            return controls.keys
        if self._keys is None:
            from toolspec.runtime.controls.keys import MemoryKeys

            self._keys = MemoryKeys()
        return self._keys

    def reverting(self, controls: Controls) -> Reverting:
        """Return what undoes the entries of the journal."""
        journal = self.journal(controls)
        found = self._reverting.get(journal)
        if found is None:
            from toolspec.runtime.controls.revert import Reverting

            found = self._reverting[journal] = Reverting(journal)
        return found

    def use(self, approval: Approval, now: float) -> bool:
        """Return whether an approval was not used before; now it is."""
        self.used = {one for one in self.used if one[-1] > now}
        one = (approval.tool, approval.digest, approval.expires)
        if one in self.used:
            return False
        self.used.add(one)
        return True
