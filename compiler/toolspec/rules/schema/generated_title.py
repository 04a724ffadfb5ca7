"""A title repeats the name of its property."""

from collections.abc import Sequence
from functools import partial

from toolspec.rules.api import (
    Diagnostic,
    Diagnostics,
    JsonValue,
    Path,
    SchemaVisit,
    Severity,
    counted,
    declare,
    edits,
    everywhere,
    together,
)

KIND = declare(
    __name__,
    Severity.NOTE,
    "{titles} the name",
    "delete it, or write a more informative title",
)
VISITS = SchemaVisit
KEYWORDS = frozenset({"title"})
# Suffixes that frameworks add to the name of a tool in titles of arguments and results.
_SUFFIXES = ("", "arguments", "args", "input", "output", "dictoutput", "response")
_SEPARATORS = str.maketrans("", "", " _-.")


def check(visit: SchemaVisit) -> Diagnostics:
    """Yield one diagnostic for all such titles of a schema, with a fix that deletes them."""
    if "title" not in visit.survey.uses:
        return
    paths: list[Path] = [
        (*member.path, "title")
        for member in visit.properties
        if "title" in member.schema and _plain(member.schema["title"]) == _plain(member.name)
    ]
    root, name = visit.schema.value, _plain(visit.tool.name if visit.tool else "")
    own = _plain(root.get("title")) if isinstance(root, dict) else ""
    if name and own in {f"{name}{ending}" for ending in _SUFFIXES}:
        paths.insert(0, ("title",))
    if paths:
        yield together(paths, partial(_report, visit))


def _report(visit: SchemaVisit, paths: Sequence[Path]) -> Diagnostic:
    edit = everywhere(visit, paths, edits.delete_member)
    fix = edits.fix("delete titles that repeat a name", edit, safe=True)
    titles = counted(len(paths), "title repeats", "titles repeat")
    return visit.diagnostic(KIND, paths[0], fix=fix, titles=titles)


def _plain(text: JsonValue) -> str:
    return text.casefold().translate(_SEPARATORS) if isinstance(text, str) else ""
