"""Titles only repeat the names of what they stand at.

A generator has put them there: `user_id` has the title `User Id`. A model reads them with every turn and
learns nothing from them.

Reported:

    tools:
      - name: show
        inputSchema: {type: object, properties: {user_id: {type: string, title: User Id}}}
    ---
    tools:
      - name: show
        inputSchema: {type: object, title: showArguments}

Accepted:

    tools:
      - name: show
        inputSchema:
          {type: object, title: What to show, properties: {title: {type: string, title: Whose page}}}
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.grouping import counted, everywhere, together
from toolspec.rules.rule import declare
from toolspec.rules.visits import SchemaVisit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonValue
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__,
    __doc__,
    Severity.NOTE,
    "{titles} what the name says",
    "delete it, or say something else with it",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"title"})
# How frameworks call the schema of a function's arguments or result.
_OF_TOOLS = ("", "arguments", "args", "input", "output", "dictoutput", "response")
_JOINTS = str.maketrans("", "", " _-.")


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such titles of a schema, which a fix deletes."""
    if "title" not in visit.survey.uses:
        return
    paths: list[Path] = [
        (*each.path, "title")
        for each in visit.properties
        if "title" in each.schema and _plain(each.schema["title"]) == _plain(each.name)
    ]
    root, name = visit.schema.value, _plain(visit.tool.name if visit.tool else "")
    own = _plain(root.get("title")) if isinstance(root, dict) else ""
    if name and own in {f"{name}{ending}" for ending in _OF_TOOLS}:
        paths.insert(0, ("title",))
    if paths:
        yield together(paths, partial(_tell, visit))


def _tell(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    edit = everywhere(visit, paths, edits.delete_member)
    fix = edits.fix("delete what repeats a name", edit, safe=True)
    titles = counted(len(paths), "title repeats", "titles repeat")
    return visit.finding(KIND, paths[0], fix=fix, titles=titles)


def _plain(text: JsonValue) -> str:
    return text.casefold().translate(_JOINTS) if isinstance(text, str) else ""
