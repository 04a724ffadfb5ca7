"""Controls of a registry: the record that configures all of them."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import TypedDict

    from toolspec.runtime.call_options import Approver
    from toolspec.runtime.callbacks import Callbacks
    from toolspec.runtime.controls.access import Authenticator
    from toolspec.runtime.controls.idempotency import KeyStore
    from toolspec.runtime.controls.journal import Journal
    from toolspec.runtime.controls.limits import Limits
    from toolspec.runtime.controls.policy import Policy

    class ControlOptions(TypedDict, total=False):
        """Keyword arguments of Controls, all optional."""

        authenticator: Authenticator | None
        policy: Policy | None
        approver: Approver | None
        callbacks: Callbacks | None
        limits: Limits | None
        journal: Journal | None
        keys: KeyStore | None
        copies: bool


_METHODS = {
    "keys": ("claim", "settle", "release"),
    "journal": ("begin", "finish", "forget", "reverting", "release", "reverted", "entries"),
}


def check_controls(controls: ControlOptions) -> None:
    """Raise ValueError for an invalid policy, invalid limits, and stores that lack methods."""
    from toolspec.runtime.controls.limits import limits_problems
    from toolspec.runtime.controls.policy import policy_problems

    problems = policy_problems(controls.get("policy"))
    problems += limits_problems(controls.get("limits"))
    problems += _store_problems(controls)
    if problems:
        raise ValueError("; ".join(problems))


def _store_problems(controls: ControlOptions) -> list[str]:
    """Return a line for each store that lacks methods of its protocol."""
    problems = []
    for name, methods in _METHODS.items():
        store = controls.get(name)
        if store is None or all(callable(getattr(store, method, None)) for method in methods):
            continue
        member = getattr(store, name, None)
        hint = f"pass its `{name}`" if member is not None else f"it needs {', '.join(methods)}"
        problems.append(f"`{name}` is a {type(store).__name__}: {hint}")
    return problems


class Controls(Record):
    """Controls for the calls of a registry (decision 0009); None means the default.

    Without a journal or a key store, both are kept in memory for the life of the registry.
    """

    authenticator: Authenticator | None = None
    policy: Policy | None = None
    approver: Approver | None = None
    callbacks: Callbacks | None = None
    limits: Limits | None = None
    journal: Journal | None = None
    keys: KeyStore | None = None
    copies: bool = True
    """Whether arguments and results are copied, and the copies verified to be plain JSON.

    If false, and only validation surrounds a handler, it shares values with its caller; servers
    must not do that.
    """
