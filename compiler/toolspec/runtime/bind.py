"""Binding a service to the code that does its work: everything is checked, in one message."""

from __future__ import annotations

from toolspec.runtime.fitting import handler_problems, hook_problems
from toolspec.runtime.registry import Registry
from toolspec.runtime.service import OUTPUT_CHECKS, BoundService

TYPE_CHECKING = False  # the name alone is enough for type checkers, and spares importing typing
if TYPE_CHECKING:
    import logging
    from collections.abc import Mapping

    from toolspec.runtime.confidential import Confidential
    from toolspec.runtime.definition import ServiceDefinition
    from toolspec.runtime.service import Credentials, CredentialsProvider, OutputCheck


def bind_service(  # noqa: PLR0913 - all that a service can be bound to, by keyword
    service: ServiceDefinition,
    handlers: object,
    *,
    settings: Mapping[str, object] | None = None,
    credentials: Mapping[str, object] | CredentialsProvider | None = None,
    hooks: object = None,
    output_check: OutputCheck = "strict",
    log: logging.Logger | None = None,
) -> Registry:
    """Return a registry of one service.

    `handlers` and `hooks` are an object with methods, a module, or a dict of functions.
    `credentials` serve every caller, or are a function (async or not) from a caller to theirs.
    Complains (BindError) of everything that does not fit, one line each, without the value of any
    setting or credential.
    """
    problems = [*handler_problems(service, handlers), *hook_problems(service, hooks)]
    bound_settings = _settings(service, settings, problems)
    bound_credentials = _credentials(service, credentials, problems)
    if output_check not in OUTPUT_CHECKS:
        modes = ", ".join(OUTPUT_CHECKS)
        problems.append(f"`output_check` is {output_check!r}: it is one of {modes}")
    if problems:
        from toolspec.runtime.errors import BindError

        count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
        heading = f"service `{service.name}` cannot be bound: {count}"
        raise BindError(heading, problems)
    bound = BoundService(
        definition=service,
        handlers=handlers,
        hooks=hooks,
        settings=bound_settings,
        credentials=bound_credentials,
        output_check=output_check,
        logger=log,
    )
    return Registry((bound,))


def _settings(
    service: ServiceDefinition, given: Mapping[str, object] | None, problems: list[str]
) -> Confidential | None:
    if service.settings_schema is None and not given:
        return None
    from toolspec.runtime.configuration import ConfigurationError, checked_settings

    try:
        return checked_settings(service, given)
    except ConfigurationError as problem:
        problems += problem.problems
        return None


def _credentials(
    service: ServiceDefinition,
    given: Mapping[str, object] | CredentialsProvider | None,
    problems: list[str],
) -> Credentials:
    if given is None or callable(given):
        return given
    from toolspec.runtime.configuration import ConfigurationError, checked_credentials

    try:
        return checked_credentials(service, given)
    except ConfigurationError as problem:
        problems += problem.problems
        return None
