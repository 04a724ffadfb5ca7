"""A service has no version.

Lock, catalogue and errors name the version of what answered. Without one nobody can say which edition
of a tool a log is about.

Reported:

    tools: [{name: get}]

Accepted:

    service: {version: 1.0.0}
    tools: [{name: get}]
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.places import name_span
from toolspec.ir import Service
from toolspec.rules.rule import declare

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{service}` has no version, and counts as {version}",
    "add `version: 1.0.0`, and raise it with each change",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield a finding where the version is the default's."""
    place = service.place
    if place and place.at("version").value_or_none is None:
        yield KIND.at(name_span(service), service=service.name, version=service.version)
