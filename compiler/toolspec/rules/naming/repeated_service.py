"""A tool's name begins with the name of its service.

The full name joins both, so that `github` and `githubListRepositories` make
`github_githubListRepositories`. The repetition costs characters of the 64 that providers allow, and
tells a model nothing.

Reported:

    service: {name: github}
    tools:
      - name: githubListRepositories
    ---
    service: {name: my-app}
    tools:
      - name: my_app_restart

Accepted:

    service: {name: github}
    tools:
      - name: listRepositories
      - name: githubbed
    ---
    service: {name: search}
    tools:
      - name: search
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend.naming.identifiers import snake_case
from toolspec.frontend.places import name_span
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "`{name}` names the service twice",
    "rename the tool `{shorter}` and keep the old name as an alias",
)
VISITS = ToolVisit


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding where the words of the service begin the words of the tool."""
    tool, service = visit.tool, visit.service
    prefix = f"{snake_case(service.name)}_"
    words = snake_case(tool.name)
    if service.names.prefix and words.startswith(prefix):
        shorter = _tail(tool.name, len(prefix.replace("_", "")))
        yield KIND.at(name_span(tool), name=tool.names.full, shorter=shorter)


def _tail(name: str, letters: int) -> str:
    """Return what follows a number of letters and digits, in the style of the name."""
    at = 0
    while letters:
        letters -= name[at].isalnum()
        at += 1
    tail = name[at:].lstrip("_-")
    return tail[0].lower() + tail[1:] if name[0].islower() and not tail[:2].isupper() else tail
