"""A service with what it was bound to: handlers, hooks, settings, credentials."""

from __future__ import annotations

from toolspec.runtime.record import Record

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import Awaitable, Callable, Mapping
    from typing import Literal, TypeAlias

    from toolspec.runtime.callables import AnyCallable
    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.definition import ServiceDefinition

    OutputCheck: TypeAlias = Literal["strict", "warn", "off"]
    CredentialsProvider: TypeAlias = Callable[
        ..., "Mapping[str, object] | Awaitable[Mapping[str, object] | None] | None"
    ]
    """Takes the caller, and the instance where the service has instances."""
    Credentials: TypeAlias = Confidential | CredentialsProvider | None


OUTPUT_CHECKS = ("strict", "warn", "off")


def as_mapping(owner: object) -> Mapping[str, object] | None:
    """Return handlers or hooks that are given as a mapping of functions, None for others.

    Known by its methods: asking for `collections.abc.Mapping` would import `collections`.
    """
    kind = type(owner)
    if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
        return owner  # type: ignore[return-value]  # it has a mapping's methods
    return None


def member(owner: object, name: str) -> AnyCallable | None:
    """Return the callable of that name of an object, a module or a mapping, or None."""
    functions = as_mapping(owner)
    found = getattr(owner, name, None) if functions is None else functions.get(name)
    return found if callable(found) else None


class Target(Record):
    """The settings and credentials of one instance."""

    settings: Confidential | None = None
    credentials: Confidential | None = None


class BoundService(Record):
    """One service, ready to be called; `bind_service` has checked that all of it fits.

    `credentials` are everybody's, or a function that gives those of a caller. A service with instances
    has `targets` instead of `settings`, and of `credentials` unless these are a function.
    """

    definition: ServiceDefinition
    handlers: object
    hooks: object = None
    settings: Confidential | None = None
    credentials: Credentials = None
    targets: Mapping[str, Target] = {}
    output_check: OutputCheck = "strict"
    logger: logging.Logger | None = None
