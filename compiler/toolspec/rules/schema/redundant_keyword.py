"""A keyword changes nothing.

`minLength: 0` refuses no text and `required: []` asks for nothing; a `then` without `if` is never looked at. Such
words cost tokens, and whoever reads them looks for their reason.

Reported:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {query: {type: string, minLength: 0}}
          required: []
    ---
    tools:
      - name: search
        inputSchema:
          type: object
          then: {required: [query]}

Accepted:

    tools:
      - name: search
        inputSchema:
          type: object
          properties: {query: {type: string, minLength: 1, pattern: '^.*$'}, size: {type: integer, minimum: 0}}
          additionalProperties: true
          if: {required: [query]}
          then: {required: [size]}
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from toolspec.diagnostics import Severity
from toolspec.frontend import edits
from toolspec.rules.rule import declare
from toolspec.rules.several import together
from toolspec.rules.visits import SchemaVisit
from toolspec.rules.words import listed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from toolspec.diagnostics import Diagnostic
    from toolspec.syntax.nodes import JsonObject
    from toolspec.syntax.pointer import Path

KIND = declare(
    __name__, __doc__, Severity.NOTE, "{keywords} {verb} nothing here", "delete what says nothing"
)
VISITS = SchemaVisit
# As JSON, since in Python 0 is equal to False.
_IDLE = {
    **dict.fromkeys(("minLength", "minItems", "minProperties", "minContains"), ("0",)),
    **dict.fromkeys(("uniqueItems", "deprecated", "readOnly", "writeOnly"), ("False",)),
    **dict.fromkeys(("patternProperties", "dependentRequired", "dependentSchemas"), ("{}",)),
    **dict.fromkeys(("required", "examples"), ("[]",)),
    "pattern": ("''", "'.*'", "'^.*'"),
}
_NEEDING = {
    "if": ("then", "else"),
    "then": ("if",),
    "else": ("if",),
    "minContains": ("contains",),
    "maxContains": ("contains",),
}
_KEYWORDS = _IDLE.keys() | _NEEDING.keys()


def check(visit: SchemaVisit) -> Iterator[Diagnostic]:
    """Yield one finding for all such keywords of a schema, which a fix deletes."""
    paths: list[Path] = []
    for keyword in sorted(_KEYWORDS & visit.survey.uses.keys()):
        paths += [
            (*path, keyword) for path, node in visit.using(keyword) if _is_idle(keyword, node)
        ]
    if paths:
        places = (visit.place(*path) for path in paths)
        edit = tuple(edit for each in places if each for edit in edits.delete_member(each))
        fix = edits.fix("delete what says nothing", edit, safe=True)
        keywords = listed(dict.fromkeys(str(path[-1]) for path in paths))
        verb = "says" if len({path[-1] for path in paths}) == 1 else "say"
        yield together(visit, KIND, paths, fix=fix, keywords=keywords, verb=verb)


def _is_idle(keyword: str, node: JsonObject) -> bool:
    if keyword in _NEEDING and node.keys().isdisjoint(_NEEDING[keyword]):
        return True
    return repr(node[keyword]) in _IDLE.get(keyword, ()) and not (
        keyword == "minContains" and "contains" in node
    )
