"""The description of a mutating tool does not mention the change."""

import re

from toolspec.rules.api import READING, Diagnostics, Severity, ToolVisit, declare, words_of

KIND = declare(
    __name__,
    Severity.NOTE,
    "`{tool}` changes something, but its description does not say what",
    "begin with the verb that says what the tool does",
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


def check(visit: ToolVisit) -> Diagnostics:
    """Yield a diagnostic for a mutating tool whose description has no verb of change."""
    tool = visit.tool
    if not tool.mutation:
        return
    verb = words_of(tool.name)[0]
    begins = words_of(tool.description.partition(" ")[0])[:1] == (verb,)
    if (
        verb not in READING
        and not begins
        and not _CHANGE.search(f"{tool.title} {tool.summary} {tool.description}")
    ):
        yield KIND.at(visit.at("description"), tool=tool.name)
