"""Binding of a service to its handlers, reporting every problem in one error."""

from __future__ import annotations

from toolspec.runtime.registry import Registry
from toolspec.runtime.service import OUTPUT_CHECKS, BoundService, Target, as_mapping
from toolspec.runtime.signature_check import handler_problems, hook_problems

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import Mapping
    from typing import Any

    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.runtime.service import CredentialsProvider, OutputCheck


def bind_service(  # noqa: PLR0913 - all bindings of a service, by keyword
    service: ServiceDefinition,
    handlers: object,
    *,
    settings: Mapping[Any, object] | None = None,
    credentials: Mapping[Any, object] | CredentialsProvider | None = None,
    hooks: object = None,
    output_check: OutputCheck = "strict",
    log: logging.Logger | None = None,
    mode: str = "",
) -> Registry:
    """Return a registry of one service.

    `handlers` and `hooks` are an object with methods, a module, or a dict of functions.
    `credentials` are shared by all callers, or a function (async or not) that maps a caller to its
    credentials. For a service with instances, `settings` and `credentials` are keyed by instance
    name, and the function also receives that name. In a `mode` that the service declares, writing
    tools have risk tier 1. Raises BindError listing every problem on its own line, without values
    of settings or credentials.
    """
    problems = [*handler_problems(service, handlers), *hook_problems(service, hooks)]
    provider = credentials if callable(credentials) else None
    credential_values = None if callable(credentials) else credentials
    targets: dict[str, Target] = {}
    shared = Target()
    if service.instances:
        targets = _targets(service, settings, credential_values, problems)
    else:
        shared = _target(service, settings, credential_values, problems)
    if output_check not in OUTPUT_CHECKS:
        modes = ", ".join(OUTPUT_CHECKS)
        problems.append(f"`output_check` is {output_check!r}: it is one of {modes}")
    if mode and mode not in service.modes:
        modes_text = ", ".join(f"`{declared_mode}`" for declared_mode in service.modes)
        problems.append(
            f"it has no mode {mode!r}: "
            + (f"there is {modes_text}" if modes_text else "it has none")
        )
    if problems:
        from toolspec.runtime.errors import BindError

        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        heading = f"service `{service.name}` cannot be bound: {count}"
        raise BindError(heading, problems)
    bound = BoundService(
        definition=service.in_mode(mode),
        handlers=handlers,
        hooks=hooks,
        settings=shared.settings,
        credentials=provider or shared.credentials,
        targets=targets,
        output_check=output_check,
        logger=log,
    )
    return Registry((bound,))


def _targets(
    service: ServiceDefinition,
    settings: Mapping[str, object] | None,
    credentials: Mapping[str, object] | None,
    problems: list[str],
) -> dict[str, Target]:
    """Return the target of each instance; append errors with the instance's name to `problems`."""
    for what, tables in (("settings", settings), ("credentials", credentials)):
        if tables is not None and as_mapping(tables) is None:
            problems.append(f"the {what} are {type(tables).__name__}, not a mapping by instance")
            return {}
        for name in tables or ():
            if name not in service.instances:
                from toolspec.shared.spelling import suggestion

                hint = suggestion(name, service.instances)
                problems.append(f"{what} for `{name}`, which is not an instance{hint}")
    targets: dict[str, Target] = {}
    for name in service.instances:
        own: list[str] = []
        targets[name] = _target(service, _part(settings, name), _part(credentials, name), own)
        problems += [f"instance `{name}`: {line}" for line in own]
    return targets


def _part(table: Mapping[str, object] | None, name: str) -> Mapping[str, object] | None:
    """Return the entry of an instance, or None; its type is validated later."""
    return None if table is None else table.get(name)  # type: ignore[return-value]  # validated later


def _target(
    service: ServiceDefinition,
    settings: Mapping[str, object] | None,
    credentials: Mapping[str, object] | None,
    problems: list[str],
) -> Target:
    """Return validated settings and credentials with defaults filled in."""
    if service.settings_schema is None and not settings and credentials is None:
        return Target()
    from toolspec.runtime.settings import (
        ConfigurationError,
        checked_credentials,
        checked_settings,
    )

    checked: dict[str, Confidential | None] = {}
    try:
        checked["settings"] = checked_settings(service, settings)
    except ConfigurationError as problem:
        problems += problem.problems
    try:
        if credentials is not None:
            checked["credentials"] = checked_credentials(service, credentials)
    except ConfigurationError as problem:
        problems += problem.problems
    return Target(**checked)
