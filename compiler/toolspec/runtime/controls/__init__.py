"""Controls of a registry: the record that configures all of them."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    from typing import TypedDict

    from toolspec.runtime.call_options import Approver
    from toolspec.runtime.callbacks import Callbacks
    from toolspec.runtime.controls.access import Authenticator
    from toolspec.runtime.controls.limits import Limits
    from toolspec.runtime.controls.policy import Policy
    from toolspec.runtime.stores import Journal, KeyStore, Store

    class ControlOptions(TypedDict, total=False):
        """Keyword arguments of Controls, all optional."""

        authenticator: Authenticator | None
        policy: Policy | None
        approver: Approver | None
        callbacks: Callbacks | None
        limits: Limits | None
        journal: Journal | None
        keys: KeyStore | None
        store: Store | None
        copies: bool


_PARTS = ("keys", "journal", "approvals", "limits", "is_shared", "check", "secret", "close")
_METHODS = {
    "keys": ("claim", "begin", "settle", "release"),
    "journal": ("begin", "finish", "forget", "reverting", "release", "reverted", "entries"),
}


def check_controls(controls: ControlOptions) -> None:
    """Raise ValueError for controls of another type, and for stores that lack methods."""
    from toolspec.runtime.controls.limits import limits_problems
    from toolspec.runtime.controls.policy import policy_problems

    problems = policy_problems(controls.get("policy"))
    problems += limits_problems(controls.get("limits"))
    problems += _store_problems(controls)
    for name in ("authenticator", "approver"):
        function = controls.get(name)
        if function is not None and not callable(function):
            problems.append(f"`{name}` is {function!r}: it must be a function, or None")
    if problems:
        raise ValueError("; ".join(problems))


def _store_problems(controls: ControlOptions) -> list[str]:
    """Return a line for each store that lacks methods of its protocol."""
    problems = []
    whole = controls.get("store")
    if whole is not None and not all(hasattr(whole, name) for name in _PARTS):
        part = next((name for name, own in _METHODS.items() if _has(whole, own)), None)
        hint = (
            f"pass it as `{part}`" if part else "pass `open_store(URL)` of toolspec.runtime.stores"
        )
        problems.append(f"`store` is a {type(whole).__name__}: {hint}")
    for name, methods in _METHODS.items():
        store = controls.get(name)
        if store is None or _has(store, methods):
            continue
        is_whole = hasattr(store, name)
        hint = "pass it as `store`" if is_whole else f"it needs {', '.join(methods)}"
        problems.append(f"`{name}` is a {type(store).__name__}: {hint}")
    return problems


def _has(store: object, methods: tuple[str, ...]) -> bool:
    return all(callable(getattr(store, method, None)) for method in methods)


class Controls(Record):
    """Controls for the calls of a registry (decision 0009); None means the default.

    `store` holds keys, journal, used approvals and counts of limits; `journal` and `keys` replace
    its own. Without a store, all are kept in memory for the life of the registry.
    """

    authenticator: Authenticator | None = None
    policy: Policy | None = None
    approver: Approver | None = None
    callbacks: Callbacks | None = None
    limits: Limits | None = None
    journal: Journal | None = None
    keys: KeyStore | None = None
    store: Store | None = None
    copies: bool = True
    """Whether arguments and results are copied, and the copies verified to be plain JSON.

    If false, and only validation surrounds a handler, it shares values with its caller; servers
    must not do that.
    """
