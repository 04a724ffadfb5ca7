"""The services of one build name their tools in different styles.

A model that has called `github_listIssues` writes `slack_listChannels` next. Where that one is
`slack_list_channels` the call fails.

Reported:

    services:
      github: {tools: [{name: listIssues}, {name: createIssue}]}
      slack: {tools: [{name: list_channels}, {name: send_message}]}

Accepted:

    services:
      github: {tools: [{name: listIssues}, {name: search}]}
      slack: {tools: [{name: listChannels}, {name: send}]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity, Subject
from toolspec.rules.catalogue import Catalogue
from toolspec.rules.rule import declare
from toolspec.rules.words import style_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{one}` names its tools in {style}, `{other}` in {another}",
    "take one style for all services, and keep the old names as aliases",
)
VISITS = Catalogue


def check(catalogue: Catalogue) -> Iterator[Diagnostic]:
    """Yield one finding at the first service that is not in the style of the first."""
    first: tuple[str, str] | None = None
    for service in catalogue.services:
        styles = {style_of(tool.name) for tool in service.tools} - {""}
        if len(styles) != 1:
            continue
        style = styles.pop()
        first = first or (service.name, style)
        if style != first[1]:
            yield KIND.at(
                catalogue.span(service),
                subject=Subject(service.name),
                one=first[0],
                style=first[1],
                other=service.name,
                another=style,
            )
            return
