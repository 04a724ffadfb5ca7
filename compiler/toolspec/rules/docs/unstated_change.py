"""A tool changes something, and its description does not say so.

The text is what people are shown when they are asked to allow a call. `Issue state` does not tell them
that it closes the issue.

Reported:

    tools:
      - name: issueState
        description: The state of an issue.
        mutation: true

Accepted:

    tools:
      - name: issueState
        description: Sets the state of an issue.
        mutation: true
      - name: readState
        description: The state of an issue.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.rules.rule import declare
from toolspec.rules.visits import ToolVisit
from toolspec.rules.words import READING, words_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "`{tool}` changes something, and its description does not say what",
    "begin with the verb of what it does",
)
VISITS = ToolVisit
_CHANGE = re.compile(
    r"(?i)\b(?:abort|accept|activat|add|allow|appl|append|approv|archiv|assign|attach|authenticat|block|book"
    r"|build|cancel|chang|check.?out|clear|click|clon|clos|commit|configur|connect|convert|cop(?:y|ies)|creat"
    r"|deactivat|delet|deploy|disabl|disconnect|download|drag|drop|edit|emit|enabl|end|eras|execut|fill|fork"
    r"|generat|grant|handl|hover|import|insert|install|invit|join|kill|launch|leav|link|load|lock|log|mak|mark"
    r"|merg|modif|mov|navigat|open|pay|perform|pin|plac|post|press|produc|publish|purg|push|put|queu|rebuild"
    r"|record|refund|register|reject|remov|renam|reorder|replac|reset|resiz|resolv|restart|restor|revert|revok"
    r"|run|sav|scal|schedul|select|send|set|shar|sign|simulat|start|stop|store|submit"
    r"|subscrib|switch|sync|tag|take|tap|terminat|toggl|transfer|trigger|truncat|type|unassign|uninstall"
    r"|unlock|unsubscrib|updat|upgrad|upload|use|wait|wip|write)\w*"
)


def check(visit: ToolVisit) -> Iterator[Diagnostic]:
    """Yield a finding for a mutating tool whose text has no verb of change; its name may be wrong, too."""
    tool = visit.tool
    is_odd = words_of(tool.name)[0] in READING
    if (
        tool.mutation
        and not is_odd
        and not _CHANGE.search(f"{tool.title} {tool.summary} {tool.description}")
    ):
        yield KIND.at(visit.at("description"), tool=tool.name)
