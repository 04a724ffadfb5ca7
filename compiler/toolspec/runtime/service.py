"""A bound service: handlers, hooks, settings, credentials."""

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
    """Receives the caller, and the instance if the service has instances."""
    Credentials: TypeAlias = Confidential | CredentialsProvider | None


OUTPUT_CHECKS = ("strict", "warn", "off")


def as_mapping(owner: object) -> Mapping[str, object] | None:
    """Return handlers or hooks that are a mapping of functions; None for others.

    Detected by methods, because `collections.abc.Mapping` would import `collections`.
    """
    kind = type(owner)
    if hasattr(kind, "keys") and hasattr(kind, "__getitem__"):
        return owner  # type: ignore[return-value]  # has a mapping's methods
    return None


def member(owner: object, name: str) -> AnyCallable | None:
    """Return the callable with that name in an object, module or mapping, or None."""
    functions = as_mapping(owner)
    value = getattr(owner, name, None) if functions is None else functions.get(name)
    return value if callable(value) else None


class Target(Record):
    """The settings and credentials of one instance."""

    settings: Confidential | None = None
    credentials: Confidential | None = None


class BoundService(Record):
    """One service, validated and bound by `bind_service`.

    `credentials` are shared, or a function that returns those of a caller. A service with instances
    has `targets` instead of `settings`, and instead of `credentials` unless these are a function.
    """

    definition: ServiceDefinition
    handlers: object
    hooks: object = None
    settings: Confidential | None = None
    credentials: Credentials = None
    targets: Mapping[str, Target] = {}
    output_check: OutputCheck = "strict"
    logger: logging.Logger | None = None
