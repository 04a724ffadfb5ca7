"""The tools of one service are named in more than one style.

Who has seen `list_issues` guesses `create_issue`, a model or a person. Any style is fine, as long as
a service keeps to one. Names of one small word fit every style.

Reported:

    tools:
      - name: listIssues
      - name: create_issue

Accepted:

    tools:
      - name: listIssues
      - name: createIssue
      - name: ping
    ---
    tools:
      - name: list-issues
      - name: create-issue
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.ir import Service
from toolspec.rules.grouping import at_tools
from toolspec.rules.rule import declare
from toolspec.rules.words import style_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.ir import Tool

KIND = declare(
    __name__,
    __doc__,
    Severity.WARNING,
    "the tools of `{service}` are named in {count} styles: {styles}",
    "rename the fewer in the style of the most, and keep each old name as an alias",
)
VISITS = Service


def check(service: Service) -> Iterator[Diagnostic]:
    """Yield one finding at the first tool that is not in the style of the most."""
    tools: dict[str, list[Tool]] = {}
    for tool in service.tools:
        if style := style_of(tool.name):
            tools.setdefault(style, []).append(tool)
    if len(tools) <= 1:
        return
    styles = sorted(tools, key=lambda style: -len(tools[style]))
    yield at_tools(
        service,
        KIND,
        [tool for style in styles[1:] for tool in tools[style]],
        label=f"the most are in {styles[0]}",
        more="not either",
        service=service.name,
        count=len(tools),
        styles=", ".join(f"{len(tools[style])} in {style}" for style in styles),
    )
